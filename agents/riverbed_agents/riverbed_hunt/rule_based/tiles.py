"""What turning up a tile is worth to each camp, for tiles the observer knows and for those it must guess.

A camp's chance of winning is its track's strength over the sum of all three; a strength depends only on what the
track has to go. The worth of a tile is what that chance gains by it, in points; a tile that ends the game is worth
all that is left. An unknown tile is worth the mean over the tiles that may lie there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.pieces import AT, COUNTED, OBSERVATION
from riverbed_env.games.riverbed_hunt.rules.state import NUM_FEATURES
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_CAMPS, NUM_ROLES, NUM_SPACES, NUM_TILES, Event
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import uniform

from ..observation_reader import FIRST, feature, is_face_down, is_known, kernel
from .contents import DIAGONALLY, FEATURES, ORTHOGONALLY, TEXTS, Text
from .weights import MOST_TO_GO, STRENGTH

Vector = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.float64]

SHUFFLES = OBSERVATION.start("counts") + 1 + COUNTED.index(Event.SHUFFLE)
TEXT_FEATURE = 4
NEVER = -1000.0
WON = 100.0
OFFER = 0.8  # of the worth of the best tile that a text offers


# What a decision looks at, worked out once; `worths`, `now` and `draws` are in points.
OUTLOOK = np.dtype(
    [
        ("worths", np.float64, (NUM_SPACES + 1, NUM_CAMPS)),  # each face-down tile, last a tile drawn blind
        ("now", np.float64, (NUM_CAMPS,)),  # the camps' chances
        ("draws", np.float64, (NUM_TILES, NUM_CAMPS)),  # each tile that the observer hasn't placed
        ("unplaced", np.int64, (NUM_TILES,)),  # those tiles, `size` of them
        ("size", np.int64),
        ("judged", np.int64),  # 1 once `trust.judge` has filled the rest in, where a decision needs it
        ("order", np.int64, (NUM_CAMPS, NUM_TILES)),  # the unplaced, from the best for the camp to the worst
        ("beliefs", np.float64, (MAX_SEATS, NUM_ROLES)),  # the chance of each seat's having each role
    ],
    align=True,
)


@kernel
def to_go(observation: Vector, track: int) -> int:
    """What a track has to go to its end."""
    return int(observation[AT.to_go + track])


@kernel
def ended_by(first: int, kelp: int, log: int, coin: int) -> int:
    """RH-6.2: the track that has ended with so much to go, the tile's first element before the others; -1 if none.

    first: 1 + the first element from the top, 0 for none.
    """
    if (first == 1 and kelp <= 0) or (first == 2 and log <= 0) or (first == 3 and coin <= 0):
        return first - 1
    if kelp <= 0:
        return 0
    elif log <= 0:
        return 1
    elif coin <= 0:
        return 2
    return -1


@kernel
def chance(camp: int, first: int, kelp: int, log: int, coin: int) -> float:
    """A camp's chance of winning, 0 to 100, with so much to go; `first` as in `ended_by`."""
    winner = ended_by(first, kelp, log, coin)
    if winner >= 0:
        return WON * (winner == camp)
    kelps = STRENGTH[0, min(kelp, MOST_TO_GO)]
    logs = STRENGTH[1, min(log, MOST_TO_GO)]
    coins = STRENGTH[2, min(coin, MOST_TO_GO)]
    own = kelps
    if camp == 1:
        own = logs
    elif camp == 2:
        own = coins
    return float(WON * own / (kelps + logs + coins))


@kernel
def chance_now(observation: Vector, camp: int) -> float:
    """A camp's chance of winning as the tracks stand."""
    return chance(camp, 0, to_go(observation, 0), to_go(observation, 1), to_go(observation, 2))


@kernel
def chance_after(observation: Vector, camp: int, space: int, sign: int) -> float:
    """A camp's chance after a known tile is turned up (sign 1) or down (sign -1)."""
    return chance(
        camp,
        feature(observation, space, FIRST),
        to_go(observation, 0) - sign * feature(observation, space, 0),
        to_go(observation, 1) - sign * feature(observation, space, 1),
        to_go(observation, 2) - sign * feature(observation, space, 2),
    )


@kernel
def burying_worth(observation: Vector, camp: int, space: int) -> float:
    """RH-6.3: what turning a face-up tile down is worth to a camp, in points."""
    return chance_after(observation, camp, space, -1) - chance_now(observation, camp)


@kernel
def best_burying(observation: Vector, camp: int, here: int) -> float:
    """What the best turning down within reach is worth, NEVER if there is nothing to turn down."""
    best = NEVER
    for side in range(-1, 2):
        space = reached(observation, here, side)
        if space >= 0 and observation[AT.face_up + space]:
            best = max(best, burying_worth(observation, camp, space))
    return best


@kernel
def survey(observation: Vector, outlook: Record) -> None:
    """Fill an outlook but for what is judged."""
    outlook["judged"] = 0
    write_chances(0, to_go(observation, 0), to_go(observation, 1), to_go(observation, 2), outlook["now"])
    list_draws(observation, outlook)
    for space in range(NUM_SPACES):
        worths = outlook["worths"][space]
        if not is_face_down(observation, space):
            for camp in range(NUM_CAMPS):
                worths[camp] = 0.0
        elif is_known(observation, space):
            start = AT.known_tiles + space * NUM_FEATURES
            write_worths(
                observation,
                outlook["now"],
                int(observation[start + FIRST]),
                int(observation[start]),
                int(observation[start + 1]),
                int(observation[start + 2]),
                worths,
            )
        elif observation[SHUFFLES]:
            write_mean_on(observation, outlook, space)
        else:
            for camp in range(NUM_CAMPS):
                worths[camp] = outlook["worths"][NUM_SPACES, camp]
    add_offers(observation, outlook)


@kernel
def write_worths(observation: Vector, now: Numbers, first: int, kelp: int, log: int, coin: int, out: Numbers) -> None:
    """What turning up a tile with these elements adds to each camp's chance. now, out: (camps,)."""
    kelps, logs, coins = to_go(observation, 0), to_go(observation, 1), to_go(observation, 2)
    write_chances(first, kelps - kelp, logs - log, coins - coin, out)
    for camp in range(NUM_CAMPS):
        out[camp] -= now[camp]


@kernel
def write_chances(first: int, kelps: int, logs: int, coins: int, out: Numbers) -> None:
    """Each camp's chance of winning, 0 to 100, with so much to go; `first` as in `ended_by`. out: (camps,)."""
    winner = ended_by(first, kelps, logs, coins)
    if winner >= 0:
        out[:] = 0.0
        out[winner] = WON
        return
    out[0] = STRENGTH[0, min(kelps, MOST_TO_GO)]
    out[1] = STRENGTH[1, min(logs, MOST_TO_GO)]
    out[2] = STRENGTH[2, min(coins, MOST_TO_GO)]
    scale = WON / (out[0] + out[1] + out[2])
    for camp in range(NUM_CAMPS):
        out[camp] *= scale


@kernel
def list_draws(observation: Vector, outlook: Record) -> None:
    """The tiles that have more than one place left, what they are worth to each camp, and on average."""
    size = 0
    means = outlook["worths"][NUM_SPACES]
    for camp in range(NUM_CAMPS):
        means[camp] = 0.0
    for tile in range(NUM_TILES):
        if is_unplaced(observation, tile):
            outlook["unplaced"][size] = tile
            size += 1
            worths = outlook["draws"][tile]
            write_worths(
                observation,
                outlook["now"],
                FEATURES[tile + 1, FIRST],
                FEATURES[tile + 1, 0],
                FEATURES[tile + 1, 1],
                FEATURES[tile + 1, 2],
                worths,
            )
            for camp in range(NUM_CAMPS):
                means[camp] += worths[camp]
    outlook["size"] = size
    for camp in range(NUM_CAMPS):
        means[camp] /= max(1, size)


@kernel
def is_unplaced(observation: Vector, tile: int) -> bool:
    """Whether the tile (0 for number 1) may lie on more than one space as far as the observer knows."""
    places = 0
    start = AT.possible + tile * NUM_SPACES
    for space in range(NUM_SPACES):
        places += int(observation[start + space])
    return places > 1


@kernel
def sort_draws(outlook: Record, camp: int) -> None:
    """Fill the camp's row of `order`: from the tile worth most to the camp to the one worth least."""
    for place in range(int(outlook["size"])):
        tile = outlook["unplaced"][place]
        hole = place
        while hole > 0 and outlook["draws"][outlook["order"][camp, hole - 1], camp] < outlook["draws"][tile, camp]:
            outlook["order"][camp, hole] = outlook["order"][camp, hole - 1]
            hole -= 1
        outlook["order"][camp, hole] = tile


@kernel
def write_mean_on(observation: Vector, outlook: Record, space: int) -> None:
    """The mean over the tiles that may lie on the space: after a shuffle they differ from space to space."""
    worths = outlook["worths"][space]
    tiles = 0
    for camp in range(NUM_CAMPS):
        worths[camp] = 0.0
    for place in range(int(outlook["size"])):
        tile = int(outlook["unplaced"][place])
        if observation[AT.possible + tile * NUM_SPACES + space]:
            tiles += 1
            for camp in range(NUM_CAMPS):
                worths[camp] += outlook["draws"][tile, camp]
    for camp in range(NUM_CAMPS):
        worths[camp] /= max(1, tiles)


@kernel
def add_offers(observation: Vector, outlook: Record) -> None:
    """RH-6.1: a text that lets its revealer reveal more is worth part of the best tile it offers, if that is good."""
    for space in range(NUM_SPACES):
        if is_face_down(observation, space) and observation[AT.known_tiles + space * NUM_FEATURES + TEXT_FEATURE]:
            text = text_on(observation, space)
            for camp in range(NUM_CAMPS):
                if text != Text.NONE:
                    outlook["worths"][space, camp] += OFFER * best_offered(observation, outlook, camp, space, text)


@kernel
def text_on(observation: Vector, space: int) -> int:
    """The text of the tile known to lie on the space, by its number in the default pack."""
    for tile in range(NUM_TILES):
        if observation[AT.possible + tile * NUM_SPACES + space]:
            return int(TEXTS[tile + 1])
    return 0


@kernel
def best_offered(observation: Vector, outlook: Record, camp: int, space: int, text: int) -> float:
    """The worth of the best tile that the text on a space offers, at least 0: it may be declined."""
    best = 0.0
    for near in range(NUM_SPACES):
        joined = ORTHOGONALLY[space, near]
        if text == Text.DIAGONAL:
            joined = DIAGONALLY[space, near]
        if joined and is_face_down(observation, near):
            best = max(best, outlook["worths"][near, camp])
    return best


@kernel
def neighbour(observation: Vector, space: int, step: int) -> int:
    """RH-2.4: the next space along the river with a tile; -1 past its end."""
    place = space + step
    while 0 <= place < NUM_SPACES:
        if observation[AT.occupied + place]:
            return place
        place += step
    return -1


@kernel
def reached(observation: Vector, space: int, side: int) -> int:
    """RH-2.4: the space within reach before (side -1), at (0) or after (1) a space, -1 if there is no tile."""
    if side == 0:
        if observation[AT.occupied + space]:
            return space
        return -1
    return neighbour(observation, space, side)


@kernel
def best_in_reach(observation: Vector, outlook: Record, camp: int, here: int) -> float:
    """The worth to a camp of the best face-down tile within reach of a space, NEVER if there is none."""
    best = NEVER
    for side in range(-1, 2):
        space = reached(observation, here, side)
        if space >= 0 and not observation[AT.face_up + space]:
            best = max(best, outlook["worths"][space, camp])
    return float(best)


@kernel
def unknown_in_reach(observation: Vector, here: int) -> int:
    """How many face-down tiles within reach of a space the observer doesn't know."""
    total = 0
    for side in range(-1, 2):
        space = reached(observation, here, side)
        if space >= 0 and not observation[AT.face_up + space] and not is_known(observation, space):
            total += 1
    return total


@kernel
def best_allowed(mask: Vector, outlook: Record, stream: Record, camp: int) -> int:
    """The allowed space whose tile is worth most to the camp, ties at random; -1 if no space is allowed."""
    best = -1
    best_score = 2 * NEVER
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            score = outlook["worths"][space, camp] + 0.01 * uniform(stream)
            if score > best_score:
                best_score = score
                best = space
    return best


@kernel
def best_to_bury(observation: Vector, mask: Vector, stream: Record, camp: int) -> int:
    """The allowed face-up tile whose turning down is worth most to the camp, ties at random."""
    best = -1
    best_score = 2 * NEVER
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            score = burying_worth(observation, camp, space) + 0.01 * uniform(stream)
            if score > best_score:
                best_score = score
                best = space
    return best
