"""Figures with lines: a learning curve, log-loss along the game, and calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ..evaluation.inference import Bin
from ..evaluation.results import InferenceRow, LearningRow
from .canvas import FAINT, INK, QUIET, new_figure, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OWN, REFERENCE = "#3a6ea5", "#8a8a8a"
PARTED = 0.09  # of the axis: the least distance between names at the end of lines
ROOM = 0.08  # of the axis above and below what is drawn
THOUSAND, MILLION = 1_000, 1_000_000


class Valued(Protocol):
    """A value with an interval."""

    @property
    def value(self) -> float:
        """The value."""
        ...

    @property
    def low(self) -> float:
        """The lower end."""
        ...

    @property
    def high(self) -> float:
        """The upper end."""
        ...


def draw_learning(row: LearningRow) -> Figure:
    """Above, the learner's wins with the others in its seat as dashed lines; below, its gain over the reference."""
    figure = new_figure(4.2)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(1.7, 1))
    unit, name = (THOUSAND, "thousands") if row.points[-1].steps < MILLION else (MILLION, "millions")
    steps = [point.steps / unit for point in row.points]
    others = {each.agent: each.wins.value for each in row.others} or {row.reference: row.reference_wins}
    short = short_names(others)
    ends = {short[agent]: (100 * value, QUIET) for agent, value in others.items()}
    for level, _ in ends.values():
        above.axhline(level, color=QUIET, linestyle="--", linewidth=0.9)
    below.axhline(0, color=INK, linestyle="--", linewidth=0.9)
    _draw_line(above, steps, [point.won for point in row.points], OWN, 100)
    _draw_line(below, steps, [point.gain for point in row.points], OWN, 100)
    for axis in (above, below):
        _finish(axis)
        axis.margins(y=ROOM)
    _name_lines(above, {**ends, "learner": (100 * row.points[-1].won.value, OWN)})
    above.set_ylabel(f"{row.role} wins, % (band: 95 %)")
    below.set_ylabel(f"over {short_names([row.reference])[row.reference]}, points")
    below.set_xlabel(f"decisions learnt from, {name}")
    if len(steps) > 1:
        below.set_xlim(steps[0], steps[-1])
    return figure


def draw_log_loss(row: InferenceRow) -> Figure:
    """A line with its band for the observer and for the reference, named at their ends."""
    from matplotlib.ticker import MaxNLocator

    figure = new_figure(2.5)
    axis = figure.add_subplot()
    groups = sorted(row.scores.by_group)
    compared = [row.scores.by_group[group] for group in groups]
    short = short_names((row.observer, row.reference))
    lines = {short[row.observer]: ([each.own.log_loss for each in compared], OWN)}
    if row.reference:
        references = [each.reference.log_loss for each in compared if each.reference is not None]
        lines[short[row.reference]] = (references, REFERENCE)
    axis.set_ylim(0, 1.15 * max(mean.value for means, _ in lines.values() for mean in means))
    for means, colour in lines.values():
        shown = [place for place, mean in enumerate(means) if mean.blocks > 1]
        _draw_band(axis, [groups[place] for place in shown], [means[place] for place in shown], colour)
        axis.plot(groups, [mean.value for mean in means], color=colour, linewidth=1.6, marker="o", markersize=2.5)
    if len(groups) > 1:
        axis.set_xlim(groups[0], groups[-1])
    _name_lines(axis, {name: (means[-1].value, colour) for name, (means, colour) in lines.items()})
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.set_xlabel(row.grouped_by)
    axis.set_ylabel("log-loss, nats a seat")
    _finish(axis)
    return figure


def _draw_line(axis: Axes, across: Sequence[float], values: Sequence[Valued], colour: str, scale: float) -> None:
    _draw_band(axis, across, values, colour, scale)
    axis.plot(
        across, [scale * each.value for each in values], color=colour, linewidth=1.6, marker="o", markersize=2.5,
        clip_on=False,
    )  # fmt: skip


def _draw_band(axis: Axes, across: Sequence[float], values: Sequence[Valued], colour: str, scale: float = 1) -> None:
    low, high = ([scale * getattr(each, end) for each in values] for end in ("low", "high"))
    axis.fill_between(across, low, high, color=colour, alpha=0.18, linewidth=0)


def _name_lines(axis: Axes, ends: Mapping[str, tuple[float, str]]) -> None:
    """Each line's name at its right end, moved up where it would overlap the one below."""
    low, high = axis.get_ylim()
    place = low - high
    for name, (value, colour) in sorted(ends.items(), key=lambda end: end[1][0]):
        place = max(value, place + PARTED * (high - low))
        axis.annotate(
            name, (1, place), xycoords=("axes fraction", "data"), xytext=(5, 0), textcoords="offset points",
            va="center", color=colour, fontweight="normal" if colour == QUIET else "bold", annotation_clip=False,
        )  # fmt: skip


def _finish(axis: Axes) -> None:
    axis.grid(axis="y", color=FAINT, linewidth=0.5)
    axis.set_axisbelow(True)


def draw_calibration(row: InferenceRow) -> Figure:
    """Above, how often claims were true by the chance claimed; below, the number of claims in each bin."""
    figure = new_figure(4.0)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(4.2, 1))
    above.plot([0, 100], [0, 100], color=FAINT, linewidth=1.2, zorder=0)
    look = {"color": QUIET, "rotation": 45, "rotation_mode": "anchor", "va": "top", "ha": "center", "fontsize": 7}
    above.text(52, 48, "as claimed", **look)
    overall, short = row.scores.overall, short_names((row.observer, row.reference))
    if overall.reference is not None:  # larger dots: a halo where they lie below ours
        _draw_bins(above, overall.reference.bins, REFERENCE, short[row.reference], 7)
    _draw_bins(above, overall.own.bins, OWN, short[row.observer], 4)
    above.legend(frameon=False, loc="upper left", labelcolor="linecolor", handletextpad=0.3, borderaxespad=0.2)
    above.set_ylim(0, 100)
    above.set_ylabel("true, % (line: 95 % interval)")
    above.grid(color=FAINT, linewidth=0.5)
    _draw_counts(below, overall.own.bins)
    return figure


def _draw_bins(axis: Axes, bins: Sequence[Bin], colour: str, name: str, size: float) -> None:
    claimed = [100 * each.predicted for each in bins]
    for across, each in zip(claimed, bins, strict=True):
        axis.plot([across] * 2, [100 * each.observed.low, 100 * each.observed.high], color=colour, linewidth=1.2)
    axis.plot(
        claimed, [100 * each.observed.value for each in bins], color=colour, linewidth=1.2, marker="o", markersize=size,
        markeredgecolor="white", markeredgewidth=0.5, label=name, clip_on=False,
    )  # fmt: skip


def _draw_counts(axis: Axes, bins: Sequence[Bin]) -> None:
    counts = [each.observed.games for each in bins]
    middles = [10 * min(int(10 * each.predicted), 9) + 5 for each in bins]
    bars = axis.bar(middles, counts, width=8.5, color=OWN, alpha=0.35, linewidth=0)
    axis.bar_label(bars, [_short(count) for count in counts], fontsize=6.5, color=INK)
    axis.set_ylim(0, 1.3 * max(counts))
    axis.set_xlim(0, 100)
    axis.set_yticks([])
    axis.spines["left"].set_visible(False)
    axis.set_ylabel("claims")
    axis.set_xlabel("chance claimed, %")


def _short(count: int) -> str:
    """A count in at most four characters: 950, 9.5k, 95k, 9.5M."""
    for size, letter in ((MILLION, "M"), (THOUSAND, "k")):
        if count >= size:
            return f"{count / size:.1f}{letter}" if count < 10 * size else f"{count / size:.0f}{letter}"
    return str(count)
