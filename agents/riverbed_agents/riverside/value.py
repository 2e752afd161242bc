"""The value of a score sheet of Riverside at the end of a round: its points plus a small network's prediction.

The network is fitted by least squares (Adam) to the points still to come at the ends of rounds, first on 152,158 sheets
of greedy games, then on 202,958 of the agent's own games, at 1, 2 (with the extension) and 4 players, with some random
actions: `python experiments/studies fitting.riverside --rounds 4 --games 4200 --seed 0`.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from riverbed_env.core.files import read_arrays
from riverbed_env.games.riverside.rules.scoring import subtotal
from riverbed_env.kernels.compile import Numbers, Record

from . import outlook
from .kernels import kernel

HIDDEN = 24  # units of the hidden layer
UNIT_SIZE = HIDDEN * outlook.NUM_FEATURES  # offset of the units' biases; then each unit's output weight, each feature's
NUM_WEIGHTS = UNIT_SIZE + 2 * HIDDEN + outlook.NUM_FEATURES

SCALE = 10_000  # the file holds whole numbers
FILE = Path(__file__).parent / "weights.npz"


def load(file: Path = FILE) -> Numbers:
    """The network's weights, (NUM_WEIGHTS,). Raises OptionError for a file that can't be read."""
    weights: Numbers = (read_arrays(file, "weights")["ten_thousandths"] / SCALE).astype(np.float32)
    return weights


WEIGHTS = load()


@kernel
def promise(features: Numbers, weights: Numbers) -> float:
    """The network's prediction of future points, the captain's reward included. weights: (NUM_WEIGHTS,)."""
    units = weights[UNIT_SIZE : UNIT_SIZE + HIDDEN].copy()
    direct = UNIT_SIZE + 2 * HIDDEN
    total = np.float32(0.0)
    for feature in range(outlook.NUM_FEATURES):
        number = features[feature]
        if number != 0:
            total += number * weights[direct + feature]
            start = feature * HIDDEN
            for unit in range(HIDDEN):
                units[unit] += number * weights[start + unit]
    for unit in range(HIDDEN):
        total += max(units[unit], np.float32(0.0)) * weights[UNIT_SIZE + HIDDEN + unit]
    return 100.0 * float(total)


class Judge(NamedTuple):
    """What evaluates sheets in a round: its prospect, the weights, and scratch features (SCRATCH_SIZE,), 0 at first."""

    prospect: outlook.Prospect
    weights: Numbers
    features: Numbers


@kernel
def sheet_worth(sheet: Record, params: Record, judge: Judge) -> float:
    """The expected final score of a sheet."""
    outlook.write_features(sheet, params, judge.prospect, judge.features)
    return subtotal(sheet) + promise(judge.features, judge.weights)
