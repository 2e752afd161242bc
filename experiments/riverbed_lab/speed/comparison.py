"""Measures our rows and other libraries' in turn, round by round, and prints medians and ratios."""

from __future__ import annotations

import os
import statistics
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from riverbed_env.core.files import write_json
from riverbed_env.registry import game_ids

from ..files import code_version
from .ours import HUNT
from .ours import rows as our_rows
from .peers import peers
from .rows import Measurement, Row
from .starts import Start, as_lines, measure_start

COMPARED = ((f"{HUNT} batch", "OpenSpiel hanabi"), (f"{HUNT} env()", "PettingZoo texas_holdem_v4"))


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


def measure_all(seconds: float, rounds: int, bar: Progress) -> list[Result]:
    """All rows, ours and the installed peers' in turn, round by round, so that the machine load is alike for all."""
    threads = tuple(count for count in (1, 2) if count <= (os.cpu_count() or 1))
    results = [Result(row) for row in (*our_rows(threads), *peers()) if row.installed]
    task = bar.add_task("measuring", total=rounds * len(results))
    for number in range(rounds):
        for result in results:
            bar.update(task, description=result.row.name)
            result.load.append(os.getloadavg()[0])
            result.rounds.append(result.row.measure(seconds, seed=number))
            bar.advance(task)
    return results


def measure_starts(bar: Progress) -> list[Start]:
    """How long every game takes to start."""
    return [measure_start(game_id) for game_id in bar.track(game_ids(), description="starting")]


def print_report(results: list[Result], starts: list[Start], console: Console) -> None:
    """Print the table and the ratios."""
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
    for line in (*ratios(results), *as_lines(starts)):
        console.print(line)
    loads = [load for result in results for load in result.load]
    console.print(f"load average over a minute: {min(loads):.2f} to {max(loads):.2f}; {os.cpu_count()} cores")


def ratios(results: list[Result]) -> list[str]:
    """Riverbed Hunt's batch relative to OpenSpiel's hanabi, its env() to PettingZoo's texas hold'em, on one core."""
    lines = []
    for pair in COMPARED:
        mine, theirs = (_fastest(results, name) for name in pair)
        if mine is not None and theirs is not None:
            times = mine.decisions_per_second / theirs.decisions_per_second
            lines.append(f"{mine.row.name}, one core: {times:.2f} times {theirs.row.name} ({theirs.row.call})")
    return lines


def _fastest(results: list[Result], name: str) -> Result | None:
    rows = [each for each in results if each.row.name == name and "2 threads" not in each.row.call]
    return max(rows, key=lambda each: each.decisions_per_second, default=None)


def write_report(results: list[Result], starts: list[Start], out: Path) -> Path:
    """The rows, ratios and starts as JSON."""
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
            "ratios": ratios(results),
            "starts": [asdict(each) for each in starts],
        },
    )
    return path
