"""The vocabulary of Deep River: sizes, sentinels and enums. Values are explicit because saved games contain them.

The river is numbered from the salmon's side: station 0 is the salmon nest, stations 1 to 7 are the tiles, station 8 is
the eel nest. A place is where a pawn can be: 0 and 1 are its own nest, on its single and on its double face; 2 to 9 are
the slots along the river. The two slots of the double tile are places 5 and 6.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels import vocab

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
NUM_EVENTS = 13
NUM_DEEDS = 6


class Camp(IntEnum):
    """The two sides, numbered like their seats; also the winner of a game."""

    NONE = -1
    SALMON = 0
    EEL = 1


class Tile(IntEnum):
    """A kind of station, by what it does to a fish that comes to it (DR-3)."""

    NEST = 0
    BEAR = 1
    DRIFT = 2
    SWAP = 3
    TILT = 4
    DOUBLE = 5


class Face(IntEnum):
    """A kind of face of a current token, by what it does besides moving a fish (DR-2.2)."""

    NUMBER = 0
    BEAR = 1
    TWICE = 2


class Purpose(IntEnum):
    """Why a fish moves; the reason decides whether the tile works where it arrives."""

    NONE = 0
    FACE = 1  # by a token: the tile works (DR-2.2)
    DRIFT = 2  # by a drift tile: it doesn't (DR-3.1)
    ADVANCE = 3  # by the double tile: it may be used (DR-3.2)


class Question(IntEnum):
    """What the asked seat must choose."""

    NONE = 0  # nobody is asked while the rules run
    TOKEN = 1  # DR-2.1: a current token
    FISH = 2  # DR-2.2: a fish to move
    STAND = 3  # DR-2.3: where on a tile to stand
    PILE = 4  # DR-3.1: a pile to swap
    TILT = 5  # DR-3.1: a current token to tilt
    DOUBLE = 6  # DR-3.2: turn a pawn, or advance one
    PAWN = 7  # DR-3.2: a pawn to turn
    USE = 8  # DR-3.2: whether to use the tile


class Ending(IntEnum):
    """Whether and how the game ended."""

    PLAYING = 0
    OVER = 1  # by the rules, won or drawn (DR-4.1)
    TRUNCATED = 2  # DR-4.2


class Event(IntEnum):
    """What happens in public. The actor is the side whose turn it is; for WIN it is the winner.

    `words/text.py` holds a sentence for each event, which names its fields.
    """

    NONE = 0
    TOKEN = 1
    MOVE = 2
    HOME = 3
    BEAR = 4
    DOUBLE = 5
    SWAP = 6
    TILT = 7
    STUCK = 8
    LEAVE = 9
    WIN = 10
    DRAW = 11
    TRUNCATE = 12


class Load(IntEnum):
    """Bits that describe what moved."""

    DOUBLE = 1  # the pawn shows two fish
    PILE = 2  # it carries a rival pawn
    STACKED = 4  # it now stands on one


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
