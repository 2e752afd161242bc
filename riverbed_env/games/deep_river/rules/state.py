"""The records of Deep River (the table, all of which both sides see, and the whole game), questions and events.

Narrow fields are storage: read them through `int(...)`. A pawn is a number: 1 for a salmon on its single face, 2 on its
double face, -1 and -2 for an eel, 0 for none. The bits of `places` are places, the bits of token fields are tokens.
"""

import numpy as np

from riverbed_env.kernels.common import append_event, field_of
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import STREAM_FIELDS
from riverbed_env.kernels.records import COUNTER, FLAG, Fields, param
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import kernel
from . import vocab as v

MOST_COUNTED = 2**30  # more than a game can have, and small enough that counters can't overflow
MOST_DEEDS = 2**14
PAWN = (-v.NUM_FACES, v.NUM_FACES)
SMALL = [v.Tile.BEAR] * 3, [v.Tile.TILT] * 3  # the lowest and the highest, on each side of the double tile
TILES = tuple(np.array([v.Tile.NEST, *tiles, v.Tile.DOUBLE, *tiles, v.Tile.NEST]) for tiles in SMALL)

LIMITS = v.EVENTS.limits()

TABLE_FIELDS = Fields(
    ("events", np.int32, (MAX_EVENTS,)),  # a ring of one word per event: see newest_event
    ("event_count", np.int32, (), (0, MOST_COUNTED)),  # events so far
    ("decisions", np.int32, (), (0, MOST_COUNTED)),  # taken so far, including forced ones
    ("deeds", np.int16, (v.NUM_SEATS, v.NUM_DEEDS), (0, MOST_DEEDS)),  # the amount of each Deed by each side
    ("turn", np.int16, (), (1, param("max_turns"))),  # turns begun
    ("places", np.int16, (), (0, (1 << v.NUM_PLACES) - 1)),  # bits: places that may be chosen now
    ("tokens", np.int8, (), (0, v.ALL_TOKENS)),  # bits: tokens that may be chosen now
    ("barred", np.int8, (), (0, v.ALL_TOKENS - 1)),  # bits: tokens tilted against the side whose turn it is
    ("tilted", np.int8, (), (0, v.ALL_TOKENS - 1)),  # bits: tokens tilted this turn
    ("tile", np.int8, (v.NUM_STATIONS,), TILES),  # Tile of each station
    ("top", np.int8, (v.NUM_SLOTS,), PAWN),  # the pawn that is seen in each slot, 0 none
    ("under", np.int8, (v.NUM_SLOTS,), PAWN),  # the pawn under it, 0 none
    # pawns in each nest on their single and double face
    ("nest", np.int8, (v.NUM_SEATS, v.NUM_FACES), (0, v.NUM_FISH), (v.NUM_FISH, 0)),
    ("progress", np.int8, (v.NUM_TOKENS,), (0, v.LAST_PROGRESS)),  # tiles each token has moved, 0 … 6
    ("face", np.int8, (v.NUM_TOKENS,), (0, v.NUM_FACES - 1)),  # the face that is up, 0 or 1 in the pack's order
    ("bear", np.int8, (), (v.SALMON_NEST, v.EEL_NEST), v.DOUBLE_TILE),  # station
    ("first", np.int8, (), (0, v.NUM_SEATS - 1)),  # seat that began
    ("active", np.int8, (), (0, v.NUM_SEATS - 1)),  # seat whose turn it is, or was at the end
    ("asked", np.int8, (), (v.NOBODY, v.NUM_SEATS - 1)),  # seat that has to choose, NOBODY at the end
    ("question", np.int8, (), (0, v.NUM_QUESTIONS - 1)),  # Question
    ("ending", np.int8, (), (0, v.Ending.TRUNCATED)),  # Ending
    # Camp; Camp.NONE while playing, when drawn and when truncated
    ("winner", np.int8, (), (v.Camp.NONE, v.Camp.EEL), v.Camp.NONE),
    ("token", np.int8, (), (v.NO_TOKEN, v.NUM_TOKENS - 1), v.NO_TOKEN),  # the token being carried out, or NO_TOKEN
    ("moves_left", np.int8, (), FLAG),  # fish the token still moves after the current one
    ("bear_due", np.int8, (), FLAG),  # 1: the token still moves the bear
    ("purpose", np.int8, (), (0, v.Purpose.ADVANCE)),  # Purpose of the last move of a fish
    ("steps", np.int8, (), (0, v.NUM_TILES)),  # … and its length in tiles
    ("moving", np.int8, (), PAWN),  # pawn in the hand while STAND is asked, else 0
    ("lifted", np.int8, (), (v.NO_PLACE, v.NUM_PLACES - 1), v.NO_PLACE),  # place that it left, or NO_PLACE
    # place where the last fish came, or NO_PLACE
    ("arrived", np.int8, (), (v.NO_PLACE, v.NUM_PLACES - 1), v.NO_PLACE),
)
TABLE = TABLE_FIELDS.dtype
EMPTY_TABLE = TABLE_FIELDS.start()

GAME_FIELDS = Fields(
    ("table", TABLE_FIELDS),
    ("seed", np.int64, (), COUNTER),  # seed and number identify the game
    ("number", np.int64, (), COUNTER),
    ("agents", STREAM_FIELDS),  # the agents' stream; the deal's isn't kept
)
GAME = GAME_FIELDS.dtype

VIEW = np.dtype([("seat", np.int8), ("table", TABLE)], align=True)  # seat: the observer

PARAMS = np.dtype(
    [
        ("num_players", np.int8),
        ("auto_forced", np.int8),  # Forced
        ("max_turns", np.int16),  # DR-4.2
        ("kind", np.int8, (v.NUM_TOKENS, v.NUM_FACES)),  # Face of each face of each token
        ("steps", np.int8, (v.NUM_TOKENS, v.NUM_FACES)),  # how far the face moves a fish
        ("small_tiles", np.int8, (6,)),  # the pack's Tiles, which the deal shuffles
        ("slots", np.int8, (v.NUM_STATIONS,)),  # slots of each station, 0 for the nests
        ("may_choose_empty", np.int8),  # 1: a lone pawn may take an empty slot beside a lone rival
        ("pinned_tile", np.int8, (v.NUM_STATIONS,)),  # Tile of each station, or NOT_PINNED for all
        ("pinned_face", np.int8, (v.NUM_TOKENS,)),  # face of each token, or NOT_PINNED
        ("pinned_first", np.int8),  # seat that begins, or NOT_PINNED
    ],
    align=True,
)


@kernel
def look(game: Record, seat: int, view: Record) -> None:
    """Fill `view` with what the seat may know: the whole table, since nothing is hidden."""
    view["seat"] = seat
    view["table"] = game["table"]


@kernel
def ask(table: Record, question: int, places: int, tokens: int) -> None:
    """Ask the side whose turn it is; `places` and `tokens` hold the legal choices as bits."""
    table["asked"] = table["active"]
    table["question"] = question
    table["places"] = places
    table["tokens"] = tokens


@kernel
def close_question(table: Record) -> None:
    """Close the question, so that nobody is asked and the rules can run."""
    table["asked"] = v.NOBODY
    table["question"] = v.Question.NONE
    table["places"] = 0
    table["tokens"] = 0


@kernel
def record_event(table: Record, kind: int, actor: int, place: int, second: int, thing: int) -> None:
    """Append an event to the ring.

    An event is one word. From the lowest bits up it holds kind (5 bits), 1 + actor (2), 1 + place (4), 1 + second place
    (4), thing (4), turn (10).
    """
    word = kind | ((actor + 1) << 5) | ((place + 1) << 7) | ((second + 1) << 11) | (thing << 15)
    append_event(table, word | (int(table["turn"]) << 19))


@kernel
def record_act(table: Record, kind: int, place: int, thing: int) -> None:
    """Append an event by the side whose turn it is, at one place or none."""
    record_event(table, kind, int(table["active"]), place, v.NO_PLACE, thing)


@kernel
def event_field(word: int, field: int) -> int:
    """A field of an event's word. field: its index, 0 to 5, in the order of `record_event`."""
    return field_of(word, field, LIMITS)


@kernel
def count_deed(table: Record, deed: int, amount: int) -> None:
    """Add `amount` to a deed of the side whose turn it is."""
    seat = int(table["active"])
    table["deeds"][seat, deed] = int(table["deeds"][seat, deed]) + amount


@kernel
def direction(seat: int) -> int:
    """DR-2.2: the step towards the rival nest: 1 for the salmon, -1 for the eels."""
    return 1 - 2 * seat


@kernel
def in_nest(station: int) -> bool:
    """DR-1.2: whether a station is a nest."""
    return not v.SALMON_NEST < station < v.EEL_NEST


@kernel
def clipped(station: int) -> int:
    """DR-2.4: the station, or the nest that lies before it: moves stop in a nest."""
    return max(v.SALMON_NEST, min(v.EEL_NEST, station))


@kernel
def shown_face(table: Record, seat: int, slot: int) -> int:
    """DR-2.3: the fish on the seat's uncovered pawn in a slot, 1 or 2; 0 or less if it has none there."""
    return int(table["top"][slot]) * direction(seat)
