"""How a learner does beside others in its seat: at the end of a run, on deals that all of them play.

A run's curve and this comparison are files of the run's folder that others read, so this module needs no torch.
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
from .config import TrainingConfig
from .evaluation import evaluations, lead

CURVE, COMPARISON = "curve.json", "comparison.json"
FORMAT = 1
LEARNER = "learner"


@dataclass(frozen=True)
class Reached:
    """A row of a curve where no deals are played: after so many decisions and seconds."""

    __pydantic_config__ = NOTHING_ELSE

    steps: Count
    seconds: Finite


@dataclass(frozen=True)
class Evaluated(Reached):
    """A row of a curve: how often the learner won on common deals, the reference too, and the difference."""

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
        """Whether its rates are such; without games they are no numbers."""
        return not self.games or (0 <= self.won <= 1 and 0 <= self.reference <= 1 and -1 <= self.gain <= 1)


@dataclass(frozen=True)
class Curve:
    """Every evaluation of a run, as its file has them."""

    __pydantic_config__ = NOTHING_ELSE

    curve: tuple[Evaluated | Reached, ...]


@dataclass(frozen=True)
class Beside:
    """Somebody in the learner's seat: how often they win there, and what the learner gains over them (1 is all)."""

    __pydantic_config__ = NOTHING_ELSE

    agent: str
    won: Rate
    gain: Difference


@dataclass(frozen=True)
class Comparison:
    """The learner after so many decisions, and the others, in the same seat of the same games."""

    __pydantic_config__ = NOTHING_ELSE

    steps: Count
    won: Rate
    others: tuple[Beside, ...]


def rivals(config: TrainingConfig) -> tuple[str, ...]:
    """Whom a learner is compared with: random play, the agents made of rules, and its reference."""
    rules = published.installed(config.known_game(), published.RULE_BASED)
    return tuple(dict.fromkeys([UNIFORM.name, *rules, config.reference]))


def compare_with_others(config: TrainingConfig, policy: Path, steps: int, games: int) -> Comparison:
    """Let the learner and its rivals play `games` deals, shared out among the player counts, in the learner's seat.

    policy: the learner's file; steps: how many decisions it learnt from. Opponents are drawn as in training.
    """
    game = config.known_game()
    names = rivals(config)
    others = {name: find_agent(name, game.name) for name in names}
    table = _with(lineups(game, config.seated()), list(others.values()))
    learner = load_policy(policy, game, name=LEARNER)
    deals = evaluations(
        *(game, table, others[names[0]]),
        role=config.role,
        games=games,
        players=config.counts(),
        threads=config.threads,
        **config.options,
    )
    mine = np.concatenate([each.won(learner) for each in deals])
    theirs = {names[0]: np.concatenate([each.won_by_reference for each in deals])}
    theirs |= {name: np.concatenate([each.won(others[name]) for each in deals]) for name in names[1:]}
    return Comparison(
        steps,
        rate(int(mine.sum()), len(mine)),
        tuple(Beside(name, rate(int(won.sum()), len(won)), lead(mine, won)) for name, won in theirs.items()),
    )


def _with(opponents: Lineups, more: Sequence[Agent]) -> Lineups:
    """The same lineups among more agents, who sit nowhere: one loop is compiled for all who take the seat in turn."""
    known = {agent.name for agent in opponents.agents}
    return replace(opponents, agents=(*opponents.agents, *(agent for agent in more if agent.name not in known)))


def write_comparison(folder: Path, found: Comparison) -> Path:
    """Write it to a run's folder; returns the file."""
    path = folder / COMPARISON
    write_json(path, {"format": FORMAT, **asdict(found)})
    return path


def read_comparison(path: Path) -> Comparison:
    """What `write_comparison` wrote; OptionError for anything else."""
    return of_kind(Comparison, read_json(path, "comparison", FORMAT), str(path))
