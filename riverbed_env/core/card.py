"""Generated pages: small Markdown helpers, and what a game adds to the card that every game has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from string import Formatter
from typing import Any, Protocol

_OWN_LINE = re.compile(r"[|#`]| *- ")  # tables, titles, fences and list items begin lines of their own


@dataclass(frozen=True)
class OptionWords:
    """What a page says of an option: the values it takes and what it does."""

    allowed: str
    meaning: str


@dataclass(frozen=True)
class Section:
    """A part of a page under its own title."""

    title: str
    body: str


@dataclass(frozen=True)
class VersionNote:
    """A version of an environment and what it changed."""

    version: int
    change: str


@dataclass(frozen=True)
class CardSections:
    """What a game adds to its card; each is Markdown and goes to its place among the sections all games share."""

    summary: str  # one paragraph: what the game is
    options: Mapping[str, OptionWords]  # the options that only this game has
    players: Sequence[Section]  # who plays, in which camps
    actions: str  # when which action is an answer
    observation: str  # how to read the pieces, and the numbers that stand for things
    nobody_wins: str  # when nobody wins, as the end of "if …"; "" where that can't be
    end: str  # what ends a game
    forced: str  # which decisions have one answer
    content: Sequence[Section]  # what the content pack holds
    versions: Sequence[VersionNote]
    more_rewards: Sequence[tuple[str, str]] = ()  # endings that are paid otherwise, and what is paid


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; pipes and line breaks inside cells are taken care of."""
    lines = [_row(header), _row(["---"] * len(header)), *(_row(row) for row in rows)]
    return "\n".join(lines)


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(" ".join(str(cell).split()).replace("|", r"\|") for cell in cells) + " |"


def code(value: object) -> str:
    """A value in code type."""
    return f"`{value}`"


def literal(value: object) -> str:
    """A value as it is written in Python, strings in double quotes."""
    return code(f'"{value}"' if isinstance(value, str) else repr(value))


def codes(values: Iterable[object]) -> str:
    """Several values in code type, with commas."""
    return ", ".join(code(value) for value in values)


def span(first: int, size: int) -> str:
    """Whole numbers in a row: "12" or "12 to 27"."""
    return str(first) if size == 1 else f"{first} to {first + size - 1}"


def ranges(numbers: Iterable[int]) -> str:
    """Any whole numbers, neighbours put together: "1 to 10, 12"."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(span(run[0], len(run)) if len(run) > 2 else ", ".join(map(str, run)) for run in runs) or "none"


def sections(parts: Iterable[Section], level: int = 2) -> str:
    """Sections one after another, their titles at a level."""
    return "\n\n".join(f"{'#' * level} {part.title}\n\n{part.body}" for part in parts)


def anchor(title: str) -> str:
    """The link to a title of a page, as GitHub makes it."""
    kept = re.sub(r"[^\w\- ]", "", title.lower())
    return f"#{kept.replace(' ', '-')}"


def unwrapped(page: str) -> str:
    """The page with every paragraph and list item on one line, so that sources may be wrapped as they like."""
    lines: list[str] = []
    fenced = False
    for line in page.split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        joins = lines and lines[-1] and line and not fenced and not _OWN_LINE.match(line)
        if joins and not lines[-1].startswith(("|", "#", "```")):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    return "\n".join(lines)


def placeholders(words: str) -> list[str]:
    """The fields that a sentence names, in its order."""
    return [name for _, name, _, _ in Formatter().parse(words) if name]


class Sourced(Protocol):
    """An entry of a content pack that says where it comes from: "rulebook" or "reconstructed"."""

    @property
    def source(self) -> str:
        """Where it comes from."""


def origin_table(kinds: Iterable[tuple[str, Iterable[Sourced]]]) -> str:
    """How many entries of each kind are the rulebook's, how many reconstructed."""
    listed = ((name, [entry.source for entry in entries]) for name, entries in kinds)
    rows = ([name, sources.count("rulebook"), sources.count("reconstructed")] for name, sources in listed)
    return table(["entries", "rulebook", "reconstructed"], rows)


def question_table(questions: type[IntEnum], words: Mapping[Any, str], answered_by: Mapping[Any, Sequence[str]]) -> str:
    """What is asked, and which actions can answer."""
    rows = ([each.value, each.name, words[each], codes(answered_by[each]) or "–"] for each in questions)
    return table(["question", "name", "asked for", "answered by"], rows)


def event_field_table(first: int, columns: Sequence[str], meanings: Mapping[str, str]) -> str:
    """Where the fields of an event lie in its row, the newest event's beginning at `first`, and how they count."""
    rows = ([field, name, first + field, meanings[name]] for field, name in enumerate(columns))
    return table(["field", "holds", "index in the newest event", "values"], rows)
