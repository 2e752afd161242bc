"""Who waits is told why: by a bar in a terminal, by lines in files and pipes, and nothing else gets into these."""

from __future__ import annotations

import io
import time

import pytest
from rich.console import Console
from rich.progress import TextColumn

from riverbed_lab.cli import progress


def log() -> tuple[Console, io.StringIO]:
    """A console on a file, where no bar can move."""
    file = io.StringIO()
    return Console(file=file), file


def until_told(file: io.StringIO, words: str) -> str:
    """What the file holds once these words are in it."""
    ends = time.monotonic() + 10.0
    while words not in file.getvalue():
        assert time.monotonic() < ends, file.getvalue()
        time.sleep(0.01)
    return file.getvalue()


def test_a_file_is_told_in_a_line_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "QUIET", 0.01)
    console, file = log()
    with progress.waiting_on(console, "reading"):
        assert until_told(file, "\n") == "riverbed: reading\n"


def test_a_file_is_told_nothing_of_what_is_soon_done() -> None:
    console, file = log()
    with progress.waiting_on(console, "reading") as tell:
        tell("counting")
    with progress.progress_bar_on(console) as bar:
        bar.update(bar.add_task("playing", total=2), advance=1)
    assert file.getvalue() == ""


def test_lines_stand_for_a_bar_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "FIRST", 0.01)
    monkeypatch.setattr(progress, "BETWEEN", 0.01)
    console, file = log()
    with progress.progress_bar_on(console) as bar:
        bar.update(bar.add_task("done already", total=1), advance=1)
        task = bar.add_task("playing a game", total=20)
        bar.update(task, advance=5)
        said = until_told(file, "5/20")
        bar.update(task, advance=5)
        until_told(file, "10/20, about ")
    assert said.splitlines()[0] == "riverbed: playing a game, 5/20"
    assert "done already" not in file.getvalue()
    told = file.getvalue()
    time.sleep(0.05)
    assert file.getvalue() == told  # it ends with the bar


def test_a_bar_tells_what_it_was_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "FIRST", 0.01)
    console, file = log()
    with progress.progress_bar_on(console, TextColumn("{task.fields[told]}")) as bar:
        bar.add_task("loads", total=None, told="3 of them")
        until_told(file, "riverbed: loads, 3 of them\n")


def test_a_terminal_has_a_bar() -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=80, _environ={"TERM": "xterm"})
    with progress.progress_bar_on(console) as bar:
        bar.add_task("playing", total=2)
    with progress.waiting_on(console, "reading"):
        pass
    assert "playing" in file.getvalue()
    assert "0/2" in file.getvalue()
    assert "riverbed: " not in file.getvalue()


def test_times_are_as_coarse_as_they_are_known() -> None:
    assert [progress._in_words(seconds) for seconds in (4.2, 99.0, 100.0, 3600.0, 40_000.0)] == [
        "4 s", "99 s", "2 minutes", "60 minutes", "11 hours",
    ]  # fmt: skip
