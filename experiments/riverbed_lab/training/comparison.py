"""Compares a learner with other agents in its seat, on common deals, at the end of a run.

Reports read a run's curve and comparison from its folder, so this module doesn't import torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.schema import NOTHING_ELSE, Count, Finite, of_kind
from riverbed_env.players.agents import UNIFORM, Agent
from riverbed_env.players.lineups import Lineups, lineups
from riverbed_env.players.policies import load_policy
from riverbed_env.players.specs import find_agent

from .. import published
from ..statistics import Difference, Rate, rate
from .config import LearnerConfig
from .evaluation import evaluations_for, lead

CURVE, COMPARISON = "curve.json", "comparison.json"
FORMAT = 1
LEARNER = "learner"


@dataclass(frozen=True)
class Reached:
    """A row of a curve without an evaluation: decisions learnt from, and seconds spent on them."""

    __pydantic_config__ = NOTHING_ELSE

    steps: Count
    seconds: Finite


@dataclass(frozen=True)
class Evaluated(Reached):
    """A row of a curve: the win rates of the learner and the reference on common deals, and their difference."""

    games: Count
    won: float
    low: float
    high: float
    reference: float
    gain: float
    gain_low: float
    gain_high: float

    @property
    def is_sound(self) -> bool:
        """Whether its rates lie within 0 and 1; without games they are NaN."""
        return not self.games or (0 <= self.won <= 1 and 0 <= self.reference <= 1 and -1 <= self.gain <= 1)


@dataclass(frozen=True)
class Curve:
    """All evaluations of a run, as its file holds them."""

    __pydantic_config__ = NOTHING_ELSE

    curve: tuple[Evaluated | Reached, ...]


@dataclass(frozen=True)
class Beside:
    """Another agent in the learner's seat: its win rate, and the learner's gain over it, in shares of games."""

    __pydantic_config__ = NOTHING_ELSE

    agent: str
    won: Rate
    gain: Difference


@dataclass(frozen=True)
class Comparison:
    """The learner after `steps` decisions, and others in the same seat of the same games."""

    __pydantic_config__ = NOTHING_ELSE

    steps: Count
    won: Rate
    others: tuple[Beside, ...]


def rivals(config: LearnerConfig) -> tuple[str, ...]:
    """The agents a learner is compared with: random play, the game's rule-based agents, and its reference."""
    rules = published.installed(config.known_game(), published.RULE_BASED)
    return tuple(dict.fromkeys([UNIFORM.name, *rules, config.reference]))


def compare_with_others(config: LearnerConfig, policy: Path, steps: int, games: int) -> Comparison:
    """Play `games` common deals of all player counts with the learner and each rival in its seat.

    policy: the learner's file; steps: the decisions it learnt from. Opponents are drawn as in training.
    """
    game = config.known_game()
    names = rivals(config)
    others = {name: find_agent(name, game.name) for name in names}
    table = _with(lineups(game, config.seated()), list(others.values()))
    learner = load_policy(policy, game, name=LEARNER)
    deals = evaluations_for(config, table, others[names[0]], games)
    mine = np.concatenate([each.won(learner) for each in deals])
    theirs = {names[0]: np.concatenate([each.won_by_reference for each in deals])}
    theirs |= {name: np.concatenate([each.won(others[name]) for each in deals]) for name in names[1:]}
    return Comparison(
        steps,
        rate(int(mine.sum()), len(mine)),
        tuple(Beside(name, rate(int(won.sum()), len(won)), lead(mine, won)) for name, won in theirs.items()),
    )


def _with(opponents: Lineups, more: Sequence[Agent]) -> Lineups:
    """The same lineups with more agents that no lineup seats, so that one compiled loop serves all of them."""
    known = {agent.name for agent in opponents.agents}
    return replace(opponents, agents=(*opponents.agents, *(agent for agent in more if agent.name not in known)))


def write_comparison(folder: Path, comparison: Comparison) -> Path:
    """Write a comparison to a run's folder; returns the file."""
    path = folder / COMPARISON
    write_json(path, {"format": FORMAT, **asdict(comparison)})
    return path


def read_comparison(path: Path) -> Comparison:
    """Read what `write_comparison` wrote. Raises OptionError for any other file."""
    return of_kind(Comparison, read_json(path, "comparison", FORMAT), str(path))
