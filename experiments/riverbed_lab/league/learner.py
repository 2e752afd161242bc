"""A learner's round: DirectPPO continues from the learner's checkpoint, among the lineups of a job.

A round is a function of its job: games, network and updates draw from the job's seed, and unfinished games at its end
are dropped. So an interrupted round can be repeated anywhere with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from riverbed_env.envs.sb3_ppo import DirectPPO
from riverbed_env.errors import OptionError

from ..training.buffer import LearnerRolloutBuffer
from ..training.checkpoint import (
    OF_NETWORK,
    Header,
    checked_header,
    load_checkpoint,
    network_arrays,
    put_network,
    save_checkpoint,
)
from ..training.learner import header_of, learner_model, packs_of, write_policy
from ..training.process import prepare_process
from .win_counts import Tally
from .worker import Job, JobGames

NEVER = 10**9  # rollouts between two logs: figures are logged once, at the end of a round

Watcher = Callable[[int], None]  # called with the decisions just made


@dataclass(frozen=True)
class Outcome:
    """The result of a round beside its files: the learner's decisions so far, its win counts, and PPO's figures."""

    steps: int
    tally: Tally
    figures: dict[str, float]


@dataclass(frozen=True)
class LearnerHeader(Header):
    """The header of a learner's checkpoint."""

    learner: str


def play_round(job: Job, watch: Watcher = lambda steps: None) -> Outcome:
    """Play a job's round, learn from it, and write the learner's checkpoint and policy.

    Raises OptionError for a checkpoint or policy that can't be read or is of another game, version, pack or network.
    """
    prepare_process(job.config.threads)
    games = JobGames(job)
    model = learner_model(job.config, games.env, np.random.default_rng(job.config.seed))
    rate = job.config.learning_rate
    model.lr_schedule = lambda left: rate  # a league has no fixed end
    model.set_logger(Logger(None, []))
    if job.start is not None:
        _load(job, job.start, model, packs_of(games.env))
    _learn(model, job.steps, _Counter(games, watch))
    _save(job, model, packs_of(games.env))
    figures = {
        name: float(value) for name, value in model.logger.name_to_value.items() if isinstance(value, int | float)
    }
    return Outcome(int(model.num_timesteps), games.tally(), figures)


def _learn(model: DirectPPO, steps: int, callback: BaseCallback) -> None:
    """Learn from `steps` decisions, a multiple of the number of environments; the last rollout may be shorter."""
    buffer = model.rollout_buffer
    assert isinstance(buffer, LearnerRolloutBuffer)
    rest = steps % (model.n_steps * model.n_envs)
    if steps > rest:
        model.learn(steps - rest, callback=callback, reset_num_timesteps=False, log_interval=NEVER)
    if rest:
        model.n_steps = rest // model.n_envs
        buffer.resize(model.n_steps)
        model.learn(rest, callback=callback, reset_num_timesteps=False, log_interval=NEVER)


def one_after_another(jobs: Sequence[Job], watch: Callable[[str, int], None]) -> Iterator[tuple[str, Outcome]]:
    """Play the jobs in this process: each learner's name and outcome. watch: called with name and decisions."""
    for job in jobs:
        yield job.learner, play_round(job, partial(watch, job.learner))


class _Counter(BaseCallback):
    """Counts wins and reports decisions."""

    def __init__(self, games: JobGames, watch: Watcher) -> None:
        super().__init__()
        self._games, self._watch = games, watch

    def _on_training_start(self) -> None:
        self._games.begin()

    def _on_step(self) -> bool:
        self._games.note()
        self._watch(self._games.env.num_envs)
        return True


def _save(job: Job, model: DirectPPO, packs: list[str]) -> None:
    header = {**header_of(job.config, model, packs), "learner": job.learner}
    save_checkpoint(job.checkpoint, header, network_arrays(model.policy, model.policy.optimizer))
    write_policy(job.policy, job.config, model, packs)


def _load(job: Job, path: Path, model: DirectPPO, packs: list[str]) -> None:
    header, arrays = load_checkpoint(path)
    origin = {"environment": job.config.known_game().id, "packs": packs, "learner": job.learner}
    known = checked_header(LearnerHeader, path, header, origin, "this league's")
    unexpected = [name for name in arrays if not name.startswith(OF_NETWORK)]
    if unexpected:
        raise OptionError(f"checkpoint {path} isn't of this league: it holds {', '.join(unexpected)}")
    put_network(path, arrays, model.policy, model.policy.optimizer)
    model.num_timesteps, model._n_updates = known.steps, known.updates
