"""The vocabulary of Deep River: sizes, sentinels and enums. Values are explicit because saved games contain them.

The river is numbered from the salmon's side: station 0 is the salmon nest, stations 1 to 7 are the tiles, station 8 is
the eel nest. A place is where a pawn can be: 0 and 1 are its own nest, on its single and on its double face; 2 to 9 are
the slots along the river. The two slots of the double tile are places 5 and 6.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels import vocab
from riverbed_env.kernels.events import BY_KIND, EventField, EventSpec, kind_field

NUM_SEATS = 2
NUM_FISH = 5  # of each side (DR-1.2)
NUM_TOKENS = 3
NUM_FACES = 2  # of a token, and of a pawn
NUM_STATIONS = 9
NUM_TILES = 7
NUM_SLOTS = 8
NUM_PLACES = 10
FIRST_SLOT = 2  # the place of slot 0; the places before it are in the nest

SALMON_NEST = 0
EEL_NEST = 8
DOUBLE_TILE = 4  # the bear begins here
LAST_PROGRESS = 6  # tiles a token can move (DR-2.1)

EVENT_FIELDS = 6  # kind, actor, place, second place, thing, turn
DEFAULT_MAX_TURNS = 200  # DR-4.2
MAX_MAX_TURNS = 1000  # the counters of a record don't overflow up to here

NOBODY = -1
NO_PLACE = -1
NO_TOKEN = -1
NOT_PINNED = -1
ALL_TOKENS = (1 << NUM_TOKENS) - 1

TILE_OF_SLOT: npt.NDArray[np.int64] = np.array([1, 2, 3, 4, 4, 5, 6, 7])
SLOT_OF_TILE: npt.NDArray[np.int64] = np.array([-1, 0, 1, 2, 3, 5, 6, 7, -1])  # the first slot, by station

# The places from the eels' side. The two slots of the double tile are equivalent and keep their order: both sides fill
# place 5 before place 6 (DR-2.3), so mirrored positions stay equal.
MIRRORED_PLACE: npt.NDArray[np.int64] = np.array([0, 1, 9, 8, 7, 5, 6, 4, 3, 2])

# The sizes of the enums below, without sentinels.
NUM_EFFECTS = 5
NUM_PURPOSES = 4
NUM_QUESTIONS = 9
NUM_DEEDS = 6


class Camp(vocab.Worded):
    """The two sides, numbered like their seats; also the winner of a game."""

    NONE = -1, "nobody"
    SALMON = 0, "the salmon"
    EEL = 1, "the eels"


class Tile(vocab.Worded):
    """A kind of station, by what it does to a fish that comes to it (DR-3)."""

    NEST = 0, "nest"
    BEAR = 1, "bear"
    DRIFT = 2, "drift"
    SWAP = 3, "swap"
    TILT = 4, "tilt"
    DOUBLE = 5, "double"


class Face(IntEnum):
    """A kind of face of a current token, by what it does besides moving a fish (DR-2.2)."""

    NUMBER = 0
    BEAR = 1
    TWICE = 2


class Purpose(vocab.Worded):
    """Why a fish moves; the reason decides whether the tile works where it arrives."""

    NONE = 0, "no fish is moved yet in this turn"
    FACE = 1, "by the face of the token: the tile it comes to works"  # DR-2.2
    DRIFT = 2, "by a drift tile: the tile it comes to doesn't work"  # DR-3.1
    ADVANCE = 3, "by the double tile: the tile it comes to may be used"  # DR-3.2


class Question(vocab.Decision):
    """What the asked seat must choose."""

    NONE = 0, "do nothing", "", "the game is over"
    TOKEN = 1, "choose a current token", "TOKEN", "a turn begins (DR-2.1)"
    FISH = 2, "choose a fish to move", "PLACE", "a fish is to move; skipped where none can (DR-2.2)"
    STAND = (
        3,
        "choose where the moving pawn stands",
        "PLACE",
        "a lone pawn may stand in several places of a tile (DR-2.3)",
    )
    PILE = 4, "choose a pile to swap", "PLACE", "a swap tile works and there is a pile (DR-3.1)"
    TILT = 5, "choose a current token to tilt", "TILT", "a tilt tile works (DR-3.1)"
    DOUBLE = (
        6,
        "turn a pawn or advance one",
        "TURN ADVANCE",
        "the double tile works for a double pawn and there is a pawn to turn (DR-3.2)",
    )
    PAWN = 7, "choose a pawn to turn to its double face", "PLACE", "a pawn is to be turned (DR-3.2)"
    USE = (
        8,
        "decide whether to use the tile",
        "USE LEAVE",
        "a fish has been advanced to a tile that has something to work on (DR-3.2)",
    )


class Ending(IntEnum):
    """Whether and how the game ended."""

    PLAYING = 0
    OVER = 1  # by the rules, won or drawn (DR-4.1)
    TRUNCATED = 2  # DR-4.2


class Event(vocab.Worded):
    """What happens in public. The actor is the side whose turn it is; for WIN it is the winner."""

    NONE = 0, "nothing"
    TOKEN = 1, "{actor} choose {face}"
    MOVE = 2, "{actor} move {load} from {place} to {second}{onto}"
    HOME = 3, "{actor} bring {load} from {place} into the rival nest"
    BEAR = 4, "the bear goes to {station}"
    DOUBLE = 5, "{actor} turn the pawn {at} to its double face"
    SWAP = 6, "{actor} swap the pile {at}"
    TILT = 7, "{actor} tilt {token}"
    STUCK = 8, "{actor} have no fish to move"
    LEAVE = 9, "{actor} leave {place} unused"
    WIN = 10, "{actor} win: {how}"
    DRAW = 11, "the current has run out with the bear in the middle: a draw"
    TRUNCATE = 12, "the game is cut off at the cap on turns"


class Load(IntEnum):
    """Bits that describe what moved."""

    DOUBLE = 1  # the pawn shows two fish
    PILE = 2  # it carries a rival pawn
    STACKED = 4  # it now stands on one


# An event is one word of 32 bits. The actor is the side whose turn it is.
EVENTS = EventSpec(
    Event,
    kind_field(Event, 5),
    EventField("actor", "actor A", "1 the observer, 2 the rival, 0 nobody", NUM_SEATS, 1, seat=True, bits=2),
    EventField("place", "place P", "1 + place from the observer's nest (the actor's nest for the first two), so 1 to "
               f"{NUM_PLACES}; 0 none", NUM_PLACES, 1, bits=4),
    EventField("second", "second place Q", "as place P", NUM_PLACES, 1, bits=4),
    EventField("thing", "thing X", BY_KIND, 0, bits=4),
    EventField("turn", "turn", "turns begun when it happened, at most 127", 1023, bits=13),
    gaps={
        "face": ("thing", 0, NUM_FACES * NUM_TOKENS - 1),
        "load": ("thing", 0, Load.DOUBLE | Load.PILE | Load.STACKED),
        "station": ("thing", 0, EEL_NEST),
        "token": ("thing", 0, NUM_TOKENS - 1),
        "how": ("thing", 0, 1),
    },
)  # fmt: skip


class Deed(IntEnum):
    """What is counted for each side."""

    MOVES = 0  # fish moved
    HOMES = 1  # fish brought into the rival nest
    BEAR_STEPS = 2
    DOUBLED = 3  # pawns turned
    SWAPS = 4
    TILTS = 5


class Refusal(vocab.Worded):
    """Why the rules refuse an action; OK when they don't."""

    OK, GAME_OVER, NOT_ASKED, NO_SUCH_ACTION, MUST_ANSWER, WRONG_QUESTION = vocab.COMMON_REFUSALS
    TOKEN_BARRED = 6, "that token is tilted against this side (DR-3.1)"
    TOKEN_TILTED = 7, "that token was tilted this turn already (DR-3.1)"
    NO_FREE_FISH = 8, "no pawn of this side lies uncovered there (DR-2.2)"
    CANNOT_STAND = 9, "the moving pawn can't stand there (DR-2.3)"
    NO_PILE = 10, "no pile stands there (DR-3.1)"
    NOT_SINGLE = 11, "no uncovered pawn of this side is on its single face there (DR-3.2)"
