"""The report as sections of tables and pictures, the same for terminal and page, and the wording of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

from ..statistics import LEVEL
from .figures import style, to_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MINUS = "\N{MINUS SIGN}"
NOTHING = "–"
NORMAL = NormalDist()

# How numbers are shown, by how their column's name begins: scale, digits, and whether they carry a sign. An estimate is
# three columns: `name`, `name_low` and `name_high`.
STYLES: Mapping[tuple[str, ...], tuple[float, int, bool]] = {
    ("gain", "deeds", "claims", "winners"): (100, 1, True),  # points
    ("won", "wins", "instead", "share_", "forfeits"): (100, 1, False),  # %
    ("log_loss", "brier"): (1, 3, False),
    ("cost",): (1, 4, False),
    ("deals", "seats", "needed", "seconds", "steps"): (1, 0, False),
    ("",): (1, 1, False),
}

Mark = Literal["", "above", "below"]
Values = Mapping[Any, Any]  # a line of a frame


@dataclass(frozen=True)
class Entry:
    """The text of a place in a table, what belongs to it in small print (an interval), and its mark if it isn't 0."""

    text: str
    small: str = ""
    mark: Mark = ""


@dataclass(frozen=True)
class Table:
    """Lines of entries under headings; details are folded away."""

    title: str
    heads: tuple[str, ...]
    lines: tuple[tuple[Entry, ...], ...]
    folded: bool = False

    @property
    def word_columns(self) -> set[int]:
        """The columns of words, which are set left; numbers are set right."""
        columns = zip(*self.lines, strict=True)
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


def table(title: str, lines: Iterable[Values], columns: Mapping[str, str] | None = None, folded: bool = False) -> Table:
    """A table of lines of a frame. columns: the column under each heading; by default all, under their own names.

    Columns without a value are left out. Marks of a table are 95 % sure all together (Bonferroni).
    """
    lines = list(lines)
    chosen = columns or {name: name for line in lines for name in line}
    there = {head: name for head, name in chosen.items() if any(not _missing(line.get(name)) for line in lines)}
    differences = [name for name in there.values() if _style(name)[2]]
    compared = sum(math.isfinite(line.get(f"{name}_low", math.nan)) for line in lines for name in differences)
    entries = tuple(tuple(entry(line, name, compared) for name in there.values()) for line in lines)
    return Table(title, tuple(there), entries, folded)


def entry(line: Values, name: str, compared: int = 1) -> Entry:
    """The value of a column in a line, with its interval; marked if it is a difference that isn't 0.

    compared: how many differences are looked at together; an interval that wide must leave out 0 for a mark.
    """
    value: Any = line.get(name)
    if _missing(value):
        return Entry(NOTHING)
    if isinstance(value, Entry):
        return value
    if isinstance(value, str | int):
        return Entry(value if isinstance(value, str) else f"{value:,}")
    scale, digits, sign = _style(name)

    def number(value: float) -> str:
        return signed(scale * value, digits) if sign else f"{scale * value:,.{digits}f}"

    low, high = (line.get(f"{name}_{end}", math.nan) for end in ("low", "high"))
    wider = NORMAL.inv_cdf(1 - (1 - LEVEL) / 2 / max(1, compared)) / NORMAL.inv_cdf((1 + LEVEL) / 2)
    mark: Mark = ""
    if sign and math.isfinite(high - low):
        mark = "above" if wider * (value - low) < value else "below" if wider * (high - value) < -value else ""
    small = f"{number(low)}{' to ' if sign else '–'}{number(high)}" if math.isfinite(high - low) else ""
    games: Any = line.get(f"{name}_games", line.get("games"))
    return Entry(number(value), small if games == line.get("games") else f"{small} of {games:,.0f}", mark)


def _style(name: str) -> tuple[float, int, bool]:
    return next(how for stems, how in STYLES.items() if name.startswith(stems))


def _missing(value: object) -> bool:
    """Whether there is no value, as in cells of other tables."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def signed(number: float, digits: int) -> str:
    """A number with its sign; without one if it rounds to 0."""
    text = f"{number:+.{digits}f}".replace("-", MINUS)
    return text if any(digit in text for digit in "123456789") else text[1:]
