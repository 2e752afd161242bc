"""Figures of what an observer believes about roles: its log-loss along the game, and its calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..evaluation.inference import Bin
from ..evaluation.results import InferenceRow
from ..statistics import Mean
from .canvas import FAINT, INK, QUIET, new_figure, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OWN, REFERENCE = "#3a6ea5", "#8a8a8a"
PARTED = 0.09  # of the axis: names at the end of the lines keep so far apart


def draw_log_loss(row: InferenceRow) -> Figure:
    """A line with its band for the observer and for the reference, named at their ends."""
    from matplotlib.ticker import MaxNLocator

    figure = new_figure(2.5)
    axis = figure.add_subplot()
    groups = sorted(row.scores.by_group)
    short = short_names((row.observer, row.reference))
    lines = {short[row.observer]: ([row.scores.by_group[group].own.log_loss for group in groups], OWN)}
    references = [row.scores.by_group[group].reference for group in groups]
    if row.reference:
        lines[short[row.reference]] = ([found.log_loss for found in references if found is not None], REFERENCE)
    top = max(found.value for found in [mean for means, _ in lines.values() for mean in means])
    axis.set_ylim(0, 1.15 * top)
    for means, colour in lines.values():
        _draw_line(axis, groups, means, colour)
    _name_lines(axis, {name: (means[-1].value, colour) for name, (means, colour) in lines.items()}, groups[-1], top)
    if len(groups) > 1:
        axis.set_xlim(groups[0], groups[-1])
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.set_xlabel(row.grouped_by)
    axis.set_ylabel("log-loss, nats a seat")
    axis.grid(axis="y", color=FAINT, linewidth=0.5)
    return figure


def _draw_line(axis: Axes, groups: list[int], means: list[Mean], colour: str) -> None:
    known = [(group, found) for group, found in zip(groups, means, strict=True) if found.blocks > 1]
    axis.fill_between(
        [group for group, _ in known], [found.low for _, found in known], [found.high for _, found in known],
        color=colour, alpha=0.18, linewidth=0,
    )  # fmt: skip
    axis.plot(groups, [found.value for found in means], color=colour, linewidth=1.6, marker="o", markersize=2.5)


def _name_lines(axis: Axes, ends: dict[str, tuple[float, str]], last: int, top: float) -> None:
    """Each line's name at its end, moved up where it would lie on the one below."""
    place = -1.0
    for name, (value, colour) in sorted(ends.items(), key=lambda end: end[1][0]):
        place = max(value, place + PARTED * 1.15 * top)
        axis.annotate(
            name, (last, place), xytext=(5, 0), textcoords="offset points", va="center", color=colour,
            fontweight="bold", annotation_clip=False,
        )  # fmt: skip


def draw_calibration(row: InferenceRow) -> Figure:
    """Above, how often claims were true by the chance claimed; below, what share of the claims each bin holds."""
    figure = new_figure(4.0)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(4.2, 1))
    above.plot([0, 100], [0, 100], color=FAINT, linewidth=1.2, zorder=0)
    above.text(
        52, 48, "as claimed", color=QUIET, rotation=45, rotation_mode="anchor", va="top", ha="center", fontsize=7
    )
    overall, short = row.scores.overall, short_names((row.observer, row.reference))
    if overall.reference is not None:
        _draw_bins(
            above, overall.reference.bins, REFERENCE, short[row.reference], 7
        )  # a halo where its dots lie below ours
    _draw_bins(above, overall.own.bins, OWN, short[row.observer], 4)
    above.legend(frameon=False, loc="upper left", labelcolor="linecolor", handletextpad=0.3, borderaxespad=0.2)
    above.set_ylim(0, 100)
    above.set_ylabel("true, % (line: 95 % interval)")
    above.grid(color=FAINT, linewidth=0.5)
    _draw_counts(below, overall.own.bins)
    return figure


def _draw_bins(axis: Axes, bins: tuple[Bin, ...], colour: str, name: str, size: float) -> None:
    claimed = [100 * each.predicted for each in bins]
    for across, each in zip(claimed, bins, strict=True):
        axis.plot([across] * 2, [100 * each.observed.low, 100 * each.observed.high], color=colour, linewidth=1.2)
    axis.plot(
        claimed, [100 * each.observed.value for each in bins], color=colour, linewidth=1.2, marker="o", markersize=size,
        markeredgecolor="white", markeredgewidth=0.5, label=name, clip_on=False,
    )  # fmt: skip


def _draw_counts(axis: Axes, bins: tuple[Bin, ...]) -> None:
    most = max(each.observed.games for each in bins)
    for each in bins:
        middle = 10 * min(int(10 * each.predicted), 9) + 5
        axis.bar(middle, each.observed.games, width=8.5, color=OWN, alpha=0.35, linewidth=0)
        axis.text(
            middle, each.observed.games + 0.05 * most, _short(each.observed.games), ha="center", va="bottom",
            fontsize=6.5, color=INK,
        )  # fmt: skip
    axis.set_ylim(0, 1.3 * most)
    axis.set_xlim(0, 100)
    axis.set_yticks([])
    axis.spines["left"].set_visible(False)
    axis.set_ylabel("claims")
    axis.set_xlabel("chance claimed, %")


def _short(count: int) -> str:
    """A count in at most four characters: 950, 9.5k, 95k, 9.5M."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.1f}{letter}" if count < 10 * size else f"{count / size:.0f}{letter}"
    return str(count)
