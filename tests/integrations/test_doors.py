"""The table of doors: each row names an installed library, and is checked and measured."""

from importlib.metadata import version

import pytest

from studies import doors


def test_every_row_names_an_installed_library() -> None:
    assert len({door.library for door in doors.DOORS}) == len(doors.DOORS)
    for door in doors.DOORS:
        assert version(door.library)


@pytest.mark.slow
@pytest.mark.parametrize("door", [doors.TORCHRL, doors.OPENSPIEL], ids=lambda door: door.library)
def test_a_row_is_checked_and_measured(door: doors.Door) -> None:
    name, number, checker, *rates = doors.row(door, 0.01)
    assert (name, number) == (door.library, version(door.library))
    assert checker == f"{door.checker}: passed"
    for way, each in zip((door.own, door.ours), rates, strict=True):
        assert each == "–" if way is None else int(each.replace(",", "")) > 0
