"""Measure how fast learners learn, where their time goes, and whether fast settings cost strength.

python experiments/studies learning_speed --out results/speed
python experiments/studies learning_speed --strength 131072 --game deep_river_v0
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_lab.cli.console import console, plainly, progress_bar
from riverbed_lab.files import writable_folder

from . import connect_four, learners
from .report import markdown, write_report
from .strength import GAMES, Measures, Strength, any_seat, compare_settings

MOST_STEPS, MOST_SEEDS, MOST_GAMES, MOST_THREADS = 10**9, 1000, 10**6, 1024


def main(
    seconds: Annotated[float, typer.Option("--seconds", help="Measuring time of each row.")] = 2.0,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds; the table shows their medians.")] = 3,
    threads: Annotated[int, typer.Option("--threads", help="PyTorch's threads.")] = 1,
    strength: Annotated[int, typer.Option("--strength", help="Also compare strength after this many decisions.")] = 0,
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            help="A game of the comparison; may be repeated.",
            show_default="riverbed_hunt_v0 and deep_river_v0",
        ),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", help="Training seeds of the comparison.")] = 5,
    games: Annotated[int, typer.Option("--games", help="Common deals of the comparison.")] = 10_000,
    out: Annotated[Path | None, typer.Option("--out", help="Write the rows as JSON to this folder.")] = None,
) -> None:
    """Measure how fast MaskablePPO learns, and where its time goes."""
    if seconds <= 0 or rounds < 1:
        raise OptionError(f"seconds must be above 0 and rounds at least 1, not {seconds} and {rounds}")
    check_whole("strength", strength, 0, MOST_STEPS)
    check_whole("seeds", seeds, 1, MOST_SEEDS)
    check_whole("games", games, 2, MOST_GAMES)
    check_whole("threads", threads, 1, MOST_THREADS)
    named = [find_game(name).id for name in game or GAMES]
    if out is not None:
        writable_folder(out)
    with progress_bar() as bar:
        rows = learners.measure_learners(learners.learners(learners.FAST), seconds, rounds, threads, bar)
    if not connect_four.is_installed():
        console.print(
            f"not measured: PettingZoo's connect four; pip install '{connect_four.REQUIREMENT}'", markup=False
        )
    strengths = _strengths(named, Measures(strength, seeds, games, threads)) if strength else []
    typer.echo(markdown(rows, strengths, threads))
    if out is not None:
        console.print(f"wrote {write_report(rows, strengths, threads, out)}", soft_wrap=True)


def _strengths(games: list[str], measures: Measures) -> list[Strength]:
    with progress_bar() as bar:
        task = bar.add_task("learning", total=2 * measures.seeds * len(games))

        def watch(done: str) -> None:
            bar.update(task, advance=1, description=done)

        return [
            compare_settings(any_seat(name), learners.USUAL_OF_EIGHT, learners.FAST, measures, watch) for name in games
        ]


if __name__ == "__main__":
    plainly(lambda: typer.run(main))
