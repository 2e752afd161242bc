"""The end of a training run with a report: a comparison with other agents, tables, and the report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rich import box
from rich.table import Table

from riverbed_env.players.agents import UNIFORM

from ..statistics import in_points
from .console import console, waiting
from .evaluate import evaluate_plan

if TYPE_CHECKING:
    from ..playing.plan import Plan
    from ..statistics import Difference, Rate
    from ..training.comparison import Comparison
    from ..training.config import LearnerConfig


class FinishedRun(Protocol):
    """What a report is made of: a run in its folder, after some steps."""

    folder: Path

    @property
    def config(self) -> LearnerConfig:
        """Its settings."""

    @property
    def steps(self) -> int:
        """What it learnt from: decisions, or labels."""


EVALUATION = "evaluation"  # the subfolder of tables and report
LEARNER = "learner"  # its label in tables and report


def report_plan(config: LearnerConfig, out: Path, games: int) -> Plan:
    """The tables of a run's report: each agent in all seats, and each in one seat of the learner's role.

    The learner sits only in a seat of its role, for which it was trained.
    """
    from .. import published
    from ..playing.plan import DEVIATION, MIRROR, Plan
    from ..training.folder_run import POLICY

    game, policy = config.known_game(), str(out / POLICY)
    others = (UNIFORM.name, *published.installed(game, published.RULE_BASED))
    return Plan(
        environment=game.id,
        agents=(policy, *(name for name in dict.fromkeys(others) if name != config.reference)),
        reference=config.reference,
        players=config.counts(),
        deals=games,
        roles=game.roles if config.role is None else (config.role,),
        tables=(MIRROR, DEVIATION),
        held_out=published.installed(game, published.HELD_OUT),
        rule_based=published.installed(game, published.RULE_BASED),
        options=config.options,
        inference_games=0,
        one_way=True,
        labels={policy: LEARNER},
    )


def check_report(config: LearnerConfig, out: Path, games: int) -> None:
    """OptionError if no report can be made of a run with this config."""
    from ..playing.plan import check

    check(config.known_game(), report_plan(config, out, games))


def report_run(training: FinishedRun, games: int) -> Path:
    """Compare the agent of a finished run with others, print the tables and write the report; returns its file."""
    from ..training.comparison import compare_with_others, write_comparison
    from ..training.folder_run import POLICY

    config, out = training.config, training.folder
    with waiting(f"playing {games:,} deals with each of the others in the learner's seat"):
        comparison = compare_with_others(config, out / POLICY, training.steps, games)
    write_comparison(out, comparison)
    console.print(comparison_table(config, comparison))
    folder = out / EVALUATION
    evaluate_plan(report_plan(config, out, games), config.threads, folder, overwrite=True)
    return folder / "report.html"


def comparison_table(config: LearnerConfig, comparison: Comparison) -> Table:
    """A row for the learner and for each other agent in its seat."""
    seat = config.role or "any seat"
    title = f"in the learner's seat ({seat}): {comparison.won.games:,} common deals among its opponents, 95 % intervals"
    table = Table(title=title, box=box.SIMPLE)
    table.add_column("in the seat")
    for name in ("wins, %", "the learner's gain over it, points"):
        table.add_column(name, justify="right")
    table.add_row(f"{LEARNER}, {comparison.steps:,} {config.learnt_from}", _rate(comparison.won), "")
    for each in comparison.others:
        table.add_row(each.agent, _rate(each.won), _gain(each.gain))
    return table


def _rate(rate: Rate) -> str:
    return in_points(rate.value, rate.low, rate.high).replace("+", "") if rate.games else "–"


def _gain(gain: Difference) -> str:
    return in_points(gain.value, gain.low, gain.high) if gain.games else "–"
