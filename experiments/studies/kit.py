"""What the studies share: options of their commands, and tables on the terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Annotated

import typer
from rich import box
from rich.table import Table

from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_lab.cli.console import console

Players = Annotated[int, typer.Option(help="Number of players.")]
Roles = Annotated[str, typer.Option(help="Roles, like chief,leader.")]
GamesOfRole = Annotated[int, typer.Option(help="Games of each role.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the games.")]
Threads = Annotated[int, typer.Option(min=1, help="Threads to play on.")]

ALL_ROLES = ",".join(RIVERBED_HUNT.roles)


def print_table(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int] = (0,)
) -> None:
    """Print a table. left: the numbers of the columns aligned left; the others are aligned right."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE)
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="left" if number in left else "right")
    for row in rows:
        table.add_row(*row)
    console.print(table)
