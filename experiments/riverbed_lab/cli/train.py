"""The command that trains an agent for a role: `train`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import TimeElapsedColumn

from riverbed_env.errors import OptionError

from ..extras import need
from .configs import (
    GameOption,
    MinutesOption,
    PlayersOption,
    SeedOption,
    SetOption,
    StepsOption,
    ThreadsOption,
    gather,
    how_to_resume,
)
from .console import COMPILING, STEPS_DONE, console, errors, progress_bar
from .signals import again, set_resume_words

if TYPE_CHECKING:
    from ..training.budget import TimeBudget
    from ..training.config import TrainingConfig
    from ..training.run import Progress, Training

REPORT_GAMES = 2000


def train(
    config: Annotated[Path | None, typer.Argument(help="A TOML file with settings; options override it.")] = None,
    game: GameOption = None,
    role: Annotated[str | None, typer.Option("--role", help="The learner's role.", show_default="any seat")] = None,
    players: PlayersOption = None,
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            "--opponents",
            metavar="TEXT",
            help="Agent or lineup. Repeatable.",
            show_default="strongest",
        ),
    ] = None,
    steps: StepsOption = None,
    seed: SeedOption = None,
    threads: ThreadsOption = None,
    set_: SetOption = None,
    minutes: MinutesOption = None,
    report: Annotated[bool, typer.Option("--report", help="Compare it with others at the end.")] = False,
    report_games: Annotated[int, typer.Option("--report-games", help="Deals of each comparison.")] = REPORT_GAMES,
    out: Annotated[Path, typer.Option("--out", help="Folder of the run.")] = Path("results/train"),
    resume: Annotated[bool, typer.Option("--resume", help="Take the settings from the folder.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace another run in the folder.")] = False,
) -> None:
    """Train an agent with MaskablePPO. Run the same command again to resume."""
    need("training", *(["reports"] if report else []))
    from ..training.budget import TimeBudget
    from ..training.build import build_training
    from ..training.config import TrainingConfig

    budget = TimeBudget(minutes)
    options = {"game": game, "role": role, "players": players, "opponents": opponents, "steps": steps}
    values = gather(config, TrainingConfig, {**options, "seed": seed, "threads": threads}, set_)
    built = None if resume else build_training(*values)
    _train(out, built, budget, report_games if report else None, overwrite)


def _train(
    out: Path, config: TrainingConfig | None, budget: TimeBudget, report_games: int | None, overwrite: bool
) -> None:
    """Train in a folder, then report. config: None for that of the folder; report_games: None for no report."""
    from ..locks import locked
    from ..training.run import CHECKPOINT, CONFIG, config_for
    from .run_report import check_report, report_run

    replaced = overwrite and config is not None
    settings = config if config is not None and replaced else config_for(out, config)
    if report_games is not None:
        check_report(settings, out, report_games)
    set_resume_words(lambda: how_to_resume(out, CONFIG, CHECKPOINT, "the last checkpoint is"))
    with locked(out):
        training = _open(out, config, replaced)
        _train_with_bar(training, budget)
        policy = out / "policy.npz"
        if not training.is_finished:
            console.print(f"time is up after {training.steps:,} decisions; resume with: {again()}", soft_wrap=True)
        elif report_games is None:
            console.print(f"wrote {policy}; compare it with: riverbed evaluate {policy} …", soft_wrap=True)
        else:
            page = report_run(training, report_games)
            console.print(f"the report with the learning curve: {page}", soft_wrap=True, highlight=False)


def _open(out: Path, config: TrainingConfig | None, replace: bool) -> Training:
    """The run of a folder, compiled. replace: whether a run that can't be resumed with this config is deleted."""
    from ..training.run import Training, delete_run

    with errors.status(COMPILING):
        try:
            training = Training(out, config)
        except OptionError as error:
            if not replace:
                raise
            errors.print(
                f"riverbed: replacing the run in {out}: {error}", markup=False, highlight=False, soft_wrap=True
            )
            delete_run(out)
            training = Training(out, config)
    if training.steps:
        console.print(f"resuming {out} at {training.steps:,} decisions", highlight=False)
    return training


def _train_with_bar(training: Training, budget: TimeBudget) -> None:
    """Train, and print every evaluation."""
    before = printed = len(training.curve)
    with progress_bar(STEPS_DONE, TimeElapsedColumn()) as bar:
        task = bar.add_task("training", total=training.config.steps_played, completed=training.steps)

        def watch(progress: Progress) -> None:
            speed = progress.steps / progress.seconds if progress.seconds else 0.0
            won = f"won {100 * progress.won:.1f} %, {speed:,.0f} decisions/s" if progress.won >= 0 else "training"
            bar.update(task, completed=progress.steps, description=won)
            print_new_rows()

        def print_new_rows() -> None:
            nonlocal printed
            for row in training.curve[printed:]:
                print_row(row, training.config.reference)
            printed = len(training.curve)

        training.run(watch, budget)
        print_new_rows()
    if printed == before:  # the run was finished before
        print_row(training.curve[-1], training.config.reference)


def print_row(row: Mapping[str, Any], reference: str, steps: str = "decisions") -> None:
    """Print a row of the curve; nothing if no deals were played. steps: what was learnt from."""
    from ..statistics import in_points

    if "won" not in row:
        return
    won, low, high, theirs = (100 * row[name] for name in ("won", "low", "high", "reference"))
    console.print(
        f"{row['steps']:>12,} {steps}, {row['seconds']:>6.0f} s: won {won:.1f} % ({low:.1f}–{high:.1f}) of "
        f"{row['games']:,} common deals, {reference} {theirs:.1f} %: "
        f"{in_points(row['gain'], row['gain_low'], row['gain_high'])} points",
        highlight=False,
        soft_wrap=True,
    )
