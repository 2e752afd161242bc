"""The games of a learner's round: lineups around it, and how often it won among each.

A `Job` holds everything a round of one learner needs, as plain data and names of files. The jobs of a round are
independent, so they can be played anywhere, in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game, take_records
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent
from riverbed_env.players.lineups import Lineups
from riverbed_env.players.policies import load_policy
from riverbed_env.players.specs import find_agent

from ..ppo import Learner
from ..training.config import TrainingConfig
from .matchmaking import Lineup
from .win_counts import Tally


@dataclass(frozen=True)
class Job:
    """A round of one learner.

    config: its config, with its role and player counts and the round's seed; start: the checkpoint to continue from,
    None: begin untrained; installed: specs of agents, all of which are compiled, seated or not; policies: files by
    member's name; lineups: with their weights; steps: decisions to learn from; checkpoint and policy: files to write.
    """

    learner: str
    config: TrainingConfig
    start: Path | None
    installed: tuple[str, ...]
    policies: Mapping[str, Path]
    lineups: tuple[tuple[Lineup, int], ...]
    steps: int
    checkpoint: Path
    policy: Path


def seated_agents(game: Game, installed: Sequence[str], policies: Mapping[str, Path]) -> tuple[Agent, ...]:
    """The agents of a league, all installed ones first, so that one compiled loop serves every lineup."""
    agents = [find_agent(name, game.name) for name in installed]
    return (*agents, *(load_policy(path, game, name=name) for name, path in policies.items()))


def seat_lineups(game: Game, agents: Sequence[Agent], lineups: Sequence[tuple[Lineup, int]]) -> Lineups:
    """Lineups of agents from lineups of their names. Raises OptionError for a name that isn't among the agents."""
    numbers = {agent.name: number for number, agent in enumerate(agents)}
    for lineup, _ in lineups:
        missing = {*lineup.by_role.values()} - numbers.keys()
        if missing:
            raise OptionError(f"lineup {lineup.name!r} names {', '.join(sorted(missing))}, who isn't in the league")
    pools = tuple(tuple((numbers[lineup.by_role[role]],) for role in game.roles) for lineup, _ in lineups)
    return Lineups(tuple(agents), pools, tuple(float(weight) for _, weight in lineups))


class JobGames:
    """The environments of a job, and the learner's win counts: call `note` after each step, `tally` at the end."""

    def __init__(self, job: Job) -> None:
        self.game = job.config.known_game()
        self.names = [lineup.name for lineup, _ in job.lineups]
        agents = seated_agents(self.game, job.installed, job.policies)
        self.learner = Learner(job.config, seat_lineups(self.game, agents, job.lineups))
        self._parts = self.learner.games.parts
        self._roles = [self._roles_in(part, np.arange(part.num_envs)) for part in self._parts]
        self._won: Counter[tuple[int, int]] = Counter()
        self._ended: Counter[tuple[int, int]] = Counter()

    def note(self) -> None:
        """Count the games that the last step ended."""
        for part, roles in zip(self._parts, self._roles):
            ended = np.flatnonzero(part.terminated | part.truncated)
            if len(ended):
                keys = list(zip(roles[ended].tolist(), part.ended_lineup[ended].tolist()))
                won = part.reward[ended] > 0
                self._ended.update(keys)
                self._won.update(key for key, happened in zip(keys, won.tolist()) if happened)
                roles[ended] = self._roles_in(part, ended)

    def _roles_in(self, part: LearnerBatch, num_envs: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        roles = self.game.roles_of(take_records(part.tables.games, num_envs))
        return roles[np.arange(len(num_envs)), part.seat[num_envs]].astype(np.int64)

    def tally(self) -> Tally:
        """Wins and games by the learner's role and the lineup's name."""
        return {
            (self.game.roles[role], self.names[lineup]): (float(self._won[role, lineup]), float(games))
            for (role, lineup), games in sorted(self._ended.items())
        }
