"""Prints a line on standard error once kernels have been compiling for two seconds, once in a process.

Numba reports each compilation, so the line appears wherever kernels are compiled: in a first game, in the first batch
with two threads, or after an interrupted compilation.
"""

from __future__ import annotations

import sys
import threading
from typing import Any
from weakref import WeakSet

import numba.core.event as events

QUIET = 2.0  # s of compiling a kernel before the line
WORDS = "riverbed: compiling (up to half a minute for a game's rules, as much for an agent; kept for later starts)"


class _Progress(events.Listener):
    """Listens to all compilations and reports the first long one of the registered kernels."""

    def __init__(self) -> None:
        self._kernels: WeakSet[Any] = WeakSet()
        self._depth, self._told = 0, False
        self._timer: threading.Timer

    def add(self, kernel: Any) -> None:
        """Report this kernel's compilation too."""
        self._kernels.add(kernel)

    def on_start(self, event: Any) -> None:
        """Numba starts to compile a function."""
        if event.data["dispatcher"] in self._kernels:
            self._depth += 1
            if self._depth == 1:
                self._timer = threading.Timer(QUIET, self._print)
                self._timer.daemon = True
                self._timer.start()

    def on_end(self, event: Any) -> None:
        """Numba has compiled a function, or failed to."""
        if event.data["dispatcher"] in self._kernels:
            self._depth -= 1
            if self._depth == 0:
                self._timer.cancel()

    def _print(self) -> None:
        if not self._told:
            self._told = True
            print(WORDS, file=sys.stderr, flush=True)


_progress = _Progress()
register: Any = events.register
register("numba:compile", _progress)


def announce(kernel: Any) -> None:
    """Report when compiling this kernel takes long."""
    _progress.add(kernel)
