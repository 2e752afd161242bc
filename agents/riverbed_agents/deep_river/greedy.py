"""A greedy agent: of each choice it takes what leads to the best position at once, by the bear and the fish's progress.

It doesn't look on to the end of its turn; `search_agent(1)` does.
"""

import numpy as np
import numpy.typing as npt

from riverbed_env.games.deep_river.rules.actions import A
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below
from riverbed_env.players.agents import CompiledAgent

from .observation_reader import FOLDERS, Vector, kernel, rebuild
from .search import NEVER, follow_up, lay_desk
from .weights import PLAIN


@kernel
def choose_greedily(observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record) -> int:
    """The action after which the position is worth most as it stands; ties are drawn."""
    if mask[A.WAIT]:
        return A.WAIT
    desk = lay_desk(PLAIN, 0)
    rebuild(observation, desk.tables[0, 0], desk.params[0])
    count = follow_up(desk, 0, 0)
    best = -NEVER
    chosen = 0
    ties = 0
    for place in range(count):
        found = int(desk.worths[1, place])
        if found > best:
            best = found
            ties = 0
        if found == best:
            ties += 1
            if below(stream, ties) == 0:
                chosen = int(desk.actions[1, place])
    return chosen


GREEDY = CompiledAgent(
    "greedy", choose_greedily, folders=FOLDERS, about="takes whatever brings the bear and its fish farthest at once"
)
