"""What all commands share: progress, text in any encoding, and missing extras named with how to install them."""

from __future__ import annotations

import io
import sys

import pytest
from in_process import one_line
from rich.console import Console
from rich.progress import Progress, TextColumn

from riverbed_lab.cli import console
from riverbed_lab.cli.console import FIRST_LINE, NEXT_LINE, LineProgress, progress_bar, waiting
from riverbed_lab.extras import need


class Clock:
    """A clock that tests set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def lines(bar: Progress) -> list[str]:
    assert isinstance(bar.console.file, io.StringIO)
    return bar.console.file.getvalue().splitlines()


def file_bar(clock: Clock, *counts: TextColumn) -> Progress:
    bar = progress_bar(*counts, on=Console(file=io.StringIO()))
    assert isinstance(bar, LineProgress)
    bar.get_time = clock  # type: ignore[method-assign]
    return bar


def test_a_file_gets_a_line_after_ten_seconds_and_then_one_a_minute() -> None:
    clock = Clock()
    with file_bar(clock) as bar:
        task = bar.add_task("playing a game", total=20)
        bar.advance(task)
        assert lines(bar) == []
        clock.now = FIRST_LINE
        bar.advance(task)
        bar.advance(task)
        clock.now += NEXT_LINE
        bar.update(task, advance=2)
    first, second = lines(bar)
    assert first.startswith("riverbed: playing a game, 2/20")
    assert second.startswith("riverbed: playing a game, 5/20")


def test_a_finished_task_gets_no_line() -> None:
    clock = Clock()
    with file_bar(clock) as bar:
        task = bar.add_task("playing", total=1)
        clock.now = FIRST_LINE
        bar.advance(task)
    assert lines(bar) == []


def test_lines_show_the_columns_that_were_asked_for() -> None:
    clock = Clock()
    with file_bar(clock, TextColumn("{task.fields[errors]} errors")) as bar:
        task = bar.add_task("loads", total=None, errors=0)
        clock.now = FIRST_LINE
        bar.update(task, errors=3)
    assert lines(bar) == ["riverbed: loads, 3 errors"]


def test_a_terminal_has_a_bar() -> None:
    terminal = Console(file=io.StringIO(), force_terminal=True, width=80, _environ={"TERM": "xterm"})
    with progress_bar(on=terminal) as bar:
        bar.add_task("playing", total=2)
    shown = "\n".join(lines(bar))
    assert "playing" in shown
    assert "0/2" in shown
    assert "riverbed: " not in shown


def test_a_file_is_told_nothing_of_waiting(monkeypatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr(console, "errors", Console(file=file))
    with waiting("reading") as tell:
        tell("counting")
    assert file.getvalue() == ""


@pytest.mark.parametrize(
    ("encoding", "written"), [("ascii", b"41.6-43.6 of 10h x 2 ... ?"), ("utf-8", "41.6–43.6 of 10♥ × 2 … 魚".encode())]
)
def test_what_an_encoding_lacks_is_written_by_what_is_similar(
    encoding: str, written: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(file, encoding=encoding, write_through=True))
    console.plainly(lambda: print("41.6–43.6 of 10♥ × 2 … 魚", end=""))
    assert file.getvalue() == written


def test_a_missing_extra_is_named_with_the_way_to_install_it_from_a_checkout(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("riverbed_lab.extras.find_spec", lambda name: None)
    with pytest.raises(SystemExit) as ended:
        console.plainly(lambda: need("training"))
    assert ended.value.code == 2
    said = one_line(capsys.readouterr().err)
    assert said.endswith("pip install '.[training]' in the checkout (first: pip install -c constraints.txt torch)")
