"""What all commands share: the terminal, progress, options and their values, errors in one line."""

from __future__ import annotations

import inspect
import io
import os
import sys
import traceback
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, cast

import typer
from pydantic import ValidationError
from rich import box
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from riverbed_env.core.files import REMEDIES, cannot_write
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_known
from riverbed_env.errors import AgentFailedError, OptionError, RiverbedError, WriteError

from ..config_files import assignments
from ..extras import extra_of, how_to_install
from .signals import ended_early, stoppable

if TYPE_CHECKING:
    from riverbed_env.players.agents import Agent

FILE_WIDTH = 120  # columns of tables in files and pipes


class PlainConsole(Console):
    """Prints texts as they are: names of users may look like markup or emoji. A closed pipe stops no command."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def on_broken_pipe(self) -> None:
        """Discard further output: nobody reads it any more, and the command writes its files."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())


console = PlainConsole(width=None if sys.stdout.isatty() else FILE_WIDTH)
errors = PlainConsole(stderr=True)

GameOption = Annotated[str, typer.Option("--game", help="The game, as 'riverbed games' lists it.")]
SeedOption = Annotated[int | None, typer.Option("--seed", help="The same seed deals the same games.")]
PlayersOption = Annotated[
    int | None, typer.Option("--players", help="Number of players.", show_default="the game's usual number")
]
CountsOption = Annotated[
    str | None, typer.Option("--players", help="Numbers of players: 7, 5,7,9 or 4-9.", show_default="all")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", help="The game's option, like layout=random or pack=FILE; repeatable.", metavar="NAME=VALUE"),
]
AgentOption = Annotated[
    str | None,
    typer.Option("--agent", help="The agent; 'riverbed games GAME' lists them.", show_default="simple or greedy"),
]
ThreadsOption = Annotated[int, typer.Option("--threads", help="Threads; 0 is one per core.")]
RayOption = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Cluster: auto, local or HOST:PORT.",
        show_default="none",
    ),
]

DEFAULT_GAME = "riverbed_hunt_v1"
COMPILING = "compiling the rules and agents (about a minute the first time, then cached)"

# --- errors -----------------------------------------------------------------------------------------------------------

USAGE_ERRORS = cast("tuple[type[Exception], ...]", typer.BadParameter.__bases__)  # Click's, which Typer doesn't export


TRACEBACK = "--traceback"

# What went, with what does the same.
RENAMED_COMMANDS = {
    "warm": "doctor --compile all",
    "pack": "games FILE.toml",
    "corpus": "games FOLDER",
    "report": "evaluate FOLDER",
    "board": "bench --board FOLDER",
    "speed": "doctor --speed play",
    "sit": "play LINK --agent AGENT",
    "league": "train --set seats=all, or for best responses: riverbed exploit LINEUP",
}
RENAMED_OPTIONS = {
    "--pack": "--set pack=…",
    "--max-cost": "--llm max_cost=…",
    "--max-tokens": "--llm max_tokens=…",
    "--cassette": "--llm cassette=FILE",
    "--offline": "--llm offline=true",
    "--resume": "the run's folder in place of the settings",
    "--report": "riverbed evaluate RUN/policy.npz",
    "--report-games": "riverbed evaluate RUN/policy.npz",
    "--overwrite": "another folder with --out",
    "--watch": "--pause SECONDS",
    "--http": "--port N",
    "--starts": "riverbed doctor --compile games",
    "--to": "riverbed_env.corpus.Corpus.arrays and riverbed_env.integrations.offline in Python",
    "--workers": "--threads N",
    "--inference-games": "riverbed judge --beliefs, or riverbed_env.worlds.beliefs in Python",
    "--page": "the tables that it prints and judged.json",
}
BY_SETTINGS = ("train", "distil", "exploit")  # commands whose other old options are settings


def plainly(command: Callable[[], object]) -> None:
    """Run a command. Expected errors end the process with code 2 and one line instead of a traceback.

    Expected are Riverbed's errors, those of agents, wrong usage, missing extras, and full or read-only disks.
    """
    _write_in_any_encoding()
    try:
        with stoppable():
            command()
    except WriteError as error:
        _end(ended_early(str(error)))
    except AgentFailedError as error:
        if TRACEBACK in sys.argv:
            traceback.print_exception(error.__cause__)
        hint = "" if TRACEBACK in sys.argv else f"; its traceback: riverbed {TRACEBACK} …"
        _end(ended_early(f"{error}{hint}"))
    except RiverbedError as error:
        _end(f"riverbed: {error}")
    except USAGE_ERRORS as error:
        _end(f"riverbed: {_wrong_usage(error)}")
    except ImportError as error:
        extra = extra_of(error.name)
        _end(f"riverbed: {error}" + ("" if extra is None else f": {how_to_install(extra)}"))
    except OSError as error:
        if error.errno not in REMEDIES:
            raise
        _drop_output()
        where = error.filename or "the output"  # our files raise a WriteError that names them
        _end(ended_early(str(cannot_write(where, error))))


NUMBERS = {"int_parsing": "an integer", "float_parsing": "a number"}  # by Pydantic's kind of error


def _wrong_usage(error: Any) -> str:
    """What is wrong with the command line: Click's message, but our own words for a value that is no number."""
    if isinstance(error.__cause__, ValidationError):  # newer versions of Typer parse numbers with Pydantic
        first = error.__cause__.errors()[0]
        if first["type"] in NUMBERS:
            return f"{max(error.param.opts, key=len)} must be {NUMBERS[first['type']]}, not {first['input']!r}"
    message, option = str(error.format_message()), getattr(error, "option_name", "")
    command = error.ctx.command.name if error.ctx is not None else None
    setting = f"--set {option.lstrip('-').replace('-', '_')}=…" if command in BY_SETTINGS else None
    instead = RENAMED_OPTIONS.get(option, setting)
    return f"{command} has no option {option}; use {instead}" if option and instead else message


def _end(line: str) -> NoReturn:
    errors.print(line, style="red", soft_wrap=True)
    sys.exit(2)


def _drop_output() -> None:
    """Discard further output once standard output is full, or Python would print a traceback at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_in_any_encoding() -> None:
    """Let standard output and standard error take any text, even with LC_ALL=C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


# --- values of options ------------------------------------------------------------------------------------------------


def use_threads(threads: int) -> int:
    """The number of threads that an option asks for, 0 being one per available core."""
    if threads < 0:
        raise OptionError(f"threads must be 0 (one per core) or more, not {threads}")
    return threads or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def choose_agent(name: str | None, game: Game) -> Agent:
    """An agent by name; by default the plainest one that isn't random."""
    from riverbed_env.players.installed import usual_agent
    from riverbed_env.players.specs import find_agent

    return find_agent(name or usual_agent(game.name), game.name)


def read_options(game: Game, words: list[str] | None) -> dict[str, Any]:
    """The game's own options from the command line, as "name=value"."""
    given = assignments(words or [])
    check_known(game, given)
    parameters = inspect.signature(game.make_params).parameters
    return {name: _value(value, parameters[name].default) for name, value in given.items()}


def _value(text: str, default: object) -> object:
    """An option's value from its text, of the type of its default."""
    if text == "None":
        return None
    if isinstance(default, bool):
        return {"true": True, "false": False}.get(text.lower(), text)
    if isinstance(default, int) and text.lstrip("-").isdigit():
        return int(text)
    return text


def numbers_of(text: str | None, low: int, high: int, what: str = "players") -> tuple[int, ...]:
    """Numbers from "4-9", "7" or "5,7,9", each once; all of them from None. Raises OptionError for others."""
    first, dash, last = (f"{low}-{high}" if text is None else text).partition("-")
    try:
        numbers = range(int(first), int(last) + 1) if dash else dict.fromkeys(int(part) for part in first.split(","))
    except ValueError:
        numbers = range(0)
    if not numbers or not all(low <= number <= high for number in numbers):
        raise OptionError(f"{what} must be from {low} to {high}, like {low}-{high} or {low},{high}, not {text!r}")
    return tuple(numbers)


# --- progress ---------------------------------------------------------------------------------------------------------


def progress_bar(*counts: ProgressColumn, on: Console = errors) -> Progress:
    """A bar with the description and the time left, in terminals only, which vanishes at the end.

    counts: columns that show how much is done; "done/total" by default.
    """
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), *(counts or (MofNCompleteColumn(),)))
    hidden = not (on.is_interactive or on.is_jupyter)
    return Progress(*columns, TimeRemainingColumn(), console=on, transient=True, disable=hidden)


def table(*columns: str, title: str | None = None, words: Collection[str] | None = None) -> Table:
    """A plain table. words: the columns that hold words, all by default; the others hold numbers."""
    made = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        made.add_column(column, justify="left" if words is None or column in words else "right", overflow="fold")
    return made
