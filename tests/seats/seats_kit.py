"""Tables for tests of seats: whole games through a channel, and what the seats then have counted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.players.agents import answers
from riverbed_env.registry import find_game
from riverbed_env.seats import FIGURES, SeatAgent, seat_message
from riverbed_env.seats.agent import COUNTED
from riverbed_env.seats.callables import FunctionChannel

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
PYTHON = sys.executable
QUICK = "river_rats_v0"  # a game that is over soon
HUNT = "riverbed_hunt_v1"  # a game with talk

Message = dict[str, Any]


def deal(game_id: str = QUICK, games: int = 1, seed: int = 1, **options: Any) -> Batch:
    """Some games at their beginning."""
    return Batch(find_game(game_id), games, seed=seed, auto_reset=False, **options)


def message(batch: Batch, index: int = 0, **more: Any) -> Message:
    """The message to the seat that is asked in a game."""
    seat = int(batch.seat[index])
    legal = np.flatnonzero(batch.action_mask[index]).tolist()
    view = batch.look(np.maximum(batch.seat, 0))[index]
    assert int(view["seat"]) == seat
    return seat_message(batch.game, batch.pack, view, batch.params, legal, **more)


def first(asked: Message) -> Message:
    """The first choice."""
    return {"choice": asked["choices"][0]["id"]}


def by_function(function: Callable[[Message], Mapping[str, Any] | str], game_id: str = QUICK, **more: Any) -> SeatAgent:
    """An agent that is a function."""
    return SeatAgent("function", find_game(game_id), FunctionChannel(function), **more)


class Table:
    """Games that one agent plays in all seats."""

    def __init__(self, agent: Any, batch: Batch) -> None:
        self.agent, self.batch = agent, batch
        self.memory = np.zeros((batch.num_envs, batch.num_players, agent.memory_size), np.int32)
        self.actions: list[npt.NDArray[np.int64]] = []

    def step(self) -> None:
        """Let the agent choose in all games that go on, and take the choices."""
        batch = self.batch
        playing = np.flatnonzero(batch.acting)
        streams = batch.agent_streams()
        place = playing, batch.seat[playing]
        memory = np.ascontiguousarray(self.memory[place])
        actions = np.zeros(batch.num_envs, np.int64)
        actions[playing] = answers(self.agent, batch, playing, memory, streams)
        self.memory[place] = memory
        batch.put_agent_streams(streams)
        batch.step(actions)
        self.actions.append(actions)

    def play(self, steps: int = 10**6) -> Table:
        """Play to the end, or so many steps."""
        while self.batch.acting.any() and steps:
            self.step()
            steps -= 1
        return self

    def count(self, name: str) -> int:
        """A figure, over all seats and games."""
        return int(self.memory[..., COUNTED + FIGURES.index(name)].sum())

    def counts(self) -> dict[str, int]:
        """All figures that aren't 0."""
        return {name: self.count(name) for name in FIGURES if self.count(name)}
