"""The results of an evaluation as plain data: all that the report shows, and nothing computed from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..statistics import Difference, Rate, SeedsDifference
from .inference import Inference
from .ratings import Ratings

FEWEST_BINS = 24  # of a histogram of lengths, where games differ enough


@dataclass(frozen=True)
class Header:
    """What was played, and how it is played again.

    `camps`, `players` and `agents` are in the order of tables and figures; `settings` are further lines, by name.
    """

    title: str  # of the game, "Riverbed Hunt"
    environment: str  # "riverbed_hunt_v0"
    pack: str  # the content pack's name and hash
    code: str
    seed: int
    command: str
    written: str  # when, in UTC
    camps: tuple[str, ...]
    players: tuple[int, ...]
    agents: tuple[str, ...]
    reference: str
    settings: Mapping[str, str]


@dataclass(frozen=True)
class Base:
    """What stands beside a camp's rates at a player count: the rate of all random, and the best rule-based rate.

    Each is of a table where all seats play the same agent; `rule_based_agent` is the one with the best rate.
    """

    num_players: int
    camp: str
    random: Rate
    rule_based: Rate
    rule_based_agent: str


@dataclass(frozen=True)
class MirrorRow:
    """Every seat the same agent: the wins of each camp among the games that have it."""

    num_players: int
    agent: str
    games: int
    wins: Mapping[str, Rate]
    nobody_won: int


@dataclass(frozen=True)
class Swap:
    """One seat played by one agent and, on the same deals, by another: how often it won, and the first one's gain."""

    wins: Rate
    replaced: Rate
    gain: Difference


@dataclass(frozen=True)
class DeviationRow:
    """One seat of a role, both ways; None where it wasn't played.

    `among_reference`: the agent in that seat among the reference, in place of the reference. `among_agent`: the
    reference in that seat among the agent, in place of the agent.
    """

    num_players: int
    role: str
    camp: str
    agent: str
    among_reference: Swap | None
    among_agent: Swap | None


@dataclass(frozen=True)
class HeldOutRow:
    """The agent in one seat of a role in place of the reference, among partners and opponents nobody trained on."""

    num_players: int
    role: str
    camp: str
    agent: str
    others: str  # who they are, in words
    swap: Swap


@dataclass(frozen=True)
class MatrixCell:
    """Each camp's agents drawn as one: who plays each camp, and the camps' wins."""

    num_players: int
    agents: Mapping[str, str]  # by camp
    games: int
    wins: Mapping[str, Rate]
    nobody_won: int


@dataclass(frozen=True)
class TrainingRow:
    """What a training method gains over the reference in a role's seat, over its training seeds."""

    num_players: int
    role: str
    method: str
    gain: SeedsDifference


@dataclass(frozen=True)
class CurvePoint:
    """A learner after so many decisions and seconds: its wins on common deals, and its gain over the reference."""

    steps: int
    seconds: float
    won: Rate
    gain: Difference


@dataclass(frozen=True)
class SeatRow:
    """Somebody in the learner's seat on common deals: their wins, and what the learner gains over them."""

    agent: str
    wins: Rate
    gain: Difference


@dataclass(frozen=True)
class LearningRow:
    """The learning curve of an agent that was trained, and how it did at the end beside others in the same seat.

    `role` is "any seat" for a learner of all roles. `points` are in order of steps; `wins` is the learner's own rate on
    the deals of `others`, both None and empty where it wasn't compared.
    """

    agent: str
    role: str
    players: tuple[int, ...]
    opponents: str  # in words
    reference: str
    reference_wins: float
    points: tuple[CurvePoint, ...]
    wins: Rate | None = None
    others: tuple[SeatRow, ...] = ()


@dataclass(frozen=True)
class InferenceRow:
    """How well an observer's posterior over the roles of others did, beside that of a named reference.

    `observed` is the lineup whose play was read.
    """

    num_players: int
    observed: str
    observer: str
    reference: str  # "" without
    grouped_by: str  # "turn" or "tenth of the game"
    scores: Inference


@dataclass(frozen=True)
class LengthRow:
    """How many decisions games took: mean, percentiles, and how many games lie between each two `edges`."""

    num_players: int
    lineup: str
    games: int
    mean: float
    p5: float
    median: float
    p95: float
    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Report:
    """All results of an evaluation; a part that wasn't played is empty or None."""

    header: Header
    bases: tuple[Base, ...]
    learning: tuple[LearningRow, ...] = ()
    mirror: tuple[MirrorRow, ...] = ()
    deviations: tuple[DeviationRow, ...] = ()
    matrix: tuple[MatrixCell, ...] = ()
    held_out: tuple[HeldOutRow, ...] = ()
    training: tuple[TrainingRow, ...] = ()
    ratings: Ratings | None = None
    inference: tuple[InferenceRow, ...] = ()
    lengths: tuple[LengthRow, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """All agents, lineups and references of the report, in order."""
        found = [
            *self.header.agents,
            *(row.agent for row in self.mirror),
            *(agent for cell in self.matrix for agent in cell.agents.values()),
            *(name for row in self.inference for name in (row.observed, row.observer, row.reference)),
            *(row.lineup for row in self.lengths),
        ]
        return list(dict.fromkeys(found))

    def lineups(self, num_players: int) -> list[list[InferenceRow]]:
        """The inference at a player count: rows of one lineup and observer together, which differ in groups alone."""
        found: dict[tuple[str, str], list[InferenceRow]] = {}
        for row in self.inference:
            if row.num_players == num_players:
                found.setdefault((row.observed, row.observer), []).append(row)
        return list(found.values())

    def base(self, num_players: int, camp: str) -> Base | None:
        """What stands beside the rates of a camp at a player count; None where it wasn't played."""
        return next((base for base in self.bases if (base.num_players, base.camp) == (num_players, camp)), None)


def length_row(num_players: int, lineup: str, decisions: npt.NDArray[np.integer]) -> LengthRow:
    """How many decisions the games of a lineup took; `decisions` is (games,), at least one."""
    edges = _edges(int(decisions.min()), int(decisions.max()))
    p5, median, p95 = (float(each) for each in np.percentile(decisions, (5, 50, 95)))
    counts = tuple(int(each) for each in np.histogram(decisions, edges)[0])
    return LengthRow(num_players, lineup, len(decisions), float(decisions.mean()), p5, median, p95, edges, counts)


def _edges(fewest: int, most: int) -> tuple[float, ...]:
    """Edges, at half decisions, as far apart as the widest round number (1, 2, 5, 10, …) that gives enough bins."""
    widths = [factor * 10**power for power in range(6) for factor in (1, 2, 5)]
    width = next((each for each in reversed(widths) if (most - fewest) / each >= FEWEST_BINS), 1)
    first = fewest // width * width
    return tuple(first - 0.5 + width * number for number in range((most - first) // width + 2))
