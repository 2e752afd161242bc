"""The returns of a finished game."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .vocab import CAMP_OF, Ending

CAMPS = np.array(CAMP_OF, np.int8)


@kernel
def write_returns(game: Record, zero_sum: int, out: npt.NDArray[np.float32]) -> None:
    """RH-6.2: the return of each seat. out: (at least num_players,) float32; entries past the players are 0.

    +1 to each winner and -1 to each loser; `zero_sum` 1: +1/|winners| and -1/|losers|. If nobody wins (RH-6.4):
    -1 to all, or 0 with `zero_sum`. If truncated (RH-6.5): 0 to all.
    """
    table = game["table"]
    out[:] = 0
    if table["ending"] != Ending.WON:
        return
    num_players = int(table["num_players"])
    winners = 0
    for seat in range(num_players):
        winners += int(CAMPS[int(game["private"][seat]["role"])] == table["winner"])
    for seat in range(num_players):
        won = CAMPS[int(game["private"][seat]["role"])] == table["winner"]
        if not zero_sum:
            out[seat] = 1 if won else -1
        elif winners > 0:
            out[seat] = 1 / winners if won else -1 / (num_players - winners)
