"""Figures with a row per agent in groups: a point with its interval and its number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..evaluation.results import LineupRow, Report, SpreadRow
from ..playing.plan import Setup
from ..statistics import Spread
from .canvas import FAINT, INK, QUIET, camp_colour, new_figure, short_names
from .model import signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NO_BREAK = "\N{NO-BREAK SPACE}"
ROW, GAP = 0.2, 1.6  # inches of a row; rows from the last of a group to the heading of the next
MARGIN = 0.45  # inches, for the axis below
ROOM = 0.32  # of what is shown: the axis is longer by this much, for the numbers at its end
DOTTED, DASHED = (0, (1, 1.2)), (0, (4, 1.5))


class Row(NamedTuple):
    """A value with its interval, named at the left and with words at the right."""

    name: str
    low: float
    value: float
    high: float
    words: str


class Group(NamedTuple):
    """Rows under a heading with words beside it; a dotted and a dashed line mark the `levels`."""

    heading: str
    colour: str
    rows: Sequence[Row]
    levels: Sequence[float] = ()
    words: str = ""


def draw_win_rates(report: Report, setup: Setup) -> Figure:
    """Each agent's win rate in each camp that plays; lines mark the camp's base rates."""
    rows = [row for row in report.mirror if row.setup == setup]
    return _draw([*_camp_groups(report, setup, rows)], "games won, % (line: 95 % interval)")


def _camp_groups(report: Report, setup: Setup, rows: Sequence[LineupRow]) -> Iterable[Group]:
    short = short_names(report.names)
    for camp in report.about.camps:
        played = [(short[row.agent], row.wins[camp]) for row in rows if row.has(camp)]
        base = report.base(setup, camp)
        levels = [] if base is None else [100 * each.value for each in (base.random, base.rule_based) if each.games]
        words = "··· random {:.0f}   – – rules {:.0f}".format(*levels) if len(levels) > 1 else ""
        made = [_row(name, rate, 100, f"{100 * rate.value:.1f}") for name, rate in played]
        if made:
            yield Group(camp, camp_colour(camp, report.about.camps), made, levels if words else (), words)


def _row(name: str, interval: Any, scale: float, words: str) -> Row:
    return Row(name, scale * interval.low, scale * interval.value, scale * interval.high, words)


def draw_gains(report: Report, setup: Setup) -> Figure:
    """The gain of each agent that takes a seat among the reference, in a group for each role."""
    short = short_names(report.names)
    groups: dict[str, Group] = {}
    for row in report.gains_over_reference(setup):
        group = groups.setdefault(row.role, Group(row.role, camp_colour(row.camp, report.about.camps), []))
        points = signed(100 * row.gain.value, 1)
        groups[row.role] = group._replace(rows=[*group.rows, _row(short[row.agent], row.gain, 100, points)])
    return _draw([*groups.values()], "gain in points (line: 95 % interval)")


def draw_ratings(report: Report) -> Figure:
    """The strength of each agent in each camp; the reference is the line at 0."""
    strengths = () if report.ratings is None else report.ratings.strengths
    short = short_names(report.names)
    groups = []
    for camp in report.about.camps:
        rows = [
            _row(short[each.agent], each, 1, "reference" if each.low == each.high else signed(each.value, 2))
            for each in strengths
            if each.camp == camp
        ]
        groups += [Group(camp, camp_colour(camp, report.about.camps), rows)] if rows else []
    return _draw(groups, "strength, log odds (line: 95 % interval)")


def draw_lengths(report: Report) -> Figure:
    """The median decisions of a game, with a line from the 5th to the 95th percentile."""
    return _draw_spreads(report.lengths, "decisions per game: median, 5 to 95 %")


def draw_scores(report: Report) -> Figure:
    """The median score, with a line from the 5th to the 95th percentile."""
    return _draw_spreads(report.scores, "score: median, 5 to 95 %")


def _draw_spreads(rows: Sequence[SpreadRow], label: str) -> Figure:
    """Percentiles by lineup, in a group for each setup."""
    short = short_names(row.lineup for row in rows)
    setups = dict.fromkeys(row.setup for row in rows)
    groups = [
        Group(str(setup), INK, [_spread(short[row.lineup], row.spread) for row in rows if row.setup == setup])
        for setup in setups
    ]
    return _draw(groups, label)


def _spread(name: str, spread: Spread) -> Row:
    return Row(name, spread.p5, spread.median, spread.p95, f"{spread.median:.0f}")


def _draw(groups: Sequence[Group], label: str) -> Figure:
    figure = new_figure(MARGIN + ROW * sum(len(group.rows) + GAP for group in groups))
    axis = figure.add_subplot()
    axis.axvline(0, color=FAINT, linewidth=1, zorder=0)
    names, head = {}, 0.0
    for group in groups:
        _write(axis, 0.0, head, group.heading, color=group.colour, fontweight="bold", fontsize=9)
        for place, row in enumerate(group.rows, 1):
            _draw_row(axis, head + place, row, group.colour)
            names[head + place] = row.name
        _draw_levels(axis, group, head)
        head += len(group.rows) + GAP
    _set_span(axis, groups)
    axis.set_yticks([*names], [*names.values()])
    axis.set_ylim(max(names) + 0.8, -0.7)
    axis.spines["left"].set_visible(False)
    axis.grid(axis="x", color=FAINT, linewidth=0.5)
    axis.set_axisbelow(True)
    axis.set_xlabel(label)
    return figure


def _set_span(axis: Axes, groups: Sequence[Group]) -> None:
    ends = [end for group in groups for row in group.rows for end in (row.low, row.high)]
    low, high = min(0.0, *ends), max(0.0, *ends, *(level for group in groups for level in group.levels))
    room = max(high - low, 0.1)
    axis.set_xlim(low - 0.05 * room, high + ROOM * room)


def _draw_row(axis: Axes, place: float, row: Row, colour: str) -> None:
    axis.plot([row.low, row.high], [place, place], color=colour, linewidth=2.2, alpha=0.55, solid_capstyle="round")
    axis.plot(row.value, place, marker="o", color=colour, markersize=5, markeredgecolor="white", markeredgewidth=0.6)
    _write(axis, 1.0, place, row.words, ha="right", fontsize=7.5, color=INK if row.low < row.high else QUIET)


def _draw_levels(axis: Axes, group: Group, head: float) -> None:
    """Lines across the rows of a group, and their words at the right of its heading."""
    looks: tuple[Mapping[str, Any], ...] = ({"color": QUIET, "linestyle": DOTTED}, {"color": INK, "linestyle": DASHED})
    for level, look in zip(group.levels, looks):
        axis.plot([level] * 2, [head + 0.45, head + len(group.rows) + 0.45], linewidth=1.1, **look)
    words = group.words.replace(" ", NO_BREAK)  # SVG runs plain spaces together
    _write(axis, 1.0, head, words, ha="right", color=QUIET, fontsize=7)


def _write(axis: Axes, across: float, place: float, words: str, **look: Any) -> None:
    axis.text(across, place, words, transform=axis.get_yaxis_transform(), va="center", **look)
