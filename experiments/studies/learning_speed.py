"""How fast MaskablePPO trains through our vector environment and through wrappers of PettingZoo's connect four.

    python experiments/studies learning_speed

prints decisions of the learner per second, of collection alone and of whole training. Losses and network are the same
everywhere, those of MaskablePPO and its "MlpPolicy", except in the row of `riverbed train`. What changes is the number
of environments, the rollout's length, the batch size, the epochs and the learning rate.
"""

from __future__ import annotations

import os
import random
import statistics
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any

import gymnasium
import numpy as np
import numpy.typing as npt
import torch
import typer
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from riverbed_env.core.card import table
from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.envs.sb3_policies import MlpPolicy
from riverbed_env.envs.sb3_ppo import DirectPPO
from riverbed_env.players.lineups import lineups
from riverbed_env.registry import find_game
from riverbed_lab.cli.console import console, progress_bar
from riverbed_lab.files import code_version
from riverbed_lab.speed.ours import HUNT
from riverbed_lab.speed.peers import known_noise_silenced
from riverbed_lab.training.build import build_training
from riverbed_lab.training.learner import learner_env, learner_model
from riverbed_lab.training.process import prepare_process

from .kit import say

CONNECT_FOUR, TRAIN = "PettingZoo connect_four_v3", "riverbed train"
REQUIREMENT = "pettingzoo[classic]"
ROLE, PLAYERS = "separatist", 7
WARM_UP = 16  # decisions of each environment before the clock starts
LEARNING = ("batch_size", "n_epochs", "learning_rate", "gae_lambda", "max_grad_norm")


@dataclass(frozen=True)
class Setting:
    """The settings of MaskablePPO; all others have their defaults.

    envs: environments; n_steps: decisions of each in a rollout; direct: whether `riverbed_env.envs.sb3_ppo.DirectPPO`
    learns, in bfloat16.
    """

    envs: int
    n_steps: int
    batch_size: int
    n_epochs: int
    learning_rate: float = 3e-4
    gae_lambda: float = 0.95
    max_grad_norm: float = 0.5
    direct: bool = False

    @property
    def learning(self) -> dict[str, Any]:
        """How a rollout is learned from, by the names that MaskablePPO and `riverbed train` have for it."""
        return {name: getattr(self, name) for name in LEARNING}

    def __str__(self) -> str:
        how = ", DirectPPO, bfloat16" if self.direct else ""
        rate = f"learning rate {self.learning_rate:g}"
        return f"{self.envs} × {self.n_steps} steps, batch {self.batch_size}, epochs {self.n_epochs}, {rate}{how}"


USUAL = Setting(1, 2048, 64, 10)  # the defaults of Stable-Baselines3
USUAL_OF_EIGHT = replace(USUAL, envs=8)
FAST = Setting(256, 32, 768, 3, 2e-3, 0.85, 5.0, direct=True)  # as strong at equal steps as USUAL_OF_EIGHT
FASTEST = Setting(512, 32, 2048, 1, direct=True)  # weaker at equal steps


@dataclass(frozen=True)
class Learner:
    """A row of the table: its name, task and settings; `make` builds its model from a setting.

    learned, collected: decisions a second in each round, of whole training and of collection alone.
    """

    name: str
    call: str
    setting: Setting
    make: Callable[[Setting], MaskablePPO]
    learned: list[float] = field(default_factory=list)
    collected: list[float] = field(default_factory=list)

    @property
    def speeds(self) -> tuple[float, float]:
        """Decisions a second of collection and of whole training, medians of the rounds."""
        return statistics.median(self.collected), statistics.median(self.learned)


# --- the baseline -----------------------------------------------------------------------------------------------------


class ConnectFour(gymnasium.Env[npt.NDArray[Any], int]):
    """Connect four for the side that begins, (6, 7, 2) int8 and 7 actions; a random legal player plays the other side.

    Rewards are 1, 0 and -1 at the end, whichever side makes the last move.
    """

    def __init__(self) -> None:
        with known_noise_silenced():
            self.game: Any = import_module("pettingzoo.classic.connect_four_v3").env()
            self.game.reset()
        first = self.game.possible_agents[0]
        self.observation_space = self.game.observation_space(first)["observation"]
        self.action_space = self.game.action_space(first)
        self._draw = random.Random(0).random
        self._seen: dict[str, npt.NDArray[Any]] = {}
        self._side = first

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Begin a game."""
        super().reset(seed=seed)
        if seed is not None:
            self._draw = random.Random(seed).random
        self.game.reset(seed)
        self._side = self.game.agent_selection
        self._seen = self.game.observe(self._side)
        return self._seen["observation"], {}

    def step(self, action: int) -> tuple[npt.NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Move, and let the other side answer."""
        game, side = self.game, self._side
        game.step(int(action))
        if not game.terminations[side]:
            legal = game.observe(game.agent_selection)["action_mask"].nonzero()[0]
            game.step(legal.item(int(self._draw() * legal.size)))
        self._seen = game.observe(side)
        return self._seen["observation"], game.rewards[side], game.terminations[side], game.truncations[side], {}

    def action_masks(self) -> npt.NDArray[Any]:
        """The legal moves, (7,)."""
        return self._seen["action_mask"]


# --- the rows ---------------------------------------------------------------------------------------------------------


def learners() -> list[Learner]:
    """The rows: connect four if it is installed, then Riverbed Hunt with the same settings and with fast ones."""
    rows = []
    if is_installed():
        rows = [Learner(CONNECT_FOUR, "random opponent", setting, connect_four) for setting in (USUAL, USUAL_OF_EIGHT)]
    tasks = [(opponents, view) for opponents in ("random", "rule_based") for view in ("now", "history")]
    rows += [hunt_learner(*tasks[0], setting) for setting in (USUAL_OF_EIGHT, FASTEST)]
    rows += [hunt_learner(*task, FAST) for task in tasks]
    return [*rows, Learner(TRAIN, "its usual settings", usual_setting(), train_model)]


def is_installed() -> bool:
    """Whether PettingZoo's classic games are installed; imports nothing."""
    return find_spec("pettingzoo") is not None and find_spec("pygame") is not None


def connect_four(setting: Setting) -> MaskablePPO:
    """A learner of connect four."""
    return maskable_ppo(DummyVecEnv([ConnectFour] * setting.envs), setting)


def hunt_learner(opponents: str, view: str, setting: Setting) -> Learner:
    """A learner of Riverbed Hunt."""
    make = partial(seat_model, HUNT, PLAYERS, ROLE, opponents, view)
    return Learner(HUNT, f"{ROLE} of {PLAYERS}, {opponents} opponents, view {view}", setting, make)


def seat_model(
    game: str, num_players: int, role: str | None, opponents: str, view: str, setting: Setting
) -> MaskablePPO:
    """A learner of a seat in our vector environment."""
    env = LearnerVecEnv(
        *(game, setting.envs), num_players=num_players, seed=0, role=role, opponents=opponents, view=view,
        threads=torch.get_num_threads(),
    )  # fmt: skip
    return maskable_ppo(env, setting)


def maskable_ppo(env: VecEnv, setting: Setting) -> MaskablePPO:
    """MaskablePPO of these settings, with Stable-Baselines3's defaults for all others."""
    learner = (DirectPPO if setting.direct else MaskablePPO)(
        *(MlpPolicy if setting.direct else "MlpPolicy", env), n_steps=setting.n_steps, **setting.learning,
        seed=0, device="cpu", policy_kwargs={"in_bfloat16": True} if setting.direct else None,
    )  # fmt: skip
    learner.set_logger(Logger(None, []))  # the default logger leaves an empty temporary folder
    return learner


def usual_setting() -> Setting:
    """The settings of `riverbed train --role separatist --players 7`."""
    config = build_training({"game": HUNT, "role": ROLE, "players": [PLAYERS]}, "the usual training")
    return Setting(config.num_envs, config.rollout_steps, *(getattr(config, name) for name in LEARNING))


def train_model(setting: Setting) -> MaskablePPO:
    """The learner of `riverbed train`."""
    config = replace(
        build_training({"game": HUNT, "role": ROLE, "players": [PLAYERS]}, "the usual training"),
        num_envs=setting.envs, rollout_steps=setting.n_steps, threads=torch.get_num_threads(), **setting.learning,
    )  # fmt: skip
    env = learner_env(config, lineups(find_game(HUNT), config.opponents))
    return learner_model(config, env, np.random.default_rng(config.seed))


# --- the measurement --------------------------------------------------------------------------------------------------


def measure(row: Learner, seconds: float) -> None:
    """Train on whole rollouts for at least `seconds`; record both speeds."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="You have specified a mini-batch size")  # the last may be smaller
        # Train another learner first, so that everything is loaded and compiled.
        row.make(replace(row.setting, n_steps=min(WARM_UP, row.setting.n_steps), n_epochs=1)).learn(1)
        model = row.make(row.setting)
    collect, collecting = model.collect_rollouts, 0.0

    def timed(*arguments: Any, **more: Any) -> bool:
        nonlocal collecting
        begun = time.perf_counter()
        try:
            return collect(*arguments, **more)
        finally:
            collecting += time.perf_counter() - begun

    model.collect_rollouts = timed  # type: ignore[method-assign]
    begun, spent = time.perf_counter(), 0.0
    while not spent or spent < seconds:
        model.learn(1, reset_num_timesteps=False)
        spent = time.perf_counter() - begun
    row.learned.append(model.num_timesteps / spent)
    row.collected.append(model.num_timesteps / collecting)


def ratios(rows: Sequence[Learner]) -> list[str]:
    """The speed of each of our learners relative to connect four with one environment and with eight, if measured."""
    usual = {row.setting: row.speeds for row in rows if row.name == CONNECT_FOUR}
    return [
        f"{row.name}, {row.call}, {row.setting}: collection {row.speeds[0] / usual[setting][0]:.1f} and whole learning "
        f"{row.speeds[1] / usual[setting][1]:.1f} times that of connect four with {setting.envs} of its environments"
        for row in rows
        if row.name != CONNECT_FOUR
        for setting in usual
    ]


def main(
    seconds: Annotated[float, typer.Option(min=0, help="Measuring time of each row.")] = 2.0,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; the table shows their medians.")] = 3,
    threads: Annotated[int, typer.Option(min=1, help="Threads of PyTorch and of our games.")] = 1,
) -> None:
    """Measure how fast MaskablePPO trains."""
    rows = learners()
    prepare_process(threads)
    with progress_bar() as bar:
        for row in bar.track(rows * rounds, description="measuring"):  # so that all rows meet the same load
            measure(row, seconds)
    if not is_installed():
        console.print(f"not measured: PettingZoo's connect four; pip install '{REQUIREMENT}'")
    cells = [(row.name, row.call, str(row.setting), *(f"{speed:,.0f}" for speed in row.speeds)) for row in rows]
    say(table(["what", "how", "settings", "collection/s", "whole learning/s"], cells))
    for line in ratios(rows):
        say(f"- {line}")
    say(f"{os.cpu_count()} cores, {threads} of them for PyTorch and our games; version {code_version()}.")
