"""How fast MaskablePPO trains through our vector environment and through wrappers of PettingZoo's connect four.

    python experiments/studies learning_speed

prints decisions of the learner per second, of collection alone and of whole training. Losses and network are the same
everywhere, those of MaskablePPO and its "MlpPolicy", except in the rows of `riverbed train`. What changes is the number
of environments, the rollout's length, the batch size, the epochs and the learning rate.
"""

import os
import random
import statistics
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, NamedTuple

import gymnasium
import numpy.typing as npt
import torch
import typer
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from riverbed_env.core.card import table
from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_lab.cli.console import console, progress_bar
from riverbed_lab.files import code_version
from riverbed_lab.ppo import Learner as PPOLearner
from riverbed_lab.speed.ours import HUNT
from riverbed_lab.training.build import build_training
from riverbed_lab.training.config import BFLOAT16, FLOAT32
from riverbed_lab.training.process import prepare_process

from .kit import say

CONNECT_FOUR, TRAIN = "PettingZoo connect_four_v3", "riverbed train"
REQUIREMENT = "pettingzoo[classic]"
ROLE, PLAYERS = "separatist", 7
WARM_UP = 16  # decisions of each environment before the clock starts
LEARNING = ("batch_size", "n_epochs", "learning_rate", "gae_lambda", "max_grad_norm")


@dataclass(frozen=True)
class Setting:
    """The settings of PPO; all others have their defaults.

    envs: environments; n_steps: decisions of each in a rollout.
    """

    envs: int
    n_steps: int
    batch_size: int
    n_epochs: int
    learning_rate: float = 3e-4
    gae_lambda: float = 0.95
    max_grad_norm: float = 0.5

    @property
    def learning(self) -> dict[str, Any]:
        """How a rollout is learned from, by the names that MaskablePPO and `riverbed train` have for it."""
        return {name: getattr(self, name) for name in LEARNING}

    def __str__(self) -> str:
        rate = f"learning rate {self.learning_rate:g}"
        return f"{self.envs} × {self.n_steps} steps, batch {self.batch_size}, epochs {self.n_epochs}, {rate}"


USUAL = Setting(1, 2048, 64, 10)  # the defaults of Stable-Baselines3
USUAL_OF_EIGHT = replace(USUAL, envs=8)
FAST = Setting(256, 32, 768, 3, 2e-3, 0.85, 5.0)  # as strong at equal steps as USUAL_OF_EIGHT


class Model(NamedTuple):
    """A learner: `learn` collects a rollout and learns from it; the others count decisions and collecting seconds."""

    learn: Callable[[], Any]
    decisions: Callable[[], int]
    collecting: Callable[[], float]


@dataclass(frozen=True)
class Learner:
    """A row of the table: its name, task and settings; `make` builds its model from a setting.

    learned, collected: decisions a second in each round, of whole training and of collection alone.
    """

    name: str
    call: str
    setting: Setting
    make: Callable[[Setting], Model]
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
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame greets on standard output
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of PettingZoo's and pygame's imports
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
    rows += [hunt_learner("random", setting) for setting in (USUAL_OF_EIGHT, FAST)]
    of_ours = [(opponents, precision) for precision in (FLOAT32, BFLOAT16) for opponents in ("random", "rule_based")]
    return [*rows, *(train_learner(*each) for each in of_ours)]


def is_installed() -> bool:
    """Whether PettingZoo's classic games are installed; imports nothing."""
    return find_spec("pettingzoo") is not None and find_spec("pygame") is not None


def connect_four(setting: Setting) -> Model:
    """A learner of connect four."""
    return maskable_ppo(DummyVecEnv([ConnectFour] * setting.envs), setting)


def hunt_learner(opponents: str, setting: Setting) -> Learner:
    """MaskablePPO in a seat of Riverbed Hunt."""
    options = {"num_players": PLAYERS, "role": ROLE, "opponents": opponents, "view": "now"}
    return Learner(HUNT, described(opponents), setting, partial(seat_model, HUNT, options))


def seat_model(game: str, options: Mapping[str, Any], setting: Setting) -> Model:
    """MaskablePPO in our vector environment."""
    env = LearnerVecEnv(game, setting.envs, seed=0, threads=torch.get_num_threads(), **options)
    return maskable_ppo(env, setting)


def described(opponents: str) -> str:
    """The task of the rows of Riverbed Hunt."""
    return f"{ROLE} of {PLAYERS}, {opponents} opponents, view now"


def quiet_ppo(env: VecEnv, setting: Setting) -> MaskablePPO:
    """MaskablePPO of these settings, with Stable-Baselines3's defaults for all others."""
    learner = MaskablePPO("MlpPolicy", env, n_steps=setting.n_steps, **setting.learning, seed=0, device="cpu")
    learner.set_logger(Logger(None, []))  # the default logger leaves an empty temporary folder
    return learner


def maskable_ppo(env: VecEnv, setting: Setting) -> Model:
    """MaskablePPO as a row of the table."""
    learner = quiet_ppo(env, setting)
    collect, spent = learner.collect_rollouts, [0.0]

    def timed(*arguments: Any, **more: Any) -> bool:
        begun = time.perf_counter()
        try:
            return collect(*arguments, **more)
        finally:
            spent[0] += time.perf_counter() - begun

    learner.collect_rollouts = timed  # type: ignore[method-assign]
    return Model(lambda: learner.learn(1, reset_num_timesteps=False), lambda: learner.num_timesteps, lambda: spent[0])


def train_learner(opponents: str, precision: str) -> Learner:
    """The learner of `riverbed train` with its usual settings, but for the precision."""
    given = {"game": HUNT, "role": ROLE, "players": [PLAYERS], "opponents": opponents, "precision": precision}
    config = build_training(given, "the usual training")

    def make(setting: Setting) -> Model:
        learner = PPOLearner(
            replace(config, num_envs=setting.envs, rollout_steps=setting.n_steps, threads=torch.get_num_threads(),
                    **setting.learning)
        )  # fmt: skip
        spent = [0.0]

        def learn() -> None:
            begun = time.perf_counter()
            rollout = learner.collect(setting.n_steps)
            spent[0] += time.perf_counter() - begun
            learner.update(rollout, setting.learning_rate)

        return Model(learn, lambda: learner.steps, lambda: spent[0])

    setting = Setting(config.num_envs, config.rollout_steps, *(getattr(config, name) for name in LEARNING))
    return Learner(f"{TRAIN}, {precision}", described(opponents), setting, make)


# --- the measurement --------------------------------------------------------------------------------------------------


def measure(row: Learner, seconds: float) -> None:
    """Train on whole rollouts for at least `seconds`; record both speeds."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="You have specified a mini-batch size")  # the last may be smaller
        # Train another learner first, so that everything is loaded and compiled.
        setting, steps = row.setting, min(WARM_UP, row.setting.n_steps)
        least = min(setting.batch_size, setting.envs * steps)
        row.make(replace(setting, n_steps=steps, n_epochs=1, batch_size=least)).learn()
        model = row.make(row.setting)
    begun, spent = time.perf_counter(), 0.0
    while not spent or spent < seconds:
        model.learn()
        spent = time.perf_counter() - begun
    row.learned.append(model.decisions() / spent)
    row.collected.append(model.decisions() / model.collecting())


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
    say(f"{os.cpu_count()} cores, {threads} of them for PyTorch and our games; version {code_version()}.")
