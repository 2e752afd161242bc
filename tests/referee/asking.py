"""The base of the referees: a game is one generator that stops wherever a seat must decide. It knows no rule."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

Action = tuple[Any, ...]
Returned = TypeVar("Returned")


def made_of(kind: Callable[..., Returned], entry: Mapping[str, Any]) -> Returned:
    """A dataclass of the entries of a pack's table that are called as its fields are."""
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]  # each is a dataclass
    return kind(**{name: value for name, value in entry.items() if name in names})


@dataclass(frozen=True)
class Question:
    """What is asked of a seat, and the answers it may give."""

    seat: int
    word: str
    answers: frozenset[Action]
    counted: bool = True  # towards the cap


Asking = Generator[Question, Action, Returned]


class Table:
    """A game that runs as one generator. cap: the number of decisions after which it is truncated; None for no cap."""

    def __init__(self, cap: int | None) -> None:
        self._cap = cap
        self.decisions = 0  # those that count towards the cap
        self.uncounted = 0
        self.ended = False
        self.truncated = False

    def begin_story(self, story: Asking[None]) -> None:
        """Run this story up to its first question."""
        self.story = story
        self._question = next(story, None)

    @property
    def asked(self) -> int | None:
        """The seat to act; None when the game is over."""
        return None if self._question is None else self._question.seat

    @property
    def question(self) -> str:
        """The question's word."""
        return "over" if self._question is None else self._question.word

    def legal(self) -> set[Action]:
        """The legal answers of the asked seat."""
        return set() if self._question is None else set(self._question.answers)

    def play(self, action: Action) -> None:
        """Carry out an answer and everything that follows until the next decision."""
        if self._question is None or action not in self._question.answers:
            raise ValueError(f"{action} is not legal")
        if self._question.counted:
            self.decisions += 1
        else:
            self.uncounted += 1
        try:
            self._question = self.story.send(action)
        except StopIteration:
            self._question = None
        if self._question is not None and self._cap is not None and self.decisions >= self._cap:
            self._truncate()

    def _truncate(self) -> None:
        """RH-6.5, RR-3.6: a cap on decisions truncates, never terminates.

        READING: all that follows from the last decision is carried out first, up to a next question that isn't asked.
        """
        self._question = None
        self.ended = True
        self.truncated = True
