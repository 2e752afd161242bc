"""Our own rows of the speed table: the batch, the turn-based environment, whole games between agents."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from riverbed_env.core.agents import UNIFORM, find_agent
from riverbed_env.core.game import Game
from riverbed_env.envs import riverbed_hunt_v0
from riverbed_env.registry import find_game, make_batch

from ..play import line_up, play
from .peers import Measurement

GAME = "riverbed_hunt_v0"
LANES = 4096
PLAYERS = 7


@dataclass(frozen=True)
class Row:
    """A thing to measure: `measure(seconds)` warms up, then plays for so long."""

    name: str
    call: str
    measure: Callable[[float], Measurement]


def rows(threads: tuple[int, ...] = (1, 2)) -> list[Row]:
    """Our rows, the batch and the games between agents once for each number of threads."""
    found = [Row("riverbed_hunt_v0 env()", "AEC, agent_iter/last/step, random", _measure_turns)]
    for count in threads:
        cores = f"{count} thread{'s' if count > 1 else ''}"
        found.append(Row("riverbed_hunt_v0 batch", f"n = {LANES:,}, {cores}, random", _batch_of(count)))
        found.append(Row("riverbed_hunt_v0 games, simple agents", f"whole games, {cores}", _games_of("simple", count)))
        found.append(Row("riverbed_hunt_v0 games, random agents", f"whole games, {cores}", _games_of("random", count)))
    return found


def _measure_turns(seconds: float) -> Measurement:
    """The loop that PettingZoo's users write, with a cheap random player (about 0.9 µs a decision)."""
    env = riverbed_hunt_v0.env(num_players=PLAYERS)
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


def _batch_of(threads: int) -> Callable[[float], Measurement]:
    def measure(seconds: float) -> Measurement:
        batch = make_batch(GAME, n=LANES, num_players=PLAYERS, seed=0, threads=threads)
        for _ in range(100):  # past the games' common beginning
            batch.step(batch.random_actions())
        begun = time.perf_counter()
        steps = games = 0
        while time.perf_counter() - begun < seconds:
            batch.step(batch.random_actions())
            games += int(batch.done.sum())
            steps += 1
        return Measurement("", "", steps * LANES, games, time.perf_counter() - begun)

    return measure


def _games_of(agent: str, threads: int) -> Callable[[float], Measurement]:
    def measure(seconds: float) -> Measurement:
        game: Game = find_game(GAME)
        who = line_up(game, agent, UNIFORM if agent == UNIFORM.name else find_agent(agent))
        pool = (UNIFORM, find_agent("simple"))
        play(game, who, [0], 0, threads=threads, pool=pool, num_players=PLAYERS)
        begun = time.perf_counter()
        decisions = games = 0
        while time.perf_counter() - begun < seconds:
            numbers = np.arange(games, games + LANES)
            played = play(game, who, numbers, 0, threads=threads, pool=pool, num_players=PLAYERS)
            decisions += int(game.columns(played.games)["decisions"].astype(np.int64).sum())
            games += LANES
        return Measurement("", "", decisions, games, time.perf_counter() - begun)

    return measure
