"""Plots of a benchmark: win rates with intervals and base rates, and how long games last."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from riverbed_env.core.game import Game

from .files import write_whole

if TYPE_CHECKING:
    from .benchmark import Cell

COLOURS = {"merchants": "#2a9d8f", "separatists": "#9c5c34", "profiteer": "#e0a80d"}


def write_plots(game: Game, cells: list[Cell], out: Path) -> list[Path]:
    """Write win_rates.png and lengths.png to the folder; returns the files."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    files = []
    for name, draw in (("win_rates", _draw_win_rates), ("lengths", _draw_lengths)):
        figure = draw(game, cells)
        path = out / f"{name}.png"
        write_whole(path, lambda partial, figure=figure: figure.savefig(partial, format="png", dpi=130))  # type: ignore[misc]
        plt.close(figure)
        files.append(path)
    return files


def _draw_win_rates(game: Game, cells: list[Cell]) -> Any:
    """A panel a camp: its win rate in each line-up by player count, all-random as the dashed base line."""
    from matplotlib import pyplot as plt

    names = list(dict.fromkeys(cell.line_up.name for cell in cells))
    figure, axes = plt.subplots(
        1, len(game.camps), figsize=(4.2 * len(game.camps), 4.2), sharey=True, layout="constrained"
    )
    for axis, camp in zip(axes, game.camps, strict=True):
        for place, name in enumerate(names):
            mine = [cell for cell in cells if cell.line_up.name == name]
            counts = [cell.num_players + 0.08 * (place - len(names) / 2) for cell in mine]
            rates = [cell.wins[camp] for cell in mine]
            base = place == 0
            axis.errorbar(
                counts,
                [100 * found.value for found in rates],
                yerr=[
                    [100 * (found.value - found.low) for found in rates],
                    [100 * (found.high - found.value) for found in rates],
                ],
                label=name,
                color=_colour(name, base),
                linestyle="--" if base else "-",
                marker="o",
                markersize=4,
                capsize=2,
            )
        axis.set_title(camp, color=COLOURS.get(camp, "black"), fontweight="bold")
        axis.set_xlabel("players")
        axis.grid(alpha=0.25)
    axes[0].set_ylabel("wins, % (95 % interval)")
    figure.legend(*axes[-1].get_legend_handles_labels(), loc="outside lower center", ncols=len(names), frameon=False)
    figure.suptitle(f"{game.title}: team win rates")
    return figure


def _colour(line_up: str, base: bool) -> str:
    """Grey for the base line, a camp's colour where only that camp's agents differ, black for all."""
    if base:
        return "#888888"
    return next((colour for camp, colour in COLOURS.items() if line_up.endswith(camp)), "#222222")


def _draw_lengths(game: Game, cells: list[Cell]) -> Any:
    """Box plots of the decisions of a game by player count, for the first and the last line-up."""
    import numpy as np
    from matplotlib import pyplot as plt

    names = list(dict.fromkeys(cell.line_up.name for cell in cells))
    shown = list(dict.fromkeys((names[0], names[-1])))
    figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
    for place, name in enumerate(shown):
        mine = [cell for cell in cells if cell.line_up.name == name]
        boxes = axis.boxplot(
            [np.asarray(cell.columns["decisions"]) for cell in mine],
            positions=[cell.num_players + 0.18 * (2 * place - 1) for cell in mine],
            widths=0.3,
            showfliers=False,
            patch_artist=True,
        )
        for box in boxes["boxes"]:
            box.set_facecolor(("#bbbbbb", "#8ecae6")[place])
        axis.plot([], [], color=("#bbbbbb", "#8ecae6")[place], linewidth=8, label=name)
    counts = sorted({cell.num_players for cell in cells})
    axis.set_xticks(counts, [str(count) for count in counts])
    axis.set_xlabel("players")
    axis.set_ylabel("decisions a game (median, quartiles)")
    axis.set_ylim(bottom=0)
    axis.legend(frameon=False)
    figure.suptitle(f"{game.title}: length of games")
    return figure
