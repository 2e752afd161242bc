"""Edit content packs, for the tests of each game's pack validation."""

from collections.abc import Callable
from pathlib import Path

import pytest

from riverbed_env import make_batch
from riverbed_env.core.packs import PACKS
from riverbed_env.errors import PackError
from riverbed_env.testing.conformance.kit import new_env

Change = Callable[[str], str]
Refused = dict[str, tuple[Change, str, str]]  # the change, the entry that the message names, the reason it gives


def default_text(game: str) -> str:
    """The text of a game's default pack."""
    return (PACKS / game / "default.toml").read_text(encoding="utf-8")


def replaced(*changes: tuple[str, str]) -> Change:
    """Replace each old text, which must occur once, by the new one."""

    def change(text: str) -> str:
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
            text = text.replace(old, new)
        return text

    return change


def entry(kind: str, mark: str, text: str) -> str:
    """The block of the one entry that contains the line `mark`."""
    blocks = [f"[[{kind}]]\n" + block.split("\n[")[0] for block in text.split(f"\n[[{kind}]]\n")[1:]]
    marked = [block for block in blocks if f"\n{mark}\n" in block]
    assert len(marked) == 1, f"{len(marked)} entries have {mark!r}"
    return marked[0]


def in_entry(kind: str, mark: str, old: str, new: str) -> Change:
    """Replace old text by new in one entry only."""

    def change(text: str) -> str:
        block = entry(kind, mark, text)
        assert block.count(old) == 1, f"{old!r} occurs {block.count(old)} times in {mark!r}"
        return text.replace(block, block.replace(old, new))

    return change


def without(kind: str, mark: str) -> Change:
    """Leave out one entry."""
    return lambda text: text.replace(entry(kind, mark, text), "")


def twice(kind: str, mark: str) -> Change:
    """Repeat one entry at the end."""
    return lambda text: f"{text}\n{entry(kind, mark, text)}\n"


def added(more: str) -> Change:
    """Add text at the end."""
    return lambda text: f"{text}\n{more}\n"


def written(text: str, folder: Path) -> Path:
    """Write the text to a pack file in the folder."""
    path = folder / "edited.toml"
    path.write_text(text, encoding="utf-8")
    return path


def assert_refused(game_id: str, path: Path, named: str, reason: str) -> None:
    """Environment and batch refuse the pack; the message begins with the file and contains the entry and the reason."""
    with pytest.raises(PackError) as caught:
        new_env(game_id, pack=path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert named in message
    assert reason in message.removeprefix(str(path))
    with pytest.raises(PackError):
        make_batch(game_id, 2, pack=path)
