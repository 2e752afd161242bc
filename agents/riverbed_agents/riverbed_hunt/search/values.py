"""The value network: each camp's winning chance in a full state, one seat of which plays better than the rules.

Its input (`value_features`) includes hidden information, so an agent may evaluate only worlds sampled from its own
view. It is fitted to the winners of six million games, each also played on from an action that was tried. On held-out
games with 7 players its log loss is 0.82, against 0.95 for the tracks alone and 1.00 for the camps' base rates:

    python experiments/studies fitting.riverbed_hunt_values --games 100000 --rounds 10 --seed 1
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
from riverbed_env.players.networks import Layers, in_single

from ..kernels import kernel
from .value_features import SIZE, write_value_features

Vector = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.float64]

FILE = Path(__file__).parent / "values.npz"


def load(file: Path = FILE) -> Layers:
    """Load the network: float32, ReLU between layers.

    Raises OptionError if the file isn't a network for these value features.
    """
    arrays = read_arrays(file, "value network")
    network = Layers.of(in_single(arrays), "relu")
    if network.sizes != (SIZE, NUM_CAMPS):
        raise OptionError(f"value network {file} doesn't take the {SIZE} value features: fit it again")
    return network


(WEIGHT_0, BIAS_0), (WEIGHT_1, BIAS_1), (WEIGHT_2, BIAS_2) = load().layers


@kernel
def write_values(game: Record, params: Record, improved: int, value_features: Vector, out: Numbers) -> None:
    """Write each camp's winning chance in a state at the beginning of a turn, 0 to 1.

    improved: the seat that plays as the student does, the others play by the rules. value_features: (SIZE,), scratch.
    out: (camps,), written.
    """
    write_value_features(game, params, improved, value_features)
    first = BIAS_0.copy()
    for place in range(SIZE):
        if value_features[place] != 0:  # most are 0
            number = np.float32(value_features[place])
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
    """Turn logits into probabilities, in place."""
    most = numbers.max()
    total = 0.0
    for place in range(len(numbers)):
        numbers[place] = math.exp(numbers[place] - most)
        total += numbers[place]
    for place in range(len(numbers)):
        numbers[place] /= total
