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


def draw_matrix(report: Report, setup: Setup | int) -> Figure:
    """A column of heat maps for each camp's wins; agents of the first camp down, of the second across.

    Each choice of agents for further camps is a row of maps. All maps of a camp share one scale, from 0.
    """
    setup = Setup(setup) if isinstance(setup, int) else setup
    cells = [row for row in report.matrix if row.setup == setup]
    camps = [camp for camp in report.about.camps if any(_has(cell, camp) for cell in cells)]
    seated = {camp: list(dict.fromkeys(cell.agents[camp] for cell in cells if camp in cell.agents)) for camp in camps}
    slices = list(product(*(seated[camp] for camp in camps[2:])))
    side = (WIDTH - LEFT) / len(camps)
    down = side * len(seated[camps[0]]) / len(seated[camps[1]])
    figure = new_figure(ABOVE_AND_BELOW + len(slices) * (down + 0.24))
    axes = figure.subplots(len(slices), len(camps), squeeze=False, sharex=True, sharey=True)
    short = short_names(report.names)
    tops = {camp: max(cell.wins[camp].value for cell in cells if _has(cell, camp)) for camp in camps}
    for row, others in zip(axes, slices, strict=True):
        here = [cell for cell in cells if tuple(cell.agents.get(camp) for camp in camps[2:]) == others]
        for axis, camp in zip(row, camps, strict=True):
            values = _values(here, camp, camps, seated[camps[0]], seated[camps[1]])
            _draw_map(axis, values, camp_colour(camp, report.about.camps), tops[camp])
        if others:
            who = " and ".join(f"{camp}: {short[agent]}" for camp, agent in zip(camps[2:], others, strict=True))
            row[0].set_title(who, loc="left", fontsize=7.5, color=QUIET, pad=3)
    _name_agents(figure, axes, camps, seated, report)
    return figure


def _has(cell: LineupRow, camp: str) -> bool:
    return camp in cell.wins and cell.wins[camp].games > 0


def _values(
    cells: list[LineupRow], camp: str, camps: list[str], down: list[str], across: list[str]
) -> npt.NDArray[np.float64]:
    """The camp's rates, (agents of the first camp, agents of the second); not a number where it wasn't played."""
    found = np.full((len(down), len(across)), np.nan)
    for cell in cells:
        if _has(cell, camp):
            found[down.index(cell.agents[camps[0]]), across.index(cell.agents[camps[1]])] = cell.wins[camp].value
    return found


def _draw_map(axis: Axes, values: npt.NDArray[np.float64], colour: str, top: float) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("camp", ["#ffffff", colour])
    axis.pcolormesh(values, cmap=shades, vmin=0, vmax=max(top, 0.01), edgecolors="white", linewidth=1.2)
    size = 7.5 if values.shape[1] <= 4 else 6.0
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            red, green, blue, _ = shades(value / max(top, 0.01))
            dark = 0.299 * red + 0.587 * green + 0.114 * blue < DARK
            axis.text(
                column + 0.5, row + 0.5, f"{100 * value:.0f}", ha="center", va="center", fontsize=size,
                color="white" if dark else INK,
            )  # fmt: skip
    axis.set_ylim(len(values), 0)
    axis.tick_params(length=0)
    for spine in axis.spines.values():
        spine.set_visible(False)


def _name_agents(
    figure: Figure, axes: npt.NDArray[np.object_], camps: list[str], seated: dict[str, list[str]], report: Report
) -> None:
    """Agents of the first camp at the left, of the second below, the camp that wins above its column."""
    short = short_names(report.names)
    down, across = ([short[agent] for agent in seated[camp]] for camp in camps[:2])
    for row in axes:
        row[0].set_yticks([place + 0.5 for place in range(len(down))], down, fontsize=7)
        row[0].set_ylabel(camps[0], color=camp_colour(camps[0], report.about.camps), fontweight="bold", fontsize=7.5)
    for axis, camp in zip(axes[0], camps, strict=True):
        axis.annotate(
            f"{camp}\nwin, %", (0.5, 1), xytext=(0, 15 if len(camps) > 2 else 4), xycoords="axes fraction",
            textcoords="offset points", ha="center", va="bottom", color=camp_colour(camp, report.about.camps),
            fontweight="bold", fontsize=8,
        )  # fmt: skip
    for axis in axes[-1]:
        axis.set_xticks(
            [place + 0.5 for place in range(len(across))],
            across,
            rotation=90,
            fontsize=7,
            color=INK,
        )
    figure.supxlabel(camps[1], color=camp_colour(camps[1], report.about.camps), fontweight="bold", fontsize=7.5)
