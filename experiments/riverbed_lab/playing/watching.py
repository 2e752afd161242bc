"""Games between agents step by step: the one loop in which agents in Python play and games are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.players.agents import Agent, answers_of

Whole = npt.NDArray[np.int64]


def watch(batch: Batch, agents: Sequence[Agent], seats: Whole, numbers: npt.ArrayLike) -> Iterator[Batch]:
    """Deal the games of these numbers and play them to their ends; yields the batch before each step.

    batch: without auto_reset; a game that is over stays as it ended, also after the last step. seats: (n, players), the
    number in `agents` of who sits there; numbers: (n,). Each agent answers for all its seats at once.
    """
    batch.deal(numbers)
    known = dict(enumerate(agents))
    memories = {number: np.zeros((*seats.shape, agent.memory_size), np.int32) for number, agent in known.items()}
    while batch.acting.any():
        yield batch
        actions = np.zeros(batch.num_envs, np.int64)
        streams = batch.agent_streams()
        for _, indices, given in answers_of(known, batch, seats, np.flatnonzero(batch.acting), memories, streams):
            actions[indices] = given
        batch.put_agent_streams(streams)
        batch.step(actions)
