"""The input of the value network: a full state at the beginning of a turn, seats counted from the active one.

Unlike an observation it includes hidden information. An agent may compute it only for worlds sampled from its own view;
see `values`.
"""

import numpy as np

from riverbed_env.games.riverbed_hunt.deduction.evidence import EVIDENCE, gather_public
from riverbed_env.games.riverbed_hunt.deduction.posterior import PLAYING, weigh_roles
from riverbed_env.games.riverbed_hunt.rules import vocab as v
from riverbed_env.games.riverbed_hunt.rules.board import within_reach
from riverbed_env.games.riverbed_hunt.rules.stack import signed_byte_of
from riverbed_env.kernels.common import keep
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.pieces import Piece, PieceTable

from ..kernels import kernel
from ..rule_based.tiles import NEVER, chances_of, worths_of
from ..sight import CAMPS, ICON

MOST = 100
FARTHEST = 12  # to go; larger values count as this
PERCENT = 100

_SEAT = "seat, the active one first, then clockwise"
_ELEMENT = "kelp, log, coin, Hunt icon"
_CAMP = "camp"

NEAR = np.array([1, 2, 4], np.int64)  # spaces away
UNKNOWN_NEAR = 2

_ELEMENTS, _CAMPS = (v.NUM_TRACKS + 1, _ELEMENT), (v.NUM_CAMPS, _CAMP)


def _of_seats(name: str, meaning: str, width: int = 0, axis: str = "", **limits: int) -> Piece:
    """A piece with so many numbers for each seat, one without a width."""
    shape, axes = ((v.MAX_SEATS, width), (_SEAT, axis)) if width else ((v.MAX_SEATS,), (_SEAT,))
    return Piece(name, shape, "nobody", meaning, axes=axes, **limits)


# A worth is what turning up a tile adds to a camp's winning chance by the tracks, in points; see `tiles`.
_SEATS = (
    _of_seats("roles", "one-hot role", v.NUM_ROLES, "role"),
    _of_seats("shown", "the role is revealed"),
    _of_seats("readiness", "Dive ready; Swim ready; Uncover left; refresh marker left", 4, "card"),
    _of_seats("hand_sizes", "cards in the hand", high=MOST),
    _of_seats("hands", "cards of each kind", v.MAX_CARD_KINDS, "card", high=MOST),
    _of_seats("beliefs", "posterior of the role from public information, in percent", v.NUM_ROLES, "role",
              high=PERCENT),
    _of_seats("known", "face-down tiles the seat knows", high=v.NUM_SPACES),
    _of_seats("known_elements", "elements on the face-down tiles the seat knows", *_ELEMENTS, high=MOST),
    Piece("camp_knows", (v.NUM_CAMPS, v.NUM_TRACKS + 1), "nobody", "elements on those that a seat of the camp knows",
          high=MOST, axes=(_CAMP, _ELEMENT)),
    _of_seats("best", "worth to the seat's camp, at least 0, of the best tile it knows, anywhere and within reach of "
              "another seat; worth of the best answer of another seat", 3, "of which", low=-MOST, high=MOST),
    _of_seats("blind", "worth to the seat's camp of a face-down tile, on average", low=-MOST, high=MOST),
    _of_seats("reach", "face-down tiles within reach: known to the seat, unknown to it, known to all; 1 if there is "
              "none", 4, "which", high=v.NUM_SPACES),
    _of_seats("unknown", "elements on the unknown tiles within reach", *_ELEMENTS, high=MOST),
    _of_seats("within", "elements on face-down tiles within reach", *_ELEMENTS, high=MOST),
    _of_seats("unknown_worths", "summed worth of those tiles", *_CAMPS, low=-MOST, high=MOST),
    _of_seats("choice", "elements on the best tile known within reach", *_ELEMENTS, high=MOST),
    _of_seats("choice_worths", "worth of that tile", *_CAMPS, low=-MOST, high=MOST),
    _of_seats("worst", "worth to the seat's camp of the worst tile known within reach", low=-MOST, high=MOST),
    _of_seats("knowing", "if asked to reveal, it would turn up a tile it knows"),
    _of_seats("answer", "worth of the tile it would turn up", *_CAMPS, low=-MOST, high=MOST),
    _of_seats("deeds", "as in observations", v.NUM_DEEDS, "deed", low=-128, high=127),
    _of_seats("choices", "as in observations", v.NUM_CHOICES, "choice", low=-128, high=127),
    _of_seats("asks", "co-ops so far: it asked the chief, its own camp; it was asked by any seat, the chief, its own "
              "camp", 5, "of which", high=127),
    _of_seats("neighbours", "meeples on its space or next to it", high=v.MAX_SEATS),
    _of_seats("looked", "it has looked at a role"),
)  # fmt: skip
# Pieces whose numbers of the improved seat stand once more in `own`, and how many numbers a seat has.
OF_OWN = {piece.name: piece.size // v.MAX_SEATS for piece in _SEATS if piece.axes[0] == _SEAT}
OWN = sum(OF_OWN.values())
PIECES = PieceTable(
    (
        *_SEATS,
        Piece("improved", (v.NUM_CAMPS, v.MAX_SEATS), "nobody",
              "of this camp is the improved seat, which plays better than the rules, as the student does",
              axes=(_CAMP, _SEAT)),
        Piece("own", (v.NUM_CAMPS, OWN), "nobody", "what the pieces OF_OWN hold of the improved seat, if of this camp",
              low=-128, high=127, axes=(_CAMP, "")),
        Piece("near", (v.NUM_CAMPS, len(NEAR), v.NUM_TRACKS + 1), "nobody",
              "elements on face-down tiles at most 1, 2, 4 spaces from the improved seat's meeple, if of this camp",
              high=MOST, axes=(_CAMP, "distance", _ELEMENT)),
        Piece("near_unknown", (v.NUM_CAMPS, v.NUM_TRACKS + 1), "nobody",
              "elements on those it doesn't know, at most 2 spaces from it", high=MOST, axes=(_CAMP, _ELEMENT)),
        Piece("to_go", (v.NUM_TRACKS, FARTHEST), "nobody", "one-hot number of elements to go", axes=("track", "")),
        Piece("chances", (v.NUM_CAMPS,), "nobody", "by the tracks, in percent", high=PERCENT, axes=(_CAMP,)),
        Piece("left", (v.NUM_TRACKS,), "nobody", "elements to go", high=FARTHEST, axes=("track",)),
        Piece("hidden", (v.NUM_TRACKS + 1,), "nobody", "elements on face-down tiles", high=MOST, axes=(_ELEMENT,)),
        Piece("face_down", (2,), "nobody", "face-down tiles; those known to all", high=v.NUM_SPACES, axes=("which",)),
        Piece("turn", (1,), "nobody", "number of the turn", high=MOST),
        Piece("draw_pile", (1,), "nobody", "cards left to draw", high=MOST),
        Piece("powers", (2,), "nobody", "leader, profiteer revealed", axes=("which",)),
        Piece("players", (v.MAX_SEATS - v.MIN_PLAYERS + 1,), "nobody", "one-hot number of players", axes=("4 to 9",)),
    )
)  # fmt: skip
SIZE = PIECES.size
AT = PIECES.offsets()

NUM_ELEMENTS = v.NUM_TRACKS + 1
COPIED = np.array([(PIECES.slices[name].start, width) for name, width in OF_OWN.items()], np.int64)
ELEMENTS = np.array([0, 1, 2, ICON], np.int64)  # of a tile's features

# Intermediate results, computed once per state; worths are in points.
ESTIMATE = np.dtype(
    [
        ("worths", np.float64, (v.NUM_SPACES, v.NUM_CAMPS)),  # of each face-down tile
        ("mean", np.float64, (v.NUM_CAMPS,)),  # over the face-down tiles
        ("now", np.float64, (v.NUM_CAMPS,)),  # the camps' chances by the tracks
        ("reach", np.int64, (v.MAX_SEATS,)),  # bit s is set if space s is within the seat's reach
        ("camp_knows", np.int64, (v.NUM_CAMPS,)),  # bit s is set if a seat of the camp knows the tile on space s
        ("beliefs", np.float64, (v.MAX_SEATS, v.NUM_ROLES)),
    ],
    align=True,
)


@kernel
def points(worth: float) -> int:
    """Whole points, clipped to -MOST … MOST."""
    return int(max(-MOST, min(MOST, worth)))


@kernel
def write_value_features(game: Record, params: Record, improved: int, out: Vector) -> None:
    """Write the PIECES of a state at the beginning of a turn.

    improved: the seat that plays better than the rules, as the student does. out: (SIZE,) int8.
    """
    out[:] = 0
    estimates = np.zeros(1, ESTIMATE)
    evidence = np.empty(1, EVIDENCE)
    gather_public(game["table"], params, evidence[0])
    weigh_roles(evidence[0], PLAYING, estimates[0]["beliefs"])
    estimate_worths(game, params, estimates[0])
    write_table(game, params, estimates[0], out)
    num_players = int(game["table"]["num_players"])
    first = int(game["table"]["active"])
    for place in range(num_players):
        seat = (first + place) % num_players
        write_seat(game, estimates[0], seat, place, out)
        write_knowledge(game, params, estimates[0], seat, place, out)
        write_reach(game, params, estimates[0], seat, place, out)
        write_asks(game, seat, place, first, out)
    for place in range(num_players):
        write_best_answer((first + place) % num_players, place, game, out)
    write_own(game, params, improved, (improved - first) % num_players, out)
    out[AT.players + num_players - v.MIN_PLAYERS] = 1
    keep(evidence)
    keep(estimates)


@kernel
def estimate_worths(game: Record, params: Record, estimate: Record) -> None:
    """Compute what each face-down tile is worth, and what is within each seat's reach."""
    table = game["table"]
    left = left_of(table, params, 0), left_of(table, params, 1), left_of(table, params, 2)
    now = chances_of(0, left)
    for camp in range(v.NUM_CAMPS):
        estimate["now"][camp] = now[camp]
    tiles = 0
    for space in range(v.NUM_SPACES):
        if (int(table["face_down"]) >> space) & 1:
            worths = worths_of(params, now, left, int(game["tile_at"][space]))
            tiles += 1
            for camp in range(v.NUM_CAMPS):
                estimate["worths"][space, camp] = worths[camp]
                estimate["mean"][camp] += worths[camp]
    for camp in range(v.NUM_CAMPS):
        estimate["mean"][camp] /= max(1, tiles)
    for seat in range(int(table["num_players"])):
        if table["position"][seat] >= 0:
            estimate["reach"][seat] = within_reach(table, params, seat)


@kernel
def left_of(table: Record, params: Record, track: int) -> int:
    """The elements that a track has to go."""
    return int(params["endpoints"][track]) - int(table["tracks"][track])


@kernel
def add_elements(game: Record, params: Record, space: int, at: int, out: Vector) -> None:
    """Add the elements on a space's tile to the NUM_ELEMENTS numbers of `out` from `at` on."""
    features = params["features"][int(game["tile_at"][space])]
    for element in range(NUM_ELEMENTS):
        out[at + element] += features[ELEMENTS[element]]


@kernel
def write_table(game: Record, params: Record, estimate: Record, out: Vector) -> None:
    """Write the features that aren't by seat."""
    table = game["table"]
    for track in range(v.NUM_TRACKS):
        left = max(1, min(FARTHEST, left_of(table, params, track)))
        out[AT.to_go + track * FARTHEST + left - 1] = 1
        out[AT.left + track] = left
        out[AT.chances + track] = points(estimate["now"][track])
    for space in range(v.NUM_SPACES):
        if (int(table["face_down"]) >> space) & 1:
            out[AT.face_down] += 1
            out[AT.face_down + 1] += int(game["private"][v.PUBLIC]["known"][space] != v.NO_TILE)
            add_elements(game, params, space, AT.hidden, out)
    out[AT.turn] = min(MOST, int(table["turn"]))
    out[AT.draw_pile] = table["draw_pile"]
    for seat in range(int(table["num_players"])):
        out[AT.powers] |= int(table["role"][seat] == v.Role.LEADER)
        out[AT.powers + 1] |= int(table["role"][seat] == v.Role.PROFITEER)


@kernel
def write_seat(game: Record, estimate: Record, seat: int, place: int, out: Vector) -> None:
    """Write a seat's role, cards and history. place: the seat's number, counted from the active one."""
    table = game["table"]
    private = game["private"][seat]
    out[AT.roles + place * v.NUM_ROLES + int(private["role"])] = 1
    out[AT.shown + place] = int(table["role"][seat] >= 0)
    out[AT.readiness + place * 4] = table["dive_ready"][seat]
    out[AT.readiness + place * 4 + 1] = table["swim_ready"][seat]
    out[AT.readiness + place * 4 + 2] = table["uncover_left"][seat]
    out[AT.readiness + place * 4 + 3] = table["marker_left"][seat]
    out[AT.hand_sizes + place] = table["hand_size"][seat]
    for card in range(v.MAX_CARD_KINDS):
        out[AT.hands + place * v.MAX_CARD_KINDS + card] = private["hand"][card]
    for role in range(v.NUM_ROLES):
        out[AT.beliefs + place * v.NUM_ROLES + role] = int(PERCENT * estimate["beliefs"][seat, role] + 0.5)
    for deed in range(v.NUM_DEEDS):
        out[AT.deeds + place * v.NUM_DEEDS + deed] = signed_byte_of(int(table["deeds"][seat]), deed)
    for choice in range(v.NUM_CHOICES):
        out[AT.choices + place * v.NUM_CHOICES + choice] = signed_byte_of(int(table["choices"][seat]), choice)
    here = int(table["position"][seat])
    for other in range(int(table["num_players"])):
        there = int(table["position"][other])
        out[AT.neighbours + place] += int(other != seat and there >= 0 and abs(there - here) <= 1)
        out[AT.looked + place] |= int(private["looked"][other] >= 0)


@kernel
def write_knowledge(game: Record, params: Record, estimate: Record, seat: int, place: int, out: Vector) -> None:
    """Write what a seat knows about all face-down tiles, and what an unknown one is worth."""
    table = game["table"]
    private = game["private"][seat]
    camp = int(CAMPS[int(private["role"])])
    others = 0
    for other in range(int(table["num_players"])):
        if other != seat:
            others |= int(estimate["reach"][other])
    for space in range(v.NUM_SPACES):
        if (int(table["face_down"]) >> space) & 1 and private["known"][space] != v.NO_TILE:
            worth = points(estimate["worths"][space, camp])
            out[AT.known + place] += 1
            add_elements(game, params, space, AT.known_elements + place * NUM_ELEMENTS, out)
            if not (int(estimate["camp_knows"][camp]) >> space) & 1:
                estimate["camp_knows"][camp] |= 1 << space
                add_elements(game, params, space, AT.camp_knows + camp * NUM_ELEMENTS, out)
            out[AT.best + place * 3] = max(int(out[AT.best + place * 3]), worth)
            if (others >> space) & 1:
                out[AT.best + place * 3 + 1] = max(int(out[AT.best + place * 3 + 1]), worth)
    out[AT.blind + place] = points(estimate["mean"][camp])


@kernel
def write_reach(game: Record, params: Record, estimate: Record, seat: int, place: int, out: Vector) -> None:
    """Write the face-down tiles within a seat's reach, and what the seat would turn up."""
    private = game["private"][seat]
    camp = int(CAMPS[int(private["role"])])
    within = int(game["table"]["face_down"]) & int(estimate["reach"][seat])
    best = -1
    worst = -1
    for space in range(v.NUM_SPACES):
        if not (within >> space) & 1:
            continue
        out[AT.reach + place * 4 + 2] += int(game["private"][v.PUBLIC]["known"][space] != v.NO_TILE)
        add_elements(game, params, space, AT.within + place * NUM_ELEMENTS, out)
        if private["known"][space] == v.NO_TILE:
            add_unknown(game, params, estimate, space, place, out)
            continue
        out[AT.reach + place * 4] += 1
        if best < 0 or estimate["worths"][space, camp] > estimate["worths"][best, camp]:
            best = space
        if worst < 0 or estimate["worths"][space, camp] < estimate["worths"][worst, camp]:
            worst = space
    out[AT.reach + place * 4 + 3] = int(within == 0)
    if best >= 0:
        out[AT.worst + place] = points(estimate["worths"][worst, camp])
        add_elements(game, params, best, AT.choice + place * NUM_ELEMENTS, out)
        for other_camp in range(v.NUM_CAMPS):
            out[AT.choice_worths + place * v.NUM_CAMPS + other_camp] = points(estimate["worths"][best, other_camp])
    write_answer(estimate, best, camp, place, out)


@kernel
def add_unknown(game: Record, params: Record, estimate: Record, space: int, place: int, out: Vector) -> None:
    """Add a tile within reach that the seat doesn't know."""
    out[AT.reach + place * 4 + 1] += 1
    add_elements(game, params, space, AT.unknown + place * NUM_ELEMENTS, out)
    for camp in range(v.NUM_CAMPS):
        before = int(out[AT.unknown_worths + place * v.NUM_CAMPS + camp])
        out[AT.unknown_worths + place * v.NUM_CAMPS + camp] = points(before + estimate["worths"][space, camp])


@kernel
def write_answer(estimate: Record, best: int, camp: int, place: int, out: Vector) -> None:
    """Write what the seat would turn up: the best known tile within reach, or an unknown one if that is worth more.

    best: the space of the best known tile within reach, -1 for none.
    """
    unknown = int(out[AT.reach + place * 4 + 1])
    knowing = best >= 0 and (unknown == 0 or estimate["worths"][best, camp] > estimate["mean"][camp])
    out[AT.knowing + place] = int(knowing)
    for other_camp in range(v.NUM_CAMPS):
        if knowing:
            out[AT.answer + place * v.NUM_CAMPS + other_camp] = points(estimate["worths"][best, other_camp])
        else:
            total = int(out[AT.unknown_worths + place * v.NUM_CAMPS + other_camp])
            out[AT.answer + place * v.NUM_CAMPS + other_camp] = int(total / max(1, unknown))


@kernel
def write_asks(game: Record, seat: int, place: int, first: int, out: Vector) -> None:
    """Add a seat's co-ops to its own counts and to those of the seats it asked."""
    num_players = int(game["table"]["num_players"])
    role = int(game["private"][seat]["role"])
    for between in range(num_players - 1):
        times = signed_byte_of(int(game["table"]["asks"][seat]), between)
        asked = (seat + 1 + between) % num_players
        start = AT.asks + (asked - first) % num_players * 5
        friends = int(CAMPS[int(game["private"][asked]["role"])]) == int(CAMPS[role])
        out[AT.asks + place * 5] += times * int(game["private"][asked]["role"] == v.Role.CHIEF)
        out[AT.asks + place * 5 + 1] += times * int(friends)
        out[start + 2] += times
        out[start + 3] += times * int(role == v.Role.CHIEF)
        out[start + 4] += times * int(friends)


@kernel
def write_best_answer(seat: int, place: int, game: Record, out: Vector) -> None:
    """Write what the best answer of another seat is worth to a seat's camp; needs the answers of all seats."""
    camp = int(CAMPS[int(game["private"][seat]["role"])])
    best = NEVER
    for other in range(int(game["table"]["num_players"])):
        if other != place and not out[AT.reach + other * 4 + 3]:
            best = max(best, float(out[AT.answer + other * v.NUM_CAMPS + camp]))
    out[AT.best + place * 3 + 2] = points(best)


@kernel
def write_own(game: Record, params: Record, seat: int, place: int, out: Vector) -> None:
    """Write what is true of the improved seat, by its camp; copies what `write_seat` and the others have written."""
    private = game["private"][seat]
    camp = int(CAMPS[int(private["role"])])
    out[AT.improved + camp * v.MAX_SEATS + place] = 1
    to = AT.own + camp * OWN
    for piece in range(len(COPIED)):
        begin = COPIED[piece, 0] + place * COPIED[piece, 1]
        for number in range(begin, begin + COPIED[piece, 1]):
            out[to] = out[number]
            to += 1
    here = int(game["table"]["position"][seat])
    for space in range(v.NUM_SPACES):
        away = abs(space - here)
        if here < 0 or away > NEAR[-1] or not (int(game["table"]["face_down"]) >> space) & 1:
            continue
        for which in range(len(NEAR)):
            if away <= NEAR[which]:
                add_elements(game, params, space, AT.near + (camp * len(NEAR) + which) * NUM_ELEMENTS, out)
        if away <= UNKNOWN_NEAR and private["known"][space] == v.NO_TILE:
            add_elements(game, params, space, AT.near_unknown + camp * NUM_ELEMENTS, out)
