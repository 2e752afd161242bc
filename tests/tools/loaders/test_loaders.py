"""Malformed files of every kind that the library reads: refused in a line that names the file, or taken as they say.

LOADER_EXAMPLES=20 tries twenty times as many. Chmod doesn't stop root, so no file here is unreadable by its rights; a
folder, a pipe and a missing file in its place stand for it.
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

EXAMPLES = int(os.environ.get("LOADER_EXAMPLES", "1"))

TEXTS = ("json", "lines", "toml")

every_loader = pytest.mark.parametrize("loader", LOADERS, ids=str)


class Bench:
    """A sound file in its folder, to be spoilt and loaded again and again."""

    def __init__(self, loader: Loader, load: Load, folder: Path) -> None:
        self.loader, self.load, self.folder = loader, load, folder
        self.file = folder / loader.file
        self.sound = self.file.read_bytes()
        self.first = self.plain(load())
        self.refused = self.taken = 0

    def plain(self, loaded: Any) -> Any:
        return None if self.loader.told is None else self.loader.told(loaded)

    def tree(self) -> Any:
        """What the sound file holds, of JSON."""
        return json.loads(self.sound)

    def files(self) -> dict[str, str]:
        return {
            str(path): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in self.folder.rglob("*")
            if path.is_file()
        }

    def attempt(self, content: bytes) -> Any:
        """Load this in place of the sound file; what was loaded in plain values, or REFUSED."""
        self.file.write_bytes(content)
        try:
            return self.of_file()
        finally:
            self.file.write_bytes(self.sound)

    def of_file(self) -> Any:
        """Load what stands there; nothing may change by it."""
        before = self.files()
        try:
            loaded = self.load()
            found = REFUSED if self.loader.nothing(loaded) else self.plain(loaded)
        except RiverbedError as error:
            self.assert_says(str(error))
            found = REFUSED
        assert self.files() == before
        self.refused += found is REFUSED
        self.taken += found is not REFUSED
        return found

    def assert_says(self, words: str) -> None:
        """An error is a line that names the file."""
        assert Path(self.loader.file).name in words or self.loader.form == "bytes", words
        assert len(words) <= LONGEST, words[:200]
        assert words.isprintable(), words


REFUSED = object()
MAY_BE_MISSING = ("config.json", "checkpoint.npz", "league.json", "robustness.json")


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
    """Whether what was loaded is what the file says, as far as both tell; True is no 1, but 1 is 1.0."""
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
    """What a file that is accepted says, by readers of others."""
    if loader.form == "npz":
        arrays = mutations.unpacked(content)
        texts = {name: json.loads(str(arrays[name])) for name in ("config", "header") if name in arrays}
        return {**arrays, **texts}
    return json.loads(content)


def examples(loader: Loader, usual: float) -> Callable[[Any], Any]:
    return settings(
        max_examples=max(5, int(usual * loader.many * EXAMPLES)),
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


# --- whatever the form -----------------------------------------------------------------------------------------------


@every_loader
def test_a_sound_file_is_loaded(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    there = bench(loader)
    assert there.of_file() is not REFUSED
    if loader.told is not None and loader.form in ("json", "lines", "npz"):
        assert is_same(
            there.first, said_by(loader, there.sound.splitlines()[0] if loader.form == "lines" else there.sound)
        )


@every_loader
def test_something_else_in_its_place(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    """A folder, a pipe that nobody writes to, a link to itself or to nothing; no file at all."""
    there = bench(loader)
    if loader.form == "bytes":
        return  # the caller reads them
    missing_is_fine = loader.file in MAY_BE_MISSING
    makers: list[Callable[[Path], object]] = [
        *(Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path), lambda path: path.symlink_to("gone")),
        lambda path: None,
    ]
    for make in makers:
        there.file.unlink()
        make(there.file)
        try:
            found = there.of_file()
            assert found is REFUSED or (missing_is_fine and not there.file.exists())
        finally:
            there.file.rmdir() if there.file.is_dir() else there.file.unlink(missing_ok=True)
            there.file.write_bytes(there.sound)


MAY_BE_MISSING = (
    "checkpoint.npz",
    "league.json",
    "config.json",
    "robustness.json",
    "comparison.json",
    "wader_seed_0.json",
)


@every_loader
def test_a_file_that_is_wrong_from_the_start(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    there = bench(loader)
    for change in mutations.WRONG_FROM_THE_START.values():
        content = change(there.sound)
        found = there.attempt(content)
        if found is not REFUSED:
            assert same_text(loader, content, there.sound) or is_same(found, there.first)
    if loader.form in TEXTS:
        lines = there.sound.replace(b"\n", b"\r\n")
        assert is_same(there.attempt(lines), there.first)  # as an editor elsewhere may write it


def same_text(loader: Loader, content: bytes, sound: bytes) -> bool:
    """Whether two texts differ in white space, or in a comment, alone."""
    return loader.form in TEXTS and content.split() == sound.split()


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


@every_loader
def test_damage_is_refused_or_does_not_matter(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    """Of files with checksums nothing else than before is ever loaded; of texts what they say now."""
    there = bench(loader)

    @examples(loader, 30)
    @given(content=mutations.damaged(there.sound))
    def attempt(content: bytes) -> None:
        found = there.attempt(content)
        if found is REFUSED or loader.told is None or loader.form == "toml":
            return
        if loader.form == "json":
            assert is_same(found, said_by(loader, content))
        elif loader.form != "lines":
            assert is_same(found, there.first)

    attempt()


# --- by form ---------------------------------------------------------------------------------------------------------

JSON = [loader for loader in LOADERS if loader.form in ("json", "lines")]


@pytest.mark.parametrize("loader", JSON, ids=str)
def test_every_value_of_json_in_turn(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    """Each is replaced by some of the wrong ones (all with more examples), left out, and put beside a stranger."""
    there = bench(loader)
    tree = there.tree()
    few = min(len(mutations.VALUES), 2 * EXAMPLES)
    for number, at in enumerate(mutations.places(tree)):
        values = [mutations.VALUES[(number * few + more) % len(mutations.VALUES)] for more in range(few)]
        trees = [mutations.replaced(tree, at, value) for value in values]
        for other in [*trees, mutations.without(tree, at), mutations.more(tree, at)]:
            assert_taken_as_it_is(there, other)
    assert there.attempt(mutations.given_twice(there.sound)) is REFUSED
    assert there.attempt(mutations.NESTED.encode()) is REFUSED
    assert there.refused > few


@pytest.mark.parametrize("loader", JSON, ids=str)
def test_other_values_of_json(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    there = bench(loader)

    @examples(loader, 25)
    @given(tree=mutations.other_json(there.tree()))
    def attempt(tree: Any) -> None:
        assert_taken_as_it_is(there, tree)

    attempt()


def assert_taken_as_it_is(there: Bench, tree: Any) -> None:
    """Refused, or nothing of it converted or left out silently."""
    content = mutations.written(tree)
    found = there.attempt(content)
    if found is not REFUSED and there.loader.told is not None:
        assert is_same(found, json.loads(content))


@pytest.mark.parametrize("loader", [loader for loader in LOADERS if loader.form == "toml"], ids=str)
def test_other_values_of_toml(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    """What is accepted plays some decisions and keeps the books; see the table."""
    there = bench(loader)

    @examples(loader, 200)
    @given(content=mutations.other_toml(there.sound))
    def attempt(content: bytes) -> None:
        there.attempt(content)

    attempt()


@pytest.mark.parametrize("loader", [loader for loader in LOADERS if loader.form == "npz"], ids=str)
def test_other_arrays(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    there = bench(loader)

    @examples(loader, 50)
    @given(content=mutations.other_arrays(there.sound))
    def attempt(content: bytes) -> None:
        found = there.attempt(content)
        if found is not REFUSED and loader.told is not None:
            assert is_same(found, said_by(loader, content))

    attempt()


@pytest.mark.parametrize("loader", [loader for loader in LOADERS if loader.form == "parquet"], ids=str)
def test_other_rows(loader: Loader, bench: Callable[[Loader], Bench]) -> None:
    there = bench(loader)

    @examples(loader, 30)
    @given(content=mutations.other_rows(there.sound))
    def attempt(content: bytes) -> None:
        there.attempt(content)

    attempt()
