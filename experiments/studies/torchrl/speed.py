"""How fast TorchRL plays: our native environment, and TorchRL's wrapper over the same game's PettingZoo environment.

    python experiments/studies torchrl.speed --game riverbed_hunt_v1 --envs 1024 --seconds 5

plays random legal actions on one thread and prints each one's decisions per second of processor time, all in one run.
"""

from __future__ import annotations

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

from ..kit import Play, print_table, rate


def stepping(env: EnvBase) -> Play:
    """Steps every game of the environment with a random action."""
    now, size = env.reset(), max(1, int(env.batch_size.numel()))

    def play() -> int:
        nonlocal now
        _, now = env.step_and_maybe_reset(env.rand_action(now))
        return size

    return play


def collecting(env: RiverbedEnv) -> Play:
    """Takes the next 32 steps of every game from a collector."""
    rollouts = iter(Collector(env, env.rand_action, frames_per_batch=env.batch_size.numel() * 32, total_frames=-1))
    return lambda: int(next(rollouts).numel())


def wrapped(game_id: str, *, one_group: bool = False) -> PettingZooWrapper:
    """TorchRL's own wrapper over the PettingZoo environment, with a group for each agent or one, "agents"."""
    groups = MarlGroupMapType.ALL_IN_ONE_GROUP if one_group else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it names the PettingZoo version it was tested with
        return PettingZooWrapper(entry_points(find_game(game_id)).env(), use_mask=True, group_map=groups)


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "riverbed_hunt_v1",
    envs: Annotated[int, typer.Option(min=1, help="Games beside each other.")] = 1024,
    seconds: Annotated[float, typer.Option(help="Seconds of each measurement.")] = 5.0,
) -> None:
    """Print the decisions a second of each environment."""
    torch.set_num_threads(1)
    ways: dict[str, Callable[[], Play]] = {
        "RiverbedEnv, stepped": lambda: stepping(RiverbedEnv(game, envs, seed=0)),
        "RiverbedEnv, collector": lambda: collecting(RiverbedEnv(game, envs, seed=0)),
        'RiverbedEnv, group_by="role"': lambda: stepping(RiverbedEnv(game, envs, seed=0, group_by="role")),
        "PettingZooWrapper": lambda: stepping(wrapped(game)),
    }
    rows = [(name, f"{rate(way(), seconds)[1]:,.0f}") for name, way in ways.items()]
    print_table(f"{game}, {envs} games, one thread", ["environment", "decisions/s and core"], rows)
