"""Nobody waits for a compilation without a word, and nobody is told of one that isn't."""

from __future__ import annotations

import importlib
import time
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


class Kernel:
    """Something that Numba tells of."""


def event(kernel: object) -> Any:
    return SimpleNamespace(data={"dispatcher": kernel})


def until_told(capsys: pytest.CaptureFixture[str], words: str) -> str:
    """What was said on standard error since the last time, once these words are in it."""
    said, ends = "", time.monotonic() + 10.0
    while words not in said:
        assert time.monotonic() < ends, said
        time.sleep(0.01)
        said += capsys.readouterr().err
    return said


def test_a_long_compilation_is_told_once_and_then_now_and_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "QUIET", 0.05)
    teller, kernels = progress._Progress(), [Kernel(), Kernel()]
    for kernel in kernels:
        teller.add(kernel)
    teller.on_start(event(kernels[0]))
    teller.on_start(event(kernels[1]))  # the first calls the second
    teller.on_end(event(kernels[1]))
    assert until_told(capsys, "\n") == progress.WORDS
    teller.on_end(event(kernels[0]))
    monkeypatch.setattr(progress, "AGAIN", 0.05)
    teller._due = 0.0
    teller.on_start(event(kernels[1]))
    assert "still compiling, " in until_told(capsys, "s by now\n")
    teller.on_end(event(kernels[1]))
    capsys.readouterr()
    time.sleep(0.1)
    assert capsys.readouterr().err == ""


def test_short_compilations_and_those_of_others_are_not_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "QUIET", 0.05)
    teller, kernel, stranger = progress._Progress(), Kernel(), Kernel()
    teller.add(kernel)
    teller.on_start(event(kernel))
    teller.on_end(event(kernel))
    teller.on_start(event(stranger))
    time.sleep(0.1)
    teller.on_end(event(stranger))
    assert capsys.readouterr().err == ""


def test_many_short_compilations_in_a_row_are_told_and_a_later_one_begins_anew(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "QUIET", 0.05)
    teller, kernel = progress._Progress(), Kernel()
    teller.add(kernel)
    said, ends = "", time.monotonic() + 10.0
    while not said and time.monotonic() < ends:
        teller.on_start(event(kernel))
        time.sleep(0.02)
        teller.on_end(event(kernel))
        said += capsys.readouterr().err
    assert said == progress.WORDS
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    teller.on_start(event(kernel))
    assert until_told(capsys, "\n") == progress.WORDS
    teller.on_end(event(kernel))


@pytest.mark.compiled
def test_numba_tells_of_kernels_that_are_compiled_and_not_of_those_that_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(progress._teller, "on_start", lambda event: told.append(event.data["dispatcher"].__name__))
    monkeypatch.setattr(progress._teller, "on_end", lambda event: None)
    monkeypatch.setenv("RIVERBED_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "announced.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("announced")
    for _ in range(2):
        kernel: Any = KernelFamily("announced", tmp_path)(module.outer)
        assert kernel in progress._teller._kernels
        assert kernel(1) == 3
    assert told == ["outer"]
