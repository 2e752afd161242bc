"""A training run: MaskablePPO in a folder of its own, evaluated as it goes, resumable bit for bit."""

from __future__ import annotations

import shutil
import time
import warnings
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from riverbed_env.core.files import write_json
from riverbed_env.core.schema import NOTHING_ELSE, Count, Finite, of_kind
from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.errors import OptionError
from riverbed_env.players.features import find_feature_sets
from riverbed_env.players.lineups import Lineups, lineups
from riverbed_env.players.policies import PolicyConfig, load_policy, save_policy
from riverbed_env.players.specs import find_agent

from ..config_files import read_as
from ..files import code_version, writable_folder
from ..locks import locked
from ..tensorboard import EventWriter
from .budget import NO_LIMIT, TimeBudget
from .buffer import LearnerRolloutBuffer
from .checkpoint import OF_NETWORK, load_checkpoint, network_arrays, put_network, save_checkpoint
from .comparison import COMPARISON, CURVE, Evaluated, Reached
from .config import TrainingConfig, load_config
from .evaluation import Evaluation, SeatGain, compare, evaluations
from .network import LearnerPolicy, NetworkInputs, inputs_of
from .process import prepare_process

CONFIG, CHECKPOINT, POLICY, BOARD = "config.json", "checkpoint.npz", "policy.npz", "tensorboard"
LAST_RATE = 0.1  # share of the learning rate that is left at the end
RECENT = 2000  # games behind the win rate of the progress
GAMES, STARTS, TORCH = "games/", "starts", "torch"  # arrays of a checkpoint beside those of the network
CHANGEABLE = ("threads",)  # settings that may change when a run is resumed: results don't depend on them

Watcher = Callable[["Progress"], None]


@dataclass(frozen=True)
class Progress:
    """Decisions learnt from, share of recent games won, seconds spent, and an evaluation that was just made."""

    steps: int
    won: float
    seconds: float
    evaluation: SeatGain | None


@dataclass(frozen=True)
class Header:
    """The header of a checkpoint."""

    __pydantic_config__ = NOTHING_ELSE

    environment: str
    packs: tuple[str, ...]
    code: str
    config: dict[str, Any]
    steps: Count
    updates: Count
    seconds: Finite
    processor_seconds: Finite
    shuffler: dict[str, Any]
    curve: tuple[Evaluated | Reached, ...]


class OutOfTimeError(Exception):
    """Ends the learning of a run whose time budget is spent; its checkpoint has been written."""


class Training:
    """A run in a folder. `config`: of a new run, or of the one there, which is resumed; None: resume the one there.

    Raises OptionError, and changes nothing, for a folder that holds another run, and for a checkpoint that can't be
    read or is of another game, version, pack or config.
    """

    def __init__(self, folder: Path, config: TrainingConfig | None) -> None:
        self.folder = folder
        self.config = config_for(folder, config)
        self.game = self.config.known_game()
        prepare_process(self.config.threads)
        self.shuffler = np.random.default_rng(self.config.seed)
        self.opponents = lineups(self.game, self.config.seated())
        self.env = learner_env(self.config, self.opponents)
        self.model = learner_model(self.config, self.env, self.shuffler)
        self.seconds, self.processor_seconds = 0.0, 0.0  # spent learning, evaluations not counted
        self.curve: list[dict[str, Any]] = []
        self._evaluations: list[Evaluation] = []
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
            "environment": self.game.id,
            "packs": self._packs(),
            "code": code_version(),
            "config": self.config.plain(),
            "steps": self.steps,
            "updates": int(self.model._n_updates),
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
        write_policy(path, self.config, self.model, self._packs())

    def _packs(self) -> list[str]:
        return packs_of(self.env)

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
            self.shuffler.bit_generator.state = known.shuffler
        self.model.num_timesteps, self.model._n_updates = known.steps, known.updates
        self.seconds, self.processor_seconds = known.seconds, known.processor_seconds
        self.curve = header["curve"]

    def _checked_header(self, path: Path, header: dict[str, Any]) -> Header:
        """The header of a checkpoint. Raises OptionError if it is of another game, pack or run."""
        for name, value in {"environment": self.game.id, "packs": self._packs()}.items():
            if header.get(name) != value:
                raise OptionError(f"checkpoint {path} is of {name} {header.get(name)}, this run of {value}")
        known, now = of_kind(Header, header, f"header of {path}"), self.config.plain()
        differ = {name for name in now.keys() | known.config.keys() if known.config.get(name) != now.get(name)}
        if differ - set(CHANGEABLE):
            raise OptionError(f"checkpoint {path} is of a run with other settings: {', '.join(sorted(differ))}")
        return known

    def _evaluate(self) -> SeatGain | None:
        """Play the common deals and add the result to the curve; None where no deals are played."""
        config = self.config
        if not config.evaluation_games:
            self.curve.append({"steps": self.steps, "seconds": round(self.seconds, 1)})
            return None
        if not self._evaluations:
            self._evaluations = evaluations(
                *(self.game, self.opponents, find_agent(config.reference, self.game.name)),
                role=config.role,
                games=config.evaluation_games,
                players=config.counts(),
                threads=config.threads,
                **config.options,
            )
        path = self.folder / POLICY
        self.save_policy(path)
        learner = load_policy(path, self.game, name="learner")
        result = compare([(each.won(learner), each.won_by_reference) for each in self._evaluations])
        self.curve.append(curve_row(self.steps, self.seconds, result))
        self.model.logger.record("evaluation/won", result.learner.value)
        self.model.logger.record("evaluation/gain", result.gain.value)
        return result


def curve_row(steps: int, seconds: float, result: SeatGain) -> dict[str, Any]:
    """A row of a curve, as `comparison.Evaluated` reads it."""
    return {
        "steps": steps,
        "seconds": round(seconds, 1),
        "games": result.learner.games,
        "won": result.learner.value,
        "low": result.learner.low,
        "high": result.learner.high,
        "reference": result.reference.value,
        "gain": result.gain.value,
        "gain_low": result.gain.low,
        "gain_high": result.gain.high,
    }


def learner_env(config: TrainingConfig, opponents: Lineups) -> LearnerVecEnv:
    """The environments a learner of this config learns in, among these opponents."""
    return LearnerVecEnv(
        config.game,
        config.num_envs,
        num_players=config.counts(),
        seed=config.seed,
        role=config.role,
        opponents=opponents,
        view=config.view,
        features=config.features,
        secrets=config.critic == "secrets",
        threads=config.threads,
        columns=inputs_of_run(config).columns,
        **config.options,
    )


def inputs_of_run(config: TrainingConfig) -> NetworkInputs:
    """The inputs of the network of a learner of this config."""
    game, secrets = config.known_game(), config.critic == "secrets"
    return inputs_of(game, config.view, find_feature_sets(config.features, game), secrets=secrets, pieces=config.pieces)


def learner_model(config: TrainingConfig, env: LearnerVecEnv, shuffler: np.random.Generator) -> MaskablePPO:
    """An untrained learner of this config; `shuffler` draws the order of its minibatches."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="We recommend using a `batch_size`")  # the last may be smaller
        return MaskablePPO(
            LearnerPolicy,
            env,
            learning_rate=lambda left: config.learning_rate * max(left, LAST_RATE),
            n_steps=config.rollout_steps,
            batch_size=config.batch_size,
            n_epochs=config.n_epochs,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip_range,
            ent_coef=config.ent_coef,
            vf_coef=config.vf_coef,
            max_grad_norm=config.max_grad_norm,
            rollout_buffer_class=LearnerRolloutBuffer,
            rollout_buffer_kwargs={"shuffler": shuffler},
            policy_kwargs={
                "inputs": inputs_of_run(config),
                "widths": config.widths,
                "object_width": config.object_width,
                "trust": config.trust,
            },
            seed=config.seed,
            device="cpu",
        )


def packs_of(env: LearnerVecEnv) -> list[str]:
    """The hashes of the content packs in play."""
    packs = (part.tables.batch.pack for part in env.parts)
    return sorted({str(getattr(pack, "hash", "")) for pack in packs})


def write_policy(path: Path, config: TrainingConfig, model: MaskablePPO, packs: list[str]) -> None:
    """Write the actor of a model of this config as a policy file."""
    steps = int(model.num_timesteps)
    role = config.role or "every role"
    players = ", ".join(map(str, config.counts()))
    about = f"trained for {role}, {players} players, {steps:,} decisions"
    more = {"packs": packs, "training": config.plain(), "steps": steps}
    policy = model.policy
    assert isinstance(policy, LearnerPolicy)
    described = PolicyConfig(
        config.known_game().id,
        config.view,
        about=about,
        features=config.features,
        network="objects",
        pieces=config.pieces,
        more=more,
    )
    save_policy(path, described, policy.actor_arrays())


def config_for(folder: Path, config: TrainingConfig | None) -> TrainingConfig:
    """The config given, or that of the run in the folder if it is None.

    Raises OptionError if the folder holds a run with other settings, or none to resume.
    """
    path = folder / CONFIG
    if config is None:
        if not path.exists():
            raise OptionError(f"{folder} holds no run to resume: {path} is missing")
        return load_config(path)
    if path.exists() and replace(load_config(path), threads=config.threads) != config:
        raise OptionError(
            f"{folder} holds a run with other settings: resume it with --resume, replace it with --overwrite, or "
            "choose another folder with --out"
        )
    return config


def delete_run(folder: Path) -> None:
    """Delete the files of a run from its folder."""
    for name in (CONFIG, CHECKPOINT, POLICY, CURVE, COMPARISON):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / BOARD, ignore_errors=True)


class _Keeper(BaseCallback):
    """Between rollouts: reports progress, evaluates, writes checkpoints, and stops when the time is spent."""

    def __init__(self, training: Training, watch: Watcher, budget: TimeBudget) -> None:
        super().__init__()
        self._training, self._watch, self._budget = training, watch, budget
        self._begun_at = training.steps
        self._start()
        self._next_keep = _next_multiple(training.config.checkpoint_every, training.steps)
        self._next_evaluation = _next_multiple(training.config.evaluate_every, training.curve[-1]["steps"])
        self._returns: list[float] = []

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if info:
                self._returns.append(info["episode"]["r"])
        return True

    def _on_rollout_start(self) -> None:
        """After an update, or at the beginning: only here does a checkpoint resume bit for bit."""
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
    """The first multiple of `every` after `steps`: it doesn't depend on where a run was resumed."""
    return (steps // every + 1) * every
