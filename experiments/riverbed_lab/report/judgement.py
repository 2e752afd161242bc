"""What the judge found, as sections of tables for terminals and pages."""

from __future__ import annotations

from collections.abc import Sequence

from ..judging.results import ALL, GROUPS, WITHIN, JudgedRow
from ..statistics import Mean
from .model import NOTHING, Entries, Entry, Grid, Mark, Section, grid, points

WORDS = (
    "What the choices of an agent's seats were worth beside what the reference would have done, in points (hundredths "
    "of a win) a game, with 95 % intervals. Winners are those of the same games, less those of the same deals with the "
    "reference in all open seats."
)


def judgement(rows: Sequence[JudgedRow]) -> Section:
    """The tables: one for each setup and group of seats."""
    return Section("judged", "what choices were worth", WORDS, (), tuple(_grids(rows)))


def _grids(rows: Sequence[JudgedRow]) -> list[Grid]:
    grids = []
    for setup in dict.fromkeys(row.setup for row in rows):
        for group in GROUPS:
            mine = [row for row in rows if (row.setup, row.group) == (setup, group)]
            if mine:
                title = f"{setup}, {group}" if group == ALL else f"{setup}, by {group}"
                grids.append(grid(title, map(_line, mine)))
    return grids


def _line(row: JudgedRow) -> Entries:
    return {
        "agent": row.agent,
        **({} if row.group == ALL else {row.group: row.name}),
        "games": f"{row.games:,}",
        "choices": f"{row.choices:,}",
        "gain": mean_points(row.gain),
        "winners": mean_points(row.winners),
        f"games for ±{100 * WITHIN:g}": _needed(row.needed, row.games),
        "by winners": _needed(row.needed_by_winners, row.games),
    }


def _needed(games: int | None, there: int) -> Entry:
    """How many games an interval takes, and how many of them are still to be played."""
    if games is None:
        return Entry(NOTHING)
    return Entry(f"{games:,}", f"{games - there:,} more" if games > there else "enough")


def mean_points(mean: Mean | None) -> Entry:
    """A mean of shares of a win in points, marked if its interval leaves out 0."""
    if mean is None or mean.count == 0:
        return Entry(NOTHING)
    mark: Mark = "above" if mean.low > 0 else "below" if mean.high < 0 else ""
    small = "" if mean.blocks < 2 else f"{points(mean.low)} to {points(mean.high)}"
    return Entry(points(mean.value), small, mark)
