"""Measures our rows and other libraries' in turn, round by round, and prints medians and ratios."""

from __future__ import annotations

import os
from collections.abc import Mapping
from statistics import median

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from .ours import HUNT
from .ours import rows as our_rows
from .peers import peers
from .rows import Row

COMPARED = ((f"{HUNT} batch", "OpenSpiel hanabi"), (f"{HUNT} env()", "PettingZoo texas_holdem_v4"))

Speeds = Mapping[Row, tuple[float, float]]  # decisions and games a second of each row, medians of the rounds


def measure_all(seconds: float, rounds: int, bar: Progress) -> Speeds:
    """All rows, ours and the installed peers' in turn, round by round, so that the machine load is alike for all."""
    threads = tuple(count for count in (1, 2) if count <= (os.cpu_count() or 1))
    measured: dict[Row, list[tuple[float, float]]] = {
        row: [] for row in (*our_rows(threads), *peers()) if row.installed
    }
    task = bar.add_task("measuring", total=rounds * len(measured))
    for number in range(rounds):
        for row, found in measured.items():
            bar.update(task, description=row.name)
            found.append(row.measure(seconds, seed=number))
            bar.advance(task)
    return {
        row: (median(each[0] for each in found), median(each[1] for each in found)) for row, found in measured.items()
    }


def print_report(speeds: Speeds, console: Console) -> None:
    """Print the table and the ratios."""
    table = Table(title="Random legal play unless said otherwise; medians of the rounds", box=box.SIMPLE_HEAD)
    table.add_column("what", no_wrap=True)
    table.add_column("how")
    for column in ("decisions/s", "games/s"):
        table.add_column(column, justify="right")
    for row, (decisions, games) in speeds.items():
        table.add_row(row.name, row.call, f"{decisions:,.0f}", f"{games:,.0f}")
    console.print(table)
    for line in ratios(speeds):
        console.print(line)


def ratios(speeds: Speeds) -> list[str]:
    """Riverbed Hunt's batch relative to OpenSpiel's hanabi, its env() to PettingZoo's texas hold'em, on one core."""
    lines = []
    for pair in COMPARED:
        ours, peer = (_fastest(speeds, name) for name in pair)
        if ours is not None and peer is not None:
            times = speeds[ours][0] / speeds[peer][0]
            lines.append(f"{ours.name}, one core: {times:.2f} times {peer.name} ({peer.call})")
    return lines


def _fastest(speeds: Speeds, name: str) -> Row | None:
    rows = [row for row in speeds if row.name == name and "2 threads" not in row.call]
    return max(rows, key=lambda row: speeds[row][0], default=None)
