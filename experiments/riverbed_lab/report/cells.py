"""Tables of the report as plain words, for HTML and Markdown alike, and how rates and gains are written in them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ..statistics import Difference, Mean, Rate
from .canvas import Picture

MINUS = "\N{MINUS SIGN}"

Mark = Literal["", "above", "below"]


@dataclass(frozen=True)
class Cell:
    """What a cell says, in small print what belongs to it (an interval), and whether it lies clearly above or below."""

    text: str
    small: str = ""
    mark: Mark = ""


@dataclass(frozen=True)
class Row:
    """The cells of a line, the first of which heads it; `base` where it is a base rate that others are held against."""

    cells: tuple[Cell, ...]
    base: bool = False


@dataclass(frozen=True)
class Table:
    """A table with its title, its column headings and a line of explanation below; a long one is folded."""

    title: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]
    below: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Section:
    """A part of the report: its name in addresses, title, an explanation, pictures and tables."""

    name: str
    title: str
    words: str
    pictures: tuple[Picture, ...]
    tables: tuple[Table, ...]


def row(*cells: Cell | str, base: bool = False) -> Row:
    """A line of a table."""
    return Row(tuple(Cell(cell) if isinstance(cell, str) else cell for cell in cells), base)


def rate_cell(found: Rate | None, games: int | None = None, mark: Mark = "") -> Cell:
    """A rate in % with its interval, and with its games where these aren't the `games` of the line."""
    if found is None or not found.games:
        return Cell("–")
    among = "" if games is None or games == found.games else f" of {found.games:,}"
    return Cell(f"{100 * found.value:.1f}", f"{100 * found.low:.1f}–{100 * found.high:.1f}{among}", mark)


def gain_cell(found: Difference) -> Cell:
    """A difference in points with its interval, marked where the interval leaves out 0."""
    if not found.games:
        return Cell("–")
    mark: Mark = ("above" if found.low > 0 else "below") if found.clear else ""
    return Cell(points(found.value), f"{points(found.low)} to {points(found.high)}", mark)


def points(difference: float) -> str:
    """A difference of rates in points, with its sign."""
    return signed(100 * difference, 1)


def signed(number: float, digits: int) -> str:
    """A number with its sign; what rounds to 0 has none."""
    text = f"{number:+.{digits}f}".replace("-", MINUS)
    return text if any(digit in text for digit in "123456789") else text[1:]


def mean_cell(found: Mean) -> Cell:
    """A mean with its interval, where it has one."""
    return Cell(f"{found.value:.3f}", f"{found.low:.3f}–{found.high:.3f}" if math.isfinite(found.high) else "")


def in_order(groups: list[list[str]]) -> str:
    """Groups of names in words: which lies above which, and who can't be told apart."""
    return " above ".join(" = ".join(group) for group in groups)
