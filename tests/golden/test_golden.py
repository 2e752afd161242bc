"""Golden games: replayed, they give the same words as when they were written."""

from __future__ import annotations

import subprocess
import sys
from difflib import unified_diff
from pathlib import Path

import other_games
import pytest
from golden import FOLDER, GOLDEN, Golden, tell, write
from other_games import OTHERS, OtherGame

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


Game = Golden | OtherGame
GAMES: tuple[Game, ...] = (*GOLDEN, *OTHERS)
NAMES = [game.file for game in GAMES]


def path_of(game: Game, folder: Path | None = None) -> Path:
    own_folder = FOLDER if isinstance(game, Golden) else other_games.FOLDER
    return (folder or own_folder) / game.file


def check(game: Game, folder: Path | None = None) -> None:
    """Fails with the difference unless the game is played as it is written in the folder."""
    written = path_of(game, folder).read_text(encoding="utf-8").splitlines()
    played = (tell(game) if isinstance(game, Golden) else other_games.tell(game)).splitlines()
    difference = list(unified_diff(written, played, "as written", "as played now", n=2, lineterm=""))
    if difference:
        shown = "\n".join(difference[:60])
        module = "golden" if isinstance(game, Golden) else "other_games"
        pytest.fail(
            f"{game.file} is played differently now:\n{shown}\n"
            f"({len(difference)} lines of difference; if it is intended: python tests/golden/{module}.py)",
            pytrace=False,
        )


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_a_golden_game_is_played_as_written(game: Game) -> None:
    check(game)


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_a_golden_game_is_short_enough_to_read(game: Game) -> None:
    lines = path_of(game).read_text(encoding="utf-8").splitlines()
    assert len(lines) < 260
    assert max(map(len, lines)) <= 170


def test_there_is_no_other_golden_file_and_every_game_has_one() -> None:
    files = {*FOLDER.glob("*.txt"), *other_games.FOLDER.iterdir()}
    assert {path_of(game) for game in GAMES} == files
    ours = {game_id for game_id, entry in ENTRIES.items() if entry.game.startswith("riverbed_env.")}
    assert {game.game_id for game in OTHERS} | {"riverbed_hunt_v1"} == ours


@pytest.mark.parametrize("what", SHOWN)
def test_the_golden_games_show(what: str) -> None:
    texts = [" ".join(path_of(golden).read_text(encoding="utf-8").split()) for golden in GOLDEN]
    assert any(SHOWN[what] in text for text in texts)


def test_a_difference_is_shown(tmp_path: Path) -> None:
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
