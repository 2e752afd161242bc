"""Golden games: replayed, they say the same words as when they were written."""

from __future__ import annotations

import subprocess
import sys
from difflib import unified_diff
from pathlib import Path

import pytest
from golden import FOLDER, GOLDEN, Golden, tell

# What the games are to show between them; each is read off the words of the events.
SHOWN = {
    "a Hunt": "declares the Hunt",
    "a Hunt penalty": "the Hunt penalty is due",
    "a Con": "declares the Con",
    "a slip away": "slips away from the co-op",
    "a Delusion": "plays Delusion",
    "a shuffle of tiles": "shuffles the face-down tiles",
    "a reshuffle of the deck": "is shuffled into a new draw pile",
    "an uncover": "takes the Uncover action",
    "a swap": "swaps the tiles",
    "a refresh marker": "uses the refresh marker",
}


def name(golden: Golden) -> str:
    return golden.path.stem


@pytest.mark.parametrize("golden", GOLDEN, ids=name)
def test_a_golden_game_is_played_as_written(golden: Golden) -> None:
    written = golden.path.read_text(encoding="utf-8").splitlines()
    played = tell(golden).splitlines()
    difference = list(unified_diff(written, played, "as written", "as played now", n=2, lineterm=""))
    if difference:
        shown = "\n".join(difference[:60])
        pytest.fail(
            f"{golden.path.name} is played differently now:\n{shown}\n"
            f"({len(difference)} lines of difference; if it is meant: python -m tests.golden.golden)",
            pytrace=False,
        )


@pytest.mark.parametrize("golden", GOLDEN, ids=name)
def test_a_golden_game_is_short_enough_to_read(golden: Golden) -> None:
    lines = golden.path.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 250
    assert max(map(len, lines)) <= 160


def test_there_is_no_other_golden_file() -> None:
    assert {golden.path for golden in GOLDEN} == set(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("what", SHOWN)
def test_the_golden_games_show(what: str) -> None:
    texts = [" ".join(golden.path.read_text(encoding="utf-8").split()) for golden in GOLDEN]
    assert any(SHOWN[what] in text for text in texts)


@pytest.mark.parametrize("golden", GOLDEN, ids=name)
def test_a_difference_is_told(golden: Golden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = golden.path.read_text(encoding="utf-8").replace("turn 2 ", "turn 3 ", 1)
    (tmp_path / golden.path.name).write_text(changed, encoding="utf-8")
    monkeypatch.setattr("golden.FOLDER", tmp_path)
    with pytest.raises(pytest.fail.Exception, match="as played now"):
        test_a_golden_game_is_played_as_written(golden)


@pytest.mark.slow
def test_the_command_in_the_docstring_writes_the_files() -> None:
    before = {golden.path: golden.path.read_bytes() for golden in GOLDEN}
    try:
        subprocess.run([sys.executable, "-W", "error", "-m", "tests.golden.golden"], check=True, cwd=FOLDER.parents[1])
        assert {golden.path: golden.path.read_bytes() for golden in GOLDEN} == before
    finally:
        for path, content in before.items():
            path.write_bytes(content)
