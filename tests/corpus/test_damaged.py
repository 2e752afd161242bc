"""A part or manifest that isn't what was recorded is refused in one line that says what is wrong."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from corpus.recorded_kit import rewrite
from in_process import refused, riverbed

from riverbed_env.corpus import Corpus, Manifest
from riverbed_env.corpus.parquet import write_part
from riverbed_env.corpus.replaying import Replayer
from riverbed_env.errors import OptionError

pytestmark = [pytest.mark.compiled, pytest.mark.slow]  # which compile what plays games again

GAME = "deep_river_v0"
OTHER_ORDER = np.array([0, 1, 2, 3, 4, 5, 7, 6])  # of the games of a part


@pytest.fixture
def folder(recorded: Callable[[str], Path], tmp_path: Path) -> Path:
    """A copy of a corpus, to be damaged."""
    return Path(shutil.copytree(recorded(GAME), tmp_path / "corpus"))


def change_manifest(folder: Path, **changes: Any) -> None:
    path = folder / "manifest.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(content | changes), encoding="utf-8")


def replaced(name: str, values: Callable[[pa.ChunkedArray], Any]) -> Callable[[pa.Table], pa.Table]:
    """A change of one column."""
    return lambda table: table.set_column(table.schema.get_field_index(name), name, values(table[name]))


def other_actions(column: pa.ChunkedArray) -> pa.Array:
    lists = column.to_pylist()
    return pa.array([[*actions[:-1], (actions[-1] + 1) % 20] for actions in lists], column.type)


TABLES: dict[str, tuple[Callable[[pa.Table], pa.Table], str]] = {
    "an action": (replaced("actions", other_actions), "its contents differ from its own hash"),
    "a number": (replaced("game", lambda column: pa.array(np.arange(8) + 1)), "its contents differ from its own hash"),
    "an agent": (
        replaced("agent_0", lambda column: pa.array(["stranger"] * 8).dictionary_encode()),
        "a name isn't one of random, greedy",
    ),
    "no actions": (lambda table: table.drop_columns(["actions"]), "can't be read"),
    "other actions": (replaced("actions", lambda column: pa.array(["x"] * 8)), "can't be read"),
    "no label": (lambda table: table.replace_schema_metadata({}), "isn't a part of a corpus"),
}


@pytest.mark.parametrize("what", TABLES)
def test_a_changed_table_is_refused(what: str, folder: Path) -> None:
    change, message = TABLES[what]
    path = folder / "parts" / "000000.parquet"
    if what == "no label":
        from pyarrow import parquet

        parquet.write_table(change(parquet.read_table(path)), path)
    else:
        rewrite(path, change)
    refuse(folder, message)


def refuse(folder: Path, message: str) -> None:
    """Reading the first part must fail with this, in one line, and so must the command."""
    with pytest.raises(OptionError, match=message) as raised:
        Corpus(folder).part(0)
    assert "\n" not in str(raised.value)
    refused("games", str(folder), "--check", "hashes")


def test_columns_that_arent_known_are_left_alone(folder: Path) -> None:
    path = folder / "parts" / "000000.parquet"
    rewrite(path, lambda table: table.append_column("talk", pa.array([["hello"]] * 8)))
    assert len(Corpus(folder).part(0)) == 8


def test_a_flipped_byte_is_found_unless_it_changes_no_game(folder: Path) -> None:
    path = folder / "parts" / "000000.parquet"
    content, games, said = path.read_bytes(), Corpus(folder).part(0), []
    for place in range(0, len(content), len(content) // 40):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        try:
            assert Corpus(folder).part(0).digest() == games.digest()
        except OptionError as error:
            said.append(str(error))
    assert len(said) > 10
    assert all("000000.parquet" in words and "\n" not in words for words in said)


def test_a_part_in_anothers_place_is_refused(folder: Path) -> None:
    shutil.copy(folder / "parts" / "000001.parquet", folder / "parts" / "000000.parquet")
    refuse(folder, "isn't the one in the manifest")


def test_a_part_with_other_games_than_the_manifest_says_is_refused(folder: Path) -> None:
    corpus = Corpus(folder)
    games = corpus.part(0)
    change_manifest(folder, parts=[])
    write_part(folder / "parts" / "000000.parquet", corpus.game, corpus.manifest, 0, games.take(OTHER_ORDER))
    refuse(folder, "holds other games than the manifest says")


MANIFESTS: dict[str, tuple[dict[str, Any], str]] = {
    "hash": ({"parts": ["0" * 32] * 3}, "isn't the one in the manifest"),
    "pack": ({"pack": "another"}, "isn't the one in the manifest"),
    "seed": ({"seed": 6}, "isn't the one in the manifest"),
    "format": ({"format": 99}, "has a format that this version can't read; it reads format 1"),
    "kind": ({"kind": "riverbed game"}, "isn't the manifest of a corpus"),
    "version of the game": ({"environment": "deep_river_v7"}, "there is no game 'deep_river_v7'"),
    "unknown entry": ({"colour": "red"}, "colour"),
    "too many hashes": ({"parts": ["0" * 32] * 4}, "has 4 hashes for 3 parts"),
    "no agents": ({"agents": []}, "agents"),
    "games": ({"games": -1}, "games"),
}


@pytest.mark.parametrize("what", MANIFESTS)
def test_a_changed_manifest_is_refused(what: str, folder: Path) -> None:
    changes, message = MANIFESTS[what]
    change_manifest(folder, **changes)
    refuse(folder, message)


def test_another_content_pack_is_refused_before_games_are_played(folder: Path) -> None:
    manifest = Manifest.read(folder / "manifest.json")
    change_manifest(folder, pack="another")
    done = riverbed("record", "--manifest", str(folder / "manifest.json"), "--out", str(folder.parent / "out"))
    assert f"was recorded with content pack another; it is {manifest.pack} now" in done.stderr
    assert not (folder.parent / "out").exists()


def test_games_of_other_rules_are_found_by_replay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus(folder)
    returns = corpus.game.returns
    monkeypatch.setattr(type(corpus.game), "returns", lambda self, *given: -returns(*given))
    corpus.check(0)
    with pytest.raises(OptionError, match="a game from 0 to 7 ends differently from its record"):
        corpus.check(0, replay=True)


def test_an_action_that_is_illegal_now_is_named(folder: Path) -> None:
    corpus = Corpus(folder)
    games = corpus.part(0)
    actions = games.actions.copy()
    actions[games.starts[2] + 1] = 999
    with pytest.raises(OptionError, match="game 2 of the corpus can't be played again: action 1 is illegal"):
        Replayer(corpus.game, corpus.manifest, "now", 100).again(replace(games, actions=actions))


def test_a_missing_part_is_told(folder: Path) -> None:
    (folder / "parts" / "000001.parquet").unlink()
    corpus = Corpus(folder)
    assert corpus.parts == [0, 2]
    assert len(corpus) == 12
    with pytest.raises(OptionError, match="has no part 1"):
        corpus.part(1)
    done = riverbed("games", str(folder), "--check", "hashes")
    assert "1 of 3 parts are missing" in done.stderr


def test_a_folder_without_a_manifest_holds_no_corpus(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    with pytest.raises(OptionError, match=r"holds no corpus: manifest\.json is missing"):
        Corpus(folder)
    done = riverbed("record", "random", "--game", GAME, "--out", str(folder))
    assert r"holds parts of a corpus but no manifest.json" in done.stderr
