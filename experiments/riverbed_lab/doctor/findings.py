"""What is found of an installation, and how it is said."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Literal

State = Literal["fine", "note", "wrong"]
MARKS: dict[State, str] = {"fine": "  ", "note": "- ", "wrong": "! "}
WIDTH = 110


@dataclass(frozen=True)
class Finding:
    """One thing: fine, worth a note (it works all the same), or wrong; `advice` is what to do about it."""

    what: str
    state: State = "fine"
    advice: str = ""


def note(what: str, advice: str = "") -> Finding:
    """Something that works but may surprise."""
    return Finding(what, "note", advice)


def wrong(what: str, advice: str) -> Finding:
    """Something that doesn't work; the command then ends with exit code 1."""
    return Finding(what, "wrong", advice)


def lines(title: str, findings: list[Finding]) -> list[str]:
    """A title and its findings, those with a mark that aren't fine, the advice below."""
    said = [title]
    for each in findings:
        said += _wrapped(each.what, MARKS[each.state])
        if each.advice:
            said += _wrapped(each.advice, "    -> ")
    return said


def _wrapped(words: str, mark: str) -> list[str]:
    first, rest = f"  {mark}", " " * (len(mark) + 2)
    return textwrap.wrap(
        words, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
