"""A long compilation is announced on standard error; a short one, or one of other kernels, isn't."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from riverbed_env.kernels import progress
from riverbed_env.kernels.compile import KernelFamily

SOURCE = """
def outer(number):
    return number + 2
"""


class Clock:
    """A clock that stands still between `sleep`s, and the timers that go off in them."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.timers: list[Timer] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass; timers that are due go off in their order, each at its time."""
        end = self.now + seconds
        while self.timers and min(timer.due for timer in self.timers) <= end:
            timer = min(self.timers, key=lambda each: each.due)
            self.timers.remove(timer)
            self.now = timer.due
            timer.call()
        self.now = end


class Timer:
    """A timer of such a clock, like `threading.Timer`."""

    def __init__(self, clock: Clock, seconds: float, call: Callable[[], None]) -> None:
        self.clock, self.due, self.call, self.daemon = clock, clock.now + seconds, call, False

    def start(self) -> None:
        self.clock.timers.append(self)

    def cancel(self) -> None:
        if self in self.clock.timers:
            self.clock.timers.remove(self)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "time", made)
    monkeypatch.setattr(progress.threading, "Timer", lambda seconds, call: Timer(made, seconds, call))
    return made


class Kernel:
    """A kernel, as Numba's events name it."""


def event(kernel: object) -> Any:
    return SimpleNamespace(data={"dispatcher": kernel})


def test_a_long_compilation_is_announced_once_and_then_now_and_again(
    capsys: pytest.CaptureFixture[str], clock: Clock
) -> None:
    teller, kernels = progress._Progress(), [Kernel(), Kernel()]
    for kernel in kernels:
        teller.add(kernel)
    teller.on_start(event(kernels[0]))
    clock.sleep(progress.QUIET / 2)
    teller.on_start(event(kernels[1]))  # the first calls the second
    teller.on_end(event(kernels[1]))
    assert capsys.readouterr().err == ""
    clock.sleep(progress.QUIET)
    assert capsys.readouterr().err == progress.WORDS
    clock.sleep(progress.AGAIN)
    assert capsys.readouterr().err == progress.STILL.format(seconds=progress.QUIET + progress.AGAIN)
    teller.on_end(event(kernels[0]))
    clock.sleep(10 * progress.AGAIN)
    assert capsys.readouterr().err == ""


@pytest.mark.compiled
def test_compiled_kernels_are_announced_and_cached_ones_arent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(progress._progress, "on_start", lambda event: told.append(event.data["dispatcher"].__name__))
    monkeypatch.setattr(progress._progress, "on_end", lambda event: None)
    monkeypatch.setenv("RIVERBED_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "announced.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("announced")
    for _ in range(2):
        kernel: Any = KernelFamily("announced", tmp_path)(module.outer)
        assert kernel in progress._progress._kernels
        assert kernel(1) == 3
    assert told == ["outer"]
