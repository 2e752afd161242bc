"""What all commands share: progress, text in any encoding, and missing extras named with how to install them."""

import io
import sys

import pytest
from in_process import one_line
from rich.console import Console
from rich.progress import Progress

from riverbed_env.errors import OptionError
from riverbed_lab.cli import console
from riverbed_lab.cli.console import numbers_of, progress_bar
from riverbed_lab.extras import need


def lines(bar: Progress) -> list[str]:
    assert isinstance(bar.console.file, io.StringIO)
    return bar.console.file.getvalue().splitlines()


def test_a_file_is_told_nothing_of_progress() -> None:
    with progress_bar(on=Console(file=io.StringIO())) as bar:
        bar.advance(bar.add_task("playing", total=2))
    assert lines(bar) == []


def test_a_terminal_has_a_bar() -> None:
    terminal = Console(file=io.StringIO(), force_terminal=True, width=80, _environ={"TERM": "xterm"})
    with progress_bar(on=terminal) as bar:
        bar.add_task("playing", total=2)
    shown = "\n".join(lines(bar))
    assert "playing" in shown
    assert "0/2" in shown


def test_numbers_are_a_range_or_a_list() -> None:
    assert numbers_of("1-3", 0, 4) == (1, 2, 3)
    assert numbers_of("4,0,4", 0, 4) == (4, 0)
    assert numbers_of(None, 4, 6) == (4, 5, 6)
    for wrong in ("x", "7-5", "-1", "5", ""):
        with pytest.raises(OptionError, match=rf"parts must be from 0 to 4, like 0-4 or 0,4, not '{wrong}'"):
            numbers_of(wrong, 0, 4, "parts")


@pytest.mark.parametrize(
    ("encoding", "written"), [("ascii", b"41.6?43.6 of 10? ? 2 ? ?"), ("utf-8", "41.6–43.6 of 10♥ × 2 … 魚".encode())]
)
def test_what_an_encoding_lacks_is_written_as_a_question_mark(
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
