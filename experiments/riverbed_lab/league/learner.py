"""A learner's round: PPO continues from the learner's checkpoint, among the lineups of a job.

A round is a function of its job: games, network and updates draw from the job's seed, and unfinished games at its end
are dropped. So the jobs of a round can be played anywhere, in any order, and an interrupted one again.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game, take_records
from riverbed_env.players.agents import Agent
from riverbed_env.players.lineups import Lineups
from riverbed_env.players.policies import SUFFIX, load_policy
from riverbed_env.players.specs import find_agent

from ..ppo import Learner
from ..training.checkpoint import load_checkpoint, network_arrays, put_network, save_checkpoint
from ..training.config import TrainingConfig
from ..training.process import prepare_process
from .matchmaking import Lineup, Tally

Whole = npt.NDArray[np.int64]
Watcher = Callable[[int], None]  # called with the decisions just made


@dataclass(frozen=True)
class Job:
    """A round of one learner, as plain data.

    config: its config, with its role and player counts and the round's seed; start: the checkpoint to continue from,
    None: begin untrained; installed: specs of agents, all of which are compiled, seated or not; policies: contents of
    policy files by member's name; lineups: with their weights; steps: decisions to learn from.
    """

    learner: str
    config: TrainingConfig
    start: bytes | None
    installed: tuple[str, ...]
    policies: Mapping[str, bytes]
    lineups: tuple[tuple[Lineup, int], ...]
    steps: int


@dataclass(frozen=True)
class Outcome:
    """The result of a round: the learner's decisions so far, win counts, PPO's figures, contents of its files."""

    steps: int
    tally: Tally
    figures: dict[str, float]
    checkpoint: bytes
    policy: bytes


def seated_agents(game: Game, installed: Sequence[str], policies: Mapping[str, Path]) -> tuple[Agent, ...]:
    """The agents of a league, all installed ones first, so that one compiled loop serves every lineup."""
    agents = [find_agent(name, game.name) for name in installed]
    return (*agents, *(load_policy(path, game, name=name) for name, path in policies.items()))


def seat_lineups(game: Game, agents: Sequence[Agent], lineups: Sequence[tuple[Lineup, int]]) -> Lineups:
    """Lineups of agents from weighted lineups of their names."""
    numbers = {agent.name: number for number, agent in enumerate(agents)}
    pools = tuple(tuple((numbers[lineup.by_role[role]],) for role in game.roles) for lineup, _ in lineups)
    return Lineups(tuple(agents), pools, tuple(float(weight) for _, weight in lineups))


def play_round(job: Job, watch: Watcher = lambda steps: None) -> Outcome:
    """Play a job's round and learn from it."""
    config, game = job.config, job.config.known_game()
    prepare_process(config.threads)
    with tempfile.TemporaryDirectory() as name:
        paths = {member: Path(name) / f"{member}{SUFFIX}" for member in job.policies}
        for member, path in paths.items():
            path.write_bytes(job.policies[member])
        agents = seated_agents(game, job.installed, paths)
        learner, file = Learner(config, seat_lineups(game, agents, job.lineups)), Path(name) / f"file{SUFFIX}"
        if job.start is not None:
            file.write_bytes(job.start)
            header, arrays = load_checkpoint(file)
            put_network(file, arrays, learner.network, learner.optimizer)
            learner.steps, learner.updates = header["steps"], header["updates"]
        wins = _Wins(learner, [lineup.name for lineup, _ in job.lineups], watch)
        figures: dict[str, float] = {}
        whole, rest = divmod(job.steps // config.num_envs, config.rollout_steps)
        for steps in [config.rollout_steps] * whole + [rest] * (rest > 0):
            figures = learner.update(learner.collect(steps, wins.note), config.learning_rate)  # without a fixed end
        header = {"steps": learner.steps, "updates": learner.updates}
        save_checkpoint(file, header, network_arrays(learner.network, learner.optimizer))
        checkpoint = file.read_bytes()
        learner.save_policy(file)
        return Outcome(learner.steps, wins.tally, figures, checkpoint, file.read_bytes())


def one_after_another(jobs: Sequence[Job], watch: Callable[[str, int], None]) -> Iterator[tuple[str, Outcome]]:
    """Play the jobs in this process: each learner's name and outcome. watch: called with name and decisions."""
    for job in jobs:
        yield job.learner, play_round(job, partial(watch, job.learner))


class _Wins:
    """Counts a learner's wins and games by role and lineup: `note` after each step."""

    def __init__(self, learner: Learner, names: Sequence[str], watch: Watcher) -> None:
        self.tally: Tally = {}
        self._batch, self._names, self._watch = learner.batch, names, watch
        self._roles = self._roles_in(np.arange(self._batch.num_envs))

    def note(self) -> None:
        """Count the games that the last step ended."""
        batch = self._batch
        ended = np.flatnonzero(batch.terminated | batch.truncated)
        for place in ended.tolist():
            mine = self.tally.setdefault(batch.game.roles[self._roles[place]], {})
            lineup = self._names[batch.ended_lineup[place]]
            wins, games = mine.get(lineup, (0.0, 0.0))
            mine[lineup] = (wins + (batch.reward[place] > 0), games + 1)
        if len(ended):
            self._roles[ended] = self._roles_in(ended)
        self._watch(batch.num_envs)

    def _roles_in(self, indices: Whole) -> Whole:
        """The learner's role in these environments' games."""
        roles = self._batch.game.roles_of(take_records(self._batch.tables.batch.games, indices))
        return roles[np.arange(len(indices)), self._batch.seat[indices]].astype(np.int64)
