"""How a command ends when a signal asks it to: with one line that says how to resume.

Nothing is lost: files are written whole or not at all, and a dead process holds no lock. Python handles a signal
between two bytecodes, so one that comes while a loop compiles is handled when that is done; a second one then ends the
process at once.

This module is imported before everything else of a command, which takes a second: it must stay light.
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
PROGRAM = "riverbed"
SHOW_CURSOR = "\x1b[?25h"  # progress bars hide it

_how_to_resume: list[Callable[[], str]] = []
_received: list[int] = []  # the signals' numbers
_active = threading.Event()


class Stopped(BaseException):
    """A signal asked the process to end."""


def set_resume_words(how: Callable[[], str]) -> None:
    """Set what a command says if it ends early: what is kept and how to resume."""
    _how_to_resume[:] = [how]


def again() -> str:
    """The command line as it was given."""
    return shlex.join([PROGRAM, *sys.argv[1:]])


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
    if _active.is_set() or threading.current_thread() is not threading.main_thread():
        try:
            yield
        except Exception:
            if _received:
                raise Stopped from None
            raise
        return
    _how_to_resume.clear()
    _received.clear()
    _active.set()
    before = {
        number: signal.signal(number, _stop)
        for number in SIGNALS
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler)
    }
    hook_before = sys.unraisablehook
    sys.unraisablehook = lambda lost: _unraisable(lost, hook_before)
    try:
        yield
    except (Exception, Stopped):
        if not _received:
            raise
        _say()
        sys.exit(128 + _received[0])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook_before
        _active.clear()


def _stop(number: int, frame: object) -> None:
    _received.append(number)
    if len(_received) > 1:
        _end_at_once()
    raise Stopped


def _unraisable(lost: sys.UnraisableHookArgs, hook: Callable[[sys.UnraisableHookArgs], object]) -> None:
    """End the process if `Stopped` was raised where it can't propagate, as in a callback from LLVM."""
    if isinstance(lost.exc_value, Stopped):
        _end_at_once()
    hook(lost)


def _end_at_once() -> None:
    _say()
    os._exit(128 + _received[0])


def _say() -> None:
    number = _received[0]
    line = ended_early("interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}")
    with suppress(OSError, ValueError, AttributeError):  # the terminal may be closed
        sys.stderr.write(f"{SHOW_CURSOR if sys.stderr.isatty() else ''}{line}\n")
        sys.stderr.flush()
