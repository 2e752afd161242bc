"""`riverbed record`: the same games for any number of threads; a kill or a full disk costs the part under way."""

import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from corpus.recorded_kit import AGENTS, GAMES, record
from in_process import one_line, ran, refused, riverbed
from pyarrow import parquet

from riverbed_env.corpus import Corpus
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_lab.cli.record import seated

pytestmark = pytest.mark.compiled

GAME = "deep_river_v0"
Folder = Callable[[str], Path]


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a corpus, without those that begin with a dot."""
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name[0] != "."}


def test_rows_can_be_read_without_us(recorded: Folder) -> None:
    rows = parquet.read_table(recorded("riverbed_hunt_v1") / "parts").to_pylist()
    assert [row["game"] for row in rows] == list(range(GAMES))
    first = rows[0]
    assert first["num_players"] == 4
    assert first["agent_4"] is first["role_4"] is first["return_4"] is None
    assert "chief" in {first[f"role_{seat}"] for seat in range(4)}
    assert len(first["actions"]) == first["decisions"]
    winners = {first[f"role_{seat}"] for seat in range(4) if first[f"return_{seat}"] > 0}
    camps = find_game("riverbed_hunt").camp_of_role
    assert {camps[role] for role in winners} == {first["winner"]}


def test_the_same_command_makes_what_is_missing_and_leaves_the_rest(tmp_path: Path, recorded: Folder) -> None:
    record(tmp_path, GAME)
    assert contents(tmp_path) == contents(recorded(GAME))
    first, second = (tmp_path / "parts" / f"00000{part}.parquet" for part in (0, 1))
    second.unlink()
    before = first.stat().st_mtime_ns
    (tmp_path / "parts" / ".000001.parquet.1.part").write_text("half")
    said = record(tmp_path, GAME)
    assert "8 games played" in said
    assert first.stat().st_mtime_ns == before
    assert contents(tmp_path) == contents(recorded(GAME))
    assert not (tmp_path / "parts" / ".000001.parquet.1.part").exists()
    assert "played" not in record(tmp_path, GAME)


def test_another_command_in_the_folder_is_refused_and_says_what_differs(tmp_path: Path, recorded: Folder) -> None:
    folder = recorded(GAME)
    before = contents(folder)
    said = refused("record", "random", "--game", GAME, "--games", "20", "--part", "8", "--out", str(folder))
    assert "agents random, greedy there, random asked for" in said
    assert "seed 5 there, 0 asked for" in said
    assert contents(folder) == before


def test_a_full_disk_costs_the_part_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Folder
) -> None:
    write, written = parquet.write_table, []

    def full(table: Any, path: Path, **more: Any) -> None:
        written.append(path)
        if len(written) == 2:
            path.write_bytes(b"half")
            raise OSError(errno.ENOSPC, "No space left on device")
        write(table, path, **more)

    with monkeypatch.context() as patch:
        patch.setattr(parquet, "write_table", full)
        words = ("--players", "2", "--games", str(GAMES), "--part", "8", "--seed", "5", "--threads", "1")
        done = riverbed("record", *AGENTS[GAME], "--game", GAME, *words, "--out", str(tmp_path))
    assert done.returncode == 2
    assert "No space left on device; make room there; 1 of 3 parts are finished" in one_line(done.stderr)
    assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == ["000000.parquet"]
    record(tmp_path, GAME)
    assert contents(tmp_path) == contents(recorded(GAME))


def test_a_manifest_makes_its_corpus_again(tmp_path: Path, recorded: Folder) -> None:
    folder = recorded(GAME)
    words = ("--manifest", str(folder / "manifest.json"), "--threads", "1", "--out", str(tmp_path))
    some = riverbed("record", *words, "--only", "1")
    assert "1 of 3 parts of the corpus" in some.stdout
    assert sorted(contents(tmp_path)) == ["000001.parquet", "manifest.json"]
    ran("record", *words)
    assert contents(tmp_path) == contents(folder)


def test_a_part_with_another_hash_than_the_manifests_isnt_written(tmp_path: Path, recorded: Folder) -> None:
    manifest = json.loads((recorded(GAME) / "manifest.json").read_text(encoding="utf-8"))
    manifest["parts"][1] = "0" * 32
    changed, out = tmp_path / "changed.json", tmp_path / "out"
    changed.write_text(json.dumps(manifest), encoding="utf-8")
    done = riverbed("record", "--manifest", str(changed), "--threads", "1", "--out", str(out))
    assert done.returncode == 2
    assert "part 1 comes out with hash" in done.stderr
    assert sorted(path.name for path in (out / "parts").iterdir()) == ["000000.parquet"]


def test_roles_can_have_agents_of_their_own(tmp_path: Path) -> None:
    words = ("--game", GAME, "--games", "6", "--threads", "1", "--out", str(tmp_path))
    ran("record", "random", "salmon=greedy", *words)
    corpus = Corpus(tmp_path)
    arrays = corpus.arrays(view="now")
    by_role = {(corpus.game.roles[role], corpus.manifest.agents[agent]) for role, agent in
               zip(arrays["role"].tolist(), arrays["agent"].tolist())}  # fmt: skip
    assert by_role == {("salmon", "greedy"), ("eel", "random")}


def test_everybody_needs_an_agent() -> None:
    hunt = find_game("riverbed_hunt")
    with pytest.raises(OptionError, match="nobody is named to play merchant, separatist, profiteer"):
        seated(hunt, ["chief=simple", "leader=random"])
    agents, pools = seated(hunt, ["simple", "leader=lookahead:worlds=10", "separatists=random"])
    assert agents == ("simple", "lookahead:worlds=10", "random")
    assert pools == {
        "merchants": ("simple",),
        "profiteer": ("simple",),
        "leader": ("lookahead:worlds=10",),
        "separatists": ("random",),
    }
    assert seated(hunt, ["simple", "random"]) == (("simple", "random"), {})


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--games", "0"), "games must be"),
        (("--part", "0"), "part must be"),
        (("--players", "3"), "players must be from 2 to 2"),
        (("--set", "colour=red"), "colour"),
        (("--seed", "-1"), "seed"),
        (("--only", "5"), "parts must be from 0"),
        (("--manifest", "missing/manifest.json"), "missing/manifest.json can't be read"),
        (("--manifest", "missing"), "neither a file nor a published corpus"),
        (("nobody",), "no agent 'nobody'"),
    ],
)
def test_wrong_words_are_refused_in_one_line_and_nothing_is_written(
    words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    assert message in refused("record", *words, "--game", GAME, "--out", str(tmp_path / "out"))
    assert not contents(tmp_path)


def test_a_manifest_says_who_plays(recorded: Folder) -> None:
    done = riverbed("record", "random", "--manifest", str(recorded(GAME) / "manifest.json"))
    assert "leave out random" in done.stderr


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("riverbed_lab.extras.find_spec", lambda module: None)
    for words in (("record", "--out", str(tmp_path)), ("games", str(tmp_path))):
        assert "No module named 'pyarrow': pip install '.[corpus]'" in refused(*words)


@pytest.mark.slow
def test_any_number_of_threads_makes_the_same_files(tmp_path: Path, recorded: Folder) -> None:
    record(tmp_path, GAME, threads=2)
    assert contents(tmp_path) == contents(recorded(GAME))
