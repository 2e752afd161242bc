"""What the scenes of all games share: a dealt game, laid out as a test draws it, played and looked at in words."""

from __future__ import annotations

from types import ModuleType
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.kernels.common import newest_event
from riverbed_env.kernels.vocab import MAX_EVENTS

Numbers = npt.NDArray[np.int8]
UNWRITTEN = 9


def one_hot(number: int, size: int) -> list[int]:
    """One-hot number, nothing for -1."""
    return [int(place == number) for place in range(size)]


class DrawnGame:
    """A game of one record. The Scene of a game names the game and its module of words, and draws the position."""

    kind: ClassVar[Game]
    vocab: ClassVar[ModuleType]
    event_bits: ClassVar[int] = 8  # of an event's word, in which its kind stands

    def start(self, made: tuple[npt.NDArray[np.void], Any], seed: int = 1) -> None:
        """A real game of this setting, from which the drawn position is made."""
        self.params, self.pack = made
        self.params = self.params[0]
        self.games = np.zeros(1, self.kind.dtype)
        self.game = self.games[0]
        self.kind.kernels.reset(self.game, self.params, seed, 0)
        self.table = self.game["table"]

    @property
    def asked(self) -> int:
        """The seat that has to choose, -1 at the end."""
        return int(self.kind.kernels.current_seat(self.game))

    @property
    def over(self) -> bool:
        """Whether the game is over, by the rules or by the cap."""
        return bool(self.table["ending"] != self.vocab.Ending.PLAYING)

    def row(self, seat: int, view: str = "history") -> Numbers:
        """A seat's observation; every number of it is written."""
        out = np.full(self.kind.views[view], UNWRITTEN, np.int8)
        self.kind.kernels.observe(self.game, self.params, seat, np.zeros(1, self.kind.view_dtype)[0], out)
        return out

    def observed(self, seat: int, view: str = "history") -> dict[str, Numbers]:
        """A seat's observation, by piece."""
        return self.kind.observation.named(self.row(seat, view))

    def full_state(self) -> dict[str, Numbers]:
        """The full state, by piece."""
        state, scratch = (
            np.full(size, UNWRITTEN, np.int8) for size in (self.kind.state.size, self.kind.observation.size)
        )
        view = np.zeros(1, self.kind.view_dtype)[0]
        self.kind.kernels.write_state(self.game, self.params, view, scratch, state)
        return self.kind.state.named(state)

    def events(self) -> list[Any]:
        """The kinds of the public events so far, oldest first (the last 32)."""
        count = int(self.table["event_count"])
        places = [(newest_event(count) + age) % MAX_EVENTS for age in range(min(MAX_EVENTS, count))]
        kinds = (1 << self.event_bits) - 1
        return [self.vocab.Event(int(self.table["events"][place]) & kinds) for place in reversed(places)]


class DrawnTurns(DrawnGame):
    """A drawn game in which one seat chooses at a time. A Scene says what actions are called."""

    def action(self, words: Any, seat: int) -> int:
        """The action id of a seat's words."""
        raise NotImplementedError

    def words(self, action: int, seat: int) -> str:
        """The words of a seat's action id."""
        raise NotImplementedError

    def check(self) -> None:
        """Fails where the position isn't sound; most positions are drawn with less than a whole game."""

    @property
    def question(self) -> Any:
        """What the asked seat is asked."""
        return self.vocab.Question(int(self.table["question"]))

    def refusal(self, words: Any, seat: int | None = None) -> Any:
        """Why the rules refuse the action, OK when they don't; of the asked seat unless another is named."""
        who = self.asked if seat is None else seat
        refused = self.kind.kernels.refusal(self.game, self.params, who, self.action(words, who))
        return self.vocab.Refusal(int(refused))

    def mask(self, seat: int) -> Numbers:
        """A seat's action mask."""
        mask = np.zeros(self.kind.actions.size, np.int8)
        self.kind.kernels.write_mask(self.game, self.params, seat, mask)
        return mask

    def legal(self, seat: int | None = None) -> set[str]:
        """The legal actions in the words `action` takes; of the asked seat unless another is named."""
        who = self.asked if seat is None else seat
        return {self.words(int(action), who) for action in np.flatnonzero(self.mask(who))}

    def play(self, *actions: Any) -> Self:
        """Each action in turn by whoever is asked; fails where one is illegal or the state isn't sound afterwards."""
        for words in actions:
            refused = self.refusal(words)
            assert refused == 0, f"{words!r} by seat {self.asked} asked {self.question.name}: {refused.name}"
            assert self.kind.kernels.step(self.game, self.params, self.action(words, self.asked)) == 0
            self.check()
        return self
