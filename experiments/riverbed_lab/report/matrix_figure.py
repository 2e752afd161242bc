"""The figure of the matrix: heat maps of the camps' wins for every choice of agents."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..evaluation.results import LineupRow, Report
from ..playing.plan import Setup
from .canvas import INK, QUIET, WIDTH, camp_colour, new_figure, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEFT = 0.85  # inches, for the names of the agents
ABOVE_AND_BELOW = 1.25  # inches, for headings and names
DARK = 0.5  # relative luminance: numbers on darker cells are white


def draw_matrix(report: Report, setup: Setup) -> Figure:
    """A column of heat maps for each camp's wins; agents of the first camp down, of the second across.

    Each choice of agents for further camps is a row of maps. All maps of a camp share one scale, from 0.
    """
    cells = [row for row in report.matrix if row.setup == setup]
    camps = [camp for camp in report.about.camps if any(cell.has(camp) for cell in cells)]
    seated = {camp: list(dict.fromkeys(cell.agents[camp] for cell in cells)) for camp in camps}
    slices = list(product(*(seated[camp] for camp in camps[2:])))
    side = (WIDTH - LEFT) / len(camps)
    down = side * len(seated[camps[0]]) / len(seated[camps[1]])
    figure = new_figure(ABOVE_AND_BELOW + len(slices) * (down + 0.24))
    axes = figure.subplots(len(slices), len(camps), squeeze=False, sharex=True, sharey=True)
    short = short_names(report.names)
    for row, others in zip(axes, slices, strict=True):
        here = [cell for cell in cells if tuple(cell.agents[camp] for camp in camps[2:]) == others]
        for axis, camp in zip(row, camps, strict=True):
            top = max(cell.wins[camp].value for cell in cells if cell.has(camp))
            values = _values(here, camp, seated)
            _draw_map(axis, values, camp_colour(camp, report.about.camps), max(top, 0.01))
        if others:
            who = " and ".join(f"{camp}: {short[agent]}" for camp, agent in zip(camps[2:], others, strict=True))
            row[0].set_title(who, loc="left", fontsize=7.5, color=QUIET, pad=3)
    _name_agents(figure, axes, {camp: [short[agent] for agent in seated[camp]] for camp in camps}, report)
    return figure


def _values(cells: list[LineupRow], camp: str, seated: dict[str, list[str]]) -> npt.NDArray[np.float64]:
    """The camp's rates, (agents of the first camp, agents of the second); not a number where it wasn't played."""
    (first, down), (second, across), *_ = seated.items()
    values = np.full((len(down), len(across)), np.nan)
    for cell in cells:
        if cell.has(camp):
            values[down.index(cell.agents[first]), across.index(cell.agents[second])] = cell.wins[camp].value
    return values


def _draw_map(axis: Axes, values: npt.NDArray[np.float64], colour: str, top: float) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("camp", ["#ffffff", colour])
    axis.pcolormesh(values, cmap=shades, vmin=0, vmax=top, edgecolors="white", linewidth=1.2)
    size = 7.5 if values.shape[1] <= 4 else 6.0
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            red, green, blue, _ = shades(value / top)
            dark = 0.299 * red + 0.587 * green + 0.114 * blue < DARK
            axis.text(
                column + 0.5, row + 0.5, f"{100 * value:.0f}", ha="center", va="center", fontsize=size,
                color="white" if dark else INK,
            )  # fmt: skip
    axis.set_ylim(len(values), 0)
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)


def _name_agents(figure: Figure, axes: npt.NDArray[np.object_], seated: dict[str, list[str]], report: Report) -> None:
    """Agents of the first camp at the left, of the second below, the camp that wins above its column."""
    colours = {camp: camp_colour(camp, report.about.camps) for camp in seated}
    (first, down), (second, across), *more = seated.items()
    for axis in axes[:, 0]:
        axis.set_yticks(np.arange(len(down)) + 0.5, down, fontsize=7)
        axis.set_ylabel(first, color=colours[first], fontweight="bold", fontsize=7.5)
    for axis, camp in zip(axes[0], seated, strict=True):
        axis.annotate(
            f"{camp}\nwin, %", (0.5, 1), xytext=(0, 15 if more else 4), xycoords="axes fraction",
            textcoords="offset points", ha="center", va="bottom", color=colours[camp], fontweight="bold", fontsize=8,
        )  # fmt: skip
    for axis in axes[-1]:
        axis.set_xticks(np.arange(len(across)) + 0.5, across, rotation=90, fontsize=7, color=INK)
    figure.supxlabel(second, color=colours[second], fontweight="bold", fontsize=7.5)
