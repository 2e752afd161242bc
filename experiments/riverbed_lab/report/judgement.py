"""What the judge found, as sections of tables for terminals and pages."""

from __future__ import annotations

from collections.abc import Sequence

from ..judging.deception import ClaimRow
from ..judging.results import ALL, GROUPS, JudgedRow
from ..statistics import Mean
from .model import NOTHING, Entries, Entry, Grid, Mark, Section, grid, points, rate_entry, signed

WORDS = (
    "What the choices of an agent's seats were worth beside what the reference would have done, in points (hundredths "
    "of a win) a game, with 95 % intervals. Winners are those of the same games, less those of the same deals with the "
    "reference in all open seats."
)
SHARED = (
    "Where several seats of a game are open, a gain is the share of the seat's own choices. “All open seats” is what "
    "the choices of all of them did for it; that is what winners estimate."
)


def judgement(rows: Sequence[JudgedRow]) -> Section:
    """The tables: one for each setup and group of seats."""
    return Section("judged", "what choices were worth", WORDS, (), tuple(_grids(rows)))


CLAIM_WORDS = (
    "Claims that are true or false: of camps, roles and tiles. A lie is a false one whose speaker knows the truth; "
    "others are errors. Moved: how far a claim moved what the others can conclude (total variation, in %, mean over "
    "listeners and the seats they don't know). Learnt: how much of their log-loss it took away, in thousandths of a "
    "nat; below 0 it misled them. Believed: false claims that misled them. Found out: false claims that the table "
    "showed to be false, and after how many turns. Listeners are ideal: they conclude what follows by the fitted model "
    "of play."
)


def claims(rows: Sequence[ClaimRow]) -> Section:
    """What claims did, by agent and role."""
    lines = [claim_line(row) for row in rows]
    return Section("claims", "what claims did", CLAIM_WORDS, (), (grid("claims", lines, below=CLAIM_WORDS),))


def claim_line(row: ClaimRow) -> Entries:
    """What an agent's claims did."""
    kinds = ("true", "false")
    return {
        "agent": row.agent,
        "as": row.role,
        "claims": f"{row.claims:,}",
        "false, %": rate_entry(row.false),
        "lies, %": rate_entry(row.lies),
        **{f"moved, {kind}": _scaled(row.moved[kind], 100, 1) for kind in kinds},
        **{f"learnt, {kind}": _scaled(row.learnt[kind], 1000, 0) for kind in kinds},
        "believed, %": rate_entry(row.believed),
        "found out, %": rate_entry(row.found),
        "turns": Entry(f"{row.turns.value:.1f}" if row.turns.count else NOTHING),
    }


def _scaled(mean: Mean, scale: int, digits: int) -> Entry:
    """A mean in other units, with its interval."""
    if mean.count == 0:
        return Entry(NOTHING)
    value, low, high = (signed(scale * each, digits) for each in (mean.value, mean.low, mean.high))
    return Entry(value, f"{low} to {high}" if mean.blocks > 1 else "")


def _grids(rows: Sequence[JudgedRow]) -> list[Grid]:
    grids = []
    for setup in dict.fromkeys(row.setup for row in rows):
        for group in GROUPS:
            mine = [row for row in rows if (row.setup, row.group) == (setup, group)]
            if mine:
                title = f"{setup}, {group}" if group == ALL else f"{setup}, by {group}"
                shared = any(row.together is not None for row in mine)
                grids.append(grid(title, [_line(row, shared) for row in mine], below=SHARED if shared else ""))
    return grids


def _line(row: JudgedRow, shared: bool) -> Entries:
    within = f"±{100 * row.within:g}"
    return {
        "agent": row.agent,
        **({} if row.group == ALL else {row.group: row.name}),
        "games": f"{row.games:,}",
        "choices": f"{row.choices:,}",
        "gain": mean_points(row.gain),
        **({"all open seats": mean_points(row.together)} if shared else {}),
        "winners": mean_points(row.winners),
        f"games for {within}": _needed(row.needed, row.games),
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
