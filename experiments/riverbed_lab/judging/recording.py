"""Games between agents, played and recorded for the judge."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.players.agents import Agent

from ..playing.play import watch

Whole = npt.NDArray[np.int64]


def record_games(batch: Batch, agents: Sequence[Agent], seats: Whole, numbers: npt.ArrayLike) -> list[RecordedGame]:
    """Play the games of these numbers to their end, and record them. The arguments are those of `play.watch`."""
    taken: list[list[int]] = [[] for _ in range(batch.num_envs)]
    for actions in watch(batch, agents, seats, numbers):
        for index in np.flatnonzero(batch.acting).tolist():
            taken[index].append(int(actions[index]))
    return [
        RecordedGame.of(batch, taken[index], index=index, agents=[agents[number].name for number in seats[index]])
        for index in range(batch.num_envs)
    ]
