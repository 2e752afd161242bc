"""A learner's round: PPO continues from the learner's checkpoint, among the lineups of a job.

A round is a function of its job: games, network and updates draw from the job's seed, and unfinished games at its end
are dropped. So an interrupted round can be repeated anywhere with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from riverbed_env.errors import OptionError

from ..ppo import Learner
from ..training.checkpoint import (
    OF_NETWORK,
    Header,
    checked_header,
    load_checkpoint,
    network_arrays,
    put_network,
    save_checkpoint,
)
from ..training.process import prepare_process
from .win_counts import Tally
from .worker import Job, JobGames

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
    config = job.config
    prepare_process(config.threads)
    games = JobGames(job)
    learner = games.learner
    if job.start is not None:
        _load(job, job.start, learner)

    def note() -> None:
        games.note()
        watch(config.num_envs)

    figures: dict[str, float] = {}
    whole, rest = divmod(job.steps // config.num_envs, config.rollout_steps)
    for steps in [config.rollout_steps] * whole + [rest] * (rest > 0):
        figures = learner.update(learner.collect(steps, note), config.learning_rate)  # a league has no fixed end
    header = {**learner.header(), "learner": job.learner}
    save_checkpoint(job.checkpoint, header, network_arrays(learner.network, learner.optimizer))
    learner.save_policy(job.policy)
    return Outcome(learner.steps, games.tally(), {f"train/{name}": value for name, value in figures.items()})


def one_after_another(jobs: Sequence[Job], watch: Callable[[str, int], None]) -> Iterator[tuple[str, Outcome]]:
    """Play the jobs in this process: each learner's name and outcome. watch: called with name and decisions."""
    for job in jobs:
        yield job.learner, play_round(job, partial(watch, job.learner))


def _load(job: Job, path: Path, learner: Learner) -> None:
    header, arrays = load_checkpoint(path)
    origin = {"environment": job.config.known_game().id, "packs": learner.games.packs, "learner": job.learner}
    known = checked_header(LearnerHeader, path, header, origin, "this league's")
    unexpected = [name for name in arrays if not name.startswith(OF_NETWORK)]
    if unexpected:
        raise OptionError(f"checkpoint {path} isn't of this league: it holds {', '.join(unexpected)}")
    put_network(path, arrays, learner.network, learner.optimizer)
    learner.steps, learner.updates = known.steps, known.updates
