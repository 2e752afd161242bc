"""What the tests of agents share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.core.agents import CompiledAgent
from riverbed_env.core.random import STREAM, open_stream
from riverbed_env.core.specs import PythonAgent

PURPOSE = 77  # other than any that the library has


def stepwise(agent: CompiledAgent) -> PythonAgent:
    """The same agent, not known to be compiled."""
    return PythonAgent("stepwise", agent.act, agent.memory_size, by_view=agent.by_view)


def streams(n: int, seed: int = 1) -> npt.NDArray[np.void]:
    """Random streams that have nothing to do with any game's."""
    made = np.zeros(n, STREAM)
    for lane in range(n):
        open_stream(made[lane], seed, lane, PURPOSE)
    return made
