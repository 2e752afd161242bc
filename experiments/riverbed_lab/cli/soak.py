"""The command `soak`: everything under full load for a time."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.progress import TextColumn
from rich.table import Table

from riverbed_env.kernels.random import check_seed

from .console import console, errors, progress_bar, use_threads
from .signals import goes_on

if TYPE_CHECKING:
    from ..soak.run import SoakReport

PARTS = 6  # of the time, whose speeds stand side by side
MOST_TOLD = 10  # complaints


def soak(
    minutes: Annotated[float, typer.Option("--minutes", help="How long, compiling not counted.")] = 60.0,
    workers: Annotated[int, typer.Option("--workers", help="Processes; 0 for one a core.")] = 0,
    only: Annotated[
        str | None, typer.Option("--only", help="Some of games,learners,turns,training,evaluation; all of them.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of what is drawn; moments differ all the same.")] = 0,
    out: Annotated[Path, typer.Option("--out", help="Folder of the log.")] = Path("results/soak"),
) -> None:
    """Play everything at full load for a time; exit 1 where something fails, or memory, files or threads grow."""
    from ..locks import locked
    from ..soak.run import KINDS, LOG, Soak

    kinds = KINDS if only is None else tuple(only.split(","))
    soaked = Soak(out, minutes, use_threads(workers), check_seed(seed), kinds)
    goes_on(lambda: f"what was told so far is in {out / LOG}")
    with locked(out), progress_bar(TextColumn("{task.fields[told]}")) as bar:
        task = bar.add_task("first rounds, which may compile for some minutes", total=soaked.seconds, report="")

        def watch(seconds: float, report: SoakReport) -> None:
            used = sum(samples[-1].memory for samples in report.used.values())
            words = f"{len(report.rounds):,} rounds, {used:,.0f} MiB, {len(report.errors)} errors"
            bar.update(task, completed=seconds, description="soaking", report=words)

        report = soaked.run(watch)
    console.print(_loads_table(report))
    console.print(_usage_table(report))
    console.print(f"wrote {out / LOG}", soft_wrap=True)
    complaints = report.complaints()
    for words in complaints[:MOST_TOLD]:
        errors.print(f"riverbed: {words}", style="red", markup=False, highlight=False, soft_wrap=True)
    if complaints:
        sys.exit(1)


def _loads_table(report: SoakReport) -> Table:
    """A row for each kind of load: what was played, and how fast in each part of the time."""
    table = Table(
        title=f"what was played; decisions/s (games/s of evaluations), in {PARTS} parts of the time", box=box.SIMPLE
    )
    for name in ("load", "rounds", "games", "decisions", "errors", "a second, from the first part to the last"):
        table.add_column(name, justify="left" if name == "load" else "right")
    last = max((row["at"] for row in report.rounds), default=0.0)
    first = min((row["at"] for row in report.rounds), default=0.0)
    for kind in dict.fromkeys(row["kind"] for row in [*report.rounds, *report.errors]):
        rows = [row for row in report.rounds if row["kind"] == kind]
        counted = "decisions" if any(row["decisions"] for row in rows) else "games"
        speeds = []
        for part in range(PARTS):
            low, high = (first + (last - first) * each / PARTS for each in (part, part + 1))
            mine = [row for row in rows if low <= row["at"] < high or (part == PARTS - 1 and row["at"] == last)]
            seconds = sum(row["seconds"] for row in mine)
            speeds.append(f"{sum(row[counted] for row in mine) / seconds:,.0f}" if seconds else "–")
        failed = sum(row["kind"] == kind for row in report.errors)
        games, decisions = (sum(row[name] for row in rows) for name in ("games", "decisions"))
        table.add_row(kind, f"{len(rows):,}", f"{games:,}", f"{decisions:,}", str(failed), "  ".join(speeds))
    return table


def _usage_table(report: SoakReport) -> Table:
    """A row for each process: what it used after the warm-up, early and late."""
    from ..soak.usage import COUNT_BOUND, MEMORY_BOUND

    bounds = f"at most {MEMORY_BOUND:.0f} MiB and {COUNT_BOUND} files or threads more"
    table = Table(title=f"what each process used after the warm-up: {bounds}", box=box.SIMPLE)
    for name in ("process", "moments", "memory, MiB", "MiB an hour", "open files", "threads", ""):
        table.add_column(name, justify="right")
    for worker, found in report.growths().items():
        early, late = found.memory
        table.add_row(
            str(worker), str(found.samples), f"{early:.1f} to {late:.1f}", f"{found.memory_an_hour:+.1f}",
            f"{found.files[0]:.0f} to {found.files[1]:.0f}", f"{found.threads[0]:.0f} to {found.threads[1]:.0f}",
            "grew" if found.complaints else "flat",
        )  # fmt: skip
    return table
