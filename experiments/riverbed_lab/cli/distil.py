"""The command that distils play-outs into a network: `distil`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import TaskProgressColumn, TimeElapsedColumn

from ..extras import need
from .configs import (
    DeviceOption,
    GameOption,
    MinutesOption,
    PlayersOption,
    SeedOption,
    SetOption,
    ThreadsOption,
    gather,
    how_to_resume,
)
from .console import PackOption, console, errors, progress_bar
from .runs import REPORT_GAMES, CurvePrinter, open_run, tell_result
from .signals import again, set_resume_words

if TYPE_CHECKING:
    from ..distil.config import DistilConfig
    from ..distil.run import Distillation, Progress
    from ..training.budget import TimeBudget


def distil(
    config: Annotated[Path | None, typer.Argument(help="A TOML file with settings; options override it.")] = None,
    game: GameOption = None,
    pack: PackOption = None,
    role: Annotated[str | None, typer.Option("--role", help="The student's role.", show_default="any seat")] = None,
    players: PlayersOption = None,
    opponents: Annotated[
        list[str] | None,
        typer.Option("--opponents", metavar="TEXT", help="Agent or lineup. Repeatable.", show_default="strongest"),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option("--rounds", metavar="N", help="Rounds of labels and fitting.", show_default="4")
    ] = None,
    seed: SeedOption = None,
    threads: ThreadsOption = None,
    device: DeviceOption = None,
    set_: SetOption = None,
    minutes: MinutesOption = None,
    roles: Annotated[int, typer.Option("--roles", help="Deals for each role's gain at the end.")] = 0,
    report: Annotated[bool, typer.Option("--report", help="Compare it with others at the end.")] = False,
    report_games: Annotated[int, typer.Option("--report-games", help="Deals of each comparison.")] = REPORT_GAMES,
    out: Annotated[Path, typer.Option("--out", help="Folder of the run.")] = Path("results/distil"),
    resume: Annotated[bool, typer.Option("--resume", help="Take the settings from the folder.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace another run in the folder.")] = False,
) -> None:
    """Fit a network to what choices are worth by play-outs. Run the same command again to resume."""
    need("training", *(["reports"] if report else []))
    from ..distil.config import DistilConfig, build_distillation
    from ..training.budget import TimeBudget

    budget = TimeBudget(minutes)
    options = {"game": game, "pack": pack, "role": role, "players": players, "opponents": opponents, "rounds": rounds}
    values = gather(config, DistilConfig, {**options, "seed": seed, "threads": threads, "device": device}, set_)
    built = None if resume else build_distillation(*values)
    _distil(out, built, budget, roles, report_games if report else None, overwrite)


def _distil(
    out: Path,
    config: DistilConfig | None,
    budget: TimeBudget,
    role_games: int,
    report_games: int | None,
    overwrite: bool,
) -> None:
    """Distil in a folder, then measure. config: None for that of the folder; report_games: None for no report."""
    from ..distil.run import Distillation, config_for, delete_run
    from ..locks import locked
    from ..training.folder_run import CHECKPOINT, CONFIG, POLICY
    from .run_report import check_report

    replaced = overwrite and config is not None
    settings = config if config is not None and replaced else config_for(out, config)
    if report_games is not None:
        check_report(settings, out, report_games)
    set_resume_words(lambda: how_to_resume(out, CONFIG, CHECKPOINT, "the labels and the last checkpoint are"))
    with locked(out):
        run = open_run(lambda: Distillation(out, config), out, delete_run if replaced else None)
        if run.curve:
            console.print(f"resuming {out} in round {run.rounds + 1}, after {run.steps:,} labels")
        _run_with_bar(run, budget)
        if not run.is_finished:
            console.print(f"time is up in round {run.rounds + 1}; resume with: {again()}", soft_wrap=True)
            return
        if role_games:
            _print_roles(run, role_games)
        tell_result(run, out / POLICY, report_games)


def _run_with_bar(run: Distillation, budget: TimeBudget) -> None:
    """Run, and print every evaluation."""
    printer = CurvePrinter(run)
    with progress_bar(TaskProgressColumn(), TimeElapsedColumn()) as bar:
        task = bar.add_task("the untrained student", total=1)

        def watch(progress: Progress) -> None:
            about = f"round {progress.round} of {run.config.rounds}: {progress.what}"
            bar.update(task, completed=progress.done, total=progress.total, description=about)
            printer.print_new()

        run.run(watch, budget)
        printer.print_new()
    printer.print_last()


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
