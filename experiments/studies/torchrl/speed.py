"""How fast TorchRL plays: our native environment, and TorchRL's wrapper over the same game's PettingZoo environment.

    python experiments/studies torchrl.speed --game riverbed_hunt_v1 --envs 1024 --seconds 5

plays random legal actions on one thread and prints each one's decisions per second of processor time, all in one run.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Annotated

import torch
import typer
from torchrl.collectors import Collector
from torchrl.envs import EnvBase, MarlGroupMapType
from torchrl.envs.libs.pettingzoo import PettingZooWrapper

from riverbed_env.integrations.torchrl import RiverbedEnv
from riverbed_env.registry import entry_points, find_game

from ..kit import print_table

Turns = Callable[[float], int]


def stepped(env: EnvBase, seconds: float) -> int:
    """Decisions taken by stepping the environment with random actions for some seconds."""
    now, decisions, until = env.reset(), 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        _, now = env.step_and_maybe_reset(env.rand_action(now))
        decisions += max(1, env.batch_size.numel())
    return decisions


def collected(env: RiverbedEnv, seconds: float) -> int:
    """Decisions that a collector gathers in some seconds."""
    per_batch = env.batch_size.numel() * 32
    collector = Collector(env, env.rand_action, frames_per_batch=per_batch, total_frames=-1)
    decisions, until = 0, time.perf_counter() + seconds
    for batch in collector:
        decisions += batch.numel()
        if time.perf_counter() > until:
            break
    collector.shutdown()
    return decisions


def wrapped(game_id: str, *, one_group: bool = False) -> PettingZooWrapper:
    """TorchRL's own wrapper over the PettingZoo environment, with a group for each agent or one, "agents"."""
    groups = MarlGroupMapType.ALL_IN_ONE_GROUP if one_group else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it names the PettingZoo version it was tested with
        return PettingZooWrapper(entry_points(find_game(game_id)).env(), use_mask=True, group_map=groups)


def speed(play: Turns, seconds: float) -> float:
    """Decisions per second of processor time, after a first short run that compiles."""
    play(0.2)
    begun = time.process_time()
    decisions = play(seconds)
    return decisions / (time.process_time() - begun)


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "riverbed_hunt_v1",
    envs: Annotated[int, typer.Option(min=1, help="Games beside each other.")] = 1024,
    seconds: Annotated[float, typer.Option(help="Seconds of each measurement.")] = 5.0,
) -> None:
    """Print the decisions a second of each environment."""
    torch.set_num_threads(1)
    ways: dict[str, Turns] = {
        "RiverbedEnv, stepped": lambda s: stepped(RiverbedEnv(game, envs, seed=0), s),
        "RiverbedEnv, collector": lambda s: collected(RiverbedEnv(game, envs, seed=0), s),
        'RiverbedEnv, group_by="role"': lambda s: stepped(RiverbedEnv(game, envs, seed=0, group_by="role"), s),
        "PettingZooWrapper": lambda s: stepped(wrapped(game), s),
    }
    rows = [(name, f"{speed(play, seconds):,.0f}") for name, play in ways.items()]
    print_table(f"{game}, {envs} games, one thread", ["environment", "decisions/s and core"], rows)
