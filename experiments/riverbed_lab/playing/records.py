"""Games between agents as records that can be replayed action by action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.players.agents import Agent
from riverbed_env.version import __version__
from riverbed_web.record import GameRecord, SeatKind, deal, pack_hash

from .play import watch

PERSON = "person"


def record_game(game: Game, agents: Sequence[Agent], seed: int, number: int = 0, **options: Any) -> GameRecord:
    """Play one game, with the agent of each seat, and record it. options: the game's, with `num_players`."""
    batch = deal(game, seed, options, number)
    by_name = {agent.name: agent for agent in agents}
    names = list(by_name)
    seats = np.array([[names.index(agent.name) for agent in agents]])
    actions = [int(chosen[0]) for chosen in watch(batch, list(by_name.values()), seats, [number])]
    return record_of(batch, actions, [agent.name for agent in agents])


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
