"""The agent `greedy`: at each decision it takes the action with the best next position, by the bear and the fish.

It doesn't look ahead to the end of its turn; `search_agent(1)` does.
"""

from riverbed_env.games.deep_river.rules.actions import A
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.random import below
from riverbed_env.players.agents import CompiledAgent, Memory

from .kernels import kernel
from .search import NEVER, expand, make_buffers
from .weights import PLAIN


@kernel
def choose_greedily(
    view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record
) -> int:
    """The action that leads to the best position; ties are broken at random."""
    if mask[A.WAIT]:
        return A.WAIT
    buffers = make_buffers(PLAIN, 0, view, params)
    sign = 1 - 2 * int(view["seat"])
    count = expand(buffers, 0, 0)
    best = -NEVER
    chosen = 0
    ties = 0
    for place in range(count):
        value = sign * int(buffers.worths[1, place])
        if value > best:
            best = value
            ties = 0
        if value == best:
            ties += 1
            if below(stream, ties) == 0:
                chosen = int(buffers.actions[1, place])
    return chosen


GREEDY = CompiledAgent.of(kernel, "greedy", choose_greedily, "moves the bear and its fish farthest")
