"""What all commands share: the terminal, progress, options and their values, errors in one line."""

from __future__ import annotations

import codecs
import inspect
import io
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, cast

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from riverbed_env.core.files import REMEDIES, cannot_write
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_known
from riverbed_env.errors import AgentFailedError, OptionError, RiverbedError, WriteError

from ..extras import extra_of, how_to_install
from .signals import ended_early, stoppable

if TYPE_CHECKING:
    from riverbed_env.players.agents import Agent

FILE_WIDTH = 120  # columns of tables in files and pipes
FIRST_LINE, NEXT_LINE = 10.0, 60.0  # s until the first line of progress in a file, and between two lines


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
PackOption = Annotated[str | None, typer.Option("--pack", help="A content pack, by name or path.")]
SeedOption = Annotated[int | None, typer.Option("--seed", help="The same seed deals the same games.")]
PlayersOption = Annotated[
    int | None, typer.Option("--players", help="Number of players.", show_default="the game's usual number")
]
CountsOption = Annotated[
    str | None, typer.Option("--players", help="Numbers of players: 7, 5,7,9 or 4-9.", show_default="all")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", help="An option of the game, like layout=random; repeatable.", metavar="NAME=VALUE"),
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

STEPS_DONE = TextColumn("{task.completed:,.0f}/{task.total:,.0f}")

DEFAULT_GAME = "riverbed_hunt_v1"
COMPILING = "compiling the rules and agents (about a minute the first time, then cached)"

# --- errors -----------------------------------------------------------------------------------------------------------

USAGE_ERRORS = cast("tuple[type[Exception], ...]", typer.BadParameter.__bases__)  # Click's, which Typer doesn't export


TRACEBACK = "--traceback"


def plainly(command: Callable[[], object]) -> None:
    """Run a command. Expected errors end the process with code 2 and one line instead of a traceback.

    Expected are Riverbed's errors, those of agents, wrong usage, missing extras, and full or read-only disks.
    """
    _write_in_any_encoding()
    try:
        _check_encoding()
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


def _check_encoding() -> None:
    """Raise OptionError for an argument that the locale's encoding can't read: no file could name it."""
    for word in sys.argv[1:]:
        if not word.isascii() and any("\ud800" <= sign <= "\udfff" for sign in word):
            shown = os.fsencode(word).decode(errors="replace")
            encoding = sys.getfilesystemencoding()
            raise OptionError(f"{shown} can't be read as {encoding}, the locale's encoding: set PYTHONUTF8=1")


NUMBERS = {"int_parsing": "an integer", "float_parsing": "a number"}  # by Pydantic's kind of error


def _wrong_usage(error: Any) -> str:
    """What is wrong with the command line: Click's message, but our own words for a value that is no number."""
    if isinstance(error.__cause__, ValidationError):  # newer versions of Typer parse numbers with Pydantic
        first = error.__cause__.errors()[0]
        if first["type"] in NUMBERS:
            return f"{max(error.param.opts, key=len)} must be {NUMBERS[first['type']]}, not {first['input']!r}"
    return str(error.format_message())


def _end(line: str) -> NoReturn:
    errors.print(line, style="red", soft_wrap=True)
    sys.exit(2)


def _drop_output() -> None:
    """Discard further output once standard output is full, or Python would print a traceback at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_SIMILAR = {"…": "...", **dict(zip("–×·µ▲▼♥♠♣♦", "-x.u^vhscd", strict=True))}


def _similar(error: UnicodeError) -> tuple[str, int]:
    """A similar character, or "?", for each one that the output's encoding lacks, and where to continue."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_SIMILAR.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


def _write_in_any_encoding() -> None:
    """Let standard output and standard error take any text, even with LC_ALL=C."""
    codecs.register_error("riverbed.similar", _similar)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="riverbed.similar")


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


def read_options(game: Game, pack: str | None, words: list[str] | None) -> dict[str, Any]:
    """The game's own options from the command line: the pack, and "name=value" for the others."""
    options: dict[str, Any] = {} if pack is None else {"pack": pack}
    for word in words or []:
        name, sign, value = word.partition("=")
        if not sign:
            raise OptionError(f"--set takes an option and its value, like layout=random, not {word!r}")
        check_known(game, [name])
        options[name] = _value(value, inspect.signature(game.make_params).parameters[name].default)
    check_known(game, options)
    return options


def _value(text: str, default: object) -> object:
    """An option's value from its text, of the type of its default."""
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
    except ValueError:
        counts = ()
    if not counts:
        raise OptionError(f"players must be like 7, 5,7,9 or {low}-{high}, not {players!r}")
    if not all(low <= count <= high for count in counts):
        raise OptionError(f"players must be from {low} to {high}, not {players!r}")
    return counts


# --- progress ---------------------------------------------------------------------------------------------------------


@contextmanager
def waiting(words: str) -> Iterator[Callable[[str], None]]:
    """Show these words with a spinner, in terminals only; yields a function that changes the words."""
    with errors.status(words) as status:
        yield status.update


def progress_bar(*counts: ProgressColumn, on: Console = errors) -> Progress:
    """A bar with the description and the time left, which vanishes at the end; lines where there is no terminal.

    counts: columns that show how much is done; "done/total" by default.
    """
    shown = counts or (MofNCompleteColumn(),)
    about = TextColumn("{task.description}")
    if not (on.is_interactive or on.is_jupyter):
        return LineProgress(about, *shown, TimeRemainingColumn(), console=on, disable=True)
    columns = (SpinnerColumn(), about, BarColumn(), *shown, TimeRemainingColumn())
    return Progress(*columns, console=on, transient=True)


class LineProgress(Progress):
    """Progress in a file: a line after ten seconds, then at most one a minute, written when a task is updated."""

    _next = 0.0

    def start(self) -> None:
        """Start the clock."""
        self._next = self.get_time() + FIRST_LINE

    def stop(self) -> None:
        """Do nothing, where older versions of Rich write an empty line."""

    def update(self, task_id: TaskID, **changes: Any) -> None:
        """Update a task, and write a line if it is time."""
        super().update(task_id, **changes)
        self._write_if_due(self._tasks[task_id])

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Advance a task, and write a line if it is time."""
        super().advance(task_id, advance)
        self._write_if_due(self._tasks[task_id])

    def _write_if_due(self, task: Task) -> None:
        if task.finished or self.get_time() < self._next:
            return
        self._next = self.get_time() + NEXT_LINE
        *parts, left = [str(column(task)) for column in self.columns if isinstance(column, ProgressColumn)]
        line = ", ".join(" ".join(part.split()) for part in parts if part.strip())
        known = "" if task.time_remaining is None else f", {left.strip()} left"
        self.console.print(f"riverbed: {line}{known}", soft_wrap=True)
