"""`make soak`: plays everything at full load for a time.

    python tests/tools/soak/run.py --minutes 60 --workers 2

The exit code is 1 if something fails, or memory, open files or threads grow.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))  # helpers are imported by their folder, as in pytest
sys.path.insert(0, str(Path(__file__).parents[1]))

from rich import box
from rich.progress import TextColumn
from rich.table import Table
from soak.processes import KINDS, LOG, Soak, SoakReport
from soak.usage import COUNT_BOUND, MEMORY_BOUND

from riverbed_env.kernels.random import check_seed
from riverbed_lab.cli.console import console, errors, plainly, progress_bar, use_threads
from riverbed_lab.cli.signals import goes_on
from riverbed_lab.locks import locked

PARTS = 6  # of the time, whose speeds are shown side by side
MOST_SHOWN = 10  # complaints


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="how long, without compiling (default: 60)")
    parser.add_argument("--workers", type=int, default=0, help="processes; 0 is one per core (default: 0)")
    parser.add_argument("--only", default=",".join(KINDS), help="which loads (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the random draws (default: 0)")
    parser.add_argument("--out", type=Path, default=Path("results/soak"), help="folder of the log")
    return parser.parse_args(words)


def main() -> None:
    """Soak and print what was played, what was used and what is wrong."""
    chosen = options()
    kinds = tuple(chosen.only.split(","))
    soak = Soak(chosen.out, chosen.minutes, use_threads(chosen.workers), check_seed(chosen.seed), kinds)
    log = chosen.out / LOG
    goes_on(lambda: f"the log so far is in {log}")
    with locked(chosen.out), progress_bar(TextColumn("{task.fields[report]}")) as bar:
        task = bar.add_task("first rounds, which may compile for some minutes", total=soak.seconds, report="")

        def watch(seconds: float, report: SoakReport) -> None:
            used = sum(samples[-1].memory for samples in report.used.values())
            words = f"{len(report.rounds):,} rounds, {used:,.0f} MiB, {len(report.errors)} errors"
            bar.update(task, completed=seconds, description="soaking", report=words)

        report = soak.run(watch)
    console.print(loads_table(report))
    console.print(usage_table(report))
    console.print(f"wrote {log}", soft_wrap=True)
    complaints = report.complaints()
    for words in complaints[:MOST_SHOWN]:
        errors.print(words, style="red", markup=False, highlight=False, soft_wrap=True)
    if complaints:
        sys.exit(1)


def loads_table(report: SoakReport) -> Table:
    """A row for each kind of load: what was played, and how fast in each part of the time."""
    title = f"what was played; decisions/s (evaluation: games/s) in {PARTS} parts of the time"
    table = Table(title=title, box=box.SIMPLE)
    for name in ("load", "rounds", "games", "decisions", "errors", "per second, from the first part to the last"):
        table.add_column(name, justify="left" if name == "load" else "right")
    for kind in dict.fromkeys(row["kind"] for row in [*report.rounds, *report.errors]):
        rows = [row for row in report.rounds if row["kind"] == kind]
        failed = sum(row["kind"] == kind for row in report.errors)
        games, decisions = (sum(row[name] for row in rows) for name in ("games", "decisions"))
        speeds = _speeds(rows, [row["at"] for row in report.rounds])
        table.add_row(kind, f"{len(rows):,}", f"{games:,}", f"{decisions:,}", str(failed), "  ".join(speeds))
    return table


def _speeds(rows: Sequence[dict[str, Any]], times: Sequence[float]) -> list[str]:
    """The speed of a load's rounds in each part of the time between the first and last of `times`."""
    counted = "decisions" if any(row["decisions"] for row in rows) else "games"
    first, last = min(times, default=0.0), max(times, default=0.0)
    speeds = []
    for part in range(PARTS):
        low, high = (first + (last - first) * each / PARTS for each in (part, part + 1))
        mine = [row for row in rows if low <= row["at"] < high or (part == PARTS - 1 and row["at"] == last)]
        seconds = sum(row["seconds"] for row in mine)
        speeds.append(f"{sum(row[counted] for row in mine) / seconds:,.0f}" if seconds else "–")
    return speeds


def usage_table(report: SoakReport) -> Table:
    """A row for each process: its usage after the warm-up, early and late."""
    bounds = f"allowed: {MEMORY_BOUND:.0f} MiB and {COUNT_BOUND} files or threads more"
    table = Table(title=f"usage of each process after the warm-up; {bounds}", box=box.SIMPLE)
    for name in ("process", "samples", "memory, MiB", "MiB an hour", "open files", "threads", ""):
        table.add_column(name, justify="right")
    for worker, growth in report.growths().items():
        early, late = growth.memory
        table.add_row(
            str(worker), str(growth.samples), f"{early:.1f} to {late:.1f}", f"{growth.memory_an_hour:+.1f}",
            f"{growth.files[0]:.0f} to {growth.files[1]:.0f}", f"{growth.threads[0]:.0f} to {growth.threads[1]:.0f}",
            "grew" if growth.complaints else "flat",
        )  # fmt: skip
    return table


if __name__ == "__main__":
    plainly(main)
