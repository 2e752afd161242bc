"""Text is written in any encoding; a missing extra is named with how to install it."""

from __future__ import annotations

import io
import sys

import pytest
from in_process import one_line

from riverbed_lab.cli import console
from riverbed_lab.extras import need


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
