"""The feature set `camps` of Riverbed Hunt: what a seat sees, told from its own camp's side.

Elements count as mine or as one of the two other camps', seats as mine, others' or unknown. No number comes from a rule
of play or a fitted weight: all of them are counts of what the seat knows.
"""

import numpy as np

from riverbed_env.core.features import FeatureSet
from riverbed_env.games.riverbed_hunt.rules import vocab as v
from riverbed_env.games.riverbed_hunt.rules.board import within_reach
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION
from riverbed_env.games.riverbed_hunt.rules.stack import signed_byte_of
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.pieces import Piece, PieceTable

from .kernels import kernel
from .sight import CAMPS, FIRST, ICON, Left, ended_by, left_after, left_to_go, may_lie, own_camp, players, seat_at

MOST = 127
EIGHTHS = 8
FARTHEST = 12  # to go; more counts as this
# The tracks in the order in which each camp names them: its own first.
TRACKS = np.array([[0, 1, 2], [1, 0, 2], [2, 0, 1]], np.int64)

_AXES = {axis.partition(" ")[0]: axis for piece in OBSERVATION.pieces for axis in piece.axes}
SEAT, SPACE = _AXES["seat"], _AXES["space"]
_CAMP = "my camp's, the two others'"

MINE, OTHERS, UNKNOWN = range(3)  # of `sides`
ALL, KNOWN, SEEN, BOTH, BEST, WORST, BEST_OF_BOTH = range(7)  # of `within`
WITHIN = 7
DOWN = int(v.Choice.KELP_DOWN)  # the first choice of a tile turned down

PIECES = PieceTable(
    (
        Piece("elements", (v.NUM_SPACES, v.NUM_TRACKS + 1), "own", "elements on the tile, if known, then its Hunt icon",
              high=MOST, axes=(SPACE, _CAMP)),
        Piece("expected", (v.NUM_SPACES, v.NUM_TRACKS), "own", "mean elements of the tiles that may lie there, "
              "if it isn't known, in eighths", high=MOST, axes=(SPACE, _CAMP)),
        Piece("ends", (v.NUM_SPACES, v.NUM_CAMPS), "own", "turning up the tile, which is known, would end this track",
              high=1, axes=(SPACE, _CAMP)),
        Piece("mine_within", (v.NUM_SPACES,), "own", "the tile is within my reach", high=1, axes=(SPACE,)),
        Piece("reaches", (v.MAX_SEATS, v.NUM_SPACES), "own", "a face-down tile lies there within the seat's reach",
              high=1, axes=(SEAT, SPACE)),
        Piece("ready", (v.MAX_SEATS, v.NUM_SPACES), "own", "... and the seat has looked at it", high=1,
              axes=(SEAT, SPACE)),
        Piece("sides", (v.MAX_SEATS, 3), "own", "known to be of my camp, known to be of another, unknown", high=1,
              axes=(SEAT, "side")),
        Piece("within", (v.MAX_SEATS, WITHIN), "own", "face-down tiles within the seat's reach: how many, those I "
              "know, those it has looked at, those both know; the most and the least that one I know is worth to my "
              "camp, and the most that one both know is", low=-MOST, high=MOST, axes=(SEAT, "which")),
        Piece("deeds", (v.MAX_SEATS, 3 * v.NUM_TRACKS), "own", "elements by which the seat moved the tracks; those it "
              "turned up knowing them; those it turned down", low=-MOST - 1, high=MOST, axes=(SEAT, "deed")),
        Piece("asks", (v.MAX_SEATS, 2), "own", "co-ops in which it asked me, in which I asked it", high=MOST,
              axes=(SEAT, "which")),
        Piece("race", (v.NUM_TRACKS, FARTHEST), "own", "one-hot elements to go", high=1, axes=(_CAMP, "to go")),
        Piece("hidden", (v.NUM_TRACKS,), "own", "elements on the tiles that I don't know, in all",
              high=MOST, axes=(_CAMP,)),
    )
)  # fmt: skip
AT = PIECES.offsets()
# What they don't tell, piece by piece.
BESIDE = (
    *("positions", "occupied", "face_up", "hunted", "chosen_spaces", "num_players", "stage", "question", "asked"),
    *("active", "flags", "source", "source_card", "carrier", "chosen_seat", "slipped", "roles_shown", "readiness"),
    *("hand_sizes", "draw_pile", "own_role", "own_hand", "roles_looked_at", "counts"),
)


@kernel
def add(out: Vector, place: int, number: int) -> None:
    """Add to a number that stays at the most there is."""
    out[place] = min(MOST, int(out[place]) + number)


@kernel
def worth_to(params: Record, number: int, camp: int) -> int:
    """Twice a camp's elements on a tile, less the other camps'."""
    adds = params["features"][number]
    return 3 * int(adds[camp]) - int(adds[0]) - int(adds[1]) - int(adds[2])


@kernel
def write_camps(view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """Write the features PIECES of a view to `out`."""
    out[:] = 0
    camp = own_camp(view)
    left = left_to_go(view, params)
    for place in range(v.NUM_TRACKS):
        track = TRACKS[camp, place]
        out[AT.race + place * FARTHEST + max(1, min(FARTHEST, left[track])) - 1] = 1
    write_spaces(view, params, camp, left, out)
    for place in range(players(view)):
        write_seat(view, params, camp, place, out)


@kernel
def write_spaces(view: Record, params: Record, camp: int, left: Left, out: Vector) -> None:
    """Write the pieces by space, and what is hidden."""
    table = view["table"]
    reach = within_reach(table, params, int(view["seat"])) if table["position"][int(view["seat"])] >= 0 else 0
    unknown = 0
    for space in range(v.NUM_SPACES):
        if not (int(table["occupied"]) >> space) & 1:
            continue
        out[AT.mine_within + space] = (reach >> space) & 1
        number = int(view["private"]["known"][space])
        if number == v.NO_TILE:
            unknown |= 1 << space
            write_expected(view, params, camp, space, out)
            continue
        adds = params["features"][number]
        for place in range(v.NUM_TRACKS):
            out[AT.elements + space * (v.NUM_TRACKS + 1) + place] = adds[TRACKS[camp, place]]
        out[AT.elements + space * (v.NUM_TRACKS + 1) + v.NUM_TRACKS] = adds[ICON]
        if (int(table["face_down"]) >> space) & 1:
            track = ended_by(int(adds[FIRST]), left_after(params, left, number))
            for place in range(v.NUM_TRACKS):
                out[AT.ends + space * v.NUM_CAMPS + place] = int(track == TRACKS[camp, place])
    for tile in range(v.NUM_TILES):
        if int(view["private"]["possible"][tile]) & unknown:
            for place in range(v.NUM_TRACKS):
                add(out, AT.hidden + place, int(params["features"][tile + 1, TRACKS[camp, place]]))


@kernel
def write_expected(view: Record, params: Record, camp: int, space: int, out: Vector) -> None:
    """Write the mean elements of the tiles that may lie on a space."""
    count = 0
    for tile in range(v.NUM_TILES):
        count += may_lie(view, tile, space)
    for place in range(v.NUM_TRACKS):
        total = 0
        for tile in range(v.NUM_TILES):
            if may_lie(view, tile, space):
                total += int(params["features"][tile + 1, TRACKS[camp, place]])
        out[AT.expected + space * v.NUM_TRACKS + place] = min(MOST, EIGHTHS * total // max(1, count))


@kernel
def write_seat(view: Record, params: Record, camp: int, place: int, out: Vector) -> None:
    """Write the pieces by seat."""
    table = view["table"]
    seat = seat_at(view, place)
    own = int(view["seat"])
    role = int(table["role"][seat])
    if place == 0:
        role = int(view["private"]["role"])
    elif role < 0:
        role = int(view["private"]["looked"][seat])
    side = UNKNOWN
    if role >= 0:
        side = MINE if int(CAMPS[role]) == camp else OTHERS
    out[AT.sides + place * 3 + side] = 1
    if table["position"][seat] >= 0:
        write_within(view, params, camp, seat, place, out)
    write_deeds(table, camp, seat, AT.deeds + place * 3 * v.NUM_TRACKS, out)
    if place > 0:
        out[AT.asks + place * 2] = signed_byte_of(int(table["asks"][seat]), players(view) - place - 1)
        out[AT.asks + place * 2 + 1] = signed_byte_of(int(table["asks"][own]), place - 1)


@kernel
def write_deeds(table: Record, camp: int, seat: int, at: int, out: Vector) -> None:
    """Write a seat's elements: by which it moved the tracks, that it turned up knowing them, that it turned down."""
    for place in range(v.NUM_TRACKS):
        track = TRACKS[camp, place]
        out[at + place] = signed_byte_of(int(table["deeds"][seat]), track)
        out[at + v.NUM_TRACKS + place] = signed_byte_of(int(table["choices"][seat]), track)
        out[at + 2 * v.NUM_TRACKS + place] = signed_byte_of(int(table["choices"][seat]), DOWN + track)


@kernel
def write_within(view: Record, params: Record, camp: int, seat: int, place: int, out: Vector) -> None:
    """Write what lies face-down within a seat's reach."""
    table = view["table"]
    within = within_reach(table, params, seat) & int(table["face_down"])
    at = AT.within + place * WITHIN
    known = 0
    both = 0
    for space in range(v.NUM_SPACES):
        if not (within >> space) & 1:
            continue
        seen = (int(table["seen"][seat]) >> space) & 1
        out[AT.reaches + place * v.NUM_SPACES + space] = 1
        out[AT.ready + place * v.NUM_SPACES + space] = seen
        out[at + ALL] += 1
        out[at + SEEN] += seen
        number = int(view["private"]["known"][space])
        if number == v.NO_TILE:
            continue
        worth = worth_to(params, number, camp)
        out[at + BEST] = worth if known == 0 else max(int(out[at + BEST]), worth)
        out[at + WORST] = worth if known == 0 else min(int(out[at + WORST]), worth)
        known += 1
        if seen:
            out[at + BEST_OF_BOTH] = worth if both == 0 else max(int(out[at + BEST_OF_BOTH]), worth)
            both += 1
    out[at + KNOWN] = known
    out[at + BOTH] = both


CAMPS_FEATURES = FeatureSet(
    "camps",
    PIECES,
    write_camps,
    scales={"expected": 8.0, "within": 3.0, "deeds": 4.0, "asks": 4.0, "hidden": 16.0},
    folders=kernel.folders,
    about="tiles, seats and tracks as my camp's or the others'",
    fitted=False,
    beside=BESIDE,
)
