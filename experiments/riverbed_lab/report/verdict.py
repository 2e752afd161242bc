"""The verdict of a report: who is better than whom, by how much, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..evaluation.results import LearningRow, Report, ScoreRow, SwapRow
from ..playing.plan import Setup
from ..statistics import WORTH_RESOLVING, Difference, deals_needed, detectable


def verdict(report: Report) -> list[str]:
    """Sentences that say what was found: learners first, then each agent against the reference, setup by setup."""
    found = [_of_learner(row) for row in report.learning if row.wins is not None]
    swaps = report.deviations or report.held_out
    found += [_of_swaps(rows) for rows in _by_agent(swaps, report.about.reference)]
    found += [_of_scores(rows) for rows in _mirror_scores(report.scores)]
    if not found:
        found = ["No agent took another's seat, so these games don't say who is stronger: choose the table deviation."]
    return found


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


def _of_learner(row: LearningRow) -> str:
    seat = f"{_players(row.players)}: {row.agent} wins {_percent(row)} % as {row.role} among {row.opponents}"
    return f"{seat}: {_against({other.agent: other.gain for other in row.others})}."


def _percent(row: LearningRow) -> str:
    return "–" if row.wins is None else f"{100 * row.wins.value:.1f}"


def _players(counts: Sequence[int]) -> str:
    return str(Setup(counts[0])) if len(counts) == 1 else f"{', '.join(map(str, counts))} players"


def _of_swaps(rows: list[SwapRow]) -> str:
    """The gains of one agent over the reference in one setup, role by role."""
    first = rows[0]
    who = f"{first.setup}: {first.agent}"
    if len(rows) == 1:
        won = f"{who} wins {100 * first.wins.value:.1f} % as {first.role}{_among(first)}"
        return f"{won}: {_against({first.replaced: first.gain})}."
    return f"{who} in one seat{_among(first)}, against {first.replaced} there: {_by_role(rows)}."


def _among(row: SwapRow) -> str:
    return f" among {row.among}" if row.setup.num_players > 1 else ""


def _against(gains: Mapping[str, Difference]) -> str:
    """The gains over several others: points above, points below, and those without a clear difference."""
    above = [f"{_size(gain)} above {name} {_range(gain)}" for name, gain in gains.items() if gain.low > 0]
    below = [f"{_size(gain)} below {name} {_range(gain)}" for name, gain in gains.items() if gain.high < 0]
    alike = [name for name, gain in gains.items() if not gain.clear]
    parts = [*above, *below]
    if parts:
        parts[0] = parts[0].replace(" above", " points above", 1).replace(" below", " points below", 1)
    together = [", ".join(parts)] if parts else []
    return "; ".join([*together, *([f"not told apart from {' and '.join(alike)}"] if alike else [])])


def _by_role(rows: list[SwapRow]) -> str:
    better = [f"{row.role} {_size(row.gain)} {_range(row.gain)}" for row in rows if row.gain.low > 0]
    worse = [f"{row.role} {_size(row.gain)} {_range(row.gain)}" for row in rows if row.gain.high < 0]
    alike = [row.role for row in rows if row.gain.games and not row.gain.clear]
    parts = [
        f"{words} {', '.join(roles)}"
        for words, roles in (("points gained as", better), ("points lost as", worse), ("not told apart as", alike))
        if roles
    ]
    return "; ".join(parts)


def _size(gain: Difference) -> str:
    return f"{abs(100 * gain.value):.1f}"


def _range(gain: Difference) -> str:
    """The interval of a clear difference, without signs."""
    low, high = sorted((abs(100 * gain.low), abs(100 * gain.high)))
    return f"({low:.1f} to {high:.1f})"


def _by_agent(rows: Iterable[SwapRow], reference: str) -> list[list[SwapRow]]:
    """The rows in which an agent replaces the reference, by setup and agent."""
    found: dict[tuple[Setup, str], list[SwapRow]] = {}
    for row in rows:
        if row.replaced == reference and row.gain.games:
            found.setdefault((row.setup, row.agent), []).append(row)
    return list(found.values())


def _mirror_scores(rows: Iterable[ScoreRow]) -> list[list[ScoreRow]]:
    """The scores of lineups of one agent, by setup."""
    found: dict[Setup, list[ScoreRow]] = {}
    for row in rows:
        if row.lineup.startswith("all "):
            found.setdefault(row.setup, []).append(row)
    return list(found.values())


def _of_scores(rows: list[ScoreRow]) -> str:
    means = [
        f"{row.lineup} {row.scores.mean:.1f} ({row.scores.low:.1f} to {row.scores.high:.1f})"
        for row in sorted(rows, key=lambda row: -row.scores.mean)
    ]
    return f"{rows[0].setup}: mean score of {', '.join(means)}."
