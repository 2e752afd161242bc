"""Output that takes only some characters gets the nearest ones, not a trace."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest
from riverbed_lab.cli.encodings import NEAREST, OTHER, nearest, write_in_any_encoding


def test_what_can_not_be_written_is_told_by_what_is_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii", write_through=True))
    write_in_any_encoding()
    print("41.6–43.6 of 10♥ × 2 … 魚", end="")
    assert written.getvalue() == b"41.6-43.6 of 10h x 2 ... " + OTHER.encode()
    assert all(sign.isascii() for sign in NEAREST.values())


def test_what_can_be_written_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="utf-8", write_through=True))
    write_in_any_encoding()
    print("41.6–43.6 魚", end="")
    assert written.getvalue().decode() == "41.6–43.6 魚"


def test_only_writing_is_mended() -> None:
    with pytest.raises(UnicodeDecodeError):
        nearest(UnicodeDecodeError("ascii", b"\xff", 0, 1, "not ASCII"))


def test_commands_say_all_they_have_to_say_in_ascii() -> None:
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    told = subprocess.run(
        [sys.executable, "-c", "from riverbed_lab.cli.app import main; main()", "card"],
        env=plain, check=True, capture_output=True, encoding="ascii",
    ).stdout  # fmt: skip
    assert "Riverbed Hunt" in told
    assert "..." in told
