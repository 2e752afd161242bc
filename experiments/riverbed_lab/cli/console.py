"""What everything that is run from a command line shares: the terminal, options, and what is made of their words."""

from __future__ import annotations

import inspect
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.progress import Progress, ProgressColumn, TextColumn

from riverbed_env.core.files import REMEDIES, cannot_write
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_known
from riverbed_env.errors import OptionError, RiverbedError, WriteError

from ..extras import extra_of
from .encodings import write_in_any_encoding
from .progress import progress_bar_on, waiting_on
from .signals import ended_early, stoppable, unmasked

if TYPE_CHECKING:
    from riverbed_env.players.agents import Agent

FILE_WIDTH, LEAST_WIDTH = 120, 80  # columns


def table_width() -> int | None:
    """How wide tables are; None for as wide as the terminal.

    They go whole into files and pipes, and so they do into narrow terminals: there lines break, but squeezed into it a
    table would lose its first columns, with the names.
    """
    if not sys.stdout.isatty():
        return FILE_WIDTH
    return None if shutil.get_terminal_size().columns >= LEAST_WIDTH else LEAST_WIDTH


console = Console(width=table_width())
errors = Console(stderr=True)

GameOption = Annotated[str, typer.Option("--game", help="Which game, by its versioned name.")]
PackOption = Annotated[str | None, typer.Option("--pack", help="Content pack, by name or path.")]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Seed; the same seed deals the same games.")]
PlayersOption = Annotated[int | None, typer.Option("--players", help="Number of players; the game's usual one.")]
CountsOption = Annotated[str | None, typer.Option("--players", help="Player counts: 7, 5,7,9 or 4-9; all of them.")]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", help="An option of the game, like layout=random; may be repeated.")
]
AgentOption = Annotated[str | None, typer.Option("--agent", help="The agent, by name (see 'riverbed agents').")]
ThreadsOption = Annotated[int, typer.Option("--threads", help="Threads; 0 for one a core.")]

STEPS_DONE = TextColumn("{task.completed:,.0f}/{task.total:,.0f}")

DEFAULT_GAME = "riverbed_hunt_v0"
NONE = "none"  # in place of a list


def plainly(command: Callable[[], object]) -> None:
    """Run a command; errors of ours are said in a line, without a trace, and end the process.

    So is what the system refuses for want of room or permission, and signals that ask the process to end.
    """
    write_in_any_encoding()
    with stoppable():
        try:
            with unmasked():
                command()
        except WriteError as error:
            _end(ended_early(str(error)))
        except RiverbedError as error:
            _end(f"riverbed: {error}")
        except ImportError as error:
            extra = extra_of(error.name)
            _end(f"riverbed: {error}" + ("" if extra is None else f": pip install 'riverbed[{extra}]'"))
        except OSError as error:
            if error.errno not in REMEDIES:
                raise
            _let_go_of_output()
            where = error.filename or "the output"  # files of ours are told by name, in a WriteError
            _end(ended_early(str(cannot_write(where, error))))


def _end(line: str) -> NoReturn:
    errors.print(line, style="red", markup=False, highlight=False, soft_wrap=True)
    sys.exit(2)


def _let_go_of_output() -> None:
    """Write nothing more to standard output where it takes no more: at the end that would be a trace."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def use_threads(threads: int) -> int:
    """How many threads play, from the option of it."""
    if threads < 0:
        raise OptionError(f"threads must be 0 (one a core) or more, not {threads}")
    return (
        threads or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else threads or os.cpu_count() or 1
    )


def choose_agent(name: str | None, game: Game) -> Agent:
    """An agent by name; without one, the plainest there is that isn't random."""
    from riverbed_env.players.installed import agent_names
    from riverbed_env.players.specs import find_agent

    usual = next((known for known in ("simple", "greedy") if known in agent_names(game.name)), "random")
    return find_agent(name or usual, game.name)


def read_options(game: Game, pack: str | None, words: list[str] | None) -> dict[str, Any]:
    """The game's own options from the command line: the pack, and "name=value" for the others."""
    found: dict[str, Any] = {} if pack is None else {"pack": pack}
    for word in words or []:
        name, sign, value = word.partition("=")
        if not sign:
            raise OptionError(f"--set takes an option and its value, like layout=random, not {word!r}")
        check_known(game, [name])
        found[name] = _value(value, inspect.signature(game.make_params).parameters[name].default)
    check_known(game, found)
    return found


def _value(text: str, default: object) -> object:
    """An option's value from its text, of the kind that its default is."""
    if text == "None":
        return None
    if isinstance(default, bool):
        return {"true": True, "false": False}.get(text.lower(), text)
    if isinstance(default, int) and text.lstrip("-").isdigit():
        return int(text)
    return text


def player_counts(players: str | None, low: int, high: int) -> tuple[int, ...]:
    """Player counts from "4-9", "7" or "5,7,9"; all of them from None."""
    if players is None:
        return tuple(range(low, high + 1))
    try:
        if "-" in players:
            first, last = (int(part) for part in players.split("-"))
            counts = tuple(range(first, last + 1))
        else:
            counts = tuple(int(part) for part in players.split(","))
    except ValueError as error:
        raise OptionError(f"players must be like 7, 5,7,9 or {low}-{high}, not {players!r}") from error
    if not counts or not all(low <= count <= high for count in counts):
        raise OptionError(f"players must be from {low} to {high}, not {players!r}")
    return counts


def progress_bar(*counts: ProgressColumn) -> Progress:
    """A bar on standard error, see `waiting.progress_bar_on`."""
    return progress_bar_on(errors, *counts)


def waiting(words: str) -> AbstractContextManager[Callable[[str], None]]:
    """Say on standard error what is going on meanwhile, see `waiting.waiting_on`."""
    return waiting_on(errors, words)
