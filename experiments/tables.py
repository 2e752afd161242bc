"""Tables of results for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table

from riverbed_env.core.game import Game

from .benchmark import BASE, Cell
from .statistics import Rate


def win_rate_table(game: Game, cells: list[Cell]) -> Table:
    """A row a player count and line-up: wins of each camp in %, 95 % interval, the all-random rate in brackets."""
    title = f"{game.title}: wins in %, 95 % interval, (all-random rate of that player count)"
    table = _table(title, cells)
    table.add_column("games", justify="right")
    for camp in game.camps:
        table.add_column(camp, justify="right")

    def row(cell: Cell) -> list[str]:
        return [f"{cell.games:,}", *(_beside_base(cell, base_of(cell, cells), camp) for camp in game.camps)]

    return _fill(table, cells, row)


def length_table(game: Game, cells: list[Cell]) -> Table:
    """A row a player count and line-up: how often Hunt, Con and penalty happened, how long games were, how fast."""
    table = _table(
        f"{game.title}: games with a Hunt, a Con (where there is a profiteer), a penalty; means; speed", cells
    )
    for column in ("Hunt %", "Con %", "penalty %", "turns", "decisions", "reveals", "games/s"):
        table.add_column(column, justify="right")

    def row(cell: Cell) -> list[str]:
        return [
            *(_percent(cell.events[event]) for event in ("hunt", "con", "penalty")),
            *(f"{cell.mean(column):.1f}" for column in ("turns", "decisions", "reveals")),
            f"{cell.games / cell.seconds:,.0f}",
        ]

    return _fill(table, cells, row)


def lockstep_table(game: Game, rows: Sequence[Mapping[str, Any]]) -> Table:
    """A row a pack or special deal and player count: games, decisions, how the games ended, disagreements."""
    table = Table(title=f"{game.title}: engine and referee in lock-step", box=box.SIMPLE_HEAD, title_justify="left")
    endings = sorted({ending for row in rows for ending in row["endings"]})
    for column in ("pack or deal", "players"):
        table.add_column(column)
    for column in ("games", "decisions", *endings, "disagreements"):
        table.add_column(column, justify="right")
    for kind, players in sorted({(row["kind"], row["num_players"]) for row in rows}):
        mine = [row for row in rows if (row["kind"], row["num_players"]) == (kind, players)]
        numbers = [
            *(sum(row[name] for row in mine) for name in ("games", "decisions")),
            *(sum(row["endings"].get(ending, 0) for row in mine) for ending in endings),
            sum(len(row["disagreements"]) for row in mine),
        ]
        table.add_row(kind, str(players), *(f"{number:,}" for number in numbers))
    return table


def base_of(cell: Cell, cells: list[Cell]) -> Cell | None:
    """The all-random cell of the same player count."""
    return next((other for other in cells if (other.num_players, other.line_up.name) == (cell.num_players, BASE)), None)


def _table(title: str, cells: list[Cell]) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    table.add_column("players", justify="right")
    table.add_column("line-up", no_wrap=True)
    return table


def _fill(table: Table, cells: list[Cell], row: Callable[[Cell], list[str]]) -> Table:
    previous = None
    for cell in cells:
        if previous not in (None, cell.num_players):
            table.add_section()
        table.add_row("" if previous == cell.num_players else str(cell.num_players), cell.line_up.name, *row(cell))
        previous = cell.num_players
    return table


def _beside_base(cell: Cell, base: Cell | None, camp: str) -> str:
    own = cell.wins[camp]
    if base is None or base is cell:
        return str(own)
    colour = "green" if own.is_above(base.wins[camp]) else "red" if base.wins[camp].is_above(own) else ""
    text = f"{own} ({100 * base.wins[camp].value:.1f})"
    return f"[{colour}]{text}[/]" if colour else text


def _percent(found: Rate) -> str:
    return f"{100 * found.value:.1f}" if found.games else "–"
