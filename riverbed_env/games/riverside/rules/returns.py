"""The seats' returns at the end of a game."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .vocab import Ending


@kernel
def write_returns(game: Record, zero_sum: int, out: npt.NDArray[np.float32]) -> None:
    """RS-4.1: the return of each seat. out: (at least num_players,) float32; entries past the players are 0.

    Each winner gets +1 and each loser -1. With `zero_sum` 1, winners get +1/|winners| and losers -1/|losers|; all get
    0 if there are no winners or no losers, as in solo play. In a truncated game (RS-5.2) all get 0.
    """
    table = game["table"]
    out[:] = 0
    if table["ending"] != Ending.FINISHED:
        return
    num_players = int(table["num_players"])
    winners = 0
    for seat in range(num_players):
        winners += (int(table["winners"]) >> seat) & 1
    for seat in range(num_players):
        won = (int(table["winners"]) >> seat) & 1
        if not zero_sum:
            out[seat] = 1 if won else -1
        elif 0 < winners < num_players:
            out[seat] = 1 / winners if won else -1 / (num_players - winners)
