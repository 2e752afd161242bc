"""Who wins: the sides' returns at the end of a game."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .vocab import Camp


@kernel
def write_returns(game: Record, zero_sum: int, out: npt.NDArray[np.float32]) -> None:
    """DR-4.1: +1 to the winner and -1 to the loser; a draw, and a game cut off (DR-4.2), give 0 to both.

    With one winner and one loser `zero_sum` says the same. out: (2,) float32 or longer; the rest is 0.
    """
    winner = int(game["table"]["winner"])
    out[:] = 0
    if winner != Camp.NONE:
        out[winner] = 1
        out[1 - winner] = -1
