"""The returns of both sides at the end of a game."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .vocab import Camp


@kernel
def write_returns(game: Record, zero_sum: int, out: npt.NDArray[np.float32]) -> None:
    """DR-4.1: write +1 for the winner and -1 for the loser, or 0 for both after a draw or truncation (DR-4.2).

    `zero_sum` changes nothing, since these returns always sum to 0. out: (2,) float32 or longer; the rest is 0.
    """
    winner = int(game["table"]["winner"])
    out[:] = 0
    if winner != Camp.NONE:
        out[winner] = 1
        out[1 - winner] = -1
