"""The figure of how three camps share the wins: a triangle with a dot for each agent and player count."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..evaluation.results import MirrorRow, Report
from .canvas import FAINT, QUIET, agent_colours, camp_colour, name_colours, new_figure, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = math.sqrt(3) / 2
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, HEIGHT]])
STEP = 0.1  # the triangle is cut on multiples of this share
DOT = 52  # square points: a digit fits in
ROOMY = 0.5  # up to this size of the triangle, its grid has a line each step; beyond, every other


@dataclass(frozen=True)
class _Triangle:
    """The part of all shares that is drawn: each camp's from its `least`, together `size` above those."""

    least: npt.NDArray[np.float64]
    size: float

    def place(self, shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Where shares (3,) lie, (2,)."""
        place: npt.NDArray[np.float64] = (shares - self.least) / self.size @ CORNERS
        return place


def draw_shares(report: Report) -> Figure:
    """The dots of an agent are joined in the order of the player counts; the triangle is cut to where dots are."""
    agents = list(dict.fromkeys(row.agent for row in report.mirror))
    colours = agent_colours(agents)
    camps = report.header.camps
    rows = sorted((row for row in report.mirror if _decided(row)), key=lambda row: row.num_players)
    figure = new_figure(3.4)
    axis = figure.add_subplot()
    axis.set_aspect("equal")
    axis.axis("off")
    axis.set_xlim(-0.1, 1.1)
    axis.set_ylim(-0.13, HEIGHT + 0.1)
    triangle = _cut([_shares(row, camps) for row in rows])
    _draw_triangle(axis, triangle, camps)
    for agent in agents:
        _draw_agent(axis, triangle, [row for row in rows if row.agent == agent], camps, colours[agent])
    short = short_names(report.names)
    name_colours(figure, {short[name]: colour for name, colour in colours.items()})
    return figure


def _decided(row: MirrorRow) -> int:
    return sum(found.happened for found in row.wins.values())


def _shares(row: MirrorRow, camps: tuple[str, ...]) -> npt.NDArray[np.float64]:
    """Each camp's share of the games that were won, (3,)."""
    won = [row.wins[camp].happened if camp in row.wins else 0 for camp in camps]
    return np.array(won, np.float64) / sum(won)


def _cut(rows: list[npt.NDArray[np.float64]]) -> _Triangle:
    """The smallest triangle on whole steps that holds all shares, each (3,)."""
    if not rows:
        return _Triangle(np.zeros(3), 1.0)
    least = np.floor(np.min(rows, axis=0) / STEP + 1e-9) * STEP
    if least.sum() > 1 - STEP / 2:  # all shares are the same point of the grid
        least[np.argmax(least)] -= STEP
    return _Triangle(least, round(float(1 - least.sum()), 6))


def _draw_triangle(axis: Axes, triangle: _Triangle, camps: tuple[str, ...]) -> None:
    """The grid: lines of the same share of a camp, numbered along one side in the camp's colour."""
    step = STEP if triangle.size <= ROOMY else 2 * STEP
    for number, camp in enumerate(camps):
        following, last = CORNERS[(number + 1) % 3], CORNERS[(number + 2) % 3]
        first = math.floor(triangle.least[number] / step + 1e-9) + 1
        for share in np.arange(first, first + 10) * step:
            inward = (share - triangle.least[number]) / triangle.size
            if inward < 1 - 1e-9:
                begin = inward * CORNERS[number] + (1 - inward) * following
                end = inward * CORNERS[number] + (1 - inward) * last
                _draw_line(axis, begin, end, f"{100 * share:.0f}", camp_colour(camp, camps))
        axis.plot(*zip(following, last, strict=True), color=QUIET, linewidth=0.8, zorder=0)
    for number, (camp, side) in enumerate(zip(camps, ("left", "right", "center"), strict=True)):
        lower = side != "center"
        across = CORNERS[number, 0] + {"left": -0.1, "right": 0.1, "center": 0.0}[side]
        axis.text(
            across, CORNERS[number, 1] + (-0.065 if lower else 0.03),
            f"{camp} {100 * (triangle.least[number] + triangle.size):.0f} %", ha=side, va="top" if lower else "bottom",
            color=camp_colour(camp, camps), fontweight="bold", fontsize=8,
        )  # fmt: skip


def _draw_line(
    axis: Axes, begin: npt.NDArray[np.float64], end: npt.NDArray[np.float64], words: str, colour: str
) -> None:
    axis.plot(*zip(begin, end, strict=True), color=FAINT, linewidth=0.6, zorder=0)
    across, up = begin + 0.035 * (begin - end) / np.linalg.norm(begin - end)
    axis.text(across, up, words, color=colour, ha="center", va="center", fontsize=6.5)


def _draw_agent(axis: Axes, triangle: _Triangle, rows: list[MirrorRow], camps: tuple[str, ...], colour: str) -> None:
    if not rows:
        return
    dots = np.array([triangle.place(_shares(row, camps)) for row in rows])
    axis.plot(dots[:, 0], dots[:, 1], color=colour, linewidth=1.0, alpha=0.5)
    axis.scatter(dots[:, 0], dots[:, 1], s=DOT, color=colour, edgecolor="white", linewidth=0.6, zorder=3)
    for (across, up), row in zip(dots, rows, strict=True):
        axis.text(
            across, up - 0.002, str(row.num_players), color="white", ha="center", va="center", fontsize=6.5,
            fontweight="bold", zorder=4,
        )  # fmt: skip
