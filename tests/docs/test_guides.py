"""The code on the pages runs and prints what they say it prints; the tables of the guides are those of the library."""

import re
import tomllib
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pages_kit import DOCS, as_it_runs, find_table

from riverbed_env.core.packs import Entry, find_pack
from riverbed_env.games.riverbed_hunt.content import pack
from riverbed_env.games.riverbed_hunt.rules import vocab

PAGES = [
    DOCS.parent / "README.md",
    *sorted((DOCS / "guides").glob("*.md")),
    *sorted((DOCS / "games").glob("*.md")),
]
PACKS_GUIDE = (DOCS / "guides" / "packs.md").read_text(encoding="utf-8")


# They compile agents of their own, or loops that nothing else in `make test` needs, or train.
LONG = {"README", "agents", "corpus", "recipes", "selfplay", "training"}
LONG |= {"integrations_openspiel", "integrations_rllib", "integrations_torchrl"}


RLLIB = "integrations_rllib"
LIBRARIES = {  # pages whose libraries warn of what is their own
    RLLIB: (":DeprecationWarning", ".*:UserWarning", ":ResourceWarning"),
    "recipes": (".*:DeprecationWarning", ".*:UserWarning"),
}


def page(path: Path) -> Any:
    """A page, and whether its code is for `make check`."""
    marks = [pytest.mark.slow] if path.stem in LONG else []
    marks += [pytest.mark.filterwarnings(f"ignore:{warning}") for warning in LIBRARIES.get(path.stem, ())]
    return pytest.param(path, id=path.stem, marks=marks)


def surroundings(name: str) -> AbstractContextManager[Any]:
    """A small Ray for the page that trains on one."""
    if name != RLLIB:
        return nullcontext()
    from cluster.ray_session import nodes

    return nodes(4)


@pytest.mark.compiled
@pytest.mark.parametrize("path", [page(path) for path in PAGES])
def test_the_code_of_a_page_runs_and_prints_what_the_page_says(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = path.read_text(encoding="utf-8")
    with surroundings(path.stem):
        printed = as_it_runs(said, tmp_path / f"{path.stem}_page.py")
    assert said.splitlines() == printed.splitlines(), "rewrite it with 'python tests/docs/pages_kit.py'"


# --- content packs -------------------------------------------------------------------------------------------------

PLACES = {row[0] for row in find_table(PACKS_GUIDE, "scope", "kind").rows if row[1] == "a place"}
WAYS = {row[0] for row in find_table(PACKS_GUIDE, "scope", "kind").rows if row[1] == "a way"}


def words_of(cell: str) -> set[str]:
    """The scopes or people of a cell; kinds of scopes stand for all of that kind."""
    kinds = {"a place": PLACES, "a way": WAYS, "none": set[str]()}
    return set[str]().union(*(kinds.get(word, {word}) for word in cell.split(", ")))


def test_the_vocabulary_is_the_packs() -> None:
    assert find_table(PACKS_GUIDE, "effect", "what happens").column("effect") == list(pack.EFFECTS)
    assert find_table(PACKS_GUIDE, "scope", "kind").column("scope") == list(pack.SCOPES)
    assert find_table(PACKS_GUIDE, "who").column("who") == list(pack.PEOPLE)


@pytest.mark.parametrize("effect", pack.EFFECTS)
def test_an_effect_takes_what_the_guide_says(effect: str) -> None:
    rows = {row[0]: row for row in find_table(PACKS_GUIDE, "effect", "what happens").rows}
    _, _, scope, who, may = rows[effect]
    assert (words_of(scope), words_of(who), may == "yes") == pack._GRAMMAR[effect]


FIELDS = {
    "[pack]": pack.Header,
    "[[tile]]": pack.Tile,
    "[[text]]": pack.Text,
    "[[card]]": pack.Card,
    "[[layout]]": pack.Layout,
    "[[players]]": pack.Players,
}


SHOWN = next(re.finditer(r"^```toml\n(.*?)^```", PACKS_GUIDE, re.MULTILINE | re.DOTALL))[1]


@pytest.mark.parametrize("kind", FIELDS)
def test_the_entry_shown_has_every_field(kind: str) -> None:
    model: type[Entry] = FIELDS[kind]
    names = {field.alias or name for name, field in model.model_fields.items()} - {"source", "note"}
    entry = SHOWN.partition(kind)[2].partition("\n[")[0]
    assert set(re.findall(r"^(?:#.*: )?(\w+) = ", entry, re.MULTILINE)) - {"source", "note"} == names


def test_every_kind_of_entry_is_shown_and_is_the_default_pack_s() -> None:
    shown = tomllib.loads(SHOWN)
    assert set(shown) == set(pack.PackFile.model_fields)
    default = tomllib.loads(find_pack("riverbed_hunt", "default").read_text(encoding="utf-8"))
    for kind in set(shown) - {"pack"}:
        (content,) = shown[kind]
        assert content in [{key: known[key] for key in known if key != "note"} for known in default[kind]]


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("at most {} kinds", vocab.MAX_CARD_KINDS),
        ("at most {} layouts", vocab.MAX_LAYOUTS),
        ("of a tile, at most {};", vocab.MAX_TEXTS),
        ("may = true }}]  # 1 to {}", vocab.MAX_INSTRUCTIONS),
        ("# 1 to {} from the top", vocab.MAX_LAYERS),
        ("all of 1 to {} are needed", vocab.NUM_TILES),
    ],
)
def test_bounds_are_those_of_the_library(words: str, number: int) -> None:
    assert words.format(number) in PACKS_GUIDE


# --- generated packs --------------------------------------------------------------------------------------------------

GENERATED_GUIDE = (DOCS / "guides" / "generated.md").read_text(encoding="utf-8")


def test_the_splits_are_those_of_the_table() -> None:
    rows = find_table(GENERATED_GUIDE, "split", "packs").rows
    splits = pack.GENERATED.splits.items()
    assert [row[:3] for row in rows] == [
        (name, f"{len(packs):,}", f"{packs[0]} to {packs[-1]}") for name, packs in splits
    ]


def test_draws_are_told_as_the_table_counts_them() -> None:
    table = pack.GENERATED.table
    counts = np.bincount(table["rejected"][:, 1], minlength=len(table["reasons"]))
    counts[0] = len(table["draw"])
    told = dict(find_table(GENERATED_GUIDE, "what became of the draws").rows)
    assert told == {str(reason): f"{count:,}" for reason, count in zip(table["reasons"], counts)}


def test_the_arrays_of_the_table_are_described() -> None:
    told = {name for cell in find_table(GENERATED_GUIDE, "array").column("array") for name in cell.split(", ")}
    assert told | {"splits", "sizes", "players", "figures", "games"} == set(pack.GENERATED.table)
