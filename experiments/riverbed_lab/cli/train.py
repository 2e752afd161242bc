"""The command that trains an agent for a role: `train`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import TimeElapsedColumn

from ..extras import need
from .configs import (
    DeviceOption,
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
from .console import STEPS_DONE, PackOption, console, progress_bar
from .runs import REPORT_GAMES, CurvePrinter, open_run, tell_result
from .signals import again, set_resume_words

if TYPE_CHECKING:
    from ..ppo import Progress, Training
    from ..training.budget import TimeBudget
    from ..training.config import TrainingConfig


def train(
    config: Annotated[Path | None, typer.Argument(help="A TOML file with settings; options override it.")] = None,
    game: GameOption = None,
    pack: PackOption = None,
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
    device: DeviceOption = None,
    set_: SetOption = None,
    minutes: MinutesOption = None,
    report: Annotated[bool, typer.Option("--report", help="Compare it with others at the end.")] = False,
    report_games: Annotated[int, typer.Option("--report-games", help="Deals of each comparison.")] = REPORT_GAMES,
    out: Annotated[Path, typer.Option("--out", help="Folder of the run.")] = Path("results/train"),
    resume: Annotated[bool, typer.Option("--resume", help="Take the settings from the folder.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace another run in the folder.")] = False,
) -> None:
    """Train an agent with PPO. Run the same command again to resume."""
    need("training", *(["reports"] if report else []))
    from ..training.budget import TimeBudget
    from ..training.build import build_training
    from ..training.config import TrainingConfig

    budget = TimeBudget(minutes)
    options = {"game": game, "pack": pack, "role": role, "players": players, "opponents": opponents, "steps": steps}
    values = gather(config, TrainingConfig, {**options, "seed": seed, "threads": threads, "device": device}, set_)
    built = None if resume else build_training(*values)
    _train(out, built, budget, report_games if report else None, overwrite)


def _train(
    out: Path, config: TrainingConfig | None, budget: TimeBudget, report_games: int | None, overwrite: bool
) -> None:
    """Train in a folder, then report. config: None for that of the folder; report_games: None for no report."""
    from ..locks import locked
    from ..ppo import Training, config_for, delete_run
    from ..training.folder_run import CHECKPOINT, CONFIG, POLICY
    from .run_report import check_report

    replaced = overwrite and config is not None
    settings = config if config is not None and replaced else config_for(out, config)
    if report_games is not None:
        check_report(settings, out, report_games)
    set_resume_words(lambda: how_to_resume(out, CONFIG, CHECKPOINT, "the last checkpoint is"))
    with locked(out):
        training = open_run(lambda: Training(out, config), out, delete_run if replaced else None)
        if training.steps:
            console.print(f"resuming {out} at {training.steps:,} decisions")
        _train_with_bar(training, budget)
        if training.is_finished:
            tell_result(training, out / POLICY, report_games)
        else:
            console.print(f"time is up after {training.steps:,} decisions; resume with: {again()}", soft_wrap=True)


def _train_with_bar(training: Training, budget: TimeBudget) -> None:
    """Train, and print every evaluation."""
    printer = CurvePrinter(training)
    with progress_bar(STEPS_DONE, TimeElapsedColumn()) as bar:
        task = bar.add_task("training", total=training.config.steps_played, completed=training.steps)

        def watch(progress: Progress) -> None:
            speed = progress.steps / progress.seconds if progress.seconds else 0.0
            won = f"won {100 * progress.won:.1f} %, {speed:,.0f} decisions/s" if progress.won >= 0 else "training"
            bar.update(task, completed=progress.steps, description=won)
            printer.print_new()

        training.run(watch, budget)
        printer.print_new()
    printer.print_last()
