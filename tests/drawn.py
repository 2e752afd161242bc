"""The base of every game's Scene: a dealt game that a test lays out, plays in words and checks."""

from collections.abc import Callable, Mapping
from inspect import signature
from types import ModuleType
from typing import Any, ClassVar, Self

import numpy as np
from referee.beside import Beside, Position
from referee.lockstep import Adapter

from riverbed_env.core.game import Game
from riverbed_env.kernels.common import newest_event
from riverbed_env.kernels.compile import Records, Vector
from riverbed_env.kernels.vocab import MAX_EVENTS

UNWRITTEN = 9
OK = 0  # of every game's refusals


def one_hot(number: int, size: int) -> list[int]:
    """The number as a one-hot list of this size; all 0 for -1."""
    return [int(place == number) for place in range(size)]


class DrawnGame:
    """A game of one record. The Scene of a game names the game and its module of words, and draws the position."""

    kind: ClassVar[Game]
    vocab: ClassVar[ModuleType]
    adapter: ClassVar[type[Adapter] | None] = None  # connects an independent referee to the engine; None without one
    options: Mapping[str, Any]  # of the game; needed with a referee
    num_players: int
    event_bits: ClassVar[int] = 8  # the low bits of an event's word, which hold its kind

    def start(self, made: tuple[Records, Any], seed: int = 1) -> None:
        """Deal a real game with these params; the test then edits it into the drawn position."""
        self.params, self.pack = made
        self.params = self.params[0]
        self.games = np.zeros(1, self.kind.dtype)
        self.game = self.games[0]
        self.kind.kernels.reset(self.game, self.params, seed, 0)
        self.table = self.game["table"]
        self.beside: Beside | None = None

    def call_referee(self) -> None:
        """Let a referee play beside the engine from now on; call this once the position is drawn."""
        if self.adapter is not None:
            position = Position(self.kind, self.games, self.params, self.num_players, self.options)
            self.beside = Beside(self.adapter, position)

    def dismiss_referee(self) -> None:
        """Play on without a referee: the test is about to draw a position that no rule can reach."""
        self.beside = None

    def compare(self) -> None:
        """Fail if engine and referee differ. The referee first takes the decisions that the engine took by itself."""
        if self.beside is not None:
            self.beside.catch_up()

    def follow_edits(self) -> None:
        """Pass the test's edits of the position to the referee; fail if the two then differ."""
        if self.beside is not None and self.beside.edited:
            self.beside.follow_edits()

    def take(self, action: int) -> None:
        """Let engine and referee take the asked seat's action; fail if a fact then differs."""
        self.follow_edits()
        if self.beside is not None:
            self.beside.note_chance()
        assert self.kind.kernels.step(self.game, self.params, action) == 0
        if self.beside is not None:
            self.beside.play(action)

    @property
    def asked(self) -> int:
        """The seat that has to choose, -1 at the end."""
        return int(self.kind.kernels.current_seat(self.game))

    @property
    def returns(self) -> list[float]:
        """Every seat's return with rewards "win"."""
        return self.paid(zero_sum=False)

    def paid(self, *, zero_sum: bool) -> list[float]:
        """Every seat's return with rewards "zero_sum" or "win"."""
        paid = np.zeros(self.num_players, np.float32)
        self.kind.kernels.write_returns(self.game, int(zero_sum), paid)
        return [float(share) for share in paid]

    @property
    def over(self) -> bool:
        """Whether the game is over, by the rules or by the cap."""
        return bool(self.table["ending"] != self.vocab.Ending.PLAYING)

    def expect(self, *conditions: Callable[[Self], bool], **facts: Any) -> Self:
        """Fail unless each condition holds and each fact has its value. Names are looked up here, then in the table.

        For a fact that takes arguments, such as a hand, give a mapping from argument to value: hand={1: [], 2: []}.
        """
        for condition in conditions:
            assert condition(self), condition.__name__
        assert {name: self._fact(name, wanted) for name, wanted in facts.items()} == facts
        return self

    def _fact(self, name: str, wanted: Any) -> Any:
        fact = getattr(self, name) if hasattr(self, name) else self.table[name]
        if not callable(fact):
            return {place: fact[place] for place in wanted} if isinstance(fact, np.ndarray) else fact
        if isinstance(wanted, Mapping) and signature(fact).parameters:
            return {key: fact(*key) if isinstance(key, tuple) else fact(key) for key in wanted}
        return fact()

    def allows(self, *actions: Any) -> Self:
        """Fail unless all of these are legal for the asked seat."""
        assert set(actions) <= self.legal()
        return self

    def refuses(self, *actions: Any) -> Self:
        """Fail if one of these is legal for the asked seat."""
        assert not set(actions) & self.legal()
        assert OK not in [self.refusal(words) for words in actions]
        return self

    def row(self, seat: int, view: str = "history") -> Vector:
        """A seat's observation. A number that the engine doesn't write stays UNWRITTEN."""
        out = np.full(self.kind.views[view], UNWRITTEN, np.int8)
        self.kind.kernels.observe(self.game, self.params, seat, np.zeros(1, self.kind.view_dtype)[0], out)
        return out

    def observed(self, seat: int, view: str = "history") -> dict[str, Vector]:
        """A seat's observation, by piece."""
        return self.kind.observation.named(self.row(seat, view))

    def full_state(self) -> dict[str, Vector]:
        """The full state, by piece."""
        state, scratch = (
            np.full(size, UNWRITTEN, np.int8) for size in (self.kind.state.size, self.kind.observation.size)
        )
        view = np.zeros(1, self.kind.view_dtype)[0]
        self.kind.kernels.write_state(self.game, self.params, view, scratch, state)
        return self.kind.state.named(state)

    def events(self) -> list[Any]:
        """The kinds of the last MAX_EVENTS public events, oldest first."""
        count = int(self.table["event_count"])
        places = [(newest_event(count) + age) % MAX_EVENTS for age in range(min(MAX_EVENTS, count))]
        kinds = (1 << self.event_bits) - 1
        return [self.vocab.Event(int(self.table["events"][place]) & kinds) for place in reversed(places)]

    @property
    def last_event(self) -> Any:
        """The kind of the newest event."""
        return self.events()[-1]


class DrawnTurns(DrawnGame):
    """A drawn game in which one seat chooses at a time. A Scene defines the words for its actions."""

    def action(self, words: Any, seat: int) -> int:
        """The action id of a seat's words."""
        raise NotImplementedError

    def words(self, action: int, seat: int) -> str:
        """The words of a seat's action id."""
        raise NotImplementedError

    def check(self) -> None:
        """Fail if the position isn't sound. Does nothing here: most drawn positions lack parts of a whole game."""

    @property
    def question(self) -> Any:
        """The question that the asked seat answers."""
        return self.vocab.Question(int(self.table["question"]))

    def refusal(self, words: Any, seat: int | None = None) -> Any:
        """Why the rules refuse the action, or OK. seat: the asked seat by default."""
        self.follow_edits()
        who = self.asked if seat is None else seat
        refused = self.kind.kernels.refusal(self.game, self.params, who, self.action(words, who))
        return self.vocab.Refusal(int(refused))

    def mask(self, seat: int) -> Vector:
        """A seat's action mask."""
        self.follow_edits()
        mask = np.zeros(self.kind.actions.size, np.int8)
        self.kind.kernels.write_mask(self.game, self.params, seat, mask)
        return mask

    def legal(self, seat: int | None = None) -> set[str]:
        """The legal actions, in the words that `action` takes. seat: the asked seat by default."""
        who = self.asked if seat is None else seat
        return {self.words(int(action), who) for action in np.flatnonzero(self.mask(who))}

    def play(self, *actions: Any) -> Self:
        """Play each action for the asked seat; fail if one is illegal or the state isn't sound afterwards."""
        for words in actions:
            refused = self.refusal(words)
            assert refused == 0, f"{words!r} by seat {self.asked} asked {self.question.name}: {refused.name}"
            self.take(self.action(words, self.asked))
            self.check()
        return self
