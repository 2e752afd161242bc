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


class Timer:
    """A timer that goes off when the test says so, unless it is cancelled."""

    last: Timer

    def __init__(self, seconds: float, call: Callable[[], None]) -> None:
        self.seconds, self.call, self.daemon = seconds, call, False
        self.runs = False
        Timer.last = self

    def start(self) -> None:
        self.runs = True

    def cancel(self) -> None:
        self.runs = False


class Kernel:
    """A kernel, as Numba's events name it."""


def event(kernel: object) -> Any:
    return SimpleNamespace(data={"dispatcher": kernel})


def test_a_long_compilation_is_announced_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress.threading, "Timer", Timer)
    teller, kernels = progress._Progress(), [Kernel(), Kernel()]
    for kernel in kernels:
        teller.add(kernel)
    teller.on_start(event(kernels[0]))
    first = Timer.last
    teller.on_start(event(kernels[1]))  # the first calls the second
    teller.on_end(event(kernels[1]))
    assert Timer.last is first
    assert (first.runs, first.seconds) == (True, progress.QUIET)
    first.call()
    teller.on_end(event(kernels[0]))
    assert not first.runs
    assert capsys.readouterr().err == f"{progress.WORDS}\n"
    teller.on_start(event(kernels[1]))
    Timer.last.call()
    teller.on_start(event(Kernel()))  # of somebody else
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
