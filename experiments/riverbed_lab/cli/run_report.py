"""The end of a training run with a report: the learner and others on common deals, as `evaluate` compares them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from riverbed_env.players.agents import UNIFORM

from .evaluate import evaluate_plan

if TYPE_CHECKING:
    from ..playing.plan import Plan
    from ..training.config import LearnerConfig


class FinishedRun(Protocol):
    """What a report is made of: a run in its folder."""

    folder: Path

    @property
    def config(self) -> LearnerConfig:
        """Its settings."""


EVALUATION = "evaluation"  # the subfolder of tables and report


def report_plan(config: LearnerConfig, out: Path, games: int) -> Plan:
    """The tables of a run's report: each agent in all seats, and each in one seat of the learner's role.

    The learner sits only in a seat of its role, for which it was trained.
    """
    from .. import published
    from ..evaluate import plan_of
    from ..playing.plan import DEVIATION, MIRROR
    from ..training.curve import LEARNER
    from ..training.folder_run import POLICY

    game, policy = config.known_game(), str(out / POLICY)
    others = (UNIFORM.name, *published.installed(game, published.RULE_BASED))
    agents = (policy, *(name for name in dict.fromkeys(others) if name != config.reference))
    return plan_of(
        *(game, agents, config.reference),
        players=config.counts(),
        deals=games,
        roles=() if config.role is None else (config.role,),
        tables=(MIRROR, DEVIATION),
        held_out=(),
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
    config, folder = training.config, training.folder / EVALUATION
    evaluate_plan(report_plan(config, training.folder, games), config.threads, folder, overwrite=True)
    return folder / "report.html"
