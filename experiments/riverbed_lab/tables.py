"""Tables of results for the terminal."""

from __future__ import annotations

from collections.abc import Callable

from rich import box
from rich.table import Table

from riverbed_env.core.game import Game

from .benchmark import Cell
from .statistics import Rate, spread


def win_rate_table(game: Game, cells: list[Cell]) -> Table:
    """A row a player count and lineup: wins of each camp in %, 95 % interval, the base lineup's rate in brackets.

    Where all play in one camp, it is the seat in focus that wins or doesn't.
    """
    one = len(game.camps) == 1
    what = "wins of one seat" if one else "wins"
    base = cells[0].lineup.name
    table = _table(f"{game.title}: {what} in %, 95 % interval, (the rate of {base} at that player count)", cells)
    table.add_column("games", justify="right")
    for camp in game.camps:
        table.add_column("wins" if one else camp, justify="right")

    def row(cell: Cell) -> list[str]:
        return [f"{cell.games:,}", *(_beside_base(cell, base_of(cell, cells), camp) for camp in game.camps)]

    return _fill(table, cells, row)


def score_table(game: Game, cells: list[Cell]) -> Table:
    """A row a player count and lineup: the mean score with its 95 % interval, its spread and percentiles."""
    table = _table(f"{game.title}: final scores (of the one seat, where one agent sits among others)", cells)
    for column in ("games", "mean", "deviation", "5 %", "median", "95 %"):
        table.add_column(column, justify="right")

    def row(cell: Cell) -> list[str]:
        found = spread(cell.scores)
        rest = (found.deviation, found.p5, found.median, found.p95)
        return [f"{cell.games:,}", str(found), *(f"{value:.0f}" for value in rest)]

    return _fill(table, cells, row)


def length_table(game: Game, cells: list[Cell]) -> Table:
    """A row a player count and lineup: how often what the game tells of happened, its means, how fast."""
    told = game.summary
    table = _table(f"{game.title}: games in which it happened, in %; means; speed", cells)
    for column in (*(f"{heading} %" for heading in told.happened), *told.means, "games/s"):
        table.add_column(column, justify="right")

    def row(cell: Cell) -> list[str]:
        return [
            *(_percent(cell.events[heading]) for heading in told.happened),
            *(f"{cell.mean(column):.1f}" for column in told.means.values()),
            f"{cell.games / cell.seconds:,.0f}",
        ]

    return _fill(table, cells, row)


def base_of(cell: Cell, cells: list[Cell]) -> Cell:
    """The base lineup's cell of the same variant and player count: the first there is."""
    return next(other for other in cells if other.at == cell.at)


def _table(title: str, cells: list[Cell]) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    if any(cell.variant for cell in cells):
        table.add_column("variant", no_wrap=True)
    table.add_column("players", justify="right")
    table.add_column("lineup", no_wrap=True)
    return table


def _fill(table: Table, cells: list[Cell], row: Callable[[Cell], list[str]]) -> Table:
    """A row a cell; what it has in common with the one before isn't repeated."""
    with_variants = any(cell.variant for cell in cells)
    previous: tuple[str, int] | None = None
    for cell in cells:
        same = previous == cell.at
        if previous is not None and not same:
            table.add_section()
        variant = [cell.variant if previous is None or previous[0] != cell.variant else ""] if with_variants else []
        table.add_row(*variant, "" if same else str(cell.num_players), cell.lineup.name, *row(cell))
        previous = cell.at
    return table


def _beside_base(cell: Cell, base: Cell, camp: str) -> str:
    own = cell.wins[camp]
    if base is cell:
        return str(own)
    colour = "green" if own.is_above(base.wins[camp]) else "red" if base.wins[camp].is_above(own) else ""
    text = f"{own} ({100 * base.wins[camp].value:.1f})"
    return f"[{colour}]{text}[/]" if colour else text


def _percent(found: Rate) -> str:
    return f"{100 * found.value:.1f}" if found.games else "–"
