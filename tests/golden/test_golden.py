"""Golden games: replayed, they say the same words as when they were written."""

from __future__ import annotations

import subprocess
import sys
from difflib import unified_diff
from pathlib import Path

import pytest
from golden import FOLDER, GOLDEN, Golden, tell, write

# What the games are to show between them; each is read off the words of the events.
SHOWN = {
    "a Hunt": "declares the Hunt",
    "a Hunt penalty": "the Hunt penalty is due",
    "a Con": "declares the Con",
    "a slip away": "and slips away from",
    "a Delusion": "plays Delusion",
    "a shuffle of tiles": "shuffles the face-down tiles",
    "a reshuffle of the deck": "is shuffled into a new draw pile",
    "an uncover": "takes the Uncover action",
    "a swap": "swaps the tiles",
    "a refresh marker": "uses the refresh marker",
}


def name(golden: Golden) -> str:
    return golden.file


def read(golden: Golden, folder: Path = FOLDER) -> list[str]:
    return (folder / golden.file).read_text(encoding="utf-8").splitlines()


def check(golden: Golden, folder: Path = FOLDER) -> None:
    """Fails, telling the difference, unless the game is played as it is written in the folder."""
    texts = read(golden, folder), tell(golden).splitlines()
    difference = list(unified_diff(*texts, "as written", "as played now", n=2, lineterm=""))
    if difference:
        shown = "\n".join(difference[:60])
        pytest.fail(
            f"{golden.file} is played differently now:\n{shown}\n"
            f"({len(difference)} lines of difference; if it is meant: python tests/golden/golden.py)",
            pytrace=False,
        )


@pytest.mark.parametrize("golden", GOLDEN, ids=name)
def test_a_golden_game_is_played_as_written(golden: Golden) -> None:
    check(golden)


@pytest.mark.parametrize("golden", GOLDEN, ids=name)
def test_a_golden_game_is_short_enough_to_read(golden: Golden) -> None:
    lines = read(golden)
    assert len(lines) < 250
    assert max(map(len, lines)) <= 160


def test_there_is_no_other_golden_file() -> None:
    assert {golden.file for golden in GOLDEN} == {path.name for path in FOLDER.glob("*.txt")}


@pytest.mark.parametrize("what", SHOWN)
def test_the_golden_games_show(what: str) -> None:
    texts = [" ".join(" ".join(read(golden)).split()) for golden in GOLDEN]
    assert any(SHOWN[what] in text for text in texts)


def test_a_difference_is_told(tmp_path: Path) -> None:
    write(tmp_path)
    golden = GOLDEN[0]
    changed = (tmp_path / golden.file).read_text(encoding="utf-8").replace("turn 2 ", "turn 3 ", 1)
    (tmp_path / golden.file).write_text(changed, encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match="as played now"):
        check(golden, tmp_path)


@pytest.mark.slow
def test_the_command_in_the_docstring_writes_the_files(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", str(FOLDER / "golden.py"), str(tmp_path)]
    subprocess.run(command, check=True, cwd=FOLDER.parents[1])
    for golden in GOLDEN:
        check(golden, tmp_path)
