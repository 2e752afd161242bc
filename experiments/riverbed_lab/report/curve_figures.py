"""Figures with lines and bands: a learning curve, log-loss along the game, and calibration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..evaluation.results import InferenceRow, LearningRow
from ..statistics import Difference, Mean, Rate
from .canvas import FAINT, INK, QUIET, new_figure, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

OWN, REFERENCE = "#3a6ea5", "#8a8a8a"
PARTED = 0.09  # of the axis: the least distance between names at the end of lines
ROOM = 0.08  # of the axis above and below what is drawn
THOUSAND, MILLION = 1_000, 1_000_000


def draw_learning(row: LearningRow) -> Figure:
    """Above, the learner's wins with the reference in its seat as a dashed line; below, its gain over the reference."""
    figure = new_figure(4.2)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(1.7, 1))
    unit, name = (THOUSAND, "thousands") if row.points[-1].steps < MILLION else (MILLION, "millions")
    steps = [point.steps / unit for point in row.points]
    reference, level = short_names([row.reference])[row.reference], 100 * row.reference_wins
    above.axhline(level, color=QUIET, linestyle="--", linewidth=0.9)
    below.axhline(0, color=INK, linestyle="--", linewidth=0.9)
    _draw_line(above, steps, [point.won for point in row.points], OWN, 100)
    _draw_line(below, steps, [point.gain for point in row.points], OWN, 100)
    above.margins(y=ROOM)
    below.margins(y=ROOM)
    _name_lines(above, {reference: (level, QUIET), "learner": (100 * row.points[-1].won.value, OWN)})
    above.set_ylabel(f"{row.role} wins, % (band: 95 %)")
    below.set_ylabel(f"over {reference}, points")
    below.set_xlabel(f"decisions or labels learnt from, {name}")
    return figure


def draw_log_loss(row: InferenceRow) -> Figure:
    """Log-loss by turn, or by tenth of the game, for the observer and the reference; lines are named at their ends."""
    from matplotlib.ticker import MaxNLocator

    figure = new_figure(2.5)
    axis = figure.add_subplot()
    groups = sorted(row.scores.by_group)
    by_name = [row.named(row.scores.by_group[group]) for group in groups]
    lines = {name: [each[name].log_loss for each in by_name] for name in by_name[0]}
    axis.set_ylim(0, 1.15 * max(mean.value for means in lines.values() for mean in means))
    short, colours = short_names(lines), _colours(lines)
    for name, means in lines.items():
        _draw_line(axis, groups, means, colours[name])
    _name_lines(axis, {short[name]: (means[-1].value, colours[name]) for name, means in lines.items()})
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.set_xlabel(row.grouped_by)
    axis.set_ylabel("log-loss, nats a seat")
    return figure


def draw_calibration(row: InferenceRow) -> Figure:
    """How often claims were true by the chance claimed, for the observer and the reference."""
    figure = new_figure(3.2)
    axis = figure.add_subplot()
    axis.plot([0, 100], [0, 100], color=QUIET, linestyle="--", linewidth=0.9, zorder=0, label="as claimed")
    scores = row.named(row.scores.overall)
    short, colours = short_names(scores), _colours(scores)
    for name, each in scores.items():
        claimed = [100 * claims.predicted for claims in each.bins]
        _draw_line(axis, claimed, [claims.observed for claims in each.bins], colours[name], 100, short[name])
    axis.legend(frameon=False, loc="upper left", labelcolor="linecolor", handletextpad=0.3, borderaxespad=0.2)
    axis.set_xlim(0, 100)
    axis.set_ylim(0, 100)
    axis.set_xlabel("chance claimed, %")
    axis.set_ylabel("true, % (band: 95 % interval)")
    return figure


def _colours(names: Iterable[str]) -> dict[str, str]:
    """The colours of the observer and of the reference."""
    return dict(zip(names, (OWN, REFERENCE)))


def _draw_line(
    axis: Axes,
    across: Sequence[float],
    values: Sequence[Rate | Difference | Mean],
    colour: str,
    scale: float = 1,
    label: str = "",
) -> None:
    """A line through the values, with a band from their low to their high ends where these are finite."""
    low, high = ([scale * getattr(each, end) for each in values] for end in ("low", "high"))
    axis.fill_between(across, low, high, color=colour, alpha=0.18, linewidth=0)
    axis.plot(
        across, [scale * each.value for each in values], color=colour, linewidth=1.6, marker="o", markersize=2.5,
        label=label, clip_on=False,
    )  # fmt: skip
    axis.grid(axis="y", color=FAINT, linewidth=0.5)
    axis.set_axisbelow(True)
    axis.margins(x=0)


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
