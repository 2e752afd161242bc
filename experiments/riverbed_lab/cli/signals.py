"""How a command ends when a signal asks it to: within seconds, with one line that says how to resume.

Python handles a signal between two bytecodes, and compiling a loop is one call of many seconds. So a thread waits for
signals too, and ends the process if the main thread doesn't. Nothing is lost: files are written whole or not at all,
and the lock of a dead process is ignored.

This module is imported before everything else of a command, which takes a second: it must stay light.
"""

from __future__ import annotations

import atexit
import os
import select
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import NoReturn

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
PROGRAM = "riverbed"
PATIENCE = 3.0  # s that the main thread has to end after a signal
SHOW_CURSOR = "\x1b[?25h"  # progress bars hide it

_how_to_resume: list[Callable[[], str]] = []
_received: list[int] = []  # the signal's number, once there was one
_active = threading.Event()


class Stopped(BaseException):
    """A signal asked the process to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def set_resume_words(how: Callable[[], str]) -> None:
    """Set what a command says if it ends early: what is kept and how to resume."""
    _how_to_resume[:] = [how]


def again() -> str:
    """The command line as it was given."""
    import shutil
    from pathlib import Path

    here, *words = sys.argv
    path = shutil.which(PROGRAM)  # call it by its path if its name leads nowhere or elsewhere
    elsewhere = Path(here).name == PROGRAM != here and not (path and Path(here).exists() and Path(here).samefile(path))
    return f"{shlex.quote(here) if elsewhere else PROGRAM} {shlex.join(words)}"


def ended_early(why: str) -> str:
    """The line of a command that ends early: why, and how to resume."""
    for how in _how_to_resume:
        with suppress(Exception):  # the folder can't be read any more: there is nothing to add
            return f"riverbed: {why}; {how()}"
    return f"riverbed: {why}"


@contextmanager
def stoppable() -> Iterator[None]:
    """A context in which a signal that asks the process to end raises `Stopped`; the process prints a line and exits.

    The exit code is 128 + the signal. A second signal ends the process at once. Ignored signals (nohup) stay ignored.
    An error raised after a signal counts as the signal, since a library that is being imported turns `Stopped` into
    another error. Nested uses, and threads other than the main one, install no handlers.
    """
    outermost = not _active.is_set() and threading.current_thread() is threading.main_thread()
    try:
        with _handled() if outermost else nullcontext():
            yield
        return
    except Stopped:
        pass
    except Exception:
        if not _received:
            raise
    if not outermost:
        raise Stopped(_received[0])
    _say(ended_early(_why(_received[0])))
    sys.exit(128 + _received[0])


@contextmanager
def _handled() -> Iterator[None]:
    """Handle the signals, in the main thread and in one that watches it."""
    _how_to_resume.clear()
    _received.clear()
    _active.set()
    atexit.unregister(_ignore_signals)
    atexit.register(_ignore_signals)
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    wakeup_before = signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    hook_before, sys.unraisablehook = sys.unraisablehook, _end_or(sys.unraisablehook)
    handlers_before = {number: signal.signal(number, _stop) for number in _unclaimed()}
    thread = threading.Thread(target=_watch, args=(reads,), name="riverbed-signals", daemon=True)
    thread.start()
    try:
        yield
    finally:
        for number, handler in handlers_before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup_before)
        sys.unraisablehook = hook_before
        os.close(writes)
        thread.join()
        os.close(reads)
        _active.clear()


def _stop(number: int, frame: object) -> None:
    _received[:] = [number]
    raise Stopped(number)


def _watch(reads: int) -> None:
    """End the process if it doesn't end within `PATIENCE` of a signal, or when another signal comes.

    reads: a pipe that gets each signal's number and is closed when the command ends.
    """
    number = os.read(reads, 1)
    if number and (not select.select([reads], [], [], PATIENCE)[0] or os.read(reads, 1)):
        _end_at_once(number[0])


def _end_or(hook: Callable[[sys.UnraisableHookArgs], object]) -> Callable[[sys.UnraisableHookArgs], object]:
    """A hook that ends the process if `Stopped` was raised where it can't propagate, as in a callback from LLVM."""

    def unraisable(lost: sys.UnraisableHookArgs) -> None:
        if isinstance(lost.exc_value, Stopped):
            _end_at_once(lost.exc_value.number)
        hook(lost)

    return unraisable


def _unclaimed() -> list[int]:
    """The signals that have their default handlers."""
    return [each for each in SIGNALS if signal.getsignal(each) in (signal.SIG_DFL, signal.default_int_handler)]


def _ignore_signals() -> None:
    """Ignore signals while the process ends by itself: libraries take a while to release what they hold."""
    for number in _unclaimed():
        signal.signal(number, signal.SIG_IGN)


def _why(number: int) -> str:
    return "interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"


def _end_at_once(number: int) -> NoReturn:
    _say(ended_early(_why(number)))
    os._exit(128 + number)


def _say(line: str) -> None:
    with suppress(OSError, ValueError, AttributeError):  # the terminal may be closed
        sys.stderr.write(f"{SHOW_CURSOR if sys.stderr.isatty() else ''}{line}\n")
        sys.stderr.flush()
