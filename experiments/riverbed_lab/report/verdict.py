"""The verdict of a report: who is better than whom, by how much, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from ..evaluation.results import Report, SpreadRow, SwapRow
from ..playing.plan import Setup
from ..statistics import WORTH_RESOLVING, Difference, deals_needed, detectable

Row = TypeVar("Row")


def verdict(report: Report) -> list[str]:
    """Sentences that say what was found: each agent against the reference, setup by setup."""
    swaps = report.deviations or report.held_out
    replacing = [row for row in swaps if row.replaced == report.about.reference and row.gain.games]
    sentences = list(map(_of_swaps, _grouped(replacing, lambda row: (row.setup, row.agent))))
    mirrors = [row for row in report.scores if row.lineup.startswith("all ")]
    sentences += map(_of_scores, _grouped(mirrors, lambda row: row.setup))
    without = "Whole camps changed hands, single seats didn't: the ratings compare agents by camp"
    if report.ratings is None:
        without = "No agent took another's seat, so these games don't say who is stronger"
    return sentences or [f"{without}; the table deviation compares them seat by seat."]


def planning_notes(swaps: Iterable[SwapRow]) -> list[str]:
    """What the gains of each setup are too few deals for; computed from the variance of the paired differences."""
    widest: dict[Setup, Difference] = {}
    for row in swaps:
        if row.gain.blocks and (row.setup not in widest or detectable(row.gain) > detectable(widest[row.setup])):
            widest[row.setup] = row.gain
    return [
        f"{setup}: gains below {detectable(gain):.1f} points can go unnoticed in {gain.blocks:,} deals; about "
        f"{deals_needed(gain, WORTH_RESOLVING):,} deals would show {WORTH_RESOLVING:g} points."
        for setup, gain in widest.items()
        if detectable(gain) > WORTH_RESOLVING
    ]


def _grouped(rows: Iterable[Row], key: Callable[[Row], Any]) -> list[list[Row]]:
    """The rows with the same key together, in order."""
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return list(groups.values())


def _of_swaps(rows: list[SwapRow]) -> str:
    """The gains of one agent over the reference in one setup, role by role."""
    first = rows[0]
    among = f" among {first.among}" if first.setup.num_players > 1 else ""
    if len(rows) == 1:
        won = f"{first.agent} wins {100 * first.wins.value:.1f} % as {first.role}{among}"
        return f"{first.setup}: {won}: {_against(first.replaced, first.gain)}."
    gains = _by_role({row.role: row.gain for row in rows})
    return f"{first.setup}: {first.agent} in one seat{among}, against {first.replaced} there: {gains}."


def _against(name: str, gain: Difference) -> str:
    """The gain over another agent."""
    if not gain.clear:
        return f"not told apart from {name}"
    return f"{_size(gain)} points {'above' if gain.value > 0 else 'below'} {name} {_range(gain)}"


def _by_role(gains: Mapping[str, Difference]) -> str:
    """The gains by role: points gained, points lost, and roles without a clear difference."""
    sized = {role: f"{role} {_size(gain)} {_range(gain)}" for role, gain in gains.items()}
    parts = {
        "points gained as": [sized[role] for role, gain in gains.items() if gain.low > 0],
        "points lost as": [sized[role] for role, gain in gains.items() if gain.high < 0],
        "not told apart as": [role for role, gain in gains.items() if not gain.clear],
    }
    return "; ".join(f"{words} {', '.join(roles)}" for words, roles in parts.items() if roles)


def _size(gain: Difference) -> str:
    return f"{abs(100 * gain.value):.1f}"


def _range(gain: Difference) -> str:
    """The interval of a clear difference, without signs."""
    low, high = sorted((abs(100 * gain.low), abs(100 * gain.high)))
    return f"({low:.1f} to {high:.1f})"


def _of_scores(rows: list[SpreadRow]) -> str:
    means = [
        f"{row.lineup} {row.spread.mean:.1f} ({row.spread.low:.1f} to {row.spread.high:.1f})"
        for row in sorted(rows, key=lambda row: -row.spread.mean)
    ]
    return f"{rows[0].setup}: mean score of {', '.join(means)}."
