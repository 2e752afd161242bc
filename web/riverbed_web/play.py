"""One game at a table: who is asked, what is legal, and the choices so far. It knows nothing of browsers or agents."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.frame import TRUTH, happened
from riverbed_env.core.game import Game
from riverbed_env.core.packs import pack_hash
from riverbed_env.core.transcript import actions_of, said_now, say
from riverbed_env.errors import IllegalActionError
from riverbed_env.kernels.random import AGENTS, STREAM, WORDS_A_DECISION, open_stream
from riverbed_env.seats import Message, Talk, seat_message

from .messages import Position, Viewer

NOBODY = -1
FEW = 3  # choices with fewer events than a game keeps

Choice = tuple[int, int, str]  # a seat, its action, and what it says in words with it, "" for nothing


class Play:
    """A game that is played choice by choice.

    In a game with simultaneous choices every seat with a question may answer at once, and go on to its next question of
    the phase; `answer` keeps early answers until the rules ask for them. `actions` are those the rules have taken, in
    their order.
    """

    def __init__(self, game: Game, seed: int, options: dict[str, Any], choices: Iterable[Choice] = ()) -> None:
        self.game = game
        self.seed = seed
        self.batch = Batch(game, 1, seed=seed, auto_reset=False, **options)
        self.actions: list[int] = []
        self.early: dict[int, list[int]] = {}
        self._ahead: dict[int, tuple[Batch, bool]] = {}
        self._before: list[Batch] = []  # each step that the asked seat may still take back
        self.made = [0] * self.batch.num_players  # choices of each seat
        for seat, action, text in choices:
            self.answer(seat, action, text)

    @classmethod
    def positions(cls, game: Game, seed: int, options: dict[str, Any], choices: Sequence[Choice]) -> Iterator[Position]:
        """The game after every few choices, and after the last: near enough for `told`."""
        play = cls(game, seed, options)
        for number, choice in enumerate(choices, 1):
            play.answer(*choice)
            if not number % FEW or number == len(choices):
                yield play.position

    @property
    def pack(self) -> str | None:
        """The content pack's hash."""
        return pack_hash(self.batch.pack) or None

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.batch.num_players

    @property
    def asked(self) -> int:
        """The seat whose answer the game needs next; NOBODY at the end."""
        return int(self.batch.seat[0])

    @property
    def position(self) -> Position:
        """The game as it is now, for messages about it."""
        return self.position_for(TRUTH)

    def position_for(self, viewer: Viewer) -> Position:
        """The game as it is now for a viewer: a seat's early answers are taken."""
        batch = self.ahead(viewer) if isinstance(viewer, int) else self.batch
        return Position(self.game, batch.pack, batch.games, batch.params, batch.notes())

    def ahead(self, seat: int) -> Batch:
        """The game in which a seat may go on: with its early answers; without the last one if no question follows."""
        return self._go_ahead(seat)[0]

    def answered(self, seat: int) -> int | None:
        """The last early answer of a seat that waits for others; None if it doesn't."""
        early = self.early.get(seat)
        return early[-1] if early and not self.may_answer(seat) else None

    def _go_ahead(self, seat: int) -> tuple[Batch, bool]:
        """The game after a seat's early answers, and whether the seat has a question there.

        The answers of others on the way are made up: they change nothing that the seat may see before an event.
        """
        if self.game.kernels.pending is None or self.asked in (seat, NOBODY):
            return self.batch, self.asked == seat
        if seat not in self._ahead:
            left, told = self.early.get(seat, [])[::-1], _told(self.batch)
            reached, batch = self.batch, self.batch.clone()
            while left or not _is_pending(batch, seat):
                own = int(batch.seat[0]) == seat
                reached = batch.clone() if own else reached
                batch.step([left.pop() if own else int(batch.action_mask[0].argmax())])
                if _told(batch) != told:
                    self._ahead[seat] = reached, False
                    break
            else:
                self._ahead[seat] = batch, True
        return self._ahead[seat]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.asked == NOBODY

    @property
    def returns(self) -> list[float]:
        """What the game paid to each seat, once it is over."""
        return [float(paid) for paid in self.batch.returns[0]]

    def may_answer(self, seat: int) -> bool:
        """Whether a seat has a question that it hasn't answered yet."""
        return self._go_ahead(seat)[1]

    def mask(self, seat: int) -> npt.NDArray[np.int8]:
        """The action mask of a seat that may answer."""
        batch = self.ahead(seat)
        if seat == int(batch.seat[0]):
            return np.array(batch.action_mask[0])
        mask = np.zeros(self.game.actions.size, np.int8)
        if self.game.kernels.write_pending_mask is not None:
            self.game.kernels.write_pending_mask(batch.games[0], batch.params[0], seat, mask)
        return mask

    def question(self, seat: int, since: int) -> Message:
        """The message of the seat protocol to a seat that may answer. since: events it has been told of."""
        batch = self.ahead(seat)
        legal = np.flatnonzero(self.mask(seat)).tolist()
        observation, _ = batch.observe(seat)
        view = batch.look(seat)[0]
        talk = Talk.at(self.game, batch.games[0], batch.params[0], batch.notes())
        return seat_message(
            *(self.game, batch.pack, view, batch.params, legal), since=since, observation=observation[0], talk=talk
        )

    def check(self, seat: int, action: int, text: str = "") -> None:
        """Raise IllegalActionError unless the seat is asked and may take the action, OptionError unless it may say so.

        text: what it says in words with the action, "" for nothing.
        """
        if not self.may_answer(seat):
            raise IllegalActionError("your seat isn't asked now")
        if not 0 <= action < self.game.actions.size or not self.mask(seat)[action]:
            raise IllegalActionError(f"you can't take action {action}: {self._why_not(seat, action)}")
        if text:
            batch = self.batch
            said_now(self.game, batch.games[0], batch.params[0], batch.notes(), text)

    def answer(self, seat: int, action: int, text: str = "") -> None:
        """Take a seat's choice, and the claim that its text makes (RH-9.9).

        Raises what `check` does, with nothing changed.
        """
        self.check(seat, action, text)
        if seat == self.asked:
            meant = actions_of(self.game, self.batch.games[0], action, text) if text else [action]
            if text:
                say(self.batch, text)
            for each in meant:
                self._step(each)
            if text:
                self._before.clear()
            while self.early.get(self.asked):
                self._step(self.early[self.asked].pop(0))
        else:
            self.early.setdefault(seat, []).append(action)
        self.made[seat] += 1
        self._ahead.clear()

    def may_take_back(self, seat: int) -> bool:
        """Whether a seat's last choice has told nobody anything and drawn nothing: no event, no chance, no other seat.

        That is an early answer, or a part of a choice of several parts.
        """
        return bool(self.early.get(seat)) or (seat == self.asked and bool(self._before))

    def take_back(self, seat: int) -> None:
        """Undo the last choice of a seat that may take it back."""
        if self.early.get(seat):
            self.early[seat].pop()
        else:
            self.batch = self._before.pop()
            self.actions.pop()
        self.made[seat] -= 1
        self._ahead.clear()

    def _why_not(self, seat: int, action: int) -> str:
        """Why a seat that may answer can't take an action."""
        if not 0 <= action < self.game.actions.size:
            return f"actions are 0 to {self.game.actions.size - 1}"
        if seat != self.asked:
            return "it isn't among your choices"
        refused = self.game.kernels.refusal(self.batch.games[0], self.batch.params[0], seat, action)
        return str(self.game.words.describe_refusal(int(refused)))

    def _step(self, action: int) -> None:
        before, asked = self.batch.clone(), self.asked
        self.batch.step([action])
        self.actions.append(action)
        if self.asked == asked and _told(self.batch) == _told(before):
            self._before.append(before)
        else:
            self._before.clear()

    def streams(self) -> npt.NDArray[np.void]:
        """What an agent draws from in this decision, (1,): the same whoever took the decisions before."""
        streams = np.zeros(1, STREAM)
        open_stream(streams[0], self.seed, int(self.batch.game_number[0]), AGENTS)
        streams["drawn"] = WORDS_A_DECISION * len(self.actions)
        return streams


def _is_pending(batch: Batch, seat: int) -> bool:
    """Whether a seat has a simultaneous choice to make in a game."""
    pending = batch.game.kernels.pending
    return pending is not None and bool(int(pending(batch.games[0], batch.params[0])) >> seat & 1)


def _told(batch: Batch) -> tuple[int, bytes]:
    """How much has happened in a game, and where its chance stands."""
    games = batch.games
    chance = games["chance"].tobytes() if "chance" in (games.dtype.names or ()) else b""
    return happened(batch.game, batch.pack, games, batch.params, TRUTH, sys.maxsize)[1], chance
