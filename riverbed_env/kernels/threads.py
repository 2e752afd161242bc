"""How threads share a loop, and when they don't: beside other work one thread can be quicker than two."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numba

from riverbed_env.errors import ForkError

from .compile import compiled

SAMPLE = 0.02  # s that more threads are tried for: long enough for other programs' time slices to come
GLANCE = 0.005  # s that one thread is tried for, whose time is steady
FIRST, LONGEST = 4, 64  # samples that a number of threads is kept for, once it is chosen and at most


class Pace:
    """Chooses how many threads take a loop's calls: all of them, or one, whichever has been quicker of late.

    Each call waits for its slowest thread, and a thread is slow while another program has its core. Trials of the other
    number take a sixty-fourth of the time or less. Results don't depend on the choice.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads  # of the next call
        self._all = threads
        self._seconds: dict[int, float] = {}  # a call, by threads
        self._chosen, self._kept_for = threads, 1
        self._calls, self._spent = -1, 0.0  # a first call isn't counted: it may compile

    def note(self, seconds: float) -> None:
        """Take note of what a call took; sets `threads` for the next."""
        self._calls += 1
        if self._calls == 0:
            return
        self._spent += seconds
        trying = self.threads != self._chosen
        if self._spent < ((GLANCE if self.threads == 1 else SAMPLE) if trying else SAMPLE * self._kept_for):
            return
        self._seconds[self.threads] = self._spent / self._calls
        self._calls, self._spent = 0, 0.0
        if not trying:
            self.threads = 1 if self._chosen == self._all else self._all
            self._calls = 0 if self.threads in self._seconds else -1
            return
        best = min(self._seconds, key=self._seconds.__getitem__)
        self._kept_for = min(2 * self._kept_for, LONGEST) if best == self._chosen else FIRST
        self.threads = self._chosen = best


class Team:
    """Threads that share the loops of one caller, whose calls of a loop are all alike."""

    def __init__(self, threads: int, clock: Callable[[], float] = time.perf_counter) -> None:
        self.threads = threads
        self._clock = clock
        self._paces: dict[str, Pace] = {}

    def __reduce__(self) -> tuple[type[Team], tuple[int]]:
        return Team, (self.threads,)  # elsewhere calls take other times

    def run(self, name: str, link: Callable[[bool], Callable[..., None]], *arguments: Any) -> None:
        """Call the loop of this name; `link` gives it for several threads or for one."""
        if self.threads == 1 or not compiled():
            link(False)(*arguments)
            return
        _check_fork()
        pace = self._paces.setdefault(name, Pace(self.threads))
        loop = link(pace.threads > 1)
        begun = self._clock()
        with_threads(pace.threads, loop, *arguments)
        pace.note(self._clock() - begun)


ALONE = Team(1)


def with_threads(threads: int, loop: Callable[..., None], *arguments: Any) -> None:
    """Call a loop on this many threads; it must be a parallel one unless that is 1.

    Raises ForkError if the process lost its threads by a fork.
    """
    if threads == 1:
        loop(*arguments)
        return
    _check_fork()
    with _waiting_asleep():
        before = numba.get_num_threads()
        numba.set_num_threads(threads)
        try:
            loop(*arguments)
        finally:
            numba.set_num_threads(before)


# OpenMP's threads spin for some ten µs, then sleep; GNU's library reads the second variable, others the first. Spinning
# on, as is the default, they would take the processor of a busy machine from the threads they wait for. Asleep at once,
# two threads made 1.4 to 1.6 times the decisions of one at 4,096 environments on an idle machine, and so 1.8 times.
WAITING = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "10000"}
_started: list[bool] = []


@contextlib.contextmanager
def _waiting_asleep() -> Iterator[None]:
    """A context for the first parallel call, which starts the threads: they soon sleep while they wait for work.

    OpenMP reads the variables once, when it is loaded; a user's own setting stays.
    """
    if _started:
        yield
        return
    _started.append(True)
    mine = {} if WAITING.keys() & os.environ.keys() else WAITING
    os.environ.update(mine)
    try:
        yield
    finally:
        for name in mine:
            del os.environ[name]


_lost_by_fork: list[str] = []  # the library whose threads ran in the process that this one was forked from


def _note_fork() -> None:
    """In a forked process: note whether kernels had threads, of which none is left here."""
    library: Any = numba
    with contextlib.suppress(ValueError):  # it has no threading layer before the first parallel kernel
        _lost_by_fork.append(library.threading_layer())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def _check_fork() -> None:
    """Raise ForkError if this process lost its threads by a fork.

    GNU OpenMP would kill the process without a word of ours, and a pool of such processes waits for ever.
    """
    if "omp" in _lost_by_fork or "workqueue" in _lost_by_fork:
        raise ForkError(
            "this process was forked from one that had used threads, so it can't use any: give threads=1 here or "
            'there, or start processes by "spawn" or "forkserver"'
        )
