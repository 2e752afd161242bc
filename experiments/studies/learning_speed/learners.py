"""Measures MaskablePPO through our vector environment and, for comparison, through PettingZoo's usual wrapper.

Algorithm and network are the same everywhere, Stable-Baselines3's MaskablePPO and its "MlpPolicy", except in the row of
`riverbed train`. What changes is the number of environments, the rollout's length, the batch size, the epochs, the
learning rate (larger batches take fewer steps, which may be larger), and whether the policy draws and judges actions by
a distribution object, as in Stable-Baselines3, or straight from the logits, as in `riverbed_env.envs.sb3_policies`.
"""

from __future__ import annotations

import math
import os
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from rich.progress import Progress
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.envs.sb3_policies import MlpPolicy
from riverbed_env.errors import OptionError
from riverbed_env.players.lineups import lineups
from riverbed_env.registry import find_game
from riverbed_lab.speed.ours import HUNT
from riverbed_lab.training.build import build_training
from riverbed_lab.training.config import TrainingConfig
from riverbed_lab.training.process import prepare_process

from . import connect_four
from .stopwatch import split

CONNECT_FOUR = "PettingZoo connect_four_v3"
TUTORIAL = f"{CONNECT_FOUR}, tutorial"
TRAIN = "riverbed train"
ROLE, PLAYERS = "separatist", 7
LEARNING_RATE = 3e-4  # the default of Stable-Baselines3
WARM_UP = 16  # decisions of each environment before the clock starts


@dataclass(frozen=True)
class Setting:
    """How MaskablePPO is set: environments, decisions of each in a rollout, batch size, epochs; else by default.

    learning_rate: Stable-Baselines3's own, unless larger batches are to take larger steps; direct: whether the policy
    is `riverbed_env.envs.sb3_policies.MlpPolicy`.
    """

    envs: int
    n_steps: int
    batch_size: int
    n_epochs: int
    learning_rate: float = LEARNING_RATE
    direct: bool = False

    @property
    def rollout(self) -> int:
        """How many decisions a rollout holds."""
        return self.envs * self.n_steps

    def __str__(self) -> str:
        rate = "" if self.learning_rate == LEARNING_RATE else f", learning rate {self.learning_rate:g}"
        direct = ", direct policy" if self.direct else ""
        return f"{self.envs} × {self.n_steps} steps, batch {self.batch_size}, epochs {self.n_epochs}{rate}{direct}"


USUAL = Setting(1, 2048, 64, 10)  # the defaults of Stable-Baselines3
USUAL_OF_EIGHT = replace(USUAL, envs=8)
FAST = Setting(256, 32, 256, 3, 1.5e-3, direct=True)  # as strong at equal steps as USUAL_OF_EIGHT, see `strength`
FASTEST = Setting(512, 16, 512, 2, direct=True)  # weaker at equal steps


@dataclass(frozen=True)
class LearnersSeat:
    """The task: a seat of a game, with a role or any (None), among opponents of one kind."""

    game: str
    num_players: int
    role: str | None
    opponents: str
    view: str

    def model(self, setting: Setting, seed: int = 0) -> MaskablePPO:
        """An untrained learner of these settings in our vector environment."""
        env = LearnerVecEnv(
            self.game,
            setting.envs,
            num_players=self.num_players,
            seed=seed,
            role=self.role,
            opponents=self.opponents,
            view=self.view,
        )
        return maskable_ppo(env, setting, seed)

    def __str__(self) -> str:
        return f"{self.role or 'any seat'} of {self.num_players}, {self.opponents} opponents, view {self.view}"


@dataclass(frozen=True)
class Learner:
    """A row of the table: its name, task and settings; `make` builds it from a setting."""

    name: str
    call: str
    setting: Setting
    make: Callable[[Setting], MaskablePPO]


@dataclass(frozen=True)
class Learnt:
    """One run: decisions learnt from, seconds in all, and seconds of collection."""

    steps: int
    seconds: float
    collecting: float


@dataclass(frozen=True)
class LearnerResult:
    """The rounds of a learner, the machine's load average over a minute before each, and where its time went.

    split: seconds of a decision by part and phase, see `stopwatch.PHASES`.
    """

    learner: Learner
    rounds: list[Learnt] = field(default_factory=list)
    load: list[float] = field(default_factory=list)
    split: dict[tuple[str, str], float] = field(default_factory=dict)

    @property
    def collected(self) -> float:
        """Decisions of one second of collection alone; the median of the rounds."""
        return statistics.median(one.steps / one.collecting for one in self.rounds)

    @property
    def learnt(self) -> float:
        """Decisions of one second of the whole learning; the median of the rounds."""
        return statistics.median(one.steps / one.seconds for one in self.rounds)


def learners(fast: Setting) -> list[Learner]:
    """The rows: the usual way where it is installed, Riverbed Hunt with the same settings and with fast ones."""
    found = []
    if connect_four.is_installed():
        found = [
            Learner(CONNECT_FOUR, "random opponent", USUAL, _connect_four(connect_four.ConnectFour)),
            Learner(CONNECT_FOUR, "random opponent", USUAL_OF_EIGHT, _connect_four(connect_four.ConnectFour)),
            Learner(TUTORIAL, "both sides learn", USUAL, _connect_four(connect_four.ConnectFourTurns)),
        ]
    seats = [
        LearnersSeat(HUNT, PLAYERS, ROLE, opponents, view)
        for opponents in ("random", "rule_based")
        for view in ("now", "history")
    ]
    found += [Learner(HUNT, str(seats[0]), setting, seats[0].model) for setting in (USUAL_OF_EIGHT, FASTEST)]
    found += [Learner(HUNT, str(seat), fast, seat.model) for seat in seats]
    config = usual_training()
    setting = Setting(config.num_envs, config.rollout_steps, config.batch_size, config.n_epochs, config.learning_rate)
    return [*found, Learner(TRAIN, "its usual settings", setting, _train)]


def _connect_four(environment: type[connect_four.ConnectFour]) -> Callable[[Setting], MaskablePPO]:
    return lambda setting: maskable_ppo(DummyVecEnv([environment] * setting.envs), setting, 0)


def maskable_ppo(env: VecEnv, setting: Setting, seed: int) -> MaskablePPO:
    """MaskablePPO of these settings, with Stable-Baselines3's defaults for all others."""
    learner = MaskablePPO(
        MlpPolicy if setting.direct else "MlpPolicy",
        env,
        n_steps=setting.n_steps,
        batch_size=setting.batch_size,
        n_epochs=setting.n_epochs,
        learning_rate=setting.learning_rate,
        seed=seed,
        device="cpu",
    )
    learner.set_logger(Logger(None, []))  # the usual one leaves an empty folder among the temporary files
    return learner


def usual_training() -> TrainingConfig:
    """The config of `riverbed train --role separatist --players 7`."""
    return build_training({"game": HUNT, "role": ROLE, "players": [PLAYERS]}, "the usual training")


def _train(setting: Setting) -> MaskablePPO:
    from riverbed_lab.training.learner import learner_env, learner_model

    config = replace(
        usual_training(),
        num_envs=setting.envs,
        rollout_steps=setting.n_steps,
        batch_size=setting.batch_size,
        n_epochs=setting.n_epochs,
        learning_rate=setting.learning_rate,
    )
    env = learner_env(config, lineups(find_game(HUNT), config.seated()))
    return learner_model(config, env, np.random.default_rng(config.seed))


def measure_learners(
    rows: list[Learner], seconds: float, rounds: int, threads: int, bar: Progress
) -> list[LearnerResult]:
    """Measure every row in every round, so that all share the machine's load, then once more to split the time.

    seconds: the least time for each; whole rollouts are measured, so slow ones take longer. threads: PyTorch's.
    """
    found = [LearnerResult(learner) for learner in rows]
    task = bar.add_task("measuring", total=(rounds + 1) * len(rows))
    with torch_threads(threads):
        for last in [False] * rounds + [True]:
            for result in found:
                bar.update(task, description=f"{result.learner.name}, {result.learner.call}")
                if last:
                    result.split.update(measure_split(result.learner, seconds))
                else:
                    result.load.append(os.getloadavg()[0])
                    result.rounds.append(measure_learner(result.learner, seconds))
                bar.advance(task)
    return found


@contextmanager
def torch_threads(threads: int) -> Iterator[None]:
    """Within it PyTorch uses this many threads, and freed memory is kept, as in training."""
    before = torch.get_num_threads()
    prepare_process(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def measure_learner(learner: Learner, seconds: float) -> Learnt:
    """Learn from whole rollouts for at least `seconds`; collection is timed apart."""
    model = _warm(learner)
    collecting = 0.0
    collect = model.collect_rollouts

    def collect_timed(*arguments: object, **more: object) -> bool:
        nonlocal collecting
        begun = time.perf_counter()
        going_on: bool = collect(*arguments, **more)  # type: ignore[arg-type]
        collecting += time.perf_counter() - begun
        return going_on

    model.collect_rollouts = collect_timed  # type: ignore[method-assign]
    steps, spent = _learn(model, seconds)
    return Learnt(steps, spent, collecting)


def measure_split(learner: Learner, seconds: float) -> dict[tuple[str, str], float]:
    """Seconds of a decision by part and phase."""
    model = _warm(learner)
    with split(model) as watch:
        steps, _ = _learn(model, seconds)
    return {key: spent / steps for key, spent in watch.seconds.items()}


def _warm(learner: Learner) -> MaskablePPO:
    """A new model, after another like it has collected and learnt, so that everything is loaded and compiled."""
    setting = learner.setting
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="You have specified a mini-batch size")  # the last may be smaller
        learner.make(replace(setting, n_steps=min(WARM_UP, setting.n_steps), n_epochs=1)).learn(1)
        return learner.make(setting)


def _learn(model: MaskablePPO, seconds: float) -> tuple[int, float]:
    """Learn from whole rollouts for at least `seconds`; returns decisions and seconds."""
    begun = time.perf_counter()
    spent = 0.0
    while not spent or spent < seconds:
        model.learn(1, reset_num_timesteps=False)
        spent = time.perf_counter() - begun
    return int(model.num_timesteps), spent


def common_steps(steps: int, settings: list[Setting]) -> int:
    """The fewest steps, `steps` or more, that are whole rollouts of all the settings."""
    if steps < 1:
        raise OptionError(f"steps must be at least 1, not {steps}")
    whole = math.lcm(*(setting.rollout for setting in settings))
    return -(-steps // whole) * whole
