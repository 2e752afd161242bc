"""The report's sections in a terminal: as tables, or as blocks of lines where a table has no room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .model import Entry, Grid, Line, Section

COLOURS = {"": "", "above": "green", "below": "red"}
GAP = 3  # columns between two columns of a table


def render(part: Section, width: int, title: str) -> Iterator[RenderableType]:
    """The grids of a section that aren't folded away, except those of the matrix, which has no other."""
    for grid in part.grids:
        if not grid.folded or all(each.folded for each in part.grids):
            yield render_grid(grid, width, f"{title}: {part.title}, {grid.title}")


def render_grid(grid: Grid, width: int, title: str) -> RenderableType:
    """A grid in this many columns: words are never broken and nothing is cut off."""
    widths = _widths(grid, width)
    body = Group(*(_block(grid, line) for line in grid.lines)) if widths is None else _table(grid, widths)
    return Group(Text(title, style="italic"), body, *([Text(grid.below + "\n")] if grid.below else []))


def _widths(grid: Grid, width: int) -> list[int] | None:
    """The width of each column, the widest narrowed as far as their words allow; None if that isn't enough.

    Rich would narrow columns further, and break words.
    """
    columns = [
        [head, *map(_words, column)]
        for head, column in zip(grid.heads, zip(*(line.entries for line in grid.lines), strict=True), strict=True)
    ]
    widths = [max(map(len, column)) for column in columns]
    least = [max(len(word) for text in column for word in text.split() or [""]) for column in columns]
    while sum(widths) + GAP * (len(columns) - 1) + 2 > width:
        narrower = [place for place in range(len(widths)) if widths[place] > least[place]]
        if not narrower:
            return None
        widths[max(narrower, key=widths.__getitem__)] -= 1
    return widths


def _table(grid: Grid, widths: Sequence[int]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, (name, wide) in enumerate(zip(grid.heads, widths, strict=True)):
        table.add_column(Text(name), width=wide, justify="left" if place in grid.word_columns else "right")
    for line in grid.lines:
        table.add_row(*map(_text, line.entries), end_section=line.base)
    return table


def _block(grid: Grid, line: Line) -> Text:
    """A line as a block: its head, and under it every entry beside its heading."""
    block = Text(f"\n{_words(line.entries[0])}", style="bold")
    for head, entry in zip(grid.heads[1:], line.entries[1:], strict=True):
        if entry.text:
            block.append(Text(f"\n  {head}: ", style="not bold")).append(_text(entry))
    return block


def _words(entry: Entry) -> str:
    return f"{entry.text} ({entry.small})" if entry.small else entry.text


def _text(entry: Entry) -> Text:
    return Text(_words(entry), style=COLOURS[entry.mark])
