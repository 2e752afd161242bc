"""Golden games: replayed, they give the same words as when they were written."""

from difflib import unified_diff
from pathlib import Path

import pytest
from golden import FOLDER, GOLDEN, Golden, tell, write

from riverbed_env.entries import ENTRIES

# What the games of Riverbed Hunt must show between them, in the words of the events.
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


every_golden_game = pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.file)


def check(golden: Golden, folder: Path = FOLDER) -> None:
    """Fail, showing the difference, if the game isn't played as it is written."""
    written = (folder / golden.file).read_text(encoding="utf-8").splitlines()
    difference = list(unified_diff(written, tell(golden).splitlines(), "as written", "as played now", n=2, lineterm=""))
    if difference:
        shown = "\n".join(difference[:60])
        pytest.fail(
            f"{golden.file} is played differently now:\n{shown}\n"
            f"({len(difference)} lines of difference; if it is intended: python tests/golden/golden.py)",
            pytrace=False,
        )


@every_golden_game
def test_a_golden_game_is_played_as_written(golden: Golden) -> None:
    check(golden)


@every_golden_game
def test_a_golden_game_is_short_enough_to_read(golden: Golden) -> None:
    lines = (FOLDER / golden.file).read_text(encoding="utf-8").splitlines()
    assert len(lines) < 260
    assert max(map(len, lines)) <= 170


def test_there_is_no_other_golden_file_and_every_game_has_one() -> None:
    assert {golden.file for golden in GOLDEN} == {path.name for path in FOLDER.iterdir()}
    ours = {game_id for game_id, entry in ENTRIES.items() if entry.game.startswith("riverbed_env.")}
    assert {golden.game_id for golden in GOLDEN} == ours


@pytest.mark.parametrize("what", SHOWN)
def test_the_golden_games_show(what: str) -> None:
    texts = [" ".join((FOLDER / golden.file).read_text(encoding="utf-8").split()) for golden in GOLDEN]
    assert any(SHOWN[what] in text for text in texts)


def test_a_difference_is_shown(tmp_path: Path) -> None:
    write(tmp_path)
    golden = GOLDEN[0]
    changed = (tmp_path / golden.file).read_text(encoding="utf-8").replace("of 4: ", "of 5: ", 1)
    (tmp_path / golden.file).write_text(changed, encoding="utf-8")
    with pytest.raises(pytest.fail.Exception, match="as played now"):
        check(golden, tmp_path)
