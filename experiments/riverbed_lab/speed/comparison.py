"""Measures our rows and other libraries' in turn, round by round, and prints medians and ratios."""

from __future__ import annotations

import os
import statistics
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from riverbed_env.core.files import write_json

from ..files import code_version
from . import ours, peers
from .peers import Measurement

HANABI = ("OpenSpiel hanabi", "State, observation tensor")
TEXAS = ("PettingZoo texas_holdem_v4", "AEC, default wrappers")


@dataclass(frozen=True)
class Result:
    """The rounds of one row; `load` is the machine's load average over a minute before each."""

    name: str
    call: str
    rounds: list[Measurement]
    load: list[float]

    @property
    def decisions_per_second(self) -> float:
        """The median of the rounds."""
        return statistics.median(found.decisions_per_second for found in self.rounds)

    @property
    def games_per_second(self) -> float:
        """The median of the rounds."""
        return statistics.median(found.games_per_second for found in self.rounds)


def measure_all(seconds: float, rounds: int, bar: Progress) -> list[Result]:
    """All rows, ours and the peers' in turn, round by round, so that all see the same machine load."""
    threads = tuple(count for count in (1, 2) if count <= (os.cpu_count() or 1))
    mine = ours.rows(threads)
    others = [peer for peer in peers.peers() if peer.installed]
    found: dict[tuple[str, str], tuple[list[Measurement], list[float]]] = {}
    task = bar.add_task("measuring", total=rounds * (len(mine) + len(others)))
    for number in range(rounds):
        for row in mine:
            bar.update(task, description=row.name)
            _note(found, row.name, row.call, row.measure(seconds))
            bar.advance(task)
        for peer in others:
            bar.update(task, description=peer.name)
            measured = peers.measure(peer, seconds, seed=number)
            if measured is not None:
                _note(found, peer.name, peer.call, measured)
            bar.advance(task)
    return [Result(name, call, measured, load) for (name, call), (measured, load) in found.items()]


def _note(
    found: dict[tuple[str, str], tuple[list[Measurement], list[float]]], name: str, call: str, measured: Measurement
) -> None:
    rounds, load = found.setdefault((name, call), ([], []))
    rounds.append(measured)
    load.append(os.getloadavg()[0])


def print_report(results: list[Result], console: Console) -> None:
    """Print the table and the ratios."""
    table = Table(title="Random legal play unless said otherwise; medians of the rounds", box=box.SIMPLE_HEAD)
    table.add_column("what", no_wrap=True)
    table.add_column("how")
    for column in ("decisions/s", "games/s"):
        table.add_column(column, justify="right")
    for result in results:
        table.add_row(
            result.name, result.call, f"{result.decisions_per_second:,.0f}", f"{result.games_per_second:,.0f}"
        )
    console.print(table)
    for line in ratios(results):
        console.print(line)
    loads = [load for result in results for load in result.load]
    console.print(f"load average over a minute: {min(loads):.2f} to {max(loads):.2f}; {os.cpu_count()} cores")


def ratios(results: list[Result]) -> list[str]:
    """Riverbed Hunt's batch relative to OpenSpiel's hanabi, its env() to PettingZoo's texas hold'em; our batches."""
    by_key = {(result.name, result.call): result for result in results}
    lines = []
    batches = [result for result in results if result.name.endswith(" batch") and "1 thread," in result.call]
    batch = next((result for result in batches if result.name.startswith(ours.HUNT)), None)
    turns = next((result for result in results if result.name == f"{ours.HUNT} env()"), None)
    for peer in (HANABI, (HANABI[0], "State, observer in place")):
        lines += _ratio("batch, one core", batch, by_key.get(peer))
    for peer in (TEXAS, (TEXAS[0], "AEC, raw_env")):
        lines += _ratio("env()", turns, by_key.get(peer))
    for other in batches:
        if other is not batch:
            lines += _ratio(f"{other.name}, one core", other, batch)
    return lines


def _ratio(name: str, ours_: Result | None, theirs: Result | None) -> list[str]:
    if ours_ is None or theirs is None:
        return []
    times = ours_.decisions_per_second / theirs.decisions_per_second
    return [f"{name}: {times:.1f} times {theirs.name} ({theirs.call})"]


def write_report(results: list[Result], out: Path) -> Path:
    """The rows and ratios as JSON."""
    path = out / "speed.json"
    write_json(
        path,
        {
            "code": code_version(),
            "rows": [
                {
                    "name": result.name,
                    "call": result.call,
                    "decisions_per_second": [found.decisions_per_second for found in result.rounds],
                    "games_per_second": [found.games_per_second for found in result.rounds],
                    "load": result.load,
                }
                for result in results
            ],
            "ratios": ratios(results),
        },
    )
    return path
