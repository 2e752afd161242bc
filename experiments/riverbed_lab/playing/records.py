"""Games between agents as records that can be replayed action by action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.players.agents import Agent
from riverbed_env.version import __version__
from riverbed_web.record import GameRecord, SeatKind, deal, pack_hash

from .play import watch

PERSON = "person"


def record_games(
    batch: Batch, agents: Sequence[Agent], seats: npt.NDArray[np.int64], numbers: npt.ArrayLike
) -> list[RecordedGame]:
    """Play the games of these numbers to their end, and record them. The arguments are those of `play.watch`."""
    taken: list[list[int]] = [[] for _ in range(batch.num_envs)]
    for actions in watch(batch, agents, seats, numbers):
        for index in np.flatnonzero(batch.acting).tolist():
            taken[index].append(int(actions[index]))
    return [
        RecordedGame.of(batch, taken[index], index=index, agents=[agents[number].name for number in seats[index]])
        for index in range(batch.num_envs)
    ]


def record_game(game: Game, agents: Sequence[Agent], seed: int, number: int = 0, **options: Any) -> GameRecord:
    """Play one game, with the agent of each seat, and record it. options: the game's, with `num_players`."""
    different = list({agent.name: agent for agent in agents}.values())
    seats = np.array([[different.index(agent) for agent in agents]])
    (recorded,) = record_games(deal(game, seed, options, number), different, seats, [number])
    return GameRecord.of(recorded)


def record_of(batch: Batch, actions: Sequence[int], seats: Sequence[str]) -> GameRecord:
    """The record of a batch's only game, which is over. seats: the agent of each, or PERSON."""
    kinds: tuple[SeatKind, ...] = tuple("person" if name == PERSON else "agent" for name in seats)
    return GameRecord(
        environment=batch.game.id,
        version=__version__,
        pack=pack_hash(batch),
        options={**batch.options, "num_players": batch.num_players},
        seed=int(batch.seed),
        game=int(batch.game_number[0]),
        actions=tuple(actions),
        seats=tuple(seats),
        kinds=kinds,
        returns=tuple(batch.game.returns(batch.games, batch.num_players)[0].tolist()),
        transcript=batch.notes(),
    )
