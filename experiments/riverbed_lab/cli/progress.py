"""What is told of work that takes its time: in a terminal a bar, in files and pipes, where none moves, lines."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)

QUIET = 5.0  # s that nobody wonders about
FIRST, BETWEEN = 10.0, 60.0  # s until the first line that stands for a bar, and from each to the next


def moves(console: Console) -> bool:
    """Whether something can move where the console writes: in a terminal that isn't dumb, and in a notebook."""
    return console.is_interactive or console.is_jupyter


@contextmanager
def waiting_on(console: Console, words: str) -> Iterator[Callable[[str], None]]:
    """Say what is going on meanwhile; yields a function that takes other words for it.

    Where nothing can move it is said in a line, and only if it takes longer than `QUIET`.
    """
    if moves(console):
        with console.status(words) as status:
            yield status.update
        return
    timer = threading.Timer(QUIET, _say, (console, f"riverbed: {words}"))
    timer.daemon = True
    timer.start()
    try:
        yield lambda other: None
    finally:
        timer.cancel()


def progress_bar_on(console: Console, *counts: ProgressColumn) -> Progress:
    """A bar with what is going on and the time left, which vanishes at the end; or lines in its place.

    counts: how it is told how much is done; "done/total" if nothing is given.
    """
    told = counts or (MofNCompleteColumn(),)
    if not moves(console):
        return _Lines(TextColumn("{task.description}"), *told, console=console)
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        *told,
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )


class _Lines(Progress):
    """A bar's place where none can move: a line after ten seconds, then one a minute."""

    def __init__(self, *columns: ProgressColumn, console: Console) -> None:
        super().__init__(*columns, console=console, disable=True)
        self._stopped = threading.Event()

    def start(self) -> None:
        """Begin to tell."""
        threading.Thread(target=self._tell, name="riverbed-lines", daemon=True).start()

    def stop(self) -> None:
        """Tell nothing more."""
        self._stopped.set()

    def _tell(self) -> None:
        seconds = FIRST
        while not self._stopped.wait(seconds):
            seconds = BETWEEN
            for task in self.tasks:
                if not task.finished:
                    _say(self.console, f"riverbed: {self._line(task)}")

    def _line(self, task: Task) -> str:
        """A task in words: its columns, and the time left where it can be told."""
        told = [str(column(task)) for column in self.columns if isinstance(column, ProgressColumn)]
        left = task.time_remaining
        more = [] if left is None else [f"about {_in_words(left)} left"]
        return ", ".join([" ".join(part.split()) for part in told if part.strip()] + more)


def _in_words(seconds: float) -> str:
    """A time to go on with, as coarse as it is known."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 2 * 3600 else f"{seconds / 3600:.0f} hours"


def _say(console: Console, line: str) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True)
