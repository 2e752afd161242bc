"""Each part of the library stays within its budget of lines: whoever needs more takes something out.

A line of code holds a token that is neither a comment nor part of a docstring, so explaining and spacing cost nothing.
Raising a number needs its reason in the commit.
"""

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CODE = {
    "riverbed_env": 20_970,
    "agents": 4_908,
    "experiments/riverbed_lab": 10_321,
    "experiments/riverbed_verifiers": 62,
    "experiments/studies": 1_927,
    "experiments/examples": 60,
    "web": 2_563,
    "tests": 36_572,
}
PAGES = 6_189  # lines of Markdown in docs
FREE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def files(folder: str, suffix: str) -> Iterator[Path]:
    """The files of a part, without what other tools put there."""
    for path in (ROOT / folder).rglob(f"*{suffix}"):
        if not {"node_modules", ".ipynb_checkpoints"} & set(path.parts):
            yield path


def code_lines(text: str) -> int:
    """How many lines hold code."""
    lines = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in FREE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            lines.difference_update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return len(lines)


@pytest.mark.parametrize("part", CODE)
def test_a_part_keeps_to_its_lines_of_code(part: str) -> None:
    lines = sum(code_lines(path.read_text(encoding="utf-8")) for path in files(part, ".py"))
    assert lines <= CODE[part], f"{part} has {lines:,} lines of code, {lines - CODE[part]:,} over its budget"


def test_the_pages_keep_to_their_lines() -> None:
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in files("docs", ".md"))
    assert lines <= PAGES, f"docs/*.md has {lines:,} lines, {lines - PAGES:,} over its budget"


def test_comments_docstrings_and_blank_lines_are_free() -> None:
    text = '"""A module."""\n\n# why\n\n\ndef two() -> int:\n    """2."""\n    return (\n        2\n    )\n'
    assert code_lines(text) == 4
