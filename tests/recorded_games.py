"""Games between agents, recorded: what replays, corpora and the judge are tested with."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.players.agents import Agent
from riverbed_lab.playing.play import watch


def record_games(
    batch: Batch, agents: Sequence[Agent], seats: npt.NDArray[np.int64], numbers: npt.ArrayLike
) -> list[RecordedGame]:
    """Play the games of these numbers to their end, and record them. The arguments are those of `play.watch`."""
    taken: list[list[int]] = [[] for _ in range(batch.num_envs)]
    for actions in watch(batch, agents, seats, numbers):
        for index in np.flatnonzero(batch.acting).tolist():
            taken[index].append(int(actions[index]))
    returns = batch.game.returns(batch.games, batch.num_players).tolist()
    records = [
        RecordedGame.of(batch, taken[index], index=index, agents=[agents[number].name for number in seats[index]])
        for index in range(batch.num_envs)
    ]
    return [replace(record, returns=tuple(paid)) for record, paid in zip(records, returns, strict=True)]


def record_game(game: Game, agents: Sequence[Agent], seed: int, number: int = 0, **options: Any) -> RecordedGame:
    """Play one game, with the agent of each seat, and record it. options: the game's, with `num_players`."""
    different = list({agent.name: agent for agent in agents}.values())
    seats = np.array([[different.index(agent) for agent in agents]])
    batch = Batch(game, 1, seed=seed, auto_reset=False, **options)
    return record_games(batch, different, seats, [number])[0]
