"""The figure of how long games are: a ridge for each player count, an outline for each lineup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..evaluation.results import LengthRow, Report
from .canvas import FAINT, QUIET, agent_colours, name_colours, new_figure, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RIDGE = 0.62  # inches between two player counts
FILLED = 3  # lineups: the areas of more hide each other
FAR = 1.25  # the axis ends at so many times the largest 95th percentile: a thin tail says little


def draw_lengths(report: Report) -> Figure:
    """Each ridge is scaled to its highest outline; areas within a ridge are the same for all lineups."""
    counts = sorted({row.num_players for row in report.lengths})
    colours = agent_colours(list(dict.fromkeys(row.lineup for row in report.lengths)))
    figure = new_figure(0.8 + RIDGE * len(counts))
    axis = figure.add_subplot()
    for place, count in enumerate(counts):
        _draw_ridge(axis, -place, [row for row in report.lengths if row.num_players == count], colours)
    short = short_names(report.names)
    name_colours(figure, {short[name]: colour for name, colour in colours.items()})
    axis.set_xlim(0, FAR * max(row.p95 for row in report.lengths))
    axis.set_yticks([-place for place in range(len(counts))], [f"{count} players" for count in counts])
    axis.tick_params(axis="y", labelcolor=QUIET)
    axis.set_ylim(-len(counts) + 0.9, 1.0)
    axis.spines["left"].set_visible(False)
    axis.grid(axis="x", color=FAINT, linewidth=0.5)
    axis.set_axisbelow(True)
    axis.set_xlabel("decisions a game (tick: median)")
    return figure


def _draw_ridge(axis: Axes, floor: float, rows: list[LengthRow], colours: Mapping[str, str]) -> None:
    densities = [np.array(row.counts) / np.diff(row.edges) / row.games for row in rows]
    scale = 0.85 / max(float(density.max()) for density in densities)
    for row, density in zip(rows, densities, strict=True):
        heights, colour = floor + scale * density, colours[row.lineup]
        if len(rows) <= FILLED:
            axis.stairs(heights, row.edges, baseline=floor, fill=True, color=colour, alpha=0.14, linewidth=0)
        axis.stairs(heights, row.edges, baseline=floor, color=colour, linewidth=0.9)
        axis.plot([row.median, row.median], [floor, floor - 0.1], color=colour, linewidth=1.6, solid_capstyle="butt")
