"""The value network: each camp's winning chance in a full state, one seat of which plays better than the rules.

Its input (`value_features`) includes hidden information, so an agent may evaluate only worlds sampled from its own
view. It is fitted to the winners of six million games, each also played on from an action that was tried. On held-out
games with 7 players its log loss is 0.82, against 0.95 for the tracks alone and 1.00 for the camps' base rates:

    python experiments/studies fitting.riverbed_hunt_values --games 100000 --rounds 10 --seed 1
"""

import math
from pathlib import Path

import numpy as np

from riverbed_env.core.files import read_arrays
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_CAMPS
from riverbed_env.kernels.compile import Floats, Record
from riverbed_env.kernels.networks import add_product, rectify
from riverbed_env.players.networks import Layers, in_single

from ..kernels import kernel
from ..sight import CAMPS
from .value_features import SIZE, write_value_features

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
def winning_chance(game: Record, params: Record, seat: int) -> float:
    """The chance that a seat's camp wins, which plays as the student does, the others by the rules; see `write_values`.

    The state is one at the beginning of a turn.
    """
    chances = np.zeros(NUM_CAMPS)
    write_values(game, params, seat, chances)
    return float(chances[CAMPS[int(game["private"][seat]["role"])]])


@kernel
def write_values(game: Record, params: Record, improved: int, out: Floats) -> None:
    """Write each camp's winning chance in a state at the beginning of a turn, 0 to 1, (camps,).

    improved: the seat that plays as the student does, the others play by the rules.
    """
    value_features = np.zeros(SIZE, np.int8)
    write_value_features(game, params, improved, value_features)
    first, second = BIAS_0.copy(), BIAS_1.copy()
    add_product(value_features.astype(np.float32), WEIGHT_0, first)
    rectify(first)
    add_product(first, WEIGHT_1, second)
    rectify(second)
    for camp in range(NUM_CAMPS):
        out[camp] = BIAS_2[camp]
        for unit in range(len(second)):
            out[camp] += second[unit] * WEIGHT_2[unit, camp]
    most, total = out.max(), 0.0
    for camp in range(NUM_CAMPS):
        out[camp] = math.exp(out[camp] - most)
        total += out[camp]
    out /= total
