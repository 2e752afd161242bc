"""Our own rows of the speed table: the batch, the turn-based environment, whole games between agents."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from riverbed_env.core.game import Game
from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import entry_points, find_game, game_ids, make_batch

from ..playing.play import lineup, play
from .peers import Measurement

HUNT = "riverbed_hunt_v0"
NUM_ENVS = 4096


@dataclass(frozen=True)
class Row:
    """A row of the table: `measure(seconds)` warms up, then plays for that long."""

    name: str
    call: str
    measure: Callable[[float], Measurement]


def rows(threads: tuple[int, ...] = (1, 2)) -> list[Row]:
    """Our rows: every game's environment and batch, and Riverbed Hunt's games between agents for each thread count."""
    found: list[Row] = []
    for game_id in game_ids():
        found.append(Row(f"{game_id} env()", "AEC, agent_iter/last/step, random", _turns_of(game_id)))
        for count in threads if game_id == HUNT else threads[:1]:
            found.append(
                Row(f"{game_id} batch", f"n = {NUM_ENVS:,}, {_cores(count)}, random", _batch_of(game_id, count))
            )
    for count in threads:
        for agent in ("simple", "random"):
            row = Row(f"{HUNT} games, {agent} agents", f"whole games, {_cores(count)}", _games_of(agent, count))
            found.append(row)
    return found


def _cores(threads: int) -> str:
    return f"{threads} thread{'s' if threads > 1 else ''}"


def _turns_of(game_id: str) -> Callable[[float], Measurement]:
    return lambda seconds: _measure_turns(game_id, seconds)


def _measure_turns(game_id: str, seconds: float) -> Measurement:
    """The loop that PettingZoo's users write, with a cheap random player (about 0.9 µs a decision)."""
    env = entry_points(find_game(game_id)).env()
    chance = random.Random(0)

    def play_one(seed: int) -> int:
        decisions = 0
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation or observation is None:
                env.step(None)
            else:
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(chance.random() * len(legal))]))
                decisions += 1
        return decisions

    play_one(0)
    begun = time.perf_counter()
    decisions = games = 0
    while time.perf_counter() - begun < seconds:
        decisions += play_one(games)
        games += 1
    return Measurement("", "", decisions, games, time.perf_counter() - begun)


def _batch_of(game_id: str, threads: int) -> Callable[[float], Measurement]:
    def measure(seconds: float) -> Measurement:
        batch = make_batch(game_id, num_envs=NUM_ENVS, seed=0, threads=threads)
        for _ in range(100):  # past the games' common beginning
            batch.step(batch.random_actions())
        begun = time.perf_counter()
        steps = games = 0
        while time.perf_counter() - begun < seconds:
            batch.step(batch.random_actions())
            games += int(batch.done.sum())
            steps += 1
        return Measurement("", "", steps * NUM_ENVS, games, time.perf_counter() - begun)

    return measure


def _games_of(agent: str, threads: int) -> Callable[[float], Measurement]:
    def measure(seconds: float) -> Measurement:
        game: Game = find_game(HUNT)
        who = lineup(game, agent, UNIFORM if agent == UNIFORM.name else find_agent(agent, game.name))
        pool = (UNIFORM, find_agent("simple", game.name))
        play(game, who, [0], 0, threads=threads, pool=pool)
        begun = time.perf_counter()
        decisions = games = 0
        while time.perf_counter() - begun < seconds:
            numbers = np.arange(games, games + NUM_ENVS)
            played = play(game, who, numbers, 0, threads=threads, pool=pool)
            decisions += int(game.columns(played.games)["decisions"].astype(np.int64).sum())
            games += NUM_ENVS
        return Measurement("", "", decisions, games, time.perf_counter() - begun)

    return measure
