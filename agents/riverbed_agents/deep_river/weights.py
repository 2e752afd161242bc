"""The weights of the evaluation, integers: one step of the bear is worth about 100 to 200.

The evaluation is a weighted sum, positive for a side's own pawns and negative for the rival's. `Weight` gives the first
index and the entries of each group.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from riverbed_env.games.deep_river.rules.vocab import NUM_TILES

PHASE_ENDS = np.array([1, 2, 4, 6, 9], np.int64)  # the most turns left in each phase except the last
PHASES = len(PHASE_ENDS) + 1
BEAR_STEPS = 3  # from the middle to the tile before the nest


class Weight(IntEnum):
    """The first index of each group; a group by tile has an entry per tile, from a side's own nest to the rival's."""

    LONE_SINGLE = 0  # by tile: a lone pawn
    LONE_DOUBLE = 7
    PILE_SINGLE = 14  # by tile: a pawn on a rival one
    PILE_DOUBLE = 21
    COVERED_SINGLE = 28  # by tile: a pawn under a rival one
    COVERED_DOUBLE = 35
    NEST_DOUBLE = 42  # a pawn in the nest on its double face
    BEAR_MOVING = 43  # by phase, then by steps: the bear beyond the middle, while the side that it helps is on turn
    BEAR_WAITING = 61  # the same while the other side is on turn
    MOVE = 79  # being on turn
    GAIN_MOVING = 80  # by steps, 1 to 3: how far the side on turn can move the bear with the faces that are up
    GAIN_WAITING = 83  # the same for the other side, if it were on turn
    WIN_MOVING = 86  # GAIN_MOVING reaches the nest
    WIN_WAITING = 87  # GAIN_WAITING reaches the nest


NUM_WEIGHTS = 88


def _plain() -> npt.NDArray[np.int32]:
    """100 for each step of the bear, and a little for each tile that the fish on uncovered pawns have travelled."""
    weights = np.zeros(NUM_WEIGHTS, np.int32)
    tiles = np.arange(1, NUM_TILES + 1)
    for single, double in ((Weight.LONE_SINGLE, Weight.LONE_DOUBLE), (Weight.PILE_SINGLE, Weight.PILE_DOUBLE)):
        weights[single : single + NUM_TILES] = 4 * tiles
        weights[double : double + NUM_TILES] = 8 * tiles
    weights[Weight.NEST_DOUBLE] = 4
    steps = 100 * np.arange(1, BEAR_STEPS + 1)
    weights[Weight.BEAR_MOVING : Weight.MOVE] = np.tile(steps, 2 * PHASES)
    return weights


PLAIN = _plain()

# Logistic regression of the winner on positions at the beginning of turns; 100 is one unit of log odds. The mean of two
# rounds of 5,000 and 6,000 games of self-play, two turns deep, with openings of up to eight random decisions and an
# occasional random one later. Draws count as half a win. Weights of rare cases (the bear far from the middle early on)
# are guesses.
TUNED = np.array(
    [
        # by tile: lone pawns, pawns on a rival one, pawns under one; single, then double
        *(20, 25, 25, 17, 37, 46, 48),
        *(67, 77, 52, 97, 95, 113, 135),
        *(-12, -9, -11, -15, -6, 2, 5),
        *(19, 39, 52, 64, 72, 87, 111),
        *(-74, -50, -45, -36, -32, -26, -9),
        *(-44, -40, -21, -13, -10, -4, 0),
        65,  # double in the nest
        # one line per phase, the last turns first: the bear one, two and three steps beyond the middle
        *(215, 363, 385),
        *(158, 291, 339),
        *(128, 237, 340),
        *(100, 208, 307),
        *(80, 184, 250),
        *(64, 150, 220),
        # the same while the other side is on turn
        *(141, 309, 485),
        *(127, 272, 403),
        *(113, 240, 365),
        *(96, 193, 301),
        *(72, 151, 230),
        *(32, 80, 150),
        1,  # being on turn
        *(29, 73, 95),  # steps threatened by the side on turn
        *(-44, -68, -107),  # and by the other side
        *(234, 14),  # a win threatened by the side on turn, and by the other side
    ],
    np.int32,
)
