"""Figures with a row per agent in groups: bars or points, each with its interval and its number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..evaluation.results import Base, LengthRow, LineupRow, Report, ScoreRow, SwapRow
from ..playing.plan import Setup
from .canvas import FAINT, INK, QUIET, agent_colours, camp_colour, new_figure, short_names
from .model import signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NO_BREAK = "\N{NO-BREAK SPACE}"
ROW, GAP = 0.2, 1.6  # inches of a row; rows from the last of a group to the heading of the next
MARGIN = 0.45  # inches, for the axis below
ROOM = 0.32  # of what is shown: the axis is longer by this much, for the numbers at its end


@dataclass(frozen=True)
class Row:
    """A value with its interval, named at the left and with words at the right."""

    name: str
    value: float
    low: float
    high: float
    words: str
    colour: str


@dataclass(frozen=True)
class Group:
    """Rows under a coloured heading; `levels` are values that lines mark across them, with words at the right."""

    heading: str
    colour: str
    rows: Sequence[Row]
    levels: Sequence[float] = ()
    words: str = ""


def draw_win_rates(report: Report, setup: Setup | int) -> Figure:
    """A bar for each agent in each camp that plays; lines mark the camp's base rates."""
    setup = Setup(setup) if isinstance(setup, int) else setup
    rows = [row for row in report.mirror if row.setup == setup]
    short = short_names(report.names)
    camps = [camp for camp in report.about.camps if any(_played(row, camp) for row in rows)]
    groups = [
        Group(
            camp, camp_colour(camp, report.about.camps),
            [_rate_row(row, camp, short, camp_colour(camp, report.about.camps)) for row in rows if _played(row, camp)],
            *_levels(report.base(setup, camp)),
        )
        for camp in camps
    ]  # fmt: skip
    return _draw(groups, "games won, % (line: 95 % interval)", bars=True)


def _played(row: LineupRow, camp: str) -> bool:
    return camp in row.wins and row.wins[camp].games > 0


def _rate_row(row: LineupRow, camp: str, short: dict[str, str], colour: str) -> Row:
    rate = row.wins[camp]
    low, value, high = 100 * rate.low, 100 * rate.value, 100 * rate.high
    return Row(short[row.agent], value, low, high, f"{value:.1f}", colour)


def _levels(base: Base | None) -> tuple[Sequence[float], str]:
    """The base rates: random in all seats first, then the best rules."""
    if base is None or not base.random.games or not base.rule_based.games:
        return (), ""
    random, rules = 100 * base.random.value, 100 * base.rule_based.value
    return (random, rules), f"··· random {random:.0f}   – – rules {rules:.0f}"


def draw_gains(report: Report, setup: Setup) -> Figure:
    """A point for each agent that takes a seat among the reference, in a group for each role."""
    rows = [row for row in report.deviations if row.setup == setup and row.replaced == report.about.reference]
    short = short_names(report.names)
    roles = list(dict.fromkeys(row.role for row in rows if row.gain.games))
    colours = {row.role: camp_colour(row.camp, report.about.camps) for row in rows}
    groups = [
        Group(role, colours[role], [_gain_row(row, short, colours[role]) for row in rows if row.role == role])
        for role in roles
    ]
    return _draw(groups, "gain in points (line: 95 % interval)")


def _gain_row(row: SwapRow, short: dict[str, str], colour: str) -> Row:
    gain = row.gain
    low, value, high = 100 * gain.low, 100 * gain.value, 100 * gain.high
    return Row(short[row.agent], value, low, high, signed(value, 1), colour)


def draw_ratings(report: Report) -> Figure:
    """A point for each agent in each camp; the reference is the line at 0."""
    strengths = () if report.ratings is None else report.ratings.strengths
    short = short_names(report.names)
    groups = []
    for camp in report.about.camps:
        colour = camp_colour(camp, report.about.camps)
        rows = [
            Row(
                short[each.agent], each.value, each.low, each.high,
                "reference" if each.low == each.high else signed(each.value, 2), colour,
            )
            for each in strengths if each.camp == camp
        ]  # fmt: skip
        groups += [Group(camp, colour, rows)] if rows else []
    return _draw(groups, "strength, log odds (line: 95 % interval)")


def draw_lengths(report: Report) -> Figure:
    """A point at the median decisions of a game, with a line from the 5th to the 95th percentile."""
    return _draw_spread(
        report.lengths, "decisions per game: median, 5 to 95 %", lambda row: (row.p5, row.median, row.p95)
    )


def draw_scores(report: Report) -> Figure:
    """A point at the median score, with a line from the 5th to the 95th percentile."""
    return _draw_spread(
        report.scores, "score: median, 5 to 95 %", lambda row: (row.scores.p5, row.scores.median, row.scores.p95)
    )


def _draw_spread(rows: Sequence[Any], label: str, ends: Any) -> Figure:
    """Percentiles by lineup, in a group for each setup."""
    lineups = list(dict.fromkeys(row.lineup for row in rows))
    short, colours = short_names(lineups), agent_colours(lineups)
    groups = []
    for setup in dict.fromkeys(row.setup for row in rows):
        mine: Iterable[LengthRow | ScoreRow] = (row for row in rows if row.setup == setup)
        made = [(row.lineup, *ends(row)) for row in mine]
        groups.append(
            Group(
                str(setup), QUIET,
                [Row(short[name], mid, low, high, f"{mid:.0f}", colours[name]) for name, low, mid, high in made],
            )
        )  # fmt: skip
    return _draw(groups, label)


def _draw(groups: Sequence[Group], label: str, bars: bool = False) -> Figure:
    rows = [row for group in groups for row in group.rows]
    figure = new_figure(MARGIN + ROW * (len(rows) + GAP * len(groups)))
    axis = figure.add_subplot()
    if not bars:
        axis.axvline(0, color=FAINT, linewidth=1, zorder=0)
    names, places, head = [], [], 0.0
    for group in groups:
        _write(axis, 0.0, head, group.heading, color=group.colour, fontweight="bold", fontsize=9)
        for place, row in enumerate(group.rows, 1):
            (_draw_bar if bars else _draw_point)(axis, head + place, row)
            names.append(row.name)
            places.append(head + place)
        _draw_levels(axis, group, head)
        head += len(group.rows) + GAP
    _set_span(axis, groups, bars)
    axis.set_yticks(places, names)
    axis.set_ylim(max(places) + 0.8, -0.7)
    axis.spines["left"].set_visible(False)
    axis.grid(axis="x", color=FAINT, linewidth=0.5)
    axis.set_axisbelow(True)
    axis.set_xlabel(label)
    return figure


def _set_span(axis: Axes, groups: Sequence[Group], bars: bool) -> None:
    rows = [row for group in groups for row in group.rows]
    high = max([0.0, *(row.high for row in rows), *(level for group in groups for level in group.levels)])
    low = 0.0 if bars else min(0.0, *(row.low for row in rows))
    room = max(high - low, 0.1)
    axis.set_xlim(low - (0 if bars else 0.05 * room), high + (0.18 if bars else ROOM) * room)


def _draw_bar(axis: Axes, place: float, row: Row) -> None:
    axis.barh(place, row.value, height=0.72, color=row.colour, alpha=0.75, linewidth=0)
    axis.plot([row.low, row.high], [place, place], color=INK, linewidth=1.1, solid_capstyle="butt")
    _write(axis, 1.0, place, row.words, ha="right", fontweight="bold", fontsize=7.5, color=INK)


def _draw_point(axis: Axes, place: float, row: Row) -> None:
    axis.plot([row.low, row.high], [place, place], color=row.colour, linewidth=2.2, alpha=0.55, solid_capstyle="round")
    axis.plot(
        row.value, place, marker="o", color=row.colour, markersize=5, markeredgecolor="white", markeredgewidth=0.6
    )
    _write(axis, 1.0, place, row.words, ha="right", fontsize=7.5, color=INK if row.low < row.high else QUIET)


def _draw_levels(axis: Axes, group: Group, head: float) -> None:
    """Lines across the rows of a group, and their words at the right of its heading."""
    dotted, dashed = (0, (1, 1.2)), (0, (4, 1.5))
    looks: tuple[dict[str, Any], ...] = ({"color": QUIET, "linestyle": dotted}, {"color": INK, "linestyle": dashed})
    for level, look in zip(group.levels, looks):
        axis.plot([level] * 2, [head + 0.45, head + len(group.rows) + 0.45], linewidth=1.1, **look)
    words = group.words.replace(" ", NO_BREAK)  # SVG runs plain spaces together
    _write(axis, 1.0, head, words, ha="right", color=QUIET, fontsize=7)


def _write(axis: Axes, across: float, place: float, words: str, **look: Any) -> None:
    axis.text(across, place, words, transform=axis.get_yaxis_transform(), va="center", **look)
