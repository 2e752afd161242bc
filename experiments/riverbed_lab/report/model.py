"""The report as sections of grids and pictures, the same for all renderers, and the wording of rates and gains."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from ..statistics import Difference, Mean, Rate
from .canvas import style, to_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MINUS = "\N{MINUS SIGN}"
NOTHING = "–"

Mark = Literal["", "above", "below"]


@dataclass(frozen=True)
class Entry:
    """The text of a place in a grid, what belongs to it in small print (an interval), and its mark if it isn't 0.

    link: the file beside the report that the text is a link to.
    """

    text: str
    small: str = ""
    mark: Mark = ""
    link: str = ""


Entries = Mapping[str, Entry | str]


@dataclass(frozen=True)
class Line:
    """The entries of a line, the first of which heads it; `base` for a base rate that others are compared with."""

    entries: tuple[Entry, ...]
    base: bool = False


@dataclass(frozen=True)
class Grid:
    """Lines of entries under headings, with a title and a line of explanation below; details are folded away."""

    title: str
    heads: tuple[str, ...]
    lines: tuple[Line, ...]
    below: str = ""
    folded: bool = False

    @property
    def word_columns(self) -> set[int]:
        """The columns of words, which are set left; numbers are set right."""
        columns = zip(*(line.entries for line in self.lines if not line.base), strict=True)
        return {place for place, column in enumerate(columns) if any(each.text[:1].isalpha() for each in column)}


@dataclass(frozen=True)
class Picture:
    """A figure: its name, its title, its caption, and how it is drawn, which takes a while."""

    name: str
    title: str
    words: str
    draw: Callable[[], Figure]

    @property
    def file(self) -> str:
        """The name of its file."""
        return re.sub(r"\W+", "_", self.name) + ".svg"

    @cached_property
    def svg(self) -> str:
        """The figure as SVG."""
        with style():
            return to_svg(self.draw())


@dataclass(frozen=True)
class Section:
    """A part of the report: its name in addresses, title, explanation, pictures and grids."""

    name: str
    title: str
    words: str
    pictures: tuple[Picture, ...]
    grids: tuple[Grid, ...]


def grid(
    title: str, lines: Iterable[Entries], base: Iterable[Entries] = (), below: str = "", folded: bool = False
) -> Grid:
    """A grid of lines that are keyed by their headings, after lines of base rates; a key that is missing is empty."""
    lines, base = list(lines), list(base)
    heads = tuple(dict.fromkeys(head for line in (*lines, *base) for head in line))
    made = [
        Line(tuple(_entry(line.get(head, "")) for head in heads), place < len(base))
        for place, line in enumerate((*base, *lines))
    ]
    return Grid(title, heads, tuple(made), below, folded)


def _entry(given: Entry | str) -> Entry:
    return Entry(given) if isinstance(given, str) else given


def rate_entry(rate: Rate | None, games: int | None = None) -> Entry:
    """A rate in % with its interval, and its games if these aren't the `games` of the line."""
    if rate is None or not rate.games:
        return Entry(NOTHING)
    among = "" if games is None or games == rate.games else f" of {rate.games:,}"
    return Entry(f"{100 * rate.value:.1f}", f"{100 * rate.low:.1f}–{100 * rate.high:.1f}{among}")


def gain_entry(gain: Difference) -> Entry:
    """A difference in points with its interval, marked if the interval leaves out 0."""
    if not gain.games:
        return Entry(NOTHING)
    mark: Mark = ("above" if gain.low > 0 else "below") if gain.clear else ""
    return Entry(points(gain.value), f"{points(gain.low)} to {points(gain.high)}", mark)


def mean_entry(mean: Mean) -> Entry:
    """A mean with its interval, if it has one."""
    return Entry(f"{mean.value:.3f}", f"{mean.low:.3f}–{mean.high:.3f}" if math.isfinite(mean.high) else "")


def points(difference: float) -> str:
    """A difference of rates in points, with its sign."""
    return signed(100 * difference, 1)


def signed(number: float, digits: int) -> str:
    """A number with its sign; without one if it rounds to 0."""
    text = f"{number:+.{digits}f}".replace("-", MINUS)
    return text if any(digit in text for digit in "123456789") else text[1:]
