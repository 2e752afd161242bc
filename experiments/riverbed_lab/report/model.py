"""The report as sections of tables and pictures, the same for terminal and page, and the wording of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from .figures import style, to_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MINUS = "\N{MINUS SIGN}"
NOTHING = "–"

Mark = Literal["", "above", "below"]
Values = Mapping[Any, Any]  # a line of a frame: an estimate is three columns, `name`, `name_low` and `name_high`


@dataclass(frozen=True)
class Entry:
    """The text of a place in a table, what belongs to it in small print (an interval), and its mark if it isn't 0."""

    text: str
    small: str = ""
    mark: Mark = ""


Entries = Mapping[str, Entry | str]


@dataclass(frozen=True)
class Table:
    """Lines of entries under headings, the first `base` of them base rates; details are folded away."""

    title: str
    heads: tuple[str, ...]
    lines: tuple[tuple[Entry, ...], ...]
    base: int = 0
    below: str = ""
    folded: bool = False

    @property
    def word_columns(self) -> set[int]:
        """The columns of words, which are set left; numbers are set right."""
        columns = zip(*self.lines[self.base :], strict=True)
        return {place for place, column in enumerate(columns) if any(each.text[:1].isalpha() for each in column)}


@dataclass(frozen=True)
class Picture:
    """A figure: its title, its caption, and how it is drawn, which takes a while."""

    title: str
    words: str
    draw: Callable[[], Figure]

    @cached_property
    def svg(self) -> str:
        """The figure as SVG."""
        with style():
            return to_svg(self.draw())


@dataclass(frozen=True)
class Section:
    """A part of the report: its name in addresses, title, explanation, pictures and tables."""

    name: str
    title: str
    words: str
    tables: tuple[Table, ...]
    pictures: tuple[Picture, ...] = ()


def table(
    title: str, lines: Iterable[Entries], base: Iterable[Entries] = (), below: str = "", folded: bool = False
) -> Table:
    """A table of lines that are keyed by their headings, after lines of base rates; a key that is missing is empty."""
    lines, base = list(lines), list(base)
    heads = tuple(dict.fromkeys(head for line in (*lines, *base) for head in line))
    entries = [[line.get(head, "") for head in heads] for line in (*base, *lines)]
    made = tuple(tuple(Entry(each) if isinstance(each, str) else each for each in line) for line in entries)
    return Table(title, heads, made, len(base), below, folded)


def percent(line: Values, name: str, games: int | None = None) -> Entry:
    """A rate in % with its interval, and its games, `name_games`, if these aren't the `games` of the line."""
    if _missing(line, name):
        return Entry(NOTHING)
    among = "" if games in (None, line.get(f"{name}_games")) else f" of {line[f'{name}_games']:,.0f}"
    return Entry(f"{100 * line[name]:.1f}", f"{100 * line[f'{name}_low']:.1f}–{100 * line[f'{name}_high']:.1f}{among}")


def points(line: Values, name: str, scale: float = 100, digits: int = 1) -> Entry:
    """A difference in points, or in units of 1 / `scale`, with its interval; marked if the interval leaves out 0."""
    if _missing(line, name):
        return Entry(NOTHING)
    value, low, high = (scale * line[each] for each in (name, f"{name}_low", f"{name}_high"))
    mark: Mark = "above" if low > 0 else "below" if high < 0 else ""
    small = f"{signed(low, digits)} to {signed(high, digits)}" if math.isfinite(high - low) else ""
    return Entry(signed(value, digits), small, mark)


def number(line: Values, name: str, digits: int) -> Entry:
    """A number with its interval, if it has one."""
    if _missing(line, name):
        return Entry(NOTHING)
    low, high = (line.get(f"{name}_{end}") for end in ("low", "high"))
    known = low is not None and high is not None and math.isfinite(high - low)
    return Entry(f"{line[name]:.{digits}f}", f"{low:.{digits}f}–{high:.{digits}f}" if known else "")


def _missing(line: Values, name: str) -> bool:
    """Whether there is no value, as in cells of other tables."""
    return line.get(name) is None or math.isnan(line[name])


def signed(number: float, digits: int) -> str:
    """A number with its sign; without one if it rounds to 0."""
    text = f"{number:+.{digits}f}".replace("-", MINUS)
    return text if any(digit in text for digit in "123456789") else text[1:]
