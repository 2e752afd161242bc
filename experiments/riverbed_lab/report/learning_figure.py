"""The figure of a learning curve: wins above, the gain over the reference below, both by decisions learnt from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..evaluation.results import LearningRow
from .canvas import FAINT, INK, QUIET, new_figure, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..statistics import Difference, Rate

LEARNER = "#3a6ea5"
PARTED = 0.085  # of the axis: names at its end keep so far apart
ROOM = 0.08  # of the axis above and below what is drawn
THOUSAND, MILLION = 1_000, 1_000_000


def draw_learning(row: LearningRow) -> Figure:
    """The learner's line with its band; the others in its seat are dashed lines, named at their ends."""
    figure = new_figure(4.2)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(1.7, 1))
    unit, name = (THOUSAND, "thousands") if row.points[-1].steps < MILLION else (MILLION, "millions")
    steps = [point.steps / unit for point in row.points]
    _draw_band(above, steps, [point.won for point in row.points])
    _draw_levels(above, _levels(row), 100 * row.points[-1].won.value)
    above.set_ylabel(f"{row.role} wins, % (band: 95 %)")
    _draw_band(below, steps, [point.gain for point in row.points])
    below.axhline(0, color=INK, linestyle="--", linewidth=0.9)
    below.set_ylabel(f"over {short_names([row.reference])[row.reference]}, points")
    below.set_xlabel(f"decisions learnt from, {name}")
    for axis in (above, below):
        axis.grid(axis="y", color=FAINT, linewidth=0.5)
        axis.set_axisbelow(True)
        axis.margins(y=ROOM)
    if len(steps) > 1:
        below.set_xlim(steps[0], steps[-1])
    return figure


def _levels(row: LearningRow) -> dict[str, float]:
    """What others win in the seat, in %, by the names that the figure gives them."""
    found = {each.agent: each.wins.value for each in row.others} or {row.reference: row.reference_wins}
    short = short_names(found)
    return {short[agent]: 100 * value for agent, value in found.items()}


def _draw_band(axis: Axes, steps: Sequence[float], found: Sequence[Rate | Difference]) -> None:
    axis.fill_between(
        steps, [100 * each.low for each in found], [100 * each.high for each in found],
        color=LEARNER, alpha=0.18, linewidth=0,
    )  # fmt: skip
    axis.plot(
        steps, [100 * each.value for each in found], color=LEARNER, linewidth=1.6, marker="o", markersize=2.5,
        clip_on=False,
    )  # fmt: skip


def _draw_levels(axis: Axes, levels: Mapping[str, float], learner: float) -> None:
    """The dashed lines, and at the right the names of all, moved up where one would lie on the one below."""
    for level in levels.values():
        axis.axhline(level, color=QUIET, linestyle="--", linewidth=0.9)
    axis.margins(y=ROOM)
    low, high = axis.get_ylim()
    place = low - high
    for name, (level, colour) in sorted(
        {**{name: (level, QUIET) for name, level in levels.items()}, "learner": (learner, LEARNER)}.items(),
        key=lambda end: end[1][0],
    ):
        place = max(level, place + PARTED * (high - low))
        axis.annotate(
            name, (1, place), xycoords=("axes fraction", "data"), xytext=(5, 0), textcoords="offset points",
            va="center", color=colour, fontweight="bold" if colour == LEARNER else "normal", annotation_clip=False,
        )  # fmt: skip
