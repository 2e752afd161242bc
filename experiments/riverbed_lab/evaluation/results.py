"""The results of an evaluation as plain data: everything the report shows, nothing left to compute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from riverbed_env.seats import Failure

from ..playing.plan import Setup
from ..statistics import Difference, Rate, Spread
from .inference import Compared, Inference, Readability
from .ratings import Ratings


@dataclass(frozen=True)
class About:
    """What was evaluated, and the command that repeats it.

    `camps`, `setups` and `agents` are in the order of tables and figures; `details` are lines of text by name. Agents
    go by their labels here and in all results.
    """

    title: str  # of the game, "Riverbed Hunt"
    camps: tuple[str, ...]
    setups: tuple[Setup, ...]
    agents: tuple[str, ...]
    reference: str
    command: str
    details: Mapping[str, str]


@dataclass(frozen=True)
class Base:
    """The two base rates of a camp: with random play in every seat, and the best mirror of a rule-based agent."""

    setup: Setup
    camp: str
    random: Rate
    rule_based: Rate
    rule_based_agent: str


@dataclass(frozen=True)
class LineupRow:
    """Each camp played by one agent: the wins of each camp among the games that have it. A mirror has one agent."""

    setup: Setup
    agents: Mapping[str, str]  # by camp
    games: int
    wins: Mapping[str, Rate]
    nobody_won: int

    @property
    def agent(self) -> str:
        """The agent of the first camp; in a mirror, of all seats."""
        return next(iter(self.agents.values()))

    def has(self, camp: str) -> bool:
        """Whether the camp played in any of the games."""
        return camp in self.wins and self.wins[camp].games > 0


@dataclass(frozen=True)
class SwapRow:
    """One seat of a role played by `agent` and, on the same deals, by `replaced`, everybody else being the same.

    `wins` and `replaced_wins` are the rates of the seat's camp, `gain` the paired difference.
    """

    setup: Setup
    role: str
    camp: str
    agent: str
    among: str
    replaced: str
    wins: Rate
    replaced_wins: Rate
    gain: Difference


@dataclass(frozen=True)
class CurvePoint:
    """A learner after some decisions and seconds: its wins on common deals, and its gain over the reference."""

    steps: int
    seconds: float
    won: Rate
    gain: Difference


@dataclass(frozen=True)
class LearningRow:
    """The learning curve of an agent: role "any seat" for a learner of all roles, points in order of steps."""

    agent: str
    role: str
    players: tuple[int, ...]
    opponents: str  # in words
    reference: str
    reference_wins: float
    points: tuple[CurvePoint, ...]


@dataclass(frozen=True)
class InferenceRow:
    """The scores of an observer's posterior over the roles of others, beside those of a named reference.

    `observed` is the lineup whose play was observed.
    """

    num_players: int
    observed: str
    observer: str
    reference: str  # "" without
    grouped_by: str  # "turn" or "tenth of the game"
    scores: Inference

    def named(self, both: Compared | Readability) -> dict[str, Any]:
        """The scores by the name of the observer and, if there is one, of the reference."""
        reference = {} if both.reference is None else {self.reference: both.reference}
        return {self.observer: both.own, **reference}


@dataclass(frozen=True)
class SpreadRow:
    """How the scores or the lengths of a lineup's games are spread.

    Scores are those of the one seat where an agent is alone among others, else of all seats; lengths are in decisions.
    Beside lengths, `happened` are the shares of games with an event and `means` the means per game, both by heading.
    """

    setup: Setup
    lineup: str
    games: int
    spread: Spread
    happened: Mapping[str, Rate] = field(default_factory=dict)
    means: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class ToldGame:
    """A game worth a look: what it is, what happens in it, its row in words, and the link to its replay."""

    what: str
    words: str
    source: str
    link: str


@dataclass(frozen=True)
class OutsideRow:
    """What went wrong with an agent from outside in a setup, and what it cost; apart from its strength.

    figures: the sums of what was counted, by name (`riverbed_env.seats.FIGURES`); forfeits: games of its seats that it
    forfeited; wins: of its seats' camps, in all games, and in those without a repaired or forfeited choice (games
    with several camps; None otherwise).
    """

    setup: Setup
    agent: str
    figures: Mapping[str, int]
    forfeits: Rate
    wins: Rate | None = None
    wins_untouched: Rate | None = None

    @property
    def answers(self) -> int:
        """How often it was asked, again after failures included."""
        return self.figures["decisions"] - self.figures["repaired"] - self.figures["forfeited"] + self.failures

    @property
    def failures(self) -> int:
        """How many of its answers couldn't be taken."""
        return sum(self.figures[kind] for kind in Failure)


@dataclass(frozen=True)
class Report:
    """All results of an evaluation; a part that wasn't played is empty or None."""

    about: About
    bases: tuple[Base, ...] = ()
    learning: tuple[LearningRow, ...] = ()
    mirror: tuple[LineupRow, ...] = ()
    deviations: tuple[SwapRow, ...] = ()
    matrix: tuple[LineupRow, ...] = ()
    held_out: tuple[SwapRow, ...] = ()
    ratings: Ratings | None = None
    scores: tuple[SpreadRow, ...] = ()
    inference: tuple[InferenceRow, ...] = ()
    lengths: tuple[SpreadRow, ...] = ()
    games: tuple[ToldGame, ...] = ()
    outside: tuple[OutsideRow, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """All agents, lineups and references of the report, in order."""
        names = [
            *self.about.agents,
            *(agent for row in (*self.mirror, *self.matrix) for agent in row.agents.values()),
            *(name for row in self.inference for name in (row.observed, row.observer, row.reference)),
            *(row.lineup for row in self.lengths),
        ]
        return list(dict.fromkeys(names))

    def base(self, setup: Setup, camp: str) -> Base | None:
        """The base rates of a camp in a setup; None if they weren't played."""
        return next((base for base in self.bases if (base.setup, base.camp) == (setup, camp)), None)

    def gains_over_reference(self, setup: Setup) -> list[SwapRow]:
        """The deviations of a setup in which an agent takes the reference's seat."""
        rows = [row for row in self.deviations if row.setup == setup and row.gain.games]
        return [row for row in rows if row.replaced == self.about.reference]
