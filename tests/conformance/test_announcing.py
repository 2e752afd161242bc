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


class Timers:
    """A clock that stands still, and the timer that goes off when a test lets time pass, like `threading.Timer`."""

    def __init__(self) -> None:
        self.now, self.due, self.call = 1000.0, float("inf"), print

    def monotonic(self) -> float:
        return self.now

    def make(self, seconds: float, call: Callable[[], None]) -> Any:
        start = lambda: vars(self).update(due=self.now + seconds, call=call)  # noqa: E731
        return SimpleNamespace(start=start, cancel=lambda: vars(self).update(due=float("inf")))

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.due <= self.now:
            self.now = self.due
            self.call()


def test_a_long_compilation_is_announced_once_and_then_now_and_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Timers()
    monkeypatch.setattr(progress, "time", clock)
    monkeypatch.setattr(progress.threading, "Timer", clock.make)
    teller = progress._Progress()
    kernels = [type("Kernel", (), {})() for _ in range(2)]
    outer, inner = (SimpleNamespace(data={"dispatcher": kernel}) for kernel in kernels)
    for kernel in kernels:
        teller.add(kernel)
    teller.on_start(outer)
    clock.sleep(progress.QUIET / 2)
    teller.on_start(inner)  # the first calls the second
    teller.on_end(inner)
    assert capsys.readouterr().err == ""
    clock.sleep(progress.QUIET)
    assert capsys.readouterr().err == progress.WORDS
    clock.sleep(progress.AGAIN)
    assert capsys.readouterr().err == progress.STILL.format(seconds=progress.QUIET + progress.AGAIN)
    teller.on_end(outer)
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
