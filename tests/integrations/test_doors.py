"""The table of doors: each row names an installed library, and what a user writes runs."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import pytest

from studies import doors


def test_every_row_names_an_installed_library_and_what_is_measured() -> None:
    assert len({door.library for door in doors.DOORS}) == len(doors.DOORS)
    for door in doors.DOORS:
        assert version(door.library)
        assert {*door.ways} <= {*doors.MEASURED}


@pytest.mark.slow  # test_torchrl plays through the same door
def test_the_lines_that_a_user_of_torchrl_writes_run_as_they_are() -> None:
    names: dict[str, Any] = {}
    exec(doors.TORCHRL.use, names)
    assert doors.TORCHRL.lines == 3
    assert names["turns"]["next", "terminated"].any()


@pytest.mark.slow
def test_ways_count_their_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "ENVS", 8)
    monkeypatch.setattr(doors, "TURNS", 16)
    with doors.torchrl_plays(False) as play:
        assert play() == 1024
    with doors.torchrl_learns() as play:
        assert play() == 8 * 16


@pytest.mark.slow
@pytest.mark.parametrize("door", [doors.TORCHRL, doors.OPENSPIEL, doors.MINARI_DOOR], ids=lambda door: door.library)
def test_a_row_is_checked_and_measured(door: doors.Door) -> None:
    name, number, checker, *rates, lines = doors.row(door, 0.01)
    assert (name, number) == (door.library, version(door.library))
    assert (checker, lines) == (f"{door.checker}: passed", str(door.lines))
    for which, each in zip(doors.MEASURED, rates, strict=True):
        assert int(each.replace(",", "")) > 0 if which in door.ways else each == "–"
