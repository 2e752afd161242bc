"""Malformed files of every kind that the library reads: refused in a line that names the file, or loaded as they say.

`RIVERBED_FUZZ=500` tries twelve times as many. Root may read every file, so a folder, a pipe and a missing file stand
for an unreadable one.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from loaders import mutations
from loaders.loaders_table import LOADERS, Load, Loader, Workshop, workshop_of

from riverbed_env.errors import LONGEST, RiverbedError

pytestmark = pytest.mark.compiled

EXAMPLES = max(1, int(os.environ.get("RIVERBED_FUZZ", "0")) // 40)

TEXTS = ("json", "toml")

every_loader = pytest.mark.parametrize("loader", LOADERS, ids=str)


class Bench:
    """A sound file in its folder, to be damaged and loaded again and again."""

    def __init__(self, loader: Loader, load: Load, folder: Path) -> None:
        self.loader, self.load, self.folder = loader, load, folder
        self.file = folder / loader.file
        self.sound = self.file.read_bytes()
        self.first = self.plain(load())
        self.refused = 0

    def plain(self, loaded: Any) -> Any:
        return None if self.loader.plain is None else self.loader.plain(loaded)

    def files(self) -> dict[str, bytes]:
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path): hashlib.sha256(path.read_bytes()).digest() for path in paths}

    def attempt(self, content: bytes) -> Any:
        """Load this in place of the sound file; what was loaded as plain values, or REFUSED."""
        self.file.write_bytes(content)
        try:
            return self.of_file()
        finally:
            self.file.write_bytes(self.sound)

    def of_file(self) -> Any:
        """Load what is there; no file may change, and an error is a line that names the file."""
        before = self.files()
        try:
            loaded = self.load()
            plain = REFUSED if self.loader.nothing(loaded) else self.plain(loaded)
        except RiverbedError as error:
            words = str(error)
            assert self.file.name in words or self.loader.form == "bytes", words
            assert len(words) <= LONGEST, words[:200]
            assert words.isprintable(), words
            plain = REFUSED
        assert self.files() == before
        self.refused += plain is REFUSED
        return plain


REFUSED = object()
MAY_BE_MISSING = (*("checkpoint.npz", "league.json", "config.json", "robustness.json"),)


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return workshop_of(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="module")
def bench(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Loader], Bench]:
    made: dict[str, Bench] = {}

    def of(loader: Loader) -> Bench:
        if loader.name not in made:
            folder = tmp_path_factory.mktemp("bench")
            made[loader.name] = Bench(loader, loader.make(workshop, folder), folder)
        return made[loader.name]

    return of


def is_same(loaded: Any, said: Any) -> bool:
    """Whether what was loaded is what the file says, in all that both hold; True isn't 1, but 1 is 1.0."""
    if isinstance(loaded, dict) and isinstance(said, dict):
        return all(is_same(value, said[name]) for name, value in loaded.items() if name in said)
    if isinstance(loaded, np.ndarray) and isinstance(said, np.ndarray):
        return loaded.dtype == said.dtype and np.array_equal(loaded, said)
    if isinstance(loaded, list | tuple) and isinstance(said, list):
        return len(loaded) == len(said) and all(map(is_same, loaded, said))
    if isinstance(loaded, bool) or isinstance(said, bool):
        return loaded is said
    return bool(loaded == said) or (is_nan(said) and (loaded is None or is_nan(loaded)))  # written as null


def is_nan(value: object) -> bool:
    return isinstance(value, float) and np.isnan(value)


def said_by(loader: Loader, content: bytes) -> Any:
    """What an accepted file says, by other readers."""
    if loader.form == "npz":
        arrays = mutations.unpacked(content)
        texts = {name: json.loads(str(arrays[name])) for name in ("config", "header") if name in arrays}
        return {**arrays, **texts}
    return json.loads(content)


# --- any form --------------------------------------------------------------------------------------------------------


@every_loader
def test_a_sound_file_is_loaded(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    there = bench(loader)
    assert there.of_file() is not REFUSED
    if loader.plain is not None and loader.form in ("json", "npz"):
        assert is_same(there.first, said_by(loader, there.sound))


@every_loader
def test_something_else_in_its_place(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    """A folder, a pipe that nobody writes to, a link to itself or to nothing; no file at all."""
    there = bench(loader)
    if loader.form == "bytes":
        return  # the caller reads them
    makers: list[Callable[[Path], object]] = [
        *(Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path), lambda path: path.symlink_to("gone")),
        lambda path: None,
    ]
    for make in makers:
        there.file.unlink()
        make(there.file)
        try:
            assert there.of_file() is REFUSED or (loader.file in MAY_BE_MISSING and not there.file.exists())
        finally:
            there.file.rmdir() if there.file.is_dir() else there.file.unlink(missing_ok=True)
            there.file.write_bytes(there.sound)


@every_loader
def test_a_file_that_is_wrong_from_the_start(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    there = bench(loader)
    for change in mutations.WRONG_FROM_THE_START.values():
        content = change(there.sound)
        loaded = there.attempt(content)
        only_spaces = loader.form in TEXTS and content.split() == there.sound.split()
        assert loaded is REFUSED or only_spaces or is_same(loaded, there.first)
    if loader.form in TEXTS:
        assert is_same(there.attempt(there.sound.replace(b"\n", b"\r\n")), there.first)


@pytest.mark.parametrize("loader", [loader for loader in LOADERS if loader.form in TEXTS], ids=str)
def test_a_text_without_end_is_not_read(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    there = bench(loader)
    with there.file.open("r+b") as file:
        file.truncate(10**12)  # which takes no room on the disk
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Bench, "files", lambda self: {})
            assert there.of_file() is REFUSED
    finally:
        there.file.write_bytes(there.sound)


def attempt_all(loader: Loader, usual: int, contents: Any, attempt: Callable[[bytes], None]) -> None:
    """Try a number of drawn contents."""
    settings(
        max_examples=max(5, int(usual * loader.many * EXAMPLES)), derandomize=True, deadline=None, database=None,
        suppress_health_check=list(HealthCheck),
    )(given(content=contents)(attempt))()  # fmt: skip


@every_loader
def test_damage_is_refused_or_does_not_matter(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    """Of files with checksums nothing else than before is ever loaded; of texts what they say now."""
    there = bench(loader)

    def attempt(content: bytes) -> None:
        loaded = there.attempt(content)
        if loaded is REFUSED or loader.plain is None or loader.form == "toml":
            return
        assert is_same(loaded, said_by(loader, content) if loader.form == "json" else there.first)

    attempt_all(loader, 30, mutations.damaged(there.sound), attempt)


# --- by form ---------------------------------------------------------------------------------------------------------

JSON = [loader for loader in LOADERS if loader.form == "json"]
OTHERS: dict[str, tuple[int, Callable[[bytes], Any]]] = {
    "toml": (200, mutations.other_toml),
    "npz": (50, mutations.other_arrays),
    "parquet": (30, mutations.other_rows),
}


def accept_as_it_is(there: Bench, content: bytes) -> None:
    """Refused, or nothing of it converted or left out silently. Packs and rows are tried as they are loaded."""
    loaded = there.attempt(content)
    if loaded is not REFUSED and there.loader.plain is not None and there.loader.form in ("json", "npz"):
        assert is_same(loaded, said_by(there.loader, content))


@pytest.mark.parametrize("loader", JSON, ids=str)
def test_every_value_of_json_in_turn(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    """Each is replaced by wrong ones (all of them with more examples), left out, and put beside an unknown name."""
    there = bench(loader)
    tree = json.loads(there.sound)
    few = min(len(mutations.VALUES), 2 * EXAMPLES)
    for number, at in enumerate(mutations.places(tree)):
        values = [mutations.VALUES[(number * few + more) % len(mutations.VALUES)] for more in range(few)]
        trees = [mutations.replaced(tree, at, value) for value in values]
        for other in [*trees, mutations.without(tree, at), mutations.more(tree, at)]:
            accept_as_it_is(there, mutations.written(other))
    assert there.attempt(mutations.given_twice(there.sound)) is REFUSED
    assert there.attempt(mutations.NESTED.encode()) is REFUSED
    assert there.refused > few


@pytest.mark.parametrize("loader", [loader for loader in LOADERS if loader.form in OTHERS], ids=str)
def test_other_values(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    there = bench(loader)
    usual, others = OTHERS[loader.form]
    attempt_all(loader, usual, others(there.sound), lambda content: accept_as_it_is(there, content))
