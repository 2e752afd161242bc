"""Measures rows in turn, round by round, and prints the medians."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from riverbed_env.core.files import write_json

from ..files import code_version
from .rows import Measurement, Row


@dataclass(frozen=True)
class Result:
    """The rounds of one row; `load` is the machine's load average over a minute before each."""

    row: Row
    rounds: list[Measurement] = field(default_factory=list)
    load: list[float] = field(default_factory=list)

    @property
    def decisions_per_second(self) -> float:
        """The median of the rounds."""
        return statistics.median(measured.decisions_per_second for measured in self.rounds)

    @property
    def games_per_second(self) -> float:
        """The median of the rounds."""
        return statistics.median(measured.games_per_second for measured in self.rounds)


def measure_all(rows: Sequence[Row], seconds: float, rounds: int, bar: Progress) -> list[Result]:
    """Measure the installed rows in turn, round by round, so that the machine's load is alike for all."""
    results = [Result(row) for row in rows if row.installed]
    task = bar.add_task("measuring", total=rounds * len(results))
    for number in range(rounds):
        for result in results:
            bar.update(task, description=result.row.name)
            result.load.append(os.getloadavg()[0])
            result.rounds.append(result.row.measure(seconds, seed=number))
            bar.advance(task)
    return results


def print_report(results: Sequence[Result], console: Console, ratios: Sequence[str] = ()) -> None:
    """Print the table, the lines of ratios and the machine's load."""
    table = Table(title="Random legal play unless said otherwise; medians of the rounds", box=box.SIMPLE_HEAD)
    table.add_column("what", no_wrap=True)
    table.add_column("how")
    for column in ("decisions/s", "games/s"):
        table.add_column(column, justify="right")
    for result in results:
        table.add_row(
            result.row.name, result.row.call, f"{result.decisions_per_second:,.0f}", f"{result.games_per_second:,.0f}"
        )
    console.print(table)
    for line in ratios:
        console.print(line)
    loads = [load for result in results for load in result.load]
    console.print(f"load average over a minute: {min(loads):.2f} to {max(loads):.2f}; {os.cpu_count()} cores")


def write_report(results: Sequence[Result], out: Path, ratios: Sequence[str] = ()) -> Path:
    """Write the rows and ratios as JSON; returns the file."""
    path = out / "speed.json"
    write_json(
        path,
        {
            "code": code_version(),
            "rows": [
                {
                    "name": result.row.name,
                    "call": result.row.call,
                    "decisions_per_second": [each.decisions_per_second for each in result.rounds],
                    "games_per_second": [each.games_per_second for each in result.rounds],
                    "load": result.load,
                }
                for result in results
            ],
            "ratios": list(ratios),
        },
    )
    return path
