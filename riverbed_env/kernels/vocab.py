"""Codes that all games share."""

from __future__ import annotations

from enum import IntEnum

MAX_EVENTS = 32  # public events that a record keeps and view "history" shows


OUT_OF_RANGE = 1  # every game's code for a state with a field outside its range


class Forced(IntEnum):
    """Which decisions with one legal answer are taken for the player (`auto_forced`)."""

    NONE = 0
    PUBLIC = 1
    ALL = 2


FORCED_NAMES = tuple(forced.name.lower() for forced in (Forced.PUBLIC, Forced.ALL, Forced.NONE))


class Refusal(IntEnum):
    """Why any game refuses an action; a game's own reasons are numbered from FIRST_OWN on."""

    OK = 0
    GAME_OVER = 1
    NOT_ASKED = 2
    NO_SUCH_ACTION = 3
    MUST_ANSWER = 4
    WRONG_QUESTION = 5


REFUSAL_WORDS = {
    Refusal.OK: "it is legal",
    Refusal.GAME_OVER: "the game is over",
    Refusal.NOT_ASKED: "this seat isn't asked now and can only wait",
    Refusal.NO_SUCH_ACTION: "there is no such action",
    Refusal.MUST_ANSWER: "waiting is for seats that aren't asked (a seat that is asked must answer)",
    Refusal.WRONG_QUESTION: "it doesn't answer what is asked",
}
