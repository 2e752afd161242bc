"""A training run: MaskablePPO in a folder of its own, evaluated as it goes, taken up again where it was broken off."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
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

from ..benchmark import code_version
from ..config_files import read_as
from ..files import writable_folder
from ..locks import locked
from ..tensorboard import Board
from .buffer import LearnerRolloutBuffer
from .checkpoint import OF_NETWORK, load_checkpoint, network_arrays, put_network, save_checkpoint
from .comparison import CURVE, Evaluated, Reached
from .config import TrainingConfig, load_config
from .evaluation import Evaluation, Found, compare, evaluations
from .network import LearnerPolicy, NetworkInputs, inputs_of
from .process import settle_process

CONFIG, CHECKPOINT, POLICY, BOARD = "config.json", "checkpoint.npz", "policy.npz", "tensorboard"
LAST_RATE = 0.1  # of the learning rate, at the end
GAMES, STARTS, TORCH = "games/", "starts", "torch"  # arrays of a checkpoint beside those of the network
ANY_TIME = ("threads",)  # the setting that may change while a run goes on: results don't hang on it

Watcher = Callable[["Progress"], None]


@dataclass(frozen=True)
class Progress:
    """How far a run is: decisions learnt from, share of them won lately, seconds spent, and the last evaluation."""

    steps: int
    won: float
    seconds: float
    found: Found | None


@dataclass(frozen=True)
class Header:
    """What a checkpoint holds beside its arrays."""

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


class Training:
    """A run in a folder; `config` begins one, None takes up the one that is there.

    Raises OptionError for settings that can't be, for a folder that holds another run, or a checkpoint that can't be
    read or is of another game, version or pack, or of other settings; nothing is changed then.
    """

    def __init__(self, folder: Path, config: TrainingConfig | None) -> None:
        self.folder = folder
        self.config = settle(folder, config)
        self.game = self.config.known_game()
        settle_process(self.config.threads)
        self.shuffler = np.random.default_rng(self.config.seed)
        self.opponents = lineups(self.game, self.config.seated())
        self.env = learner_env(self.config, self.opponents)
        self.model = learner_model(self.config, self.env, self.shuffler)
        self.seconds, self.processor_seconds = 0.0, 0.0  # spent learning, evaluations not counted
        self.curve: list[dict[str, Any]] = []
        self._evaluations: list[Evaluation] = []
        if (folder / CHECKPOINT).exists():
            self._take_up(folder / CHECKPOINT)

    @property
    def steps(self) -> int:
        """How many decisions were learnt from so far."""
        return int(self.model.num_timesteps)

    def run(self, watch: Watcher = lambda progress: None) -> None:
        """Train to the end; the folder holds a checkpoint of the last rollout but a few at any moment."""
        with locked(self.folder):
            writable_folder(self.folder)
            self.config.save(self.folder / CONFIG)
            with closing(Board(self.folder / BOARD)) as board:
                self.model.set_logger(Logger(str(self.folder / BOARD), [board]))
                self._run(watch)

    def _run(self, watch: Watcher) -> None:
        if not self.curve:
            self._evaluate()
        if self.steps < self.config.steps:
            left = self.config.steps - self.steps
            self.model.learn(left, callback=_Keeper(self, watch), reset_num_timesteps=False)
        if self.curve[-1]["steps"] != self.steps:
            self._evaluate()
        self.keep()

    def keep(self) -> None:
        """Write the checkpoint and the policy as an agent."""
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
        """Write the actor as an agent's file."""
        write_policy(path, self.config, self.model, self._packs())

    def _packs(self) -> list[str]:
        return packs_of(self.env)

    def _take_up(self, path: Path) -> None:
        """Go on from a checkpoint."""
        header, arrays = load_checkpoint(path)
        with read_as(path, "checkpoint of this run"):
            known = self._fitting(path, header)
            games = {name.removeprefix(GAMES): array for name, array in arrays.items() if name.startswith(GAMES)}
            own = {f"{GAMES}{name}" for name in self.env.get_state()} | {STARTS, TORCH}
            strangers = {name for name in arrays if not name.startswith(OF_NETWORK)} ^ own
            if strangers:
                raise OptionError(f"{', '.join(sorted(strangers))}: missing, or more than it needs")
            starts = arrays[STARTS]
            if starts.shape != (self.config.num_envs,) or starts.dtype != np.bool_:
                raise OptionError(f"it isn't of {self.config.num_envs} num_envs")
            put_network(path, arrays, self.model.policy, self.model.policy.optimizer)
            self.model._last_obs = self.env.set_state(games)
            self.model._last_episode_starts = starts
            torch.set_rng_state(torch.from_numpy(arrays[TORCH]))
            self.shuffler.bit_generator.state = known.shuffler
        self.model.num_timesteps, self.model._n_updates = known.steps, known.updates
        self.seconds, self.processor_seconds = known.seconds, known.processor_seconds
        self.curve = header["curve"]

    def _fitting(self, path: Path, header: dict[str, Any]) -> Header:
        """What a checkpoint says of itself; OptionError where it is of another game, pack or run."""
        for name, value in {"environment": self.game.id, "packs": self._packs()}.items():
            if header.get(name) != value:
                raise OptionError(f"checkpoint {path} is of {name} {header.get(name)}, this run of {value}")
        known, now = of_kind(Header, header, f"header of {path}"), self.config.plain()
        differ = {name for name in now.keys() | known.config.keys() if known.config.get(name) != now.get(name)}
        if differ - set(ANY_TIME):
            raise OptionError(f"checkpoint {path} is of a run with other settings: {', '.join(sorted(differ))}")
        return known

    def _evaluate(self) -> Found | None:
        """Play the common deals and enter the outcome in the curve."""
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
        found = compare([(each.won(learner), each.won_by_reference) for each in self._evaluations])
        self.curve.append(
            {
                "steps": self.steps,
                "seconds": round(self.seconds, 1),
                "games": found.learner.games,
                "won": found.learner.value,
                "low": found.learner.low,
                "high": found.learner.high,
                "reference": found.reference.value,
                "gain": found.gain.value,
                "gain_low": found.gain.low,
                "gain_high": found.gain.high,
            }
        )
        self.model.logger.record("evaluation/won", found.learner.value)
        self.model.logger.record("evaluation/gain", found.gain.value)
        return found


def learner_env(config: TrainingConfig, opponents: Lineups) -> LearnerVecEnv:
    """The games that a learner of these settings learns from, among these opponents."""
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
    """What the network of such a learner is given."""
    game, secrets = config.known_game(), config.critic == "secrets"
    return inputs_of(game, config.view, find_feature_sets(config.features, game), secrets=secrets, pieces=config.pieces)


def learner_model(config: TrainingConfig, env: LearnerVecEnv, shuffler: np.random.Generator) -> MaskablePPO:
    """A learner of these settings at its beginning; `shuffler` draws the order of its minibatches."""
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
    """The hashes of the content packs that are played with."""
    packs = (part.tables.batch.pack for part in env.parts)
    return sorted({str(getattr(pack, "hash", "")) for pack in packs})


def write_policy(path: Path, config: TrainingConfig, model: MaskablePPO, packs: list[str]) -> None:
    """Write the actor of a model of these settings as an agent's file."""
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


def settle(folder: Path, config: TrainingConfig | None) -> TrainingConfig:
    """The run's settings: those given, or those of the run in the folder; OptionError where there is another."""
    there = folder / CONFIG
    if config is None:
        if not there.exists():
            raise OptionError(f"{folder} holds no run that could be taken up: {there} is missing")
        return load_config(there)
    config = config.checked()
    if there.exists() and load_config(there) != config:
        raise OptionError(
            f"{folder} holds a run with other settings; take it up with --resume, or choose another folder with --out"
        )
    return config


class _Keeper(BaseCallback):
    """Between rollouts: tells of the progress, evaluates, and writes checkpoints."""

    def __init__(self, training: Training, watch: Watcher) -> None:
        super().__init__()
        self._training, self._watch = training, watch
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
        """After an update, or at the beginning: the only moments at which a run can be cut in two."""
        training = self._training
        self._count()
        found = None
        if training.steps >= self._next_evaluation:
            self._next_evaluation = _next_multiple(training.config.evaluate_every, training.steps)
            found = training._evaluate()
        if training.steps >= self._next_keep:
            self._next_keep = _next_multiple(training.config.checkpoint_every, training.steps)
            training.keep()
        self._start()
        recent = self._returns[-2000:]
        won = float(np.mean(np.array(recent) > 0)) if recent else float("nan")
        self._returns = recent
        self._watch(Progress(training.steps, won, training.seconds, found))

    def _on_training_end(self) -> None:
        self._count()

    def _start(self) -> None:
        self._since, self._processor_since = time.perf_counter(), time.process_time()

    def _count(self) -> None:
        """Add what was spent since the start, as a clock on the wall counts it and as the processors do."""
        self._training.seconds += time.perf_counter() - self._since
        self._training.processor_seconds += time.process_time() - self._processor_since


def _next_multiple(every: int, steps: int) -> int:
    """The first multiple of `every` past `steps`: what comes next doesn't depend on where a run was taken up."""
    return (steps // every + 1) * every
