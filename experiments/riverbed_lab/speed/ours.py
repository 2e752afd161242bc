"""The rows of the speed table: the batch, the turn-based environment, whole games between agents."""

import itertools
import random
from functools import partial
from typing import Any

import numpy as np

from riverbed_env.players.specs import find_agent
from riverbed_env.registry import entry_points, find_game, game_ids, make_batch

from ..playing.play import lineup, play
from .table import Play, Row

HUNT = "riverbed_hunt_v1"
NUM_ENVS = 4096
SIZES = (NUM_ENVS, 1024, 256)  # games at once of the flagship's batches
PAST_THE_BEGINNING = 100  # steps of a batch before it is measured


def rows(threads: tuple[int, ...] = (1, 2)) -> list[Row]:
    """Every game's environment and batch, and Riverbed Hunt's games between agents for each thread count."""
    table = []
    for game_id in game_ids():
        table.append(Row(f"{game_id} env()", "AEC, agent_iter/last/step, random", partial(_turns, game_id)))
        of_hunt = itertools.product(threads, SIZES, ("history", "now"))
        for count, size, view in of_hunt if game_id == HUNT else [(1, NUM_ENVS, "history")]:
            call = f"n = {size:,}, {_in_words(count)}, {view}, random"
            table.append(Row(f"{game_id} batch", call, partial(_batch, game_id, count, size, view)))
    for count in threads:
        for agent in ("rule_based", "simple", "random"):
            call = f"whole games, {_in_words(count)}"
            table.append(Row(f"{HUNT} games, {agent} agents", call, partial(_games, agent, count)))
    return table


def learning_rows(threads: tuple[int, ...] = (1, 2)) -> list[Row]:
    """Whole learning of Riverbed Hunt with 7 players: one seat among `rule_based`, and self-play."""
    ways = {
        "one seat among rule_based": {"seats": "one"},
        "self-play, sampled advantages": {"seats": "all", "advantages": "sampled"},
        "self-play, values of all actions": {"seats": "all"},
    }
    return [
        Row("riverbed train", f"{way}, {_in_words(count)}", partial(_learning, settings, count))
        for count in threads
        for way, settings in ways.items()
    ]


def _learning(settings: dict[str, Any], threads: int, seed: int) -> Play:
    from ..ppo import Learner
    from ..selfplay import SelfPlay
    from ..training.build import build_training
    from ..training.process import prepare_process

    config = build_training({"players": [7], "threads": threads, "seed": seed, "warm_up": 0, **settings}, "speed")
    prepare_process(threads)
    learner = SelfPlay(config) if config.values_states else Learner(config)

    def learn() -> tuple[int, int]:
        steps, ended = learner.steps, learner.ended
        learner.learn(config.rollout_steps, config.learning_rate)
        return learner.steps - steps, learner.ended - ended

    return learn


def _in_words(threads: int) -> str:
    return f"{threads} thread{'s' if threads > 1 else ''}"


def _turns(game_id: str, seed: int) -> Play:
    """The loop that PettingZoo's users write, with a cheap random player (about 0.9 µs a decision)."""
    env, numbers, draw = entry_points(find_game(game_id)).env(), itertools.count(), random.Random(seed).random

    def play_one() -> tuple[int, int]:
        decisions = 0
        env.reset(seed=next(numbers))
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation or observation is None:
                env.step(None)
            else:
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(draw() * len(legal))]))
                decisions += 1
        return decisions, 1

    return play_one


def _batch(game_id: str, threads: int, num_envs: int, view: str, seed: int) -> Play:
    batch = make_batch(game_id, num_envs=num_envs, seed=seed, threads=threads, view=view)
    for _ in range(PAST_THE_BEGINNING):
        batch.step(batch.random_actions())

    def step() -> tuple[int, int]:
        batch.step(batch.random_actions())
        return num_envs, int(batch.done.sum())

    return step


def _games(agent: str, threads: int, seed: int) -> Play:
    game = find_game(HUNT)
    player = find_agent(agent, game.name)
    who = lineup(game, agent, player)
    firsts = itertools.count(0, NUM_ENVS)

    def play_some() -> tuple[int, int]:
        numbers = next(firsts) + np.arange(NUM_ENVS)
        played = play(game, who, numbers, seed, threads=threads, pool=(player,))
        return int(game.columns(played.games)["decisions"].astype(np.int64).sum()), NUM_ENVS

    return play_some
