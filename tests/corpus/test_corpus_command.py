"""`riverbed games` and `riverbed replay` take what `riverbed record` wrote."""

from collections.abc import Callable
from pathlib import Path

import pytest
from corpus.recorded_kit import AGENTS, GAMES
from in_process import one_line, ran, refused, riverbed

from riverbed_env.corpus import Corpus

pytestmark = pytest.mark.compiled

HUNT = "riverbed_hunt_v1"
Folder = Callable[[str], Path]


def test_a_corpus_is_described(recorded: Folder) -> None:
    said = one_line(riverbed("games", str(recorded(HUNT))).stdout)
    for words in (
        f"{GAMES} games of {HUNT}, seed 5, hash ",
        "players 4, 7; 3 parts of 8 games",
        "agents random, simple",
    ):
        assert words in said


def test_a_corpus_is_checked_and_its_games_played_again(recorded: Folder) -> None:
    said = riverbed("games", str(recorded(HUNT)), "--check", "games").stdout
    assert f"3 parts with {GAMES} games" in said
    assert "agree with the manifest's hashes, and all games end as recorded" in said


def test_a_corpus_is_not_checked_otherwise(recorded: Folder) -> None:
    said = refused("games", str(recorded(HUNT)), "--check", "sizes")
    assert "check must be 'hashes' or 'games', not 'sizes'" in said


@pytest.mark.slow  # compiles beliefs
def test_a_game_of_a_corpus_is_replayed_and_written_as_a_page(recorded: Folder, tmp_path: Path) -> None:
    folder, page = recorded(HUNT), tmp_path / "game.html"
    done = riverbed("replay", str(folder), "--game", "3", "--html", str(page), "--viewer", "1", "--advice", "none")
    length = len(Corpus(folder).record(3).actions)
    assert f"the game of seed 5 ends as recorded after {length} decisions" in done.stdout
    assert 'id="replay"' in page.read_text(encoding="utf-8")
    assert f"from 0 to {GAMES - 1}" in riverbed("replay", str(folder), "--game", "99").stderr


@pytest.mark.slow
@pytest.mark.parametrize("game", AGENTS)
def test_a_game_as_a_line_of_json_is_replayed(game: str, recorded: Folder, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(Corpus(recorded(game)).record(GAMES - 1).to_json(), encoding="utf-8")
    assert "ends as recorded" in ran("replay", str(path), "--pause", "0")
