"""Returns: all players win or lose together."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .vocab import Ending, Winner


@kernel
def write_returns(game: Record, zero_sum: int, out: npt.NDArray[np.float32]) -> None:
    """RR-3.4, RR-3.6: the return of each seat. out: (at least num_players,) float32; entries past the players are 0.

    +1 to all or -1 to all; truncated: 0 to all. The players have no opponent, so option `zero_sum`
    changes nothing.
    """
    table = game["table"]
    out[:] = 0
    if table["ending"] != Ending.OVER:
        return
    for seat in range(int(table["num_players"])):
        out[seat] = 1 if table["winner"] == Winner.PLAYERS else -1
