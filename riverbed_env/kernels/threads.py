"""How threads share a loop."""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any

import numba

from riverbed_env.errors import ForkError


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
