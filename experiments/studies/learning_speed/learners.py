"""MaskablePPO through our vector environment and, for comparison, through a wrapper of PettingZoo's connect four.

Losses and network are the same everywhere, those of MaskablePPO and its "MlpPolicy", except in the row of
`riverbed train`. What changes is the number of environments, the rollout's length, the batch size, the epochs, the
learning rate (larger batches take fewer steps, which may be larger), and whether the policy draws and judges actions by
a distribution object, as in Stable-Baselines3, or straight from the logits, as in `riverbed_env.envs.sb3_policies`.
"""

from __future__ import annotations

import os
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import torch
from rich.progress import Progress
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.envs.sb3_policies import MlpPolicy
from riverbed_env.envs.sb3_ppo import DirectPPO
from riverbed_env.players.lineups import lineups
from riverbed_env.registry import find_game
from riverbed_lab.speed.ours import HUNT
from riverbed_lab.training.build import build_training
from riverbed_lab.training.config import TrainingConfig
from riverbed_lab.training.process import prepare_process

from .connect_four import ConnectFour, ConnectFourTurns, is_installed
from .stopwatch import split

CONNECT_FOUR = "PettingZoo connect_four_v3"
ROLE, PLAYERS = "separatist", 7
LEARNING_RATE, GAE_LAMBDA, MAX_GRAD_NORM = 3e-4, 0.95, 0.5  # the defaults of Stable-Baselines3
WARM_UP = 16  # decisions of each environment before the clock starts


@dataclass(frozen=True)
class Setting:
    """The settings of MaskablePPO; all others have their defaults.

    envs: environments; n_steps: decisions of each in a rollout; direct: whether `riverbed_env.envs.sb3_ppo.DirectPPO`
    learns, by `riverbed_env.envs.sb3_policies.MlpPolicy`; short: whether in bfloat16.
    """

    envs: int
    n_steps: int
    batch_size: int
    n_epochs: int
    learning_rate: float = LEARNING_RATE
    gae_lambda: float = GAE_LAMBDA
    max_grad_norm: float = MAX_GRAD_NORM
    direct: bool = False
    short: bool = False

    @property
    def rollout(self) -> int:
        """The decisions of a rollout."""
        return self.envs * self.n_steps

    @property
    def learning(self) -> dict[str, Any]:
        """How a rollout is learnt from, by the names that MaskablePPO and `riverbed train` have for it."""
        names = ("batch_size", "n_epochs", "learning_rate", "gae_lambda", "max_grad_norm")
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        unusual = [
            f"{name} {value:g}"
            for name, value, usual in (
                ("learning rate", self.learning_rate, LEARNING_RATE),
                ("GAE λ", self.gae_lambda, GAE_LAMBDA),
                ("gradient norm", self.max_grad_norm, MAX_GRAD_NORM),
            )
            if value != usual
        ]
        how = [*unusual, *["DirectPPO"] * self.direct, *["bfloat16"] * self.short]
        return ", ".join((f"{self.envs} × {self.n_steps} steps, batch {self.batch_size}, epochs {self.n_epochs}", *how))


USUAL = Setting(1, 2048, 64, 10)  # the defaults of Stable-Baselines3
USUAL_OF_EIGHT = replace(USUAL, envs=8)
FAST = Setting(
    256, 32, 768, 3, 2e-3, 0.85, 5.0, direct=True, short=True
)  # as strong at equal steps as USUAL_OF_EIGHT, see `strength`
FASTEST = Setting(512, 32, 2048, 1, direct=True, short=True)  # weaker at equal steps
LARGE = (Setting(4096, 32, 16_384, 2, 2e-3), Setting(16_384, 16, 65_536, 2, 2e-3))  # which keep a GPU busier
OF_WIDE = Setting(2048, 16, 8192, 2, 2e-3)
WIDE: dict[str, Any] = {"widths": (1024, 512), "object_width": 256}
TRAIN = "riverbed train"


@dataclass(frozen=True)
class Seat:
    """The task: a seat of a game, with a role or any (None), among opponents of one kind."""

    game: str
    num_players: int
    role: str | None
    opponents: str
    view: str

    def model(self, setting: Setting, seed: int = 0) -> MaskablePPO:
        """An untrained learner of these settings in our vector environment."""
        env = LearnerVecEnv(
            *(self.game, setting.envs), num_players=self.num_players, seed=seed, role=self.role,
            opponents=self.opponents, view=self.view, threads=torch.get_num_threads(),
        )  # fmt: skip
        return maskable_ppo(env, setting, seed)

    def __str__(self) -> str:
        return f"{self.role or 'any seat'} of {self.num_players}, {self.opponents} opponents, view {self.view}"


@dataclass(frozen=True)
class Learner:
    """A row of the table: its name, task and settings; `make` builds its model from a setting.

    learnt, collected: decisions a second in each round, of whole training and of collection alone; load: the machine's
    load average over the minute before each round; split: seconds per decision by part and phase, see
    `stopwatch.PHASES`.
    """

    name: str
    call: str
    setting: Setting
    make: Callable[[Setting], MaskablePPO]
    learnt: list[float] = field(default_factory=list)
    collected: list[float] = field(default_factory=list)
    load: list[float] = field(default_factory=list)
    split: dict[tuple[str, str], float] = field(default_factory=dict)

    @property
    def speeds(self) -> tuple[float, float]:
        """Decisions a second of collection and of whole training, medians of the rounds."""
        return statistics.median(self.collected), statistics.median(self.learnt)


def learners(fast: Setting) -> list[Learner]:
    """The rows: connect four if it is installed, then Riverbed Hunt with the same settings and with fast ones."""
    rows = []
    if is_installed():
        turns = partial(_connect_four, ConnectFourTurns)
        rows = [
            Learner(CONNECT_FOUR, "random opponent", USUAL, partial(_connect_four, ConnectFour)),
            Learner(CONNECT_FOUR, "random opponent", USUAL_OF_EIGHT, partial(_connect_four, ConnectFour)),
            Learner(f"{CONNECT_FOUR}, tutorial", "both sides learn", USUAL, turns),
        ]
    seats = [
        Seat(HUNT, PLAYERS, ROLE, opponents, view)
        for opponents in ("random", "rule_based")
        for view in ("now", "history")
    ]
    rows += [Learner(HUNT, str(seats[0]), setting, seats[0].model) for setting in (USUAL_OF_EIGHT, FASTEST)]
    rows += [Learner(HUNT, str(seat), fast, seat.model) for seat in seats]
    return [*rows, Learner(TRAIN, "its usual settings", usual_setting(), _train)]


def learners_on(device: str) -> list[Learner]:
    """The rows of `riverbed train` with the network on the processor and on this device."""
    return [
        Learner(TRAIN, f"{size} network on {where}", setting, partial(_train, device=where, **more))
        for size, more, settings in (("usual", {}, (usual_setting(), *LARGE)), ("wide", WIDE, (OF_WIDE,)))
        for setting in settings
        for where in ("cpu", device)
    ]


def _connect_four(environment: type[ConnectFour], setting: Setting) -> MaskablePPO:
    return maskable_ppo(DummyVecEnv([environment] * setting.envs), setting, 0)


def maskable_ppo(env: VecEnv, setting: Setting, seed: int) -> MaskablePPO:
    """MaskablePPO of these settings, with Stable-Baselines3's defaults for all others."""
    learner = (DirectPPO if setting.direct else MaskablePPO)(
        *(MlpPolicy if setting.direct else "MlpPolicy", env), n_steps=setting.n_steps, **setting.learning,
        seed=seed, device="cpu", policy_kwargs={"in_bfloat16": True} if setting.short else None,
    )  # fmt: skip
    learner.set_logger(Logger(None, []))  # the default logger leaves an empty temporary folder
    return learner


def usual_training() -> TrainingConfig:
    """The config of `riverbed train --role separatist --players 7`."""
    return build_training({"game": HUNT, "role": ROLE, "players": [PLAYERS]}, "the usual training")


def usual_setting() -> Setting:
    """The settings of `usual_training`."""
    config = usual_training()
    return Setting(
        *(config.num_envs, config.rollout_steps, config.batch_size, config.n_epochs),
        *(config.learning_rate, config.gae_lambda, config.max_grad_norm),
    )


def _train(setting: Setting, **more: Any) -> MaskablePPO:
    from riverbed_lab.training.learner import learner_env, learner_model

    config = replace(
        usual_training(), num_envs=setting.envs, rollout_steps=setting.n_steps, threads=torch.get_num_threads(),
        **setting.learning, **more,
    )  # fmt: skip
    env = learner_env(config, lineups(find_game(HUNT), config.opponents))
    return learner_model(config, env, np.random.default_rng(config.seed))


def measure(rows: list[Learner], seconds: float, rounds: int, threads: int, bar: Progress) -> None:
    """Measure every row in every round, so that all rows meet the same load, then once more to split the time.

    seconds: the minimum for each row; only whole rollouts count, so slow rows take longer. threads: PyTorch's.
    """
    task = bar.add_task("measuring", total=(rounds + 1) * len(rows))
    with torch_threads(threads):
        for last in [False] * rounds + [True]:
            for row in rows:
                bar.update(task, description=f"{row.name}, {row.call}")
                if not last:
                    row.load.append(os.getloadavg()[0])
                _measure(row, seconds, whole=not last)
                bar.advance(task)


@contextmanager
def torch_threads(threads: int) -> Iterator[None]:
    """Within it PyTorch uses this many threads, and freed memory is kept, as in training."""
    before = torch.get_num_threads()
    prepare_process(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _measure(row: Learner, seconds: float, *, whole: bool) -> None:
    """Train on whole rollouts for at least `seconds`; record the speeds if `whole`, else the split of the time."""
    setting = row.setting
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="You have specified a mini-batch size")  # the last may be smaller
        # Train another learner first, so that everything is loaded and compiled.
        row.make(replace(setting, n_steps=min(WARM_UP, setting.n_steps), n_epochs=1)).learn(1)
        model = row.make(setting)
    with split(model, whole=whole) as watch:
        begun, spent = time.perf_counter(), 0.0
        while not spent or spent < seconds:
            model.learn(1, reset_num_timesteps=False)
            spent = time.perf_counter() - begun
    steps = int(model.num_timesteps)
    if whole:
        row.learnt.append(steps / spent)
        row.collected.append(steps / sum(watch.seconds.values()))
    else:
        row.split.update({key: seconds_ / steps for key, seconds_ in watch.seconds.items()})
