"""How a command ends when it is asked to: at once, in one line that says how it goes on, whatever it is doing.

Python hears of a signal only between two steps of its own. Compiling a large loop is one step of many seconds, so a
thread waits for signals too and ends the process where the command doesn't hear. Nothing is lost by it: files are
written whole or not at all, and a lock of a process that is gone holds nothing.

This module is imported before the others of a command, which takes a second: it must stay light.
"""

from __future__ import annotations

import atexit
import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # those that the system has
HEARS_WITHIN, ENDS_WITHIN = 1.0, 5.0  # s, of a signal
SHOW_CURSOR = "\x1b[?25h"  # progress bars hide it

_how: list[Callable[[], str]] = []
_asked: list[int] = []  # the number of the signal, once there was one
_active = threading.Event()


class Stopped(BaseException):
    """A signal asked the process to end; the number is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def goes_on(how: Callable[[], str]) -> None:
    """From now on this is said where the command ends before its time: what is kept, and how it goes on."""
    _how[:] = [how]


def again(*more: str, program: str = "riverbed") -> str:
    """The command as it was given, with further words unless they are among it already."""
    words = sys.argv[1:]
    return f"{_called(program)} {shlex.join([*words, *(word for word in more if word not in words)])}"


def _called(program: str) -> str:
    """How a program is called here: by its path where its name alone leads nowhere or elsewhere, as after make run."""
    import shutil
    from pathlib import Path

    here = Path(sys.argv[0])
    if here.name != program or str(here) == program:
        return program
    found = shutil.which(program)
    return program if found and here.exists() and here.samefile(found) else shlex.quote(str(here))


def how_it_goes_on() -> str:
    """What `goes_on` was told, "" where nothing was."""
    for how in _how:
        with suppress(Exception):  # of a folder that can't be read any more; then there is nothing to say
            return how()
    return ""


def ended_early(why: str) -> str:
    """The line for a command that ends before its time."""
    how = how_it_goes_on()
    return f"riverbed: {why}{f'; {how}' if how else ''}"


@contextmanager
def stoppable() -> Iterator[None]:
    """Within it, signals that ask a process to end raise `Stopped`, which ends it with a line and 128 + the signal.

    A second signal ends it at once. Signals that whoever began the process has it ignore (nohup) stay ignored. Within
    itself, or in another thread than the main one, it changes nothing. Once the process is ending by itself, signals
    don't break that off: all is done then.
    """
    if _active.is_set() or threading.current_thread() is not threading.main_thread():
        yield
        return
    atexit.unregister(_end_undisturbed)
    atexit.register(_end_undisturbed)
    _how.clear()
    _asked.clear()
    _active.set()
    try:
        with _Listener(), unmasked():
            yield
    except Stopped as stopped:
        _say(ended_early(_why(stopped.number)))
        sys.exit(128 + stopped.number)
    finally:
        _active.clear()


@contextmanager
def unmasked() -> Iterator[None]:
    """Let an error that came of a signal count as the signal: libraries that are being imported make others of it."""
    try:
        yield
    except Exception as error:
        if _asked:
            raise Stopped(_asked[0]) from error
        raise


def _left_to_python() -> list[int]:
    """Those of the signals that the system has and nobody else handles or ignores."""
    numbers = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    return [each for each in numbers if signal.getsignal(each) in (signal.SIG_DFL, signal.default_int_handler)]


def _end_undisturbed() -> None:
    """Ignore from now on what would ask the process to end: libraries take a while to let go of what they hold."""
    for number in _left_to_python():
        signal.signal(number, signal.SIG_IGN)


def _why(number: int) -> str:
    return "interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"


def _end_at_once(number: int) -> NoReturn:
    _say(ended_early(_why(number)))
    os._exit(128 + number)


def _say(line: str) -> None:
    with suppress(OSError, ValueError, AttributeError):  # the terminal may be gone
        sys.stderr.write(f"{SHOW_CURSOR if sys.stderr.isatty() else ''}{line}\n")
        sys.stderr.flush()


class _Listener:
    """Signals as exceptions in the main thread, and a thread that ends the process where that doesn't help."""

    def __init__(self) -> None:
        self._heard = threading.Event()
        self._before: dict[int, Any] = {}
        self._reads, self._writes = os.pipe()
        os.set_blocking(self._writes, False)
        self._thread = threading.Thread(target=self._wait, name="riverbed-signals", daemon=True)

    def __enter__(self) -> None:
        self._unraisable_before = sys.unraisablehook
        sys.unraisablehook = self._unraisable
        self._wakes_before = signal.set_wakeup_fd(self._writes, warn_on_full_buffer=False)
        for number in _left_to_python():
            self._before[number] = signal.signal(number, self._stop)
        self._thread.start()

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakes_before)
        sys.unraisablehook = self._unraisable_before
        os.close(self._writes)
        self._thread.join()
        os.close(self._reads)

    def _stop(self, number: int, frame: object) -> None:
        self._heard.set()
        _asked[:] = [number]
        raise Stopped(number)

    def _unraisable(self, lost: sys.UnraisableHookArgs) -> None:
        """End the process where the exception came up in a place that can't pass it on, as in a callback of LLVM's."""
        if not isinstance(lost.exc_value, Stopped):
            self._unraisable_before(lost)
            return
        _end_at_once(lost.exc_value.number)

    def _wait(self) -> None:
        """End the process if a signal isn't heard in time, or nothing comes of it, or another one comes."""
        number = self._next(None)
        if number is None:
            return
        if self._heard.wait(HEARS_WITHIN):
            if self._next(ENDS_WITHIN) is None:
                return
        _end_at_once(number)

    def _next(self, seconds: float | None) -> int | None:
        """The number of the next signal of ours; None where the pipe is closed. After so many seconds, -1."""
        import select

        while True:
            if seconds is not None and not select.select([self._reads], [], [], seconds)[0]:
                return -1
            read = os.read(self._reads, 1)
            if not read:
                return None
            if read[0] in self._before:
                return read[0]
