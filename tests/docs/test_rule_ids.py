"""Every rule has one id, and with it an address on the page of rules, in the code and in the tests."""

import functools
import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest
from pages_kit import DOCS, ROOT, built_in_ids

SOURCES = ("riverbed_env", "agents", "web", "experiments", "tests", "docs", "notebooks")


@dataclass(frozen=True)
class Rules:
    """A game's rules: the prefix of their ids, and those that need no test or no code of their own, with the reason."""

    game: str
    prefix: str
    no_test: dict[str, str] = field(default_factory=dict)
    no_code: dict[str, str] = field(default_factory=dict)

    @property
    def page(self) -> str:
        return (DOCS / "rules" / f"{self.game}.md").read_text(encoding="utf-8")

    @property
    def ids(self) -> list[str]:
        return re.findall(rf"\*\*({self.prefix}-\d+\.\d+)\*\*", self.page)

    @property
    def code(self) -> Path:
        return ROOT / "riverbed_env" / "games" / self.game

    @property
    def cited(self) -> re.Pattern[str]:
        return re.compile(rf"\b{self.prefix}-\d+\.\d+")

    @property
    def test_name(self) -> re.Pattern[str]:
        return re.compile(rf"test_{self.prefix.lower()}_(\d+)_(\d+)(?:_|$)")


ALL = [
    Rules(
        "riverbed_hunt",
        "RH",
        no_test={"RH-8.6": "RH-9 gives it a form"},
        no_code={
            "RH-6.6": "an example of the book that RH-6.1 and RH-6.2 already decide; its tile is data of the pack",
            "RH-8.6": "RH-9 gives it a form",
        },
    ),
    Rules("river_rats", "RR"),
    Rules("deep_river", "DR"),
    Rules("riverside", "RS"),
]
each_game = pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.game)


def python_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@functools.cache
def names_of_tests() -> frozenset[str]:
    """The names of all test functions."""
    sources = (path.read_text(encoding="utf-8") for path in python_files(ROOT / "tests"))
    return frozenset(name for source in sources for name in re.findall(r"^ *def (test_\w+)", source, re.MULTILINE))


def ids_in_test_names(rules: Rules) -> set[str]:
    """The ids in the names of test functions."""
    matches = map(rules.test_name.match, names_of_tests())
    return {f"{rules.prefix}-{match.group(1)}.{match.group(2)}" for match in matches if match}


def ids_in_code(rules: Rules) -> set[str]:
    """The ids that the game's code cites, in docstrings and comments."""
    sources = (path.read_text(encoding="utf-8") for path in python_files(rules.code))
    return {rule for source in sources for rule in rules.cited.findall(source)}


def test_every_game_of_the_library_has_its_rules_here() -> None:
    assert [f"{rules.game}_v" for rules in ALL] == [game_id.rstrip("0123456789") for game_id in built_in_ids()]


@each_game
def test_each_id_stands_once_on_the_page_in_order(rules: Rules) -> None:
    numbers = [tuple(map(int, rule.partition("-")[2].split("."))) for rule in rules.ids]
    assert numbers
    assert numbers == sorted(set(numbers))
    for (chapter, rule), (next_chapter, next_rule) in pairwise(numbers):
        assert (next_chapter, next_rule) in ((chapter, rule + 1), (chapter + 1, 1))


@each_game
def test_each_rule_has_a_test_named_for_it(rules: Rules) -> None:
    tested = ids_in_test_names(rules)
    missing = [rule for rule in rules.ids if rule not in tested and rule not in rules.no_test]
    names = ", ".join(f"test_{rule.lower().replace('-', '_').replace('.', '_')}_…" for rule in missing)
    assert not missing, f"no test is named for {', '.join(missing)}; write {names}"


@each_game
def test_each_rule_is_cited_in_the_code(rules: Rules) -> None:
    cited = ids_in_code(rules)
    missing = [rule for rule in rules.ids if rule not in cited and rule not in rules.no_code]
    assert not missing, f"no docstring or comment in {rules.code.relative_to(ROOT)} cites {', '.join(missing)}"


@each_game
def test_exceptions_are_needed(rules: Rules) -> None:
    assert not set(rules.no_test) & ids_in_test_names(rules), "these rules have tests by now"
    assert not set(rules.no_code) & ids_in_code(rules), "these rules have code by now"
    assert set(rules.no_test) | set(rules.no_code) <= set(rules.ids)


@each_game
def test_no_id_is_cited_that_the_page_does_not_have(rules: Rules) -> None:
    ids = set(rules.ids)
    unknown = {f"{rule} in the name of a test" for rule in ids_in_test_names(rules) - ids}
    for path, text in texts():
        cited = set(rules.cited.findall(text)) - ids
        unknown |= {f"{rule} in {path}" for rule in cited}
    assert not unknown, f"the page of rules has no {'; '.join(sorted(unknown))}"


@functools.cache
def texts() -> tuple[tuple[Path, str], ...]:
    """Every file of the project that may cite a rule, and what it says."""
    found = []
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".py", ".toml", ".md", ".ipynb", ".txt"} and "__pycache__" not in path.parts:
                found.append((path.relative_to(ROOT), path.read_text(encoding="utf-8")))
    return tuple(found)
