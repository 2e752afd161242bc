"""What the studies share: options of their commands, tables on the terminal, and decisions a second."""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Annotated

import typer

from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_lab.cli.console import console, table

Players = Annotated[int, typer.Option(help="Number of players.")]
Roles = Annotated[str, typer.Option(help="Roles, like chief,leader.")]
GamesOfRole = Annotated[int, typer.Option(help="Games of each role.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the games.")]
Threads = Annotated[int, typer.Option(min=1, help="Threads to play on.")]

Play = Callable[[], int]  # plays on, and says how many decisions it took

ALL_ROLES = ",".join(RIVERBED_HUNT.roles)


def print_table(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[int] = (0,)
) -> None:
    """Print a table. left: the numbers of the columns aligned left; the others are aligned right."""
    shown = table(*headings, title=title, words=[headings[number] for number in left])
    for row in rows:
        shown.add_row(*row)
    console.print(shown)


def say(text: str) -> None:
    """Print a line as it is."""
    console.print(text, soft_wrap=True)


def rate(play: Play, seconds: float) -> tuple[float, float]:
    """Decisions per second, and per second of processor time, after a first call that compiles."""
    play()
    begun, worked, decisions = time.perf_counter(), time.process_time(), play()
    while time.perf_counter() - begun < seconds:
        decisions += play()
    return decisions / (time.perf_counter() - begun), decisions / (time.process_time() - worked)
