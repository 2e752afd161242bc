"""A training run: DirectPPO in a folder of its own, evaluated as it goes, resumable bit for bit."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from riverbed_env.core.files import write_json
from riverbed_env.core.schema import Finite
from riverbed_env.envs.listening import Ears
from riverbed_env.errors import OptionError

from ..config_files import read_as
from ..files import writable_folder
from ..locks import locked
from ..tensorboard import EventWriter
from .budget import NO_LIMIT, TimeBudget
from .checkpoint import (
    OF_NETWORK,
    Header,
    checked_header,
    load_checkpoint,
    network_arrays,
    put_network,
    save_checkpoint,
)
from .config import TrainingConfig, load_config
from .curve import CURVE, Evaluated, Reached
from .evaluation import SeatGain
from .folder_run import CHECKPOINT, CONFIG, POLICY, FolderRun, OutOfTimeError, config_in, delete_files
from .learner import header_of, learner_env, learner_model, packs_of, write_policy

BOARD = "tensorboard"
RECENT = 2000  # games behind the win rate of the progress
GAMES, STARTS, TORCH = "games/", "starts", "torch"  # arrays of a checkpoint beside those of the network

Watcher = Callable[["Progress"], None]


@dataclass(frozen=True)
class Progress:
    """Decisions learnt from, share of recent games won, seconds spent, and an evaluation that was just made."""

    steps: int
    won: float
    seconds: float
    evaluation: SeatGain | None


@dataclass(frozen=True)
class RunHeader(Header):
    """The header of a run's checkpoint."""

    config: dict[str, Any]
    seconds: Finite
    processor_seconds: Finite
    shuffler: dict[str, Any]
    curve: tuple[Evaluated | Reached, ...]


class Training(FolderRun[TrainingConfig]):
    """A run in a folder. `config`: of a new run, or of the one there, which is resumed; None: resume the one there.

    Raises OptionError, and changes nothing, for a folder that holds another run, and for a checkpoint that can't be
    read or is of another game, version, pack or config.
    """

    def __init__(self, folder: Path, config: TrainingConfig | None) -> None:
        super().__init__(folder, config_for(folder, config))
        self.shuffler = np.random.default_rng(self.config.seed)
        self.env = learner_env(self.config, self.opponents)
        self.model = learner_model(self.config, self.env, self.shuffler)
        if (folder / CHECKPOINT).exists():
            self._load(folder / CHECKPOINT)

    @property
    def steps(self) -> int:
        """How many decisions were learnt from so far."""
        return int(self.model.num_timesteps)

    @property
    def is_finished(self) -> bool:
        """Whether all decisions have been learnt from."""
        return self.steps >= self.config.steps

    def run(self, watch: Watcher = lambda progress: None, budget: TimeBudget = NO_LIMIT) -> None:
        """Train to the end, or until `budget` is spent, which ends the run at a checkpoint after a whole rollout."""
        with locked(self.folder):
            writable_folder(self.folder)
            self.config.save(self.folder / CONFIG)
            with closing(EventWriter(self.folder / BOARD)) as events:
                self.model.set_logger(Logger(str(self.folder / BOARD), [events]))
                self._run(watch, budget)

    def _run(self, watch: Watcher, budget: TimeBudget) -> None:
        if not self.curve:
            self._evaluate()
        if not self.is_finished:
            left = self.config.steps - self.steps
            try:
                self.model.learn(left, callback=_Keeper(self, watch, budget), reset_num_timesteps=False)
            except OutOfTimeError:
                return
        if self.curve[-1]["steps"] != self.steps:
            self._evaluate()
        self.keep()

    def keep(self) -> None:
        """Write the checkpoint, the policy and the curve."""
        arrays = {
            **network_arrays(self.model.policy, self.model.policy.optimizer),
            **{f"{GAMES}{name}": array for name, array in self.env.get_state().items()},
            STARTS: np.asarray(self.model._last_episode_starts, np.bool_),
            TORCH: torch.get_rng_state().numpy(),
        }
        header = {
            **header_of(self.config, self.model, packs_of(self.env)),
            "config": self.config.plain(),
            "seconds": self.seconds,
            "processor_seconds": self.processor_seconds,
            "shuffler": self.shuffler.bit_generator.state,
            "curve": self.curve,
        }
        save_checkpoint(self.folder / CHECKPOINT, header, arrays)
        self.save_policy(self.folder / POLICY)
        write_json(self.folder / CURVE, {"curve": self.curve})

    def save_policy(self, path: Path) -> None:
        """Write the actor as a policy file."""
        write_policy(path, self.config, self.model, packs_of(self.env))

    def _load(self, path: Path) -> None:
        """Resume from a checkpoint."""
        header, arrays = load_checkpoint(path)
        with read_as(path, "checkpoint of this run"):
            known = self._checked_header(path, header)
            games = {name.removeprefix(GAMES): array for name, array in arrays.items() if name.startswith(GAMES)}
            expected = {f"{GAMES}{name}" for name in self.env.get_state()} | {STARTS, TORCH}
            unexpected = {name for name in arrays if not name.startswith(OF_NETWORK)} ^ expected
            if unexpected:
                raise OptionError(f"{', '.join(sorted(unexpected))}: missing, or more than it needs")
            starts = arrays[STARTS]
            if starts.shape != (self.config.num_envs,) or starts.dtype != np.bool_:
                raise OptionError(f"it isn't of {self.config.num_envs} environments")
            put_network(path, arrays, self.model.policy, self.model.policy.optimizer)
            self.model._last_obs = self.env.set_state(games)
            self.model._last_episode_starts = starts
            torch.set_rng_state(torch.from_numpy(arrays[TORCH]))
            torch.cuda.manual_seed(known.steps)  # a GPU's draws aren't kept; they mustn't begin anew
            self.shuffler.bit_generator.state = known.shuffler
        self.model.num_timesteps, self.model._n_updates = known.steps, known.updates
        self.seconds, self.processor_seconds = known.seconds, known.processor_seconds
        self.curve = header["curve"]

    def _checked_header(self, path: Path, header: dict[str, Any]) -> RunHeader:
        """The header of a checkpoint. Raises OptionError if it is of another game, pack or run."""
        origin = {"environment": self.game.id, "packs": packs_of(self.env)}
        known = checked_header(RunHeader, path, header, origin, "this run")
        self._check_settings(path, known.config)
        return known

    def _evaluate(self) -> SeatGain | None:
        """Play the common deals and add the result to the curve; None where no deals are played."""
        if self.config.evaluation_games:
            self.save_policy(self.folder / POLICY)
        result = self._measure(self.steps)
        if result is not None:
            self.model.logger.record("evaluation/won", result.learner.value)
            self.model.logger.record("evaluation/gain", result.gain.value)
        return result


def config_for(folder: Path, config: TrainingConfig | None) -> TrainingConfig:
    """The config given, or that of the run in the folder if it is None; threads may differ.

    Raises OptionError if the folder holds a run with other settings, or none to resume.
    """
    return config_in(folder, config, load_config, "run")


def delete_run(folder: Path) -> None:
    """Delete the files of a run from its folder."""
    delete_files(folder, BOARD)


class _Keeper(BaseCallback):
    """Between rollouts: reports progress, evaluates, writes checkpoints, and stops when the time budget is spent."""

    def __init__(self, training: Training, watch: Watcher, budget: TimeBudget) -> None:
        super().__init__()
        self._training, self._watch, self._budget = training, watch, budget
        self._begun_at = training.steps
        self._start()
        self._next_keep = _next_multiple(training.config.checkpoint_every, training.steps)
        self._next_evaluation = _next_multiple(training.config.evaluate_every, training.curve[-1]["steps"])
        self._returns: list[float] = []

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        self._returns += [infos[index]["episode"]["r"] for index in np.flatnonzero(self.locals["dones"]).tolist()]
        return True

    def _on_rollout_start(self) -> None:
        """After an update, or at the beginning: only here can a checkpoint resume bit for bit."""
        training = self._training
        self._count()
        evaluation = None
        if training.steps >= self._next_evaluation:
            self._next_evaluation = _next_multiple(training.config.evaluate_every, training.steps)
            evaluation = training._evaluate()
        is_last = training.steps > self._begun_at and self._budget.is_spent()
        if training.steps >= self._next_keep or is_last:
            self._next_keep = _next_multiple(training.config.checkpoint_every, training.steps)
            training.keep()
        self._start()
        self._returns = recent = self._returns[-RECENT:]
        won = float(np.mean(np.array(recent) > 0)) if recent else float("nan")
        ears = self.model.policy.ears
        if isinstance(ears, Ears) and training.steps > self._begun_at:
            self.logger.record("train/listening", ears.heard.item())
        self._watch(Progress(training.steps, won, training.seconds, evaluation))
        if is_last:
            raise OutOfTimeError

    def _on_training_end(self) -> None:
        self._count()

    def _start(self) -> None:
        self._since, self._processor_since = time.perf_counter(), time.process_time()

    def _count(self) -> None:
        """Add the wall-clock and processor seconds since the start."""
        self._training.seconds += time.perf_counter() - self._since
        self._training.processor_seconds += time.process_time() - self._processor_since


def _next_multiple(every: int, steps: int) -> int:
    """The first multiple of `every` after `steps`, wherever a run was resumed."""
    return (steps // every + 1) * every
