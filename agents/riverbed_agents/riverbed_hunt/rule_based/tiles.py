"""What turning up a tile is worth to each camp, for known and unknown tiles.

A camp's winning chance is its track's strength divided by the sum of all three strengths; a strength depends only on
what the track has to go. A tile is worth the change of that chance, in points (percent). An unknown tile is worth the
mean over the tiles that may lie there.
"""

import numpy as np

from riverbed_env.games.riverbed_hunt.deduction.evidence import NUM_CLAIMED, truth_of
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_CAMPS, NUM_ROLES, NUM_SPACES, NUM_TILES, Event
from riverbed_env.kernels.compile import Floats, Record, Vector

from .. import sight
from ..kernels import kernel
from ..sight import FIRST, TEXT, Left, is_face_down, is_known, may_lie, pick, reached
from ..uses import offered_by
from .weights import MOST_TO_GO, STRENGTH

Chances = tuple[float, float, float]  # by camp, in points

NEVER = -1000.0
WON = 100.0
EVEN = np.ones(NUM_CLAIMED)  # odds of what a tile bears
OFFER = 0.8  # share of the worth of the best tile that a text offers

REACH = 3  # spaces within reach at most

# Rows of `worths` past the spaces: the mean over unplaced tiles; NEVER for tiles that only others know and for no tile.
UNSEEN, HIDDEN, NOTHING = NUM_SPACES, NUM_SPACES + 1, NUM_SPACES + 2

# What a decision is based on, computed once per decision; `worths`, `now` and `draws` are in points.
OUTLOOK = np.dtype(
    [
        ("worths", np.float64, (NUM_SPACES + 3, NUM_CAMPS)),  # each face-down tile; UNSEEN, HIDDEN and NOTHING
        ("now", np.float64, (NUM_CAMPS,)),  # the camps' winning chances
        ("unplaced", np.int64, (NUM_TILES,)),  # tiles that may lie on several spaces, `size` of them
        ("draws", np.float64, (NUM_CAMPS, NUM_TILES)),  # each unplaced tile, in their order
        ("size", np.int64),
        ("judged", np.int64),  # 1 once `trust.judge` has filled in `beliefs`
        ("sorted", np.int64, (NUM_CAMPS,)),  # 1 once `sort_draws` has filled in the camp's row of `order`
        ("order", np.int64, (NUM_CAMPS, NUM_TILES)),  # places of `draws`, from best to worst for the camp
        ("beliefs", np.float64, (MAX_SEATS, NUM_ROLES)),  # probability of each seat's role
        ("deaf", np.int64),  # 1: beliefs without what was said
        ("heard", np.int64, (NUM_SPACES,)),  # 1 for unknown tiles whose worth others' claims have changed
        ("others_on", np.int64, (NUM_SPACES + 2,)),  # other meeples on each space, between two that don't exist
        ("others_near", np.int64, (NUM_SPACES,)),  # and on it or next to it; `places.count_others` writes both
        ("reach", np.int64, (REACH,)),  # spaces within reach of the seat of `trust.survey_reach`, -1 for none
        ("taken_for", np.int64, (REACH,)),  # the rows of `worths` that the seat expects there
    ],
    align=True,
)


@kernel
def strength(track: int, left: Left) -> float:
    """The strength of a track with this much to go."""
    return float(STRENGTH[track, min(left[track], MOST_TO_GO)])


@kernel
def chance(camp: int, first: int, left: Left) -> float:
    """A camp's winning chance, 0 to 100, with this much to go; `first` as in `ended_by`."""
    winner = sight.ended_by(first, left)
    if winner >= 0:
        return WON * (winner == camp)
    return WON * strength(camp, left) / (strength(0, left) + strength(1, left) + strength(2, left))


@kernel
def chance_now(view: Record, params: Record, camp: int) -> float:
    """A camp's winning chance now, by the tracks."""
    return chance(camp, 0, sight.left_to_go(view, params))


@kernel
def chance_after(view: Record, params: Record, camp: int, space: int, sign: int) -> float:
    """A camp's winning chance after a known tile is turned up (sign 1) or down (sign -1)."""
    number = sight.known_tile(view, space)
    left = sight.left_after(params, sight.left_to_go(view, params), number, sign)
    return chance(camp, int(params["features"][number, FIRST]), left)


@kernel
def burying_worth(view: Record, params: Record, camp: int, space: int) -> float:
    """RH-6.3: what turning a face-up tile down is worth to a camp, in points."""
    return chance_after(view, params, camp, space, -1) - chance_now(view, params, camp)


@kernel
def best_burying(view: Record, params: Record, camp: int, here: int) -> float:
    """The worth of turning down the best face-up tile within reach; NEVER if there is none."""
    best = NEVER
    for side in range(-1, 2):
        space = reached(view, here, side)
        if space >= 0 and not is_face_down(view, space):
            best = max(best, burying_worth(view, params, camp, space))
    return best


@kernel
def survey(view: Record, params: Record, outlook: Record) -> None:
    """Fill an outlook, except for `beliefs` and `order`."""
    outlook["judged"] = 0
    outlook["sorted"][:] = 0
    outlook["deaf"] = 0
    outlook["heard"][:] = 0
    left = sight.left_to_go(view, params)
    now = chances_of(0, left)
    for camp in range(NUM_CAMPS):
        outlook["now"][camp] = now[camp]
    outlook["worths"][HIDDEN:] = NEVER
    list_draws(view, params, outlook, now, left)
    for space in range(NUM_SPACES):
        worths = outlook["worths"][space]
        if not is_face_down(view, space):
            for camp in range(NUM_CAMPS):
                worths[camp] = 0.0
        elif is_known(view, space):
            known = worths_of(params, now, left, sight.known_tile(view, space))
            for camp in range(NUM_CAMPS):
                worths[camp] = known[camp]
        elif view["table"]["tally"][Event.SHUFFLE] > 0:
            write_mean_on(view, params, outlook, space, EVEN)
        else:
            for camp in range(NUM_CAMPS):
                worths[camp] = outlook["worths"][UNSEEN, camp]
    add_offers(view, params, outlook)


@kernel
def worths_of(params: Record, now: Chances, left: Left, number: int) -> Chances:
    """What turning up the tile of this number adds to each camp's chance `now`. left: what is to go before."""
    chances = chances_of(int(params["features"][number, FIRST]), sight.left_after(params, left, number))
    return chances[0] - now[0], chances[1] - now[1], chances[2] - now[2]


@kernel
def chances_of(first: int, left: Left) -> Chances:
    """Each camp's winning chance, 0 to 100; arguments as for `ended_by`."""
    winner = sight.ended_by(first, left)
    if winner >= 0:
        return WON * (winner == 0), WON * (winner == 1), WON * (winner == 2)
    kelp, log, coin = strength(0, left), strength(1, left), strength(2, left)
    scale = WON / (kelp + log + coin)
    return scale * kelp, scale * log, scale * coin


@kernel
def list_draws(view: Record, params: Record, outlook: Record, now: Chances, left: Left) -> None:
    """List the unplaced tiles, with what each is worth to each camp, and the mean."""
    size = 0
    for tile in range(NUM_TILES):  # without a branch, which would be predicted badly
        outlook["unplaced"][size] = tile
        size += int(is_unplaced(view, params, tile))
    outlook["size"] = size
    sums = (0.0, 0.0, 0.0)
    for place in range(size):
        worths = worths_of(params, now, left, int(outlook["unplaced"][place]) + 1)
        for camp in range(NUM_CAMPS):
            outlook["draws"][camp, place] = worths[camp]
        sums = (sums[0] + worths[0], sums[1] + worths[1], sums[2] + worths[2])
    for camp in range(NUM_CAMPS):
        outlook["worths"][UNSEEN, camp] = sums[camp] / max(1, size)


@kernel
def is_unplaced(view: Record, params: Record, tile: int) -> bool:
    """Whether the tile with number `tile + 1` may lie on more than one space, as far as the observer knows."""
    places = int(view["private"]["possible"][tile])
    return places & (places - 1) != 0


@kernel
def sort_draws(outlook: Record, camp: int) -> None:
    """Sort the places of `draws` into the camp's row of `order`, from best to worst, once."""
    if outlook["sorted"][camp]:
        return
    outlook["sorted"][camp] = 1
    draws, size = outlook["draws"][camp], int(outlook["size"])
    for place in range(size):  # ranks are counted: the branches of a sort would be predicted badly
        rank = 0
        for before in range(place):
            rank += int(draws[before] >= draws[place])
        for after in range(place + 1, size):
            rank += int(draws[after] > draws[place])
        outlook["order"][camp, rank] = place


@kernel
def write_mean_on(view: Record, params: Record, outlook: Record, space: int, odds: Floats) -> None:
    """Write the mean worth of the tiles that may lie on the space, each with the odds of what it bears.

    odds: (NUM_CLAIMED,). After a shuffle the mean differs between spaces.
    """
    worths = outlook["worths"][space]
    total = 0.0
    for camp in range(NUM_CAMPS):
        worths[camp] = 0.0
    for place in range(int(outlook["size"])):
        tile = int(outlook["unplaced"][place])
        if may_lie(view, tile, space):
            weight = odds[truth_of(int(params["features"][tile + 1, FIRST])) - 1]
            total += weight
            for camp in range(NUM_CAMPS):
                worths[camp] += weight * outlook["draws"][camp, place]
    for camp in range(NUM_CAMPS):
        worths[camp] /= max(total, 1e-9)


@kernel
def add_offers(view: Record, params: Record, outlook: Record) -> None:
    """RH-6.1: add part of the best tile that a text offers to the worth of the text's tile."""
    for space in range(NUM_SPACES):
        if is_face_down(view, space) and sight.feature(view, params, space, TEXT):
            offered = offered_by(params, sight.known_tile(view, space), space)
            for camp in range(NUM_CAMPS):
                if offered:
                    outlook["worths"][space, camp] += OFFER * best_offered(view, outlook, camp, offered)


@kernel
def best_offered(view: Record, outlook: Record, camp: int, offered: int) -> float:
    """The worth of the best face-down tile on the spaces, bits; at least 0, since it may be declined."""
    best = 0.0
    for near in range(NUM_SPACES):
        if (offered >> near) & 1 and is_face_down(view, near):
            best = max(best, outlook["worths"][near, camp])
    return best


@kernel
def best_in_reach(view: Record, params: Record, outlook: Record, camp: int, here: int) -> float:
    """The worth to a camp of the best face-down tile within reach of a space; NEVER if there is none."""
    best = NEVER
    for side in range(-1, 2):
        space = reached(view, here, side)
        if space >= 0 and is_face_down(view, space):
            best = max(best, outlook["worths"][space, camp])
    return float(best)


@kernel
def best_allowed(mask: Vector, outlook: Record, stream: Record, camp: int) -> int:
    """The allowed space with the tile worth most to the camp, ties at random; -1 if there is none."""
    return pick(outlook["worths"][:NUM_SPACES, camp], mask, A.SPACE, 0.01, stream)


@kernel
def best_to_bury(view: Record, params: Record, mask: Vector, stream: Record, camp: int) -> int:
    """The allowed space where turning the tile down is worth most to the camp, ties at random; -1 if there is none."""
    scores = np.zeros(NUM_SPACES)
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            scores[space] = burying_worth(view, params, camp, space)
    return pick(scores, mask, A.SPACE, 0.01, stream)
