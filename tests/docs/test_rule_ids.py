"""Every rule has one id, and with it an address on the page of rules, in the code and in the tests."""

from __future__ import annotations

import ast
import functools
import io
import re
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from pages_kit import DOCS, ROOT

CODE = ROOT / "riverbed_env" / "games" / "riverbed_hunt"
SOURCES = ("riverbed_env", "agents", "experiments", "tests", "docs", "notebooks")
ID = re.compile(r"\bRH-\d+\.\d+")
TEST_ID = re.compile(r"test_rh_(\d+)_(\d+)(?:_|$)")

RULES = (DOCS / "rules" / "riverbed_hunt.md").read_text(encoding="utf-8")
RULE_IDS = re.findall(r"\*\*(RH-\d+\.\d+)\*\*", RULES)

# Rules that need no test of their own name.
NO_TEST = {
    "RH-8.6": "talk isn't part of the environment yet, as the rule itself says",
}
# Rules that have no code of their own.
NO_CODE = {
    "RH-6.6": "an example of the book that RH-6.1 and RH-6.2 already decide; the tile in it is data of the pack",
    "RH-8.4": "forbids code: that nothing hidden shows through is proved by the leak tests",
    "RH-8.6": "talk isn't part of the environment yet, as the rule itself says",
}


def python_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@functools.cache
def ids_in_test_names() -> frozenset[str]:
    """The ids in the names of test functions."""
    found: set[str] = set()
    for path in python_files(ROOT / "tests"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and (match := TEST_ID.match(node.name)):
                found.add(f"RH-{match.group(1)}.{match.group(2)}")
    return frozenset(found)


def docstrings(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def comments(source: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


@functools.cache
def ids_in_code() -> frozenset[str]:
    """The ids that docstrings and comments of the game's code cite."""
    found: set[str] = set()
    for path in python_files(CODE):
        source = path.read_text(encoding="utf-8")
        for words in [*docstrings(source), *comments(source)]:
            found.update(ID.findall(words))
    return frozenset(found)


def test_each_id_stands_once_on_the_page_in_order() -> None:
    numbers = [tuple(map(int, rule.removeprefix("RH-").split("."))) for rule in RULE_IDS]
    assert numbers == sorted(set(numbers))
    for (chapter, rule), (next_chapter, next_rule) in pairwise(numbers):
        assert (next_chapter, next_rule) in ((chapter, rule + 1), (chapter + 1, 1))


def test_each_rule_has_a_test_named_for_it() -> None:
    missing = [rule for rule in RULE_IDS if rule not in ids_in_test_names() and rule not in NO_TEST]
    names = ", ".join(f"test_{rule.lower().replace('-', '_').replace('.', '_')}_…" for rule in missing)
    assert not missing, f"no test is named for {', '.join(missing)}; write {names}"


def test_each_rule_is_cited_in_the_code() -> None:
    missing = [rule for rule in RULE_IDS if rule not in ids_in_code() and rule not in NO_CODE]
    assert not missing, f"no docstring or comment in {CODE.relative_to(ROOT)} cites {', '.join(missing)}"


def test_exceptions_are_needed() -> None:
    assert not set(NO_TEST) & ids_in_test_names(), "these rules have tests by now"
    assert not set(NO_CODE) & ids_in_code(), "these rules have code by now"
    assert set(NO_TEST) | set(NO_CODE) <= set(RULE_IDS)


def test_no_id_is_cited_that_the_page_does_not_have() -> None:
    unknown = {f"{rule} in the name of a test" for rule in ids_in_test_names() - set(RULE_IDS)}
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".py", ".toml", ".md", ".ipynb", ".txt"} and "__pycache__" not in path.parts:
                cited = set(ID.findall(path.read_text(encoding="utf-8"))) - set(RULE_IDS)
                unknown |= {f"{rule} in {path.relative_to(ROOT)}" for rule in cited}
    assert not unknown, f"the page of rules has no {'; '.join(sorted(unknown))}"
