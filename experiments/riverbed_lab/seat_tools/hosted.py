"""One game in this process: agents play some seats, the others are played from outside, each by what its seat knows."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from riverbed_env.core.frame import frame
from riverbed_env.core.game import Game
from riverbed_env.core.transcript import actions_of, say
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.players.agents import Agent
from riverbed_env.players.arena import OUTSIDE, Arena
from riverbed_env.seats import Message, Talk, rules_digest, seat_message

ONLY = np.zeros(1, np.int64)


class HostedGame:
    """A game that waits for seats from outside.

    agents: who plays each seat, None for a seat from outside. Calls may come from several threads.
    """

    def __init__(self, game: Game, agents: Sequence[Agent | None], seed: int, **options: Any) -> None:
        if None not in agents:
            raise OptionError("every seat has an agent; leave one to be played from outside")
        inside = list({agent.name: agent for agent in agents if agent is not None}.values())
        numbers = {agent.name: number for number, agent in enumerate(inside)}
        self.game = game
        self.outside = [seat for seat, agent in enumerate(agents) if agent is None]
        self._arena = Arena(game, inside, 1, seed=seed, num_players=len(agents), **options)
        self._told = dict.fromkeys(self.outside, (0, 0))  # events and texts
        self._lock = threading.RLock()
        seated = [OUTSIDE if agent is None else numbers[agent.name] for agent in agents]
        self._arena.deal(ONLY, ONLY)
        self._arena.seat_agents(ONLY, np.array([seated]))
        self._arena.play_on(ONLY)

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
            talk = self._talk()
            words = self.game.words.describe_state(batch.pack, batch.games, batch.params, seat)
            return {
                "status": status,
                "you": {"seat": seat, "name": f"player_{seat}", "goal": seen["goal"]},
                "asked": seen["headline"],
                "knows": words,
                "help": seen["help"],
                "new": [event["text"] for event in seen["events"]],
                "said": talk.said if talk is not None else [],
                "result": seen["result"],
            }

    def legal(self, seat: int) -> list[Message]:
        """A seat's choices; none while it isn't asked."""
        with self._lock:
            return [] if self.asked != seat else self.message(seat)["choices"]

    def message(self, seat: int) -> Message:
        """The message that asks the seat. Raises IllegalActionError if it isn't asked."""
        with self._lock:
            self._check_asked(seat)
            batch = self._arena.batch
            legal = np.flatnonzero(batch.action_mask[0]).tolist()
            view, talk = batch.look(seat)[0], self._talk()
            since, _ = self._told[seat]
            return seat_message(self.game, batch.pack, view, batch.params, legal, since=since, talk=talk)

    def act(self, seat: int, choice: int, text: str = "") -> Message:
        """Take a seat's choice, and its text if it says one (RH-9.9); agents then play on. Returns what the seat sees.

        Raises IllegalActionError, with nothing said or done, unless the seat is asked and may choose and say that.
        """
        with self._lock:
            legal = [each["id"] for each in self.message(seat)["choices"]]
            if choice not in legal:
                raise IllegalActionError(f"{choice} isn't among the ids of your choices: {', '.join(map(str, legal))}")
            if text:
                try:
                    say(self._arena.batch, text)
                except OptionError as error:
                    raise IllegalActionError(str(error)) from error
            for action in actions_of(self.game, self._arena.batch.games[0], choice, text):
                self._arena.play_on(ONLY, np.array([action]))
            return self.look(seat)

    def _talk(self) -> Talk | None:
        """What was said, and how much the seat that is asked may say; None at a table without texts."""
        batch = self._arena.batch
        return Talk.at(self.game, batch.games[0], batch.params[0], batch.notes())

    def _check_asked(self, seat: int) -> None:
        if self.asked is None:
            raise IllegalActionError("the game is over")
        if self.asked != seat:
            raise IllegalActionError("your seat isn't asked now: look again later")
