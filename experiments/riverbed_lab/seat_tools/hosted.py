"""One game in this process: agents play some seats, the others are played from outside, each by what its seat knows."""

import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.core.frame import frame
from riverbed_env.core.game import Game
from riverbed_env.core.transcript import actions_of, say
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.errors import IllegalActionError, OptionError, WriteError
from riverbed_env.players.agents import Agent
from riverbed_env.players.arena import OUTSIDE, Arena
from riverbed_env.seats import Message, Talk, rules_digest, seat_message
from riverbed_web.record import write_record

ONLY = np.zeros(1, np.int64)
BY_TOOLS = "mcp"  # who plays through tools, in records


class HostedGame:
    """A game that waits for seats from outside.

    Calls may come from several threads.

    Args:
        game: the game.
        agents: who plays each seat, None for a seat from outside.
        seed: of the numbered games.
        number: the game's.
        pool: agents that are compiled too, so that games of one pool share one loop.
        kept: the file that holds the game's record after each `act`; None: none is kept.
        options: those of the game.

    Attributes:
        dealt: the game as dealt, a record.

    Raises:
        OptionError: no seat is played from outside, or an option isn't known or allowed.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent | None],
        seed: int,
        *,
        number: int = 0,
        pool: Sequence[Agent] = (),
        kept: Path | None = None,
        **options: Any,
    ) -> None:
        if None not in agents:
            raise OptionError("every seat has an agent; leave one to be played from outside")
        inside = list({agent.name: agent for agent in (*agents, *pool) if agent is not None}.values())
        numbers = {agent.name: place for place, agent in enumerate(inside)}
        self.game, self._kept = game, kept
        self.outside = [seat for seat, agent in enumerate(agents) if agent is None]
        self.names = ["" if agent is None else agent.name for agent in agents]
        self._arena = Arena(game, inside, 1, logged=True, seed=seed, num_players=len(agents), **options)
        self._told = dict.fromkeys(self.outside, (0, 0))  # events and texts
        self._lock = threading.RLock()
        seated = [OUTSIDE if agent is None else numbers[agent.name] for agent in agents]
        self._arena.deal(ONLY, np.array([number]))
        self.dealt = self.batch.get_state()
        self._arena.seat_agents(ONLY, np.array([seated]))
        self._arena.play_on(ONLY)

    @property
    def batch(self) -> Batch:
        """The batch that holds the game; it tells all, so no seat may see it."""
        return self._arena.batch

    @property
    def actions(self) -> list[int]:
        """The actions taken so far, of all seats."""
        return [int(action) for action in self._arena.log_of(ONLY)[0]]

    def record(self, name: str) -> RecordedGame:
        """The game so far, for `replay` and `judge`.

        Args:
            name: what the seats from outside are called in it.

        Returns:
            The recorded game, with what each seat got if it is over.
        """
        with self._lock:
            record = RecordedGame.of(self.batch, self.actions, agents=[each or name for each in self.names])
            return replace(record, returns=() if self.asked is not None else tuple(self.batch.returns[0].tolist()))

    @property
    def asked(self) -> int | None:
        """The seat from outside that has to choose; None when the game is over."""
        seat = int(self._arena.batch.seat[0])
        return None if seat < 0 else seat

    @property
    def rules(self) -> str:
        """The rules in short."""
        return rules_digest(self.game, self._arena.batch.pack, self._arena.batch.params)

    def look(self, seat: int) -> Message:
        """What a seat knows, and what it has to choose if it is asked; what happened since it looked last is new."""
        with self._lock:
            batch, transcript = self._arena.batch, self._arena.batch.notes()
            seen = frame(*(self.game, batch.pack, batch.games, batch.params, seat), sum(self._told[seat]), transcript)
            self._told[seat] = int(seen["event_count"]) - len(transcript), len(transcript)
            status = "over" if self.asked is None else "your turn" if self.asked == seat else "wait"
            words = self.game.words.describe_state(batch.pack, batch.games, batch.params, seat)
            return {
                "status": status,
                "you": {"seat": seat, "name": f"player_{seat}", "goal": seen["goal"]},
                "asked": seen["headline"],
                "knows": words,
                "help": seen["help"],
                "new": [event["text"] for event in seen["events"]],
                "result": seen["result"],
            }

    def legal(self, seat: int) -> list[Message]:
        """A seat's choices, numbered from 1 as `choice`; none while it isn't asked."""
        with self._lock:
            listed = [] if self.asked != seat else self.message(seat)["choices"]
            return [
                {"choice": number, **{name: each[name] for name in each if name != "id"}}
                for number, each in enumerate(listed, 1)
            ]

    def message(self, seat: int) -> Message:
        """The message that asks the seat; new is what happened since it looked. Raises IllegalActionError otherwise."""
        with self._lock:
            self._check_asked(seat)
            batch = self._arena.batch
            legal = np.flatnonzero(batch.action_mask[0]).tolist()
            view, talk = batch.look(seat)[0], self._talk()
            since = self._told[seat][0]
            return seat_message(self.game, batch.pack, view, batch.params, legal, since=since, talk=talk)

    def act(self, seat: int, choice: int, text: str = "") -> Message:
        """Take a seat's choice as `take` does, by its number in `legal`; returns what the seat then sees."""
        with self._lock:
            listed = self.message(seat)["choices"]
            if not 1 <= choice <= len(listed):
                raise IllegalActionError(f"{choice} isn't among the numbers of your choices: 1 to {len(listed)}")
            self.take(seat, listed[choice - 1]["id"], text)
            self._keep()
            return self.look(seat)

    def _keep(self) -> None:
        """Write the record. The choice is taken already, so a file that can't be written doesn't refuse it."""
        if self._kept is not None:
            try:
                write_record(self._kept, self.record(BY_TOOLS))
            except WriteError as error:
                self._kept = None
                print(f"riverbed: the game isn't recorded any further: {error}", file=sys.stderr)

    def take(
        self, seat: int, choice: int, text: str = "", before: Callable[[int], object] = lambda action: None
    ) -> None:
        """Take a seat's choice, and its text if it says one (RH-9.9); agents then play on.

        Args:
            seat: the seat.
            choice: the id of one of its choices.
            text: what it says with it; "" for nothing.
            before: called with each action that the choice stands for, before it is taken.

        Raises:
            IllegalActionError: the seat isn't asked, or can't choose or say that; nothing is said or done.
        """
        with self._lock:
            self._check_asked(seat)
            legal = np.flatnonzero(self.batch.action_mask[0]).tolist()
            if choice not in legal:
                raise IllegalActionError(f"{choice} isn't among the ids of your choices: {', '.join(map(str, legal))}")
            if text:
                try:
                    say(self.batch, text)
                except OptionError as error:
                    raise IllegalActionError(str(error)) from error
            for action in actions_of(self.game, self.batch.games[0], choice, text):
                before(action)
                self._arena.play_on(ONLY, np.array([action]))

    def _talk(self) -> Talk | None:
        """What was said, and how much the seat that is asked may say; None at a table without texts."""
        batch = self._arena.batch
        return Talk.at(self.game, batch.games[0], batch.params[0], batch.notes())

    def _check_asked(self, seat: int) -> None:
        if self.asked is None:
            raise IllegalActionError("the game is over")
        if self.asked != seat:
            raise IllegalActionError("your seat isn't asked now: look again later")
