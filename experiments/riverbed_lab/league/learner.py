"""A learner's round: MaskablePPO goes on from the learner's checkpoint among the lineups of a job.

A round is a function of its job: games, network and updates draw from the job's seed, and games under way at its end
are left. So a round that was broken off is played again and comes out the same, wherever that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from riverbed_env.core.schema import NOTHING_ELSE, Count, of_kind
from riverbed_env.errors import OptionError

from ..benchmark import code_version
from ..training.checkpoint import OF_NETWORK, load_checkpoint, network_arrays, put_network, save_checkpoint
from ..training.process import settle_process
from ..training.run import learner_model, packs_of, write_policy
from .results import Tally
from .worker import Job, Table

NEVER = 10**9  # rollouts between two logs: figures are told once, at the end of a round

Watcher = Callable[[int], None]  # told of decisions as they are learnt from


@dataclass(frozen=True)
class Outcome:
    """What a round left beside its files: all decisions the learner learnt from so far, its games, PPO's figures."""

    steps: int
    tally: Tally
    figures: dict[str, float]


@dataclass(frozen=True)
class Header:
    """What a checkpoint holds beside the network."""

    __pydantic_config__ = NOTHING_ELSE

    environment: str
    packs: tuple[str, ...]
    learner: str
    code: str
    steps: Count
    updates: Count


def play_round(job: Job, watch: Watcher = lambda steps: None) -> Outcome:
    """Play and learn a job's round, and write the learner's checkpoint and policy.

    Raises OptionError for a checkpoint or policy that can't be read or is of another game, version, pack or network.
    """
    settle_process(job.config.threads)
    table = Table(job)
    model = learner_model(job.config, table.env, np.random.default_rng(job.config.seed))
    rate = job.config.learning_rate
    model.lr_schedule = lambda left: rate  # a league has no end by which it should have fallen
    model.set_logger(Logger(None, []))
    if job.start is not None:
        _take_up(job, model, packs_of(table.env))
    model.learn(job.steps, callback=_Counter(table, watch), reset_num_timesteps=False, log_interval=NEVER)
    _keep(job, model, packs_of(table.env))
    figures = {
        name: float(value) for name, value in model.logger.name_to_value.items() if isinstance(value, int | float)
    }
    return Outcome(int(model.num_timesteps), table.tally(), figures)


def one_after_another(jobs: Sequence[Job], watch: Callable[[str, int], None]) -> Iterator[tuple[str, Outcome]]:
    """Play the rounds of several learners here: each one's name and outcome. watch: told of name and decisions."""
    for job in jobs:
        yield job.learner, play_round(job, partial(watch, job.learner))


class _Counter(BaseCallback):
    """Counts games and tells of the decisions."""

    def __init__(self, table: Table, watch: Watcher) -> None:
        super().__init__()
        self._table, self._watch = table, watch

    def _on_training_start(self) -> None:
        self._table.begin()

    def _on_step(self) -> bool:
        self._table.note()
        self._watch(self._table.env.num_envs)
        return True


def _header(job: Job, packs: list[str]) -> dict[str, Any]:
    """What a checkpoint is of, and has to be of to be taken up."""
    return {"environment": job.config.known_game().id, "packs": packs, "learner": job.learner}


def _keep(job: Job, model: MaskablePPO, packs: list[str]) -> None:
    header = {
        **_header(job, packs),
        "code": code_version(),
        "steps": int(model.num_timesteps),
        "updates": int(model._n_updates),
    }
    save_checkpoint(job.checkpoint, header, network_arrays(model.policy, model.policy.optimizer))
    write_policy(job.policy, job.config, model, packs)


def _take_up(job: Job, model: MaskablePPO, packs: list[str]) -> None:
    assert job.start is not None
    path: Path = job.start
    header, arrays = load_checkpoint(path)
    for name, value in _header(job, packs).items():
        if header.get(name) != value:
            raise OptionError(f"checkpoint {path} is of {name} {header.get(name)}, this league's of {value}")
    known = of_kind(Header, header, f"header of {path}")
    strangers = [name for name in arrays if not name.startswith(OF_NETWORK)]
    if strangers:
        raise OptionError(f"checkpoint {path} isn't of this league: it holds {', '.join(strangers)}")
    put_network(path, arrays, model.policy, model.policy.optimizer)
    model.num_timesteps, model._n_updates = known.steps, known.updates
