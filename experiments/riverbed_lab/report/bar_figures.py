"""Figures with a row an agent, in a group for each camp: win rates as bars, strengths as points with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..evaluation.ratings import Ratings, Strength
from ..evaluation.results import Base, MirrorRow, Report
from ..statistics import Rate
from .canvas import FAINT, INK, QUIET, camp_colour, new_figure, short_names
from .cells import signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NO_BREAK = "\N{NO-BREAK SPACE}"
ROW = 0.2  # inches
MARGIN = 0.45  # inches, for the axis below
ROOM = 1.18  # the axis is so much longer than what it shows, for the numbers at its end
WORD_ROOM = 0.36  # of what is shown: for "reference" at the end of the axis, which is often the rightmost point's row


def draw_win_rates(report: Report, num_players: int) -> Figure:
    """A bar for each agent in each camp that plays at this player count; lines mark the base rates of the camp."""
    rows = [row for row in report.mirror if row.num_players == num_players]
    camps = [camp for camp in report.header.camps if any(_played(row, camp) for row in rows)]
    figure = new_figure(MARGIN + ROW * len(camps) * (len(rows) + 1.6))
    axis = figure.add_subplot()
    short = short_names(report.names)
    names, places, ends = [], [], [0.01]
    head = 0.0
    for camp in camps:
        found = {row.agent: row.wins[camp] for row in rows if _played(row, camp)}
        _name_camp(axis, head, camp, report)
        for place, (agent, each) in enumerate(found.items(), 1):
            _draw_bar(axis, head + place, each, camp_colour(camp, report.header.camps))
            names.append(short[agent])
            places.append(head + place)
            ends.append(each.high)
        base = report.base(num_players, camp)
        if base is not None and base.random.games and base.rule_based.games:
            _draw_base(axis, base, head, head + len(found))
            ends += [base.random.value, base.rule_based.value]
        head += len(found) + 1.6
    axis.set_xlim(0, ROOM * 100 * max(ends))
    _finish(axis, names, places, "games won, % (line: 95 % interval)")
    return figure


def _name_camp(axis: Axes, place: float, camp: str, report: Report) -> None:
    axis.text(
        0.0, place, camp, transform=axis.get_yaxis_transform(), va="center",
        color=camp_colour(camp, report.header.camps), fontweight="bold", fontsize=9,
    )  # fmt: skip


def _note(axis: Axes, place: float, words: str, **look: Any) -> None:
    """Words at the right end of a row, clear of what is drawn."""
    look = {"fontsize": 7.5, "color": INK, **look}
    axis.text(1.0, place, words, transform=axis.get_yaxis_transform(), ha="right", va="center", **look)


def _played(row: MirrorRow, camp: str) -> bool:
    return camp in row.wins and row.wins[camp].games > 0


def _draw_bar(axis: Axes, place: float, found: Rate, colour: str) -> None:
    axis.barh(place, 100 * found.value, height=0.72, color=colour, alpha=0.75, linewidth=0)
    axis.plot([100 * found.low, 100 * found.high], [place, place], color=INK, linewidth=1.1, solid_capstyle="butt")
    _note(axis, place, f"{100 * found.value:.1f}", fontweight="bold")


def _draw_base(axis: Axes, base: Base, head: float, last: float) -> None:
    """The two base rates as lines across the camp's bars, and what they are at the right of its heading."""
    across = [head + 0.45, last + 0.45]
    axis.plot([100 * base.random.value] * 2, across, color=QUIET, linewidth=1.3, linestyle=(0, (1, 1.2)))
    axis.plot([100 * base.rule_based.value] * 2, across, color=INK, linewidth=1.0, linestyle=(0, (4, 1.5)))
    random, best = 100 * base.random.value, 100 * base.rule_based.value
    words = f"··· random {random:.0f}   – – rule-based {best:.0f}"
    _note(axis, head, words.replace(" ", NO_BREAK), color=QUIET, fontsize=7)  # SVG runs plain spaces together


def draw_ratings(report: Report, ratings: Ratings) -> Figure:
    """A point with its interval for each agent in each camp; the reference is the line at 0."""
    camps = [camp for camp in report.header.camps if any(found.camp == camp for found in ratings.strengths)]
    figure = new_figure(MARGIN + ROW * (len(ratings.strengths) + 1.6 * len(camps)))
    axis = figure.add_subplot()
    low = min(found.low for found in ratings.strengths)
    high = max(found.high for found in ratings.strengths)
    room = max(high - low, 0.1)
    axis.axvline(0, color=FAINT, linewidth=1, zorder=0)
    short = short_names(report.names)
    names, places, top = [], [], 0.0
    for camp in camps:
        _name_camp(axis, top, camp, report)
        for found in (found for found in ratings.strengths if found.camp == camp):
            top += 1
            _draw_strength(axis, top, found, camp_colour(camp, report.header.camps))
            names.append(short[found.agent])
            places.append(top)
        top += 1.6
    axis.set_xlim(low - 0.05 * room, high + WORD_ROOM * room)
    _finish(axis, names, places, "strength, log odds (line: 95 % interval)")
    return figure


def _draw_strength(axis: Axes, place: float, found: Strength, colour: str) -> None:
    axis.plot([found.low, found.high], [place, place], color=colour, linewidth=2.2, alpha=0.55, solid_capstyle="round")
    axis.plot(found.value, place, marker="o", color=colour, markersize=5, markeredgecolor="white", markeredgewidth=0.6)
    fixed = found.low == found.high
    _note(axis, place, "reference" if fixed else signed(found.value, 2), color=QUIET if fixed else INK)


def _finish(axis: Axes, names: Sequence[str], places: Sequence[float], label: str) -> None:
    axis.set_yticks(places, names)
    axis.set_ylim(max(places) + 0.8, -0.7)
    axis.spines["left"].set_visible(False)
    axis.grid(axis="x", color=FAINT, linewidth=0.5)
    axis.set_axisbelow(True)
    axis.set_xlabel(label)
