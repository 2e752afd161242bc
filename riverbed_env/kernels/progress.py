"""Prints a line on standard error once compilation exceeds two seconds, and another every minute.

Numba reports each compilation, so the line appears wherever kernels are compiled: in a first game, in the first batch
with two threads, or after an interrupted compilation.
"""

from __future__ import annotations

import sys
import threading
import time
from typing import Any
from weakref import WeakSet

import numba.core.event as events

QUIET = 2.0  # s of compiling before the first line
AGAIN = 60.0  # s between lines
PAUSE = 10.0  # s without compiling after which a new spell begins
WORDS = "riverbed: compiling (up to half a minute for a game's rules, as much for an agent; kept for later starts)\n"
STILL = "riverbed: still compiling, {seconds:.0f} s by now\n"


class _Progress(events.Listener):
    """Listens to all compilations and reports those of the registered kernels."""

    def __init__(self) -> None:
        self._kernels: WeakSet[Any] = WeakSet()
        self._lock = threading.Lock()
        self._depth = 0
        self._began, self._ended = 0.0, float("-inf")  # of a spell of compilations in a row
        self._due, self._words = 0.0, WORDS  # the next line, and when it is due
        self._timer: threading.Timer

    def add(self, kernel: Any) -> None:
        """Report this kernel's compilation too."""
        self._kernels.add(kernel)

    def on_start(self, event: Any) -> None:
        """Numba starts to compile a function."""
        if event.data["dispatcher"] not in self._kernels:
            return
        with self._lock:
            self._depth += 1
            if self._depth > 1:
                return
            now = time.monotonic()
            if now - self._ended > PAUSE:
                self._began, self._due, self._words = now, now + QUIET, WORDS
            self._wait(now)

    def on_end(self, event: Any) -> None:
        """Numba has compiled a function, or failed to."""
        if event.data["dispatcher"] not in self._kernels:
            return
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                self._ended = time.monotonic()
                self._timer.cancel()

    def _wait(self, now: float) -> None:
        self._timer = threading.Timer(max(0.0, self._due - now), self._print)
        self._timer.daemon = True
        self._timer.start()

    def _print(self) -> None:
        with self._lock:
            now = time.monotonic()
            if not self._depth or now < self._due:  # finished just now, or the next function has begun
                return
            words, self._words, self._due = self._words, STILL, now + AGAIN
            self._wait(now)
        sys.stderr.write(words.format(seconds=now - self._began))
        sys.stderr.flush()


_progress = _Progress()
register: Any = events.register
register("numba:compile", _progress)


def announce(kernel: Any) -> None:
    """Report when compiling this kernel takes long; kernels compiled in a row share their lines."""
    _progress.add(kernel)
