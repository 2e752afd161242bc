"""What `train` and `distil` do alike: open a run, print its curve as it grows, and say what came out."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from riverbed_env.errors import OptionError

from .console import COMPILING, console, errors
from .run_report import report_run

if TYPE_CHECKING:
    from ..training.config import LearnerConfig
    from ..training.folder_run import FolderRun
    from .run_report import FinishedRun

AnyRun = TypeVar("AnyRun", bound="FolderRun[Any]")

REPORT_GAMES = 2000


def open_run(make: Callable[[], AnyRun], out: Path, delete: Callable[[Path], None] | None) -> AnyRun:
    """The run of a folder, compiled. delete: what deletes one that can't be resumed with this config; None: raise."""
    from ..training.config import line_ups_in_words

    with errors.status(COMPILING):
        try:
            run = make()
        except OptionError as error:
            if delete is None:
                raise
            errors.print(f"riverbed: replacing the run in {out}: {error}", soft_wrap=True)
            delete(out)
            run = make()
    role, among = run.config.role or "any seat", " or ".join(line_ups_in_words(run.config.opponents))
    console.print(f"the learner: {role} among {among}, compared with {run.config.reference}", soft_wrap=True)
    return run


class CurvePrinter:
    """Prints the rows of a run's curve that came since."""

    def __init__(self, run: FolderRun[Any]) -> None:
        self._run = run
        self._begun = self._printed = len(run.curve)

    def print_new(self) -> None:
        """Print the rows that weren't printed yet."""
        for row in self._run.curve[self._printed :]:
            self._print(row)
        self._printed = len(self._run.curve)

    def print_last(self) -> None:
        """Print what is new at the end, or the last row if the run was finished before."""
        self.print_new()
        if self._printed == self._begun:
            self._print(self._run.curve[-1])

    def _print(self, row: Mapping[str, Any]) -> None:
        print_row(row, self._run.config)


def print_row(row: Mapping[str, Any], config: LearnerConfig) -> None:
    """Print a row of the curve; nothing if no deals were played."""
    from ..statistics import in_points

    if "won" not in row:
        return
    won, low, high, theirs = (100 * row[name] for name in ("won", "low", "high", "reference"))
    console.print(
        f"{row['steps']:>12,} {config.learnt_from}, {row['seconds']:>6.0f} s: "
        f"won {won:.1f} % ({low:.1f}–{high:.1f}) of {row['games']:,} common deals, {config.reference} {theirs:.1f} %: "
        f"{in_points(row['gain'], row['gain_low'], row['gain_high'])} points",
        soft_wrap=True,
    )


def tell_result(run: FinishedRun, policy: Path, report_games: int | None) -> None:
    """Say where the policy is, or write the report and say where that is. report_games: None for no report."""
    if report_games is None:
        again = evaluate_command(run.config, policy, run.config.role)
        console.print(f"wrote {policy}; compare it with: {again}", soft_wrap=True)
    else:
        page = report_run(run, report_games)
        console.print(f"the report: {page}", soft_wrap=True)


def evaluate_command(config: LearnerConfig, policy: Path, role: str | None) -> str:
    """The command that compares a learner with its reference."""
    counts = ",".join(map(str, config.counts()))
    words = ["riverbed", "evaluate", str(policy), "--game", config.game, "--players", counts]
    words += [] if role is None else ["--roles", role]
    words += [word for name, value in config.options.items() for word in ("--set", f"{name}={value}")]
    return shlex.join([*words, "--reference", config.reference])
