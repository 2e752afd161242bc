"""Codes that all games share."""

from enum import IntEnum
from typing import Self

MAX_EVENTS = 32  # public events that a record keeps and view "history" shows


OUT_OF_RANGE = 1  # every game's code for a state with a field outside its range


class Forced(IntEnum):
    """Which decisions with one legal answer the engine takes for the player (`auto_forced`)."""

    NONE = 0
    PUBLIC = 1
    ALL = 2


FORCED_NAMES = tuple(forced.name.lower() for forced in (Forced.PUBLIC, Forced.ALL, Forced.NONE))


class Worded(IntEnum):
    """Codes with their meanings: a member is `NAME = number, words`."""

    words: str

    def __new__(cls, number: int, words: str = "") -> Self:
        """Make a member that equals `number`."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.words = words
        return member


class Decision(IntEnum):
    """Kinds of decisions: a member is `NAME = number, task, answers, when`.

    task: what the seat is to do, as after "to". answers: the action blocks that answer, with spaces between. when: when
    it comes.
    """

    task: str
    answers: tuple[str, ...]
    when: str

    def __new__(cls, number: int, task: str = "", answers: str = "", when: str = "") -> Self:
        """Make a member that equals `number`."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.task, member.answers, member.when = task, tuple(answers.split()), when
        return member


class Refusal(Worded):
    """The reasons for which any game refuses an action; a game's own reasons have higher numbers."""

    OK = 0, "it is legal"
    GAME_OVER = 1, "the game is over"
    NOT_ASKED = 2, "this seat isn't asked now and can only wait"
    NO_SUCH_ACTION = 3, "there is no such action"
    MUST_ANSWER = 4, "waiting is for seats that aren't asked (a seat that is asked must answer)"
    WRONG_QUESTION = 5, "it doesn't answer what is asked"


COMMON_REFUSALS = tuple((refusal.value, refusal.words) for refusal in Refusal)
