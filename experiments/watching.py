"""Games between agents step by step: the one loop in which agents in Python play and games are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from riverbed_env.core.agents import Agent, Memory, answers
from riverbed_env.core.batch import Batch

Whole = npt.NDArray[np.int64]


def watch(batch: Batch, agents: Sequence[Agent], seats: Whole, numbers: npt.ArrayLike) -> Iterator[Batch]:
    """Deal the games of these numbers and play them to their ends; yields the batch before each step.

    batch: without auto_reset; a game that is over stays as it ended, also after the last step. seats: (n, players), the
    number in `agents` of who sits there; numbers: (n,). Each agent answers for all its seats at once.
    """
    batch.deal(numbers)
    yield from play_on(batch, agents, seats)


def play_on(batch: Batch, agents: Sequence[Agent], seats: Whole) -> Iterator[Batch]:
    """Play the games of a batch on to their ends, see `watch`; whatever agents remember begins here."""
    memories = [np.zeros((*seats.shape, agent.memory_size), np.int32) for agent in agents]
    while batch.acting.any():
        yield batch
        batch.step(_choices(batch, agents, seats, memories))


def _choices(batch: Batch, agents: Sequence[Agent], seats: Whole, memories: Sequence[Memory]) -> Whole:
    """What the agents asked choose, (n,); 0 in games that are over."""
    lanes = np.flatnonzero(batch.acting)
    whose = seats[lanes, batch.seat[lanes]]
    actions = np.zeros(batch.n, np.int64)
    streams = batch.agent_streams()
    for number, agent in enumerate(agents):
        mine = lanes[whose == number]
        if len(mine):
            place = (mine, batch.seat[mine])
            memory = np.ascontiguousarray(memories[number][place])
            actions[mine] = answers(agent, batch, mine, memory, streams)
            memories[number][place] = memory
    batch.put_agent_streams(streams)
    return actions
