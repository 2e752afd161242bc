"""The command that measures speed: `speed`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from ..extras import need
from .console import console, progress_bar

if TYPE_CHECKING:
    from ..speed.strength import Strength

MOST_STEPS, MOST_SEEDS, MOST_GAMES, MOST_THREADS = 10**9, 1000, 10**6, 1024


@dataclass(frozen=True)
class Plan:
    """How final strength is compared: the games (none: the usual ones), decisions to learn from, seeds and deals."""

    games: tuple[str, ...]
    steps: int
    seeds: int
    deals: int


def speed(
    seconds: Annotated[float, typer.Option("--seconds", help="Measuring time of each row.")] = 2.0,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds; the median of the rounds is shown.")] = 3,
    learning: Annotated[
        bool, typer.Option("--learning", help="Measure learners instead, beside the usual way, and where time goes.")
    ] = False,
    threads: Annotated[int, typer.Option("--threads", help="With --learning: PyTorch's threads.")] = 1,
    strength: Annotated[
        int, typer.Option("--strength", help="With --learning: compare final strength after so many decisions.")
    ] = 0,
    game: Annotated[
        list[str] | None,
        typer.Option("--game", help="With --strength: what is learnt; may be repeated. Riverbed Hunt and Deep River."),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", help="With --strength: training seeds; 5 for an interval.")] = 5,
    games: Annotated[int, typer.Option("--games", help="With --strength: common deals played afterwards.")] = 10_000,
    out: Annotated[Path | None, typer.Option("--out", help="Write the rows as JSON to this folder.")] = None,
) -> None:
    """Measure decisions/s and games/s side by side with other libraries' games; with --learning, learners."""
    from ..files import writable_folder

    if seconds <= 0 or rounds < 1:
        raise OptionError(f"seconds must be above 0 and rounds at least 1, not {seconds} and {rounds}")
    check_whole("strength", strength, 0, MOST_STEPS)
    check_whole("seeds", seeds, 1, MOST_SEEDS)
    check_whole("games", games, 2, MOST_GAMES)
    check_whole("threads", threads, 1, MOST_THREADS)
    plan = Plan(tuple(find_game(name).id for name in game or ()), strength, seeds, games)
    if strength and not learning:
        raise OptionError("--strength is measured of learners: give --learning too")
    if learning:
        need("training")
    if out is not None:
        writable_folder(out)
    written = _learning(seconds, rounds, threads, plan, out) if learning else _playing(seconds, rounds, out)
    if written is not None:
        console.print(f"wrote {written}", soft_wrap=True)


def _playing(seconds: float, rounds: int, out: Path | None) -> Path | None:
    from ..speed.report import measure_all, print_report, write_report

    with progress_bar() as bar:
        rows = measure_all(seconds, rounds, bar)
    print_report(rows, console)
    return None if out is None else write_report(rows, out)


def _learning(seconds: float, rounds: int, threads: int, plan: Plan, out: Path | None) -> Path | None:
    from ..speed import connect_four
    from ..speed.learning import FAST, learners, measure_learners
    from ..speed.learning_report import print_learners, print_strength, write_learners

    with progress_bar() as bar:
        rows = measure_learners(learners(FAST), seconds, rounds, threads, bar)
    print_learners(rows, threads, console)
    if not connect_four.is_installed():
        console.print(f"the usual way isn't there: pip install '{connect_four.REQUIREMENT}'", markup=False)
    strengths = _strengths(plan, threads) if plan.steps else []
    for found in strengths:
        print_strength(found, console)
    return None if out is None else write_learners(rows, strengths, threads, out)


def _strengths(plan: Plan, threads: int) -> list[Strength]:
    from ..speed.learning import FAST, USUAL_OF_EIGHT
    from ..speed.strength import GAMES, any_seat, compare_settings

    seats = [any_seat(name) for name in plan.games or GAMES]
    with progress_bar() as bar:
        task = bar.add_task("learning", total=2 * plan.seeds * len(seats))
        return [
            compare_settings(
                seat,
                USUAL_OF_EIGHT,
                FAST,
                steps=plan.steps,
                seeds=plan.seeds,
                games=plan.deals,
                threads=threads,
                watch=lambda done: bar.update(task, advance=1, description=done),
            )
            for seat in seats
        ]
