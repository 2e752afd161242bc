"""The report's figures: rows of points with intervals, and lines with bands.

A figure is as wide as a phone's screen, so that its words stay legible there; a wide page shows several side by side.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 3.5  # inches: 336 CSS pixels
NAME_LENGTH = 15  # characters of a name in a figure
KEPT = 7  # of these at either end of a longer name
ROW, GAP, MARGIN = 0.2, 1.6, 0.45  # inches of a row; rows from the last of a group to the next heading; for the axis
ROOM = 0.32  # of what is shown: the axis is longer by this much, for the numbers at its end
COLOURS = {
    "merchants": "#2a9d8f", "separatists": "#9c5c34", "profiteer": "#e0a80d", "salmon": "#e76f51", "eel": "#3a6ea5",
}  # fmt: skip
INK, QUIET, FAINT = "#222222", "#6b6b6b", "#d9d9d9"
OWN, REFERENCE = "#3a6ea5", "#8a8a8a"  # colours of lines
FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # it measures wide: what fits in it fits in the reader's font
    "font.size": 8.0,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": QUIET,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.labelsize": 7.5,
    "xtick.color": QUIET,
    "ytick.color": INK,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 8.0,
    "ytick.major.size": 0,
    "text.color": INK,
    "svg.fonttype": "none",
    "svg.hashsalt": "riverbed",  # the same results give the same file
}
NO_METADATA: dict[str, Any] = {"Creator": None, "Date": None, "Format": None, "Type": None}


class Row(NamedTuple):
    """A value with its interval, named at the left and with words at the right."""

    name: str
    value: float
    low: float
    high: float
    words: str


class Group(NamedTuple):
    """Rows under a heading."""

    heading: str
    colour: str
    rows: Sequence[Row]


class Line(NamedTuple):
    """Values with their intervals along an axis."""

    name: str
    colour: str
    across: Sequence[float]
    values: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


def style() -> AbstractContextManager[None]:
    """A context in which figures are drawn in the common style."""
    import matplotlib as mpl

    return mpl.rc_context(STYLE)  # type: ignore[arg-type]


def to_svg(figure: Figure) -> str:
    """The figure as SVG whose words are set in the reader's own font."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata=NO_METADATA)
    text = buffer.getvalue()
    return re.sub(r"'DejaVu Sans'(, [^;\"]*)?", FONTS, text[text.index("<svg") :])


def camp_colour(camp: str, camps: Sequence[str]) -> str:
    """The colour of a camp, the same in all figures."""
    return COLOURS.get(camp, list(COLOURS.values())[camps.index(camp) % len(COLOURS)])


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Names of at most 15 characters for figures: the end of a path, cut in the middle if that is longer.

    Names that would be the same end in their number instead.
    """
    shortened: dict[str, str] = {}
    for name in names:
        if name not in shortened:
            short = _cut(name)
            shortened[name] = short if short not in shortened.values() else f"{short[:KEPT]}…{len(shortened) + 1}"
    return shortened


def _cut(name: str) -> str:
    if len(name) <= NAME_LENGTH:
        return name
    path, *rest = name.split(":", 1)
    last = ":".join([path.removesuffix(".py").removesuffix(".npz").replace("/", ".").split(".")[-1], *rest])
    return last if len(last) <= NAME_LENGTH else f"{last[:KEPT]}…{last[-KEPT:]}"


def _axes(height: float) -> tuple[Figure, Axes]:
    """An empty figure of the common width and this height in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axisbelow(True)
    return figure, axes


def draw_rows(groups: Sequence[Group], label: str) -> Figure:
    """A point with its interval for each row, group by group."""
    figure, axis = _axes(MARGIN + ROW * sum(len(group.rows) + GAP for group in groups))
    axis.axvline(0, color=FAINT, linewidth=1, zorder=0)
    names, head = {}, 0.0
    words: dict[str, Any] = {"transform": axis.get_yaxis_transform(), "va": "center"}
    for group in groups:
        axis.text(0.0, head, group.heading, color=group.colour, fontweight="bold", fontsize=9, **words)
        for place, row in enumerate(group.rows, 1):
            look: dict[str, Any] = {"color": group.colour, "alpha": 0.55, "solid_capstyle": "round"}
            axis.plot([row.low, row.high], [head + place] * 2, linewidth=2.2, **look)
            axis.plot(row.value, head + place, marker="o", color=group.colour, markersize=5, markeredgecolor="white")
            axis.text(1.0, head + place, row.words, ha="right", fontsize=7.5, **words)
            names[head + place] = row.name
        head += len(group.rows) + GAP
    ends = [end for group in groups for row in group.rows for end in row[1:4]]
    low, high = min(0.0, *ends), max(0.0, *ends)
    room = max(high - low, 0.1)
    axis.set_xlim(low - 0.05 * room, high + ROOM * room)
    axis.set_yticks([*names], [*names.values()])
    axis.set_ylim(max(names) + 0.8, -0.7)
    axis.spines["left"].set_visible(False)
    axis.grid(axis="x", color=FAINT, linewidth=0.5)
    axis.set_xlabel(label)
    return figure


def draw_lines(lines: Sequence[Line], across: str, label: str, *, level: float | None = None) -> Figure:
    """Lines through values, with a band where they have intervals; `level`: a dashed line."""
    figure, axis = _axes(2.6)
    for line in lines:
        axis.fill_between(line.across, line.low, line.high, color=line.colour, alpha=0.18, linewidth=0)
        look: dict[str, Any] = {"color": line.colour, "linewidth": 1.6, "marker": "o", "markersize": 2.5}
        axis.plot(line.across, line.values, clip_on=False, label=line.name, **look)
    if level is not None:
        axis.axhline(level, color=QUIET, linestyle="--", linewidth=0.9)
    axis.grid(axis="y", color=FAINT, linewidth=0.5)
    axis.margins(x=0, y=0.08)
    axis.set_xlabel(across)
    axis.set_ylabel(label)
    figure.legend(loc="outside upper left", ncols=2, frameon=False, labelcolor="linecolor")
    return figure
