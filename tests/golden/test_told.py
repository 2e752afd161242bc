"""The golden games in words of the other games: replayed, they say the same as when they were written."""

from __future__ import annotations

from difflib import unified_diff

import pytest
from told import FOLDER, TOLD, Told, tell

from riverbed_env.entries import ENTRIES


def name(told: Told) -> str:
    return told.file


@pytest.mark.parametrize("told", TOLD, ids=name)
def test_a_golden_game_is_played_and_told_as_written(told: Told) -> None:
    written = (FOLDER / told.file).read_text(encoding="utf-8")
    difference = list(
        unified_diff(written.splitlines(), tell(told).splitlines(), "as written", "as played now", n=2, lineterm="")
    )
    shown = "\n".join(difference[:60])
    assert not difference, f"{told.file} differs (if it is meant: python tests/golden/told.py):\n{shown}"


def test_there_is_no_other_file_and_every_game_is_told() -> None:
    assert {told.file for told in TOLD} == {path.name for path in FOLDER.iterdir()}
    ours = {game_id for game_id, entry in ENTRIES.items() if entry.game.startswith("riverbed_env.")}
    assert {told.game_id for told in TOLD} | {"riverbed_hunt_v0"} == ours


@pytest.mark.parametrize("told", TOLD, ids=name)
def test_lines_can_be_read(told: Told) -> None:
    assert max(map(len, (FOLDER / told.file).read_text(encoding="utf-8").splitlines())) <= 170
