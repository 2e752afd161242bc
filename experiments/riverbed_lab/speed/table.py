"""A row of the speed table is an environment and one way of driving it; rows are measured in turn, round by round."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TypeAlias

from rich import box
from rich.progress import Progress
from rich.table import Table

WARM_UP_PLAYS = 2

Play: TypeAlias = Callable[[], tuple[int, int]]  # plays for a while; returns decisions made and games completed


@dataclass(frozen=True)
class Row:
    """A row of the table.

    name: like 'river_rats_v0 batch'; call: how it is driven, like 'whole games, 1 thread'; prepare: builds the
    environment from a seed and returns a function that plays it.
    """

    name: str
    call: str
    prepare: Callable[[int], Play]

    def measure(self, seconds: float, seed: int = 0) -> tuple[float, float]:
        """Decisions and games a second, over about `seconds`. `seed` fixes the random player's draws.

        The clock starts after a warm-up and is read between plays, so the last play is finished and at least one game
        is complete.
        """
        play = self.prepare(seed)
        for _ in range(WARM_UP_PLAYS):
            play()
        decisions = games = 0
        elapsed, started = 0.0, perf_counter()
        while elapsed < seconds or games == 0:
            more_decisions, more_games = play()
            decisions += more_decisions
            games += more_games
            elapsed = perf_counter() - started
        return decisions / elapsed, games / elapsed


Speeds = Mapping[Row, tuple[float, float]]  # decisions and games a second of each row, medians of the rounds


def measure_all(rows: Sequence[Row], seconds: float, rounds: int, bar: Progress) -> Speeds:
    """All rows in turn, round by round, so that the machine load is alike for all."""
    measured: dict[Row, list[tuple[float, float]]] = {row: [] for row in rows}
    task = bar.add_task("measuring", total=rounds * len(measured))
    for number in range(rounds):
        for row, found in measured.items():
            bar.update(task, description=row.name)
            found.append(row.measure(seconds, seed=number))
            bar.advance(task)
    return {
        row: (median(each[0] for each in found), median(each[1] for each in found)) for row, found in measured.items()
    }


def table_of(speeds: Speeds) -> Table:
    """The speeds as a table for a terminal."""
    table = Table(title="Random legal play unless said otherwise; medians of the rounds", box=box.SIMPLE_HEAD)
    table.add_column("what", no_wrap=True)
    table.add_column("how")
    for column in ("decisions/s", "games/s"):
        table.add_column(column, justify="right")
    for row, (decisions, games) in speeds.items():
        table.add_row(row.name, row.call, f"{decisions:,.0f}", f"{games:,.0f}")
    return table
