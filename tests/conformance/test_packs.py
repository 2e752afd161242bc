"""Content packs of every game that has them: found, read again when they change, refused by name."""

import os
from pathlib import Path
from typing import Any

import pytest
from conformance.options import every_game_with_packs, game_name

import riverbed_env
from riverbed_env.errors import OptionError, PackError
from riverbed_env.testing.conformance.kit import new_env
from riverbed_env.testing.conformance.options import pack_file


def absent_packs(game_id: str) -> list[tuple[Any, list[str]]]:
    """What is given, what the message must say."""
    folder = pack_file(game_id).parent
    return [
        ("nope", ["'nope'", "default"]),
        ("Default", ["'Default'", "did you mean 'default'"]),
        ("", ["''", "default"]),
        (".", ["'.'"]),
        ("default.toml", ["default.toml", "no such pack file"]),
        ("no/such/pack.toml", ["no/such/pack.toml", "no such pack file"]),
        (Path("/no/such/pack.toml"), ["/no/such/pack.toml", "no such pack file"]),
        (folder, [str(folder)]),
        (f"{folder}/", [str(folder)]),
        ("a\0b.toml", ["a"]),
        ("x" * 3000, ["xxx"]),
        (3, ["3"]),
        (None, ["None"]),
        (b"default", ["default"]),
    ]


@every_game_with_packs
def test_packs_that_are_not_there(game_id: str) -> None:
    for pack, words in absent_packs(game_id):
        with pytest.raises((PackError, OptionError)) as caught:
            new_env(game_id, pack=pack)
        for word in words:
            assert word in str(caught.value)
        with pytest.raises((PackError, OptionError)):
            riverbed_env.make_batch(game_id, 2, pack=pack)


@every_game_with_packs
def test_a_pack_that_is_a_folder(game_id: str, tmp_path: Path) -> None:
    folder = tmp_path / "pack.toml"
    folder.mkdir()
    with pytest.raises(PackError, match=str(folder)):
        new_env(game_id, pack=folder)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00\x01", b"[[tile", b"a = 1\na = 2"], ids=["bytes", "open", "twice"])
@every_game_with_packs
def test_files_that_are_not_toml(game_id: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bytes.toml"
    path.write_bytes(content)
    with pytest.raises(PackError, match=f"{path}.*(TOML|UTF-8)"):
        new_env(game_id, pack=path)


@every_game_with_packs
def test_packs_of_another_game_and_empty_ones(game_id: str, tmp_path: Path) -> None:
    text = pack_file(game_id).read_text(encoding="utf-8")
    for content, words in (
        (text.replace(f'game = "{game_name(game_id)}"', 'game = "chess"', 1), ["pack game", game_name(game_id)]),
        ("", ["pack: missing"]),
        (f"{text}\n[[nothing_known]]\nname = 1\n", ["nothing_known: unknown key"]),
    ):
        path = tmp_path / "other.toml"
        path.write_text(content, encoding="utf-8")
        os.utime(path, ns=(1, len(content)))
        with pytest.raises(PackError) as caught:
            new_env(game_id, pack=path)
        for word in [f"{path}: ", *words]:
            assert word in str(caught.value)


@every_game_with_packs
def test_a_pack_is_read_again_when_its_file_changes(game_id: str, tmp_path: Path) -> None:
    path = tmp_path / "pack.toml"
    text = pack_file(game_id).read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    before = path.stat()
    first = new_env(game_id, pack=path).pack.hash
    assert first == new_env(game_id).pack.hash
    path.write_text(text.replace('name = "default"', 'name = "other"', 1), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # within one tick of the clock
    assert new_env(game_id, pack=path).pack.hash != first
