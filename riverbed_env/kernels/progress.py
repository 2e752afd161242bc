"""Says on standard error that kernels are being compiled, once it takes long enough to be wondered at.

Numba tells when it compiles, so this is said where it happens and nowhere else: in a first game, in the first batch
with two threads, in what was left of a compilation that was broken off.
"""

from __future__ import annotations

import sys
import threading
import time
from typing import Any
from weakref import WeakSet

import numba.core.event as events

QUIET = 2.0  # s of compiling that nobody wonders about
AGAIN = 60.0  # s from a line to the next
PAUSE = 10.0  # s without compiling, after which it begins anew
WORDS = "riverbed: compiling (half a minute or so for a game's rules, as much for an agent; kept for later starts)\n"
STILL = "riverbed: still compiling, {seconds:.0f} s by now\n"


class _Teller(events.Listener):
    """Hears of every compilation; tells of those of the kernels it was given."""

    def __init__(self) -> None:
        self._kernels: WeakSet[Any] = WeakSet()
        self._lock = threading.Lock()
        self._depth = 0
        self._began, self._ended = 0.0, float("-inf")  # of a spell of compilations, one after another
        self._due, self._words = 0.0, WORDS  # what is said next, and when
        self._timer: threading.Timer

    def add(self, kernel: Any) -> None:
        """Tell of this kernel's compilation too."""
        self._kernels.add(kernel)

    def on_start(self, event: Any) -> None:
        """Numba begins to compile a function."""
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
        """Numba has compiled a function, or couldn't."""
        if event.data["dispatcher"] not in self._kernels:
            return
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                self._ended = time.monotonic()
                self._timer.cancel()

    def _wait(self, now: float) -> None:
        self._timer = threading.Timer(max(0.0, self._due - now), self._tell)
        self._timer.daemon = True
        self._timer.start()

    def _tell(self) -> None:
        with self._lock:
            now = time.monotonic()
            if not self._depth or now < self._due:  # done just now, or the next function is begun
                return
            words, self._words, self._due = self._words, STILL, now + AGAIN
            self._wait(now)
        sys.stderr.write(words.format(seconds=now - self._began))
        sys.stderr.flush()


_teller = _Teller()
register: Any = events.register
register("numba:compile", _teller)


def announce(kernel: Any) -> None:
    """From now on say so, once for all that are compiled one after another, when compiling this kernel takes long."""
    _teller.add(kernel)
