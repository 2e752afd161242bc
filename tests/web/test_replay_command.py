"""`riverbed replay` and the games it reads, as a person calls it."""

import json
import re
from pathlib import Path

import pytest
from in_process import riverbed

from riverbed_web.record import read_record, seats_of, write_record
from riverbed_web.values import WORLDS

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A watched game, recorded."""
    path = tmp_path_factory.mktemp("games") / "game.json"
    watch = ("watch", "--game", "deep_river_v0", "--agent", "random", "--seed", "4", "--pause", "0")
    done = riverbed(*watch, "--record", str(path))
    assert f"riverbed replay {path}" in done.stdout
    return path


def carried(page: Path) -> dict[str, object]:
    """The replay in a page."""
    found = re.search(r'id="replay">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found
    told: dict[str, object] = json.loads(found[1])
    return told


def test_a_watched_game_ends_again_as_recorded_and_can_be_watched(game: Path, tmp_path: Path) -> None:
    record = read_record(game)
    write_record(tmp_path / "again.json", record)
    assert (tmp_path / "again.json").read_bytes() == game.read_bytes()
    assert seats_of(record) == (["random", "random"], ["agent", "agent"])
    done = riverbed("replay", str(game), "--pause", "0")
    assert f"the game of seed 4 ends as recorded after {len(record.actions)} decisions" in done.stdout
    assert "A draw: " in done.stdout


def test_a_page_has_every_view_or_one_seats_alone(game: Path, tmp_path: Path) -> None:
    whole, own = tmp_path / "whole.html", tmp_path / "own.html"
    riverbed("replay", str(game), "--html", str(whole), "--advice", "values")
    riverbed("replay", str(game), "--html", str(own), "--viewer", "1", "--advice", "none")
    assert [track["view"] for track in carried(whole)["tracks"]] == ["public", 0, 1, "truth"]
    assert carried(whole)["advisor"] == "greedy"
    assert [carried(page)["worlds"] for page in (whole, own)] == [WORLDS, 0]
    assert "action_values" in carried(whole)["keys"]
    assert [track["view"] for track in carried(own)["tracks"]] == [1]
    assert carried(own)["advisor"] == ""


def test_a_record_that_was_altered_is_refused_in_a_line(game: Path, tmp_path: Path) -> None:
    altered = json.loads(game.read_text(encoding="utf-8"))
    for name, value, complaint in (
        ("returns", [1.0, -1.0], "the game pays"),
        ("actions", [*altered["actions"], 1], "the recorded game ends"),
        ("pack", "other", "content pack other"),
        ("seats", 3, "seats: it should be a valid array, not 3"),
    ):
        other = tmp_path / f"{name}.json"
        other.write_text(json.dumps({**altered, name: value}), encoding="utf-8")
        done = riverbed("replay", str(other), "--html", str(tmp_path / "no.html"))
        assert done.returncode != 0
        assert complaint in done.stderr
        assert not (tmp_path / "no.html").exists()


def test_an_impossible_viewer_or_place_is_refused_in_a_line(game: Path, tmp_path: Path) -> None:
    done = riverbed("replay", str(game), "--html", str(tmp_path / "no.html"), "--viewer", "2")
    assert "seats are 0 to 1, not 2" in done.stderr
    done = riverbed("replay", str(game), "--html", str(tmp_path / "nowhere" / "no.html"), "--advice", "none")
    assert done.returncode != 0
    assert done.stderr.count("\n") == 1
