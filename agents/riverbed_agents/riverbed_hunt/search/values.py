"""What a whole state is worth: each camp's chance of winning when everybody plays on by the rule-based agent.

A small network tells it from `standing`. It looks at everything, so that an agent may ask it only of worlds drawn from
its own view. Fitted to the winners of three million games; on others its log loss is 0.84 with 7 players, where the
tracks alone have 0.97 and knowing who wins how often has 1.00:

    python experiments/studies fitting.riverbed_hunt_values --games 500000 --seed 1
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.core.files import read_arrays
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_CAMPS
from riverbed_env.kernels.compile import Record
from riverbed_env.players.networks import Layers

from ..observation_reader import kernel
from .value_features import SIZE, write_standing

Vector = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.float64]

FILE = Path(__file__).parent / "values.npz"


def load(file: Path = FILE) -> Layers:
    """The network: float32, between layers the positive part.

    Raises OptionError for a file that is none, or one that takes other numbers than a standing's.
    """
    arrays = read_arrays(file, "value network")
    network = Layers.of({name: array.astype(np.float32) for name, array in arrays.items()}, "relu")
    if network.sizes != (SIZE, NUM_CAMPS):
        raise OptionError(f"value network {file} isn't one for standings of {SIZE} numbers: fit it anew")
    return network


(WEIGHT_0, BIAS_0), (WEIGHT_1, BIAS_1), (WEIGHT_2, BIAS_2) = load().layers


@kernel
def write_values(game: Record, params: Record, standing: Vector, out: Numbers) -> None:
    """Each camp's chance of winning from a state at the beginning of a turn, 0 to 1.

    standing: (SIZE,), scratch; out: (camps,), written.
    """
    write_standing(game, params, standing)
    first = BIAS_0.copy()
    for place in range(SIZE):
        if standing[place] != 0:  # most are
            number = np.float32(standing[place])
            for unit in range(len(first)):
                first[unit] += number * WEIGHT_0[place, unit]
    second = BIAS_1.copy()
    for unit in range(len(first)):
        if first[unit] > 0:
            for other in range(len(second)):
                second[other] += first[unit] * WEIGHT_1[unit, other]
    for camp in range(NUM_CAMPS):
        out[camp] = BIAS_2[camp]
        for unit in range(len(second)):
            out[camp] += max(np.float32(0.0), second[unit]) * WEIGHT_2[unit, camp]
    softmax(out)


@kernel
def softmax(numbers: Numbers) -> None:
    """Log odds to chances, in place."""
    most = numbers.max()
    total = 0.0
    for place in range(len(numbers)):
        numbers[place] = math.exp(numbers[place] - most)
        total += numbers[place]
    for place in range(len(numbers)):
        numbers[place] /= total
