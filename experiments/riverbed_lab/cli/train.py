"""The commands that train one agent in a folder: `train` with PPO, `distil` by fitting a network to action values."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.progress import TaskProgressColumn, TimeElapsedColumn

from riverbed_env.errors import OptionError

from ..extras import need
from .configs import MinutesOption, SetOption, SettingsArgument, gather, how_to_resume, resumed
from .console import COMPILING, STEPS_DONE, console, errors, progress_bar
from .run_report import check_report, report_run
from .signals import again, set_resume_words

if TYPE_CHECKING:
    from ..distil.run import Distillation
    from ..distil.run import Progress as DistilProgress
    from ..ppo import Progress
    from ..training.config import LearnerConfig
    from ..training.folder_run import FolderRun

AnyRun = TypeVar("AnyRun", bound="FolderRun[Any]")

ReportOption = Annotated[
    int, typer.Option("--report", metavar="N", help="At the end compare it with others on N deals each.", min=0)
]
OutOption = Annotated[str | None, typer.Option("--out", help="Folder of a new run.", show_default="by the command")]
OverwriteOption = Annotated[bool, typer.Option("--overwrite", help="Replace another run in the folder.")]


def train(
    settings: SettingsArgument = None,
    set_: SetOption = None,
    minutes: MinutesOption = None,
    report: ReportOption = 0,
    out: OutOption = None,
    overwrite: OverwriteOption = False,
) -> None:
    """Train an agent with PPO. Run the same command again to resume."""
    need("training", *(["reports"] if report else []))
    from ..ppo import Training, config_for, delete_run
    from ..training.budget import TimeBudget
    from ..training.build import build_training
    from ..training.config import TrainingConfig

    budget = TimeBudget(minutes)
    given = Given(settings, set_, report, out, overwrite, "results/train")
    config = None if given.resumes else build_training(*gather(settings, TrainingConfig, set_))
    with given.run(config, Training, config_for, delete_run, "the last checkpoint is") as run:
        if run.steps:
            console.print(f"resuming {run.folder} at {run.steps:,} decisions")
        printer = CurvePrinter(run)
        with progress_bar(STEPS_DONE, TimeElapsedColumn()) as bar:
            task = bar.add_task("training", total=run.config.steps_played, completed=run.steps)

            def watch(progress: Progress) -> None:
                speed = progress.steps / progress.seconds if progress.seconds else 0.0
                won = f"won {100 * progress.won:.1f} %, {speed:,.0f} decisions/s" if progress.won >= 0 else "training"
                bar.update(task, completed=progress.steps, description=won)
                printer.print_new()

            run.run(watch, budget)
        printer.print_last()
        given.finish(run, run.is_finished, f"after {run.steps:,} decisions")


def distil(
    settings: SettingsArgument = None,
    set_: SetOption = None,
    minutes: MinutesOption = None,
    report: ReportOption = 0,
    out: OutOption = None,
    overwrite: OverwriteOption = False,
) -> None:
    """Fit a network to action values by play-outs. Run the same command again to resume."""
    need("training", *(["reports"] if report else []))
    from ..distil.config import DistilConfig, build_distillation
    from ..distil.run import Distillation, config_for, delete_run
    from ..training.budget import TimeBudget

    budget = TimeBudget(minutes)
    given = Given(settings, set_, report, out, overwrite, "results/distil")
    config = None if given.resumes else build_distillation(*gather(settings, DistilConfig, set_))
    with given.run(config, Distillation, config_for, delete_run, "the labels and the last checkpoint are") as run:
        if run.curve:
            console.print(f"resuming {run.folder} in round {run.rounds + 1}, after {run.steps:,} labels")
        printer = CurvePrinter(run)
        with progress_bar(TaskProgressColumn(), TimeElapsedColumn()) as bar:
            task = bar.add_task("the untrained student", total=1)

            def watch(progress: DistilProgress) -> None:
                about = f"round {progress.round} of {run.config.rounds}: {progress.what}"
                bar.update(task, completed=progress.done, total=progress.total, description=about)
                printer.print_new()

            run.run(watch, budget)
        printer.print_last()
        if report and run.is_finished:
            _print_roles(run, report)
        given.finish(run, run.is_finished, f"in round {run.rounds + 1}")


def _print_roles(run: Distillation, games: int) -> None:
    """Print the student's gain in each role, by winners."""
    from ..distil.run import gains_by_role
    from ..statistics import in_points

    with errors.status(f"playing {games:,} deals in each role"):
        gains = gains_by_role(run, games)
    for role, each in gains.items():
        gain = in_points(each.gain.value, each.gain.low, each.gain.high)
        theirs, deals = 100 * each.reference.value, each.gain.games
        console.print(
            f"{role}: {gain} points over {run.config.reference}, {theirs:.1f} %, by winners of {deals:,} deals",
            soft_wrap=True,
        )


@dataclass(frozen=True)
class Given:
    """What a run's command was given. usual: the folder of a new run by default."""

    settings: str | None
    words: list[str] | None
    report: int
    out: str | None
    overwrite: bool
    usual: str

    @property
    def resumes(self) -> bool:
        """Whether it names a run's folder. Raises OptionError if it names settings too."""
        resumes = resumed(self.settings, self.out, self.usual)[1]
        if resumes and (self.words or self.overwrite):
            raise OptionError(f"{self.settings} is resumed with its own settings: leave out --set and --overwrite")
        return resumes

    @contextmanager
    def run(
        self,
        config: Any,
        make: Callable[[Path, Any], AnyRun],
        config_for: Callable[[Path, Any], Any],
        delete: Callable[[Path], None],
        kept: str,
    ) -> Iterator[AnyRun]:
        """The run, compiled and locked. config: None for the folder's own; kept: what an interruption leaves."""
        from ..locks import locked
        from ..training.config import line_ups_in_words
        from ..training.folder_run import CHECKPOINT, CONFIG

        out = Path(resumed(self.settings, self.out, self.usual)[0])
        settings = config if self.overwrite else config_for(out, config)
        if self.report:
            check_report(settings, out, self.report)
        set_resume_words(lambda: how_to_resume(out, CONFIG, CHECKPOINT, kept))
        with locked(out):
            with errors.status(COMPILING):
                try:
                    run = make(out, config)
                except OptionError as error:
                    if not self.overwrite:
                        raise
                    errors.print(f"riverbed: replacing the run in {out}: {error}", soft_wrap=True)
                    delete(out)
                    run = make(out, config)
            role, among = run.config.role or "any seat", " or ".join(line_ups_in_words(run.config.opponents))
            console.print(f"the learner: {role} among {among}, compared with {run.config.reference}", soft_wrap=True)
            yield run

    def finish(self, run: FolderRun[Any], finished: bool, where: str) -> None:
        """Say where the policy is, or write the report and say where that is; if time is up, how to resume."""
        from ..training.folder_run import POLICY

        policy = run.folder / POLICY
        if not finished:
            console.print(f"time is up {where}; resume with: {again()}", soft_wrap=True)
        elif self.report:
            console.print(f"the report: {report_run(run, self.report)}", soft_wrap=True)
        else:
            how = evaluate_command(run.config, policy, run.config.role)
            console.print(f"wrote {policy}; compare it with: {how}", soft_wrap=True)


class CurvePrinter:
    """Prints the rows of a run's curve that came since."""

    def __init__(self, run: FolderRun[Any]) -> None:
        self._run = run
        self._begun = self._printed = len(run.curve)

    def print_new(self) -> None:
        """Print the rows that weren't printed yet."""
        for row in self._run.curve[self._printed :]:
            print_row(row, self._run.config)
        self._printed = len(self._run.curve)

    def print_last(self) -> None:
        """Print what is new at the end, or the last row if the run was finished before."""
        self.print_new()
        if self._printed == self._begun:
            print_row(self._run.curve[-1], self._run.config)


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


def evaluate_command(config: LearnerConfig, policy: Path, role: str | None) -> str:
    """The command that compares a learner with its reference."""
    counts = ",".join(map(str, config.counts()))
    words = ["riverbed", "evaluate", str(policy), "--game", config.game, "--players", counts]
    words += [] if role is None else ["--roles", role]
    words += [word for name, value in config.options.items() for word in ("--set", f"{name}={value}")]
    return shlex.join([*words, "--reference", config.reference])
