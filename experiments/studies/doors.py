"""The doors to other libraries in one table: whether each one's own checker passes, and how fast it plays.

    python experiments/studies doors --seconds 10

measures Riverbed's door and, where it has one, the library's own way, one after the other on one thread, in decisions
per second of processor time.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from itertools import cycle
from typing import Annotated, Any

import typer

from riverbed_env.registry import entry_points, find_game

from .kit import Play, rate, say

GAME = "riverbed_hunt_v1"
COUNTS = (4, 5, 6, 7, 8, 9)


@dataclass(frozen=True)
class Door:
    """A library: how it is called on an index, its checker's name and call, and ways to measure.

    own and ours: play by the library's own wrapper and by Riverbed's door.
    """

    library: str
    checker: str
    check: Callable[[], None]
    ours: Callable[[], Play] | None = None
    own: Callable[[], Play] | None = None


# --- TorchRL ----------------------------------------------------------------------------------------------------------


def check_torchrl() -> None:
    """TorchRL's check."""
    from torchrl.envs.utils import check_env_specs

    from riverbed_env.integrations.torchrl import RiverbedEnv

    check_env_specs(RiverbedEnv(GAME, 6, num_players=COUNTS), seed=0)


def wrapped(game_id: str) -> Any:
    """TorchRL's own wrapper over the PettingZoo environment, with a group for each agent."""
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it names the PettingZoo version it was tested with
        return PettingZooWrapper(entry_points(find_game(game_id)).env(), use_mask=True)


def stepping(env: Any) -> Play:
    """Steps every game of a TorchRL environment with a random action."""
    now, size = env.reset(), max(1, int(env.batch_size.numel()))

    def play() -> int:
        nonlocal now
        _, now = env.step_and_maybe_reset(env.rand_action(now))
        return size

    return play


def torchrl_plays() -> Play:
    """Random legal play in the native environment."""
    from riverbed_env.integrations.torchrl import RiverbedEnv

    return stepping(RiverbedEnv(GAME, 1024, num_players=COUNTS, seed=0))


# --- RLlib ------------------------------------------------------------------------------------------------------------


def check_rllib() -> None:
    """RLlib's check of environments, with every player count."""
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments

    from riverbed_env.integrations.rllib import RiverbedMultiAgentEnv

    env = RiverbedMultiAgentEnv({"game": GAME, "num_players": COUNTS, "seed": 0})
    for _ in COUNTS:
        check_multiagent_environments(env)


# --- OpenSpiel --------------------------------------------------------------------------------------------------------


def check_openspiel() -> None:
    """OpenSpiel's random simulation, with every state written and read."""
    import pyspiel

    from riverbed_env.integrations import openspiel  # noqa: F401  # registers the games

    for count in COUNTS:
        pyspiel.random_sim_test(pyspiel.load_game(f"riverbed_hunt(players={count})"), 1, True, False)


def openspiel_plays() -> Play:
    """Random legal play of whole games, with each player count in turn."""
    import numpy as np
    import pyspiel

    from riverbed_env.integrations import openspiel  # noqa: F401  # registers the games

    games = cycle([pyspiel.load_game(f"riverbed_hunt(players={count})") for count in COUNTS])
    rng = np.random.default_rng(0)

    def play() -> int:
        state = next(games).new_initial_state()
        state.apply_action(int(rng.integers(state.get_game().max_chance_outcomes())))
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[rng.integers(len(legal))])
        return len(state.history()) - 1

    return play


TORCHRL = Door(
    "torchrl",
    "check_env_specs",
    check_torchrl,
    torchrl_plays,
    lambda: stepping(wrapped(GAME)),
)
RLLIB = Door(
    "ray",
    "check_multiagent_environments",
    check_rllib,
)
OPENSPIEL = Door(
    "open_spiel",
    "random_sim_test",
    check_openspiel,
    openspiel_plays,
)
DOORS = (TORCHRL, RLLIB, OPENSPIEL)


def row(door: Door, seconds: float) -> list[str]:
    """A door's row: the check is made, and each way is measured for so many seconds."""
    door.check()
    rates = ["–" if way is None else f"{rate(way(), seconds)[1]:,.0f}" for way in (door.own, door.ours)]
    return [door.library, version(door.library), f"{door.checker}: passed", *rates]


def main(
    only: Annotated[str | None, typer.Option(help="Libraries, like torchrl,ray.", show_default="all")] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="Seconds of each measurement.")] = 10.0,
) -> None:
    """Check and measure, and print the table in Markdown."""
    import torch

    torch.set_num_threads(1)
    known = {door.library: door for door in DOORS}
    wanted = only.split(",") if only else list(known)
    unknown = sorted({*wanted} - known.keys())
    if unknown:
        raise typer.BadParameter(f"no door to {', '.join(unknown)}; there are {', '.join(known)}")
    headings = ["library", "version", "its checker", "decisions/s, own way", "decisions/s, Riverbed"]
    for cells in (headings, ["---"] * len(headings)):
        say(f"| {' | '.join(cells)} |")
    for name in wanted:
        say(f"| {' | '.join(row(known[name], seconds))} |")
