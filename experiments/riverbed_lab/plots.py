"""Plots of a benchmark: win rates with intervals and base rates, scores, and how long games last."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from riverbed_env.core.files import write_whole
from riverbed_env.core.game import Game

if TYPE_CHECKING:
    from .benchmark import Cell

COLOURS = {
    "merchants": "#2a9d8f", "separatists": "#9c5c34", "profiteer": "#e0a80d", "salmon": "#e76f51", "eel": "#3a6ea5",
}  # fmt: skip
LINEUPS = ("#888888", "#2a9d8f", "#222222", "#e0a80d")  # where lineups differ in who plays, not in which camp
BOXES = ("#bbbbbb", "#8ecae6", "#f4a261")


def write_plots(game: Game, cells: list[Cell], out: Path) -> list[Path]:
    """Write win_rates.png, lengths.png and, for games with scores, scores.png to the folder; returns the files."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    plots = {"win_rates": _draw_win_rates, "lengths": _draw_lengths}
    if game.summary.score:
        plots["scores"] = _draw_scores
    files = []
    for name, draw in plots.items():
        figure = draw(game, cells)
        path = out / f"{name}.png"
        write_whole(path, lambda partial, figure=figure: figure.savefig(partial, format="png", dpi=130))  # type: ignore[misc]
        plt.close(figure)
        files.append(path)
    return files


def _panels(cells: list[Cell], columns: int, size: tuple[float, float], **shared: Any) -> tuple[Any, Any, list[str]]:
    """A figure with a row of panels for each variant: the figure, its axes (variants, columns), the variants.

    Where a variant has but one panel, two variants share a row.
    """
    from matplotlib import pyplot as plt

    variants = list(dict.fromkeys(cell.variant for cell in cells))
    across = columns if columns > 1 else min(2, len(variants))
    down = -(-len(variants) * columns // across)
    figure, axes = plt.subplots(
        down, across, figsize=(size[0] * across, size[1] * down), squeeze=False, layout="constrained", **shared
    )
    for unused in axes.ravel()[len(variants) * columns :]:
        unused.set_visible(False)
    return figure, axes.ravel()[: len(variants) * columns].reshape(len(variants), columns), variants


def _line_up_names(cells: list[Cell]) -> list[str]:
    """The lineups in the order in which the largest table plays them all."""
    most = max(cell.num_players for cell in cells)
    return list(dict.fromkeys(cell.lineup.name for cell in sorted(cells, key=lambda cell: cell.num_players != most)))


def _draw_win_rates(game: Game, cells: list[Cell]) -> Any:
    """A panel a camp: its win rate in each lineup by player count, the base lineup's as the dashed line."""
    names = _line_up_names(cells)
    figure, axes, variants = _panels(cells, len(game.camps), (max(4.2, 6.5 - len(game.camps)), 3.9), sharey=True)
    for row, variant in zip(axes, variants, strict=True):
        for axis, camp in zip(row, game.camps, strict=True):
            for place, name in enumerate(names):
                mine = [cell for cell in cells if (cell.variant, cell.lineup.name) == (variant, name)]
                _draw_rates(axis, mine, camp, place, len(names), name)
            camp_title = camp if len(game.camps) > 1 else "one seat"
            axis.set_title(
                ", ".join(filter(None, (variant, camp_title))), color=COLOURS.get(camp, "black"), fontweight="bold"
            )
            axis.set_xticks(sorted({cell.num_players for cell in cells}))
            axis.set_xlabel("players")
            axis.set_ylim(bottom=0)
            axis.grid(alpha=0.25)
        row[0].set_ylabel("wins, % (95 % interval)")
    figure.legend(*axes[0, -1].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    figure.suptitle(f"{game.title}: win rates")
    return figure


def _draw_rates(axis: Any, cells: list[Cell], camp: str, place: int, places: int, name: str) -> None:
    """One lineup's win rates of a camp by player count, with their intervals."""
    rates = [cell.wins[camp] for cell in cells]
    base = place == 0
    axis.errorbar(
        [cell.num_players + 0.08 * (place - places / 2) for cell in cells],
        [100 * found.value for found in rates],
        yerr=[
            [100 * (found.value - found.low) for found in rates],
            [100 * (found.high - found.value) for found in rates],
        ],
        label=name,
        color=_colour(name, place, places),
        linestyle="--" if base else "-",
        marker="o",
        markersize=4,
        capsize=2,
    )


def _colour(lineup: str, place: int, places: int) -> str:
    """Grey for the base line, a camp's colour where only that camp's agents differ, black for the agent everywhere."""
    if place == 0:
        return LINEUPS[0]
    if place == places - 1:
        return LINEUPS[2]
    return next((colour for camp, colour in COLOURS.items() if lineup.endswith(camp)), LINEUPS[1])


def _draw_scores(game: Game, cells: list[Cell]) -> Any:
    """How final scores are spread, by player count and lineup: a panel a variant."""
    names = _line_up_names(cells)
    figure, axes, variants = _panels(cells, 1, (9, 4.4))
    for axis, variant in zip(axes[:, 0], variants, strict=True):
        for place, name in enumerate(names):
            mine = [cell for cell in cells if (cell.variant, cell.lineup.name) == (variant, name)]
            if not mine:
                continue
            colour = _colour(name, place, len(names))
            drawn = axis.violinplot(
                [cell.scores.ravel() for cell in mine],
                positions=[cell.num_players + 0.26 * (place - (len(names) - 1) / 2) for cell in mine],
                widths=0.24,
                showmedians=True,
                showextrema=False,
            )
            for body in drawn["bodies"]:
                body.set_facecolor(colour)
                body.set_alpha(0.55)
            drawn["cmedians"].set_color(colour)
            axis.plot([], [], color=colour, linewidth=8, alpha=0.55, label=name)
        axis.set_xticks(sorted({cell.num_players for cell in cells}))
        axis.set_xlabel("players")
        axis.set_ylabel("final score (median marked)")
        axis.set_title(variant)
        axis.grid(axis="y", alpha=0.25)
        axis.legend(frameon=False, ncols=len(names))
    figure.suptitle(f"{game.title}: how final scores are spread")
    return figure


def _draw_lengths(game: Game, cells: list[Cell]) -> Any:
    """Box plots of the decisions of a game by player count, for the first and the last lineup."""
    import numpy as np

    names = _line_up_names(cells)
    shown = list(dict.fromkeys((names[0], names[-1])))
    figure, axes, variants = _panels(cells, 1, (7, 3.8))
    for axis, variant in zip(axes[:, 0], variants, strict=True):
        for place, name in enumerate(shown):
            mine = [cell for cell in cells if (cell.variant, cell.lineup.name) == (variant, name)]
            boxes = axis.boxplot(
                [np.asarray(cell.columns["decisions"]) for cell in mine],
                positions=[cell.num_players + 0.18 * (2 * place - 1) for cell in mine],
                widths=0.3,
                showfliers=False,
                patch_artist=True,
            )
            for box in boxes["boxes"]:
                box.set_facecolor(BOXES[place])
            axis.plot([], [], color=BOXES[place], linewidth=8, label=name)
        counts = sorted({cell.num_players for cell in cells})
        axis.set_xticks(counts, [str(count) for count in counts])
        axis.set_xlabel("players")
        axis.set_ylabel("decisions a game (median, quartiles)")
        axis.set_ylim(bottom=0)
        axis.set_title(variant)
        axis.legend(frameon=False)
    figure.suptitle(f"{game.title}: length of games")
    return figure
