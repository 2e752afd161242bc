"""The records, actions and observation pieces of Ford."""

from enum import IntEnum
from pathlib import Path

import numpy as np

from riverbed_env.kernels.actions import ActionBlock, ActionTable
from riverbed_env.kernels.compile import KernelFamily
from riverbed_env.kernels.pieces import Piece, PieceTable
from riverbed_env.kernels.random import STREAM
from riverbed_env.kernels.vocab import Worded

MIN_PLAYERS, MAX_SEATS = 2, 3
STONES = 6  # in the bag, of 1 to 6 steps
ROUNDS = 5
HIGHEST = (0, 6, 11, 15)  # the highest sum of so many stones
MAX_EVENTS = 6
DEFAULT_MAX_DECISIONS = 100
NOBODY = -1
WAIT, RAISE, CALL = 0, 1, 3


class Forced(IntEnum):
    """Which decisions with one answer are taken for the player."""

    PUBLIC = 0
    ALL = 1
    NONE = 2


class Ending(IntEnum):
    """How a game stands."""

    PLAYING = 0
    OVER = 1
    TRUNCATED = 2


class Event(Worded):
    """What everybody sees."""

    NONE = 0, "nothing"
    RAISED = 1, "{actor} raise{s} the water by {number}"
    CALLED = 2, "{actor} call{s}: the stones make {number}"
    SCORED = 3, "{actor} score{s} and {has} {number}"


class Refusal(Worded):
    """Why an action is refused."""

    OK = 0, "it is legal"
    NO_SUCH_ACTION = 1, "there is no such action"
    GAME_OVER = 2, "the game is over"
    NOT_ASKED = 3, "another seat is asked"
    MUST_ANSWER = 4, "the seat is asked and must answer"
    TOO_HIGH = 5, "the stones can't be that high"
    NOTHING_TO_CALL = 6, "the water hasn't been raised yet"


class Violation(Worded):
    """What is wrong with a state."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    STONES = 2, "the stones aren't different ones, one a player"
    TURN = 3, "it isn't that seat's turn"
    POINTS = 4, "the points aren't one a round"
    EVENTS = 5, "the events don't fit together"


kernel = KernelFamily("ford", Path(__file__).parent)

TABLE = np.dtype(
    [
        ("events", np.int8, (MAX_EVENTS, 3)),  # the last ones, newest first: Event, actor, number
        ("event_count", np.int32),
        ("decisions", np.int32),  # taken so far, forced ones too
        ("points", np.int8, (MAX_SEATS,)),
        ("num_players", np.int8),
        ("round", np.int8),  # rounds that are over
        ("height", np.int8),  # of the water
        ("raiser", np.int8),  # who raised it last, or NOBODY
        ("asked", np.int8),  # or NOBODY
        ("ending", np.int8),
    ],
    align=True,
)
GAME = np.dtype(
    [
        ("table", TABLE),
        ("stones", np.int8, (MAX_SEATS,)),  # each seat's own; 0 past the players
        ("seed", np.int64),
        ("number", np.int64),
        ("chance", STREAM),
        ("agents", STREAM),
    ],
    align=True,
)
VIEW = np.dtype([("seat", np.int8), ("stone", np.int8), ("table", TABLE)], align=True)
PARAMS = np.dtype([("num_players", np.int8), ("auto_forced", np.int8), ("max_decisions", np.int32)], align=True)

ACTIONS = ActionTable(
    (
        ActionBlock("WAIT", 1, "the only legal action of a seat that isn't asked"),
        ActionBlock("RAISE", 2, "raise the water by 1 + argument"),
        ActionBlock("CALL", 1, "say that the stones are lower than the water"),
    )
)

_SEAT = "seat (clockwise from the observer)"
NOW = (
    Piece("players", (MAX_SEATS,), "all", "1 for each seat that plays", axes=(_SEAT,)),
    Piece("points", (MAX_SEATS,), "all", "rounds the seat has won", high=ROUNDS, axes=(_SEAT,)),
    Piece("asked", (MAX_SEATS,), "all", "one-hot seat that is asked", axes=(_SEAT,)),
    Piece("raiser", (MAX_SEATS,), "all", "one-hot seat that raised the water last", axes=(_SEAT,)),
    Piece("height", (1,), "all", "of the water", high=HIGHEST[-1]),
    Piece("round", (1,), "all", "rounds that are over", high=ROUNDS),
)
EVENTS = Piece("events", (MAX_EVENTS, 3), "all", "newest first: kind, 1 + seat from the observer, number",
               high=HIGHEST[-1], axes=("event", "field"))  # fmt: skip
OBSERVATION = PieceTable((Piece("stone", (STONES,), "own", "one-hot stone in the hand", axes=("stone",)), *NOW, EVENTS))
STONES_OF_ALL = Piece("stones", (MAX_SEATS,), "nobody", "each seat's stone", high=STONES, axes=(_SEAT,))
STATE = PieceTable((*NOW, EVENTS, STONES_OF_ALL))
VIEWS = {"history": OBSERVATION.size, "now": OBSERVATION.start("events")}
