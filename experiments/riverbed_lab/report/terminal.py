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
    body = _blocks(grid) if widths is None else _table(grid, widths)
    return Group(Text(title, style="italic"), body, *([Text(grid.below + "\n")] if grid.below else []))


def _widths(grid: Grid, width: int) -> list[int] | None:
    """The width of each column, the widest narrowed as far as their words allow; None if that isn't enough."""
    columns = [
        [grid.heads[place], *(_words(line.entries[place]) for line in grid.lines)] for place in range(len(grid.heads))
    ]
    widths = [max(map(len, column)) for column in columns]
    least = [max(len(word) for text in column for word in text.split() or [""]) for column in columns]
    room = width - GAP * (len(columns) - 1) - 2
    while sum(widths) > room:
        spare = [have - need for have, need in zip(widths, least, strict=True)]
        if not any(spare):
            return None
        widest = max(range(len(widths)), key=lambda place: (spare[place] > 0, widths[place]))
        widths[widest] -= 1
    return widths


def _table(grid: Grid, widths: Sequence[int]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    words = [any(line.entries[place].text[:1].isalpha() for line in grid.lines) for place in range(len(widths))]
    for name, wide, left in zip(grid.heads, widths, words, strict=True):
        table.add_column(Text(name), width=wide, justify="left" if left else "right")
    for line in grid.lines:
        table.add_row(*map(_text, line.entries), end_section=line.base)
    return table


def _blocks(grid: Grid) -> Group:
    """Each line as a block: its head, and under it every entry beside its heading."""
    return Group(*(_block(grid, line) for line in grid.lines))


def _block(grid: Grid, line: Line) -> Text:
    block = Text(f"\n{_words(line.entries[0])}", style="bold")
    for head, entry in zip(grid.heads[1:], line.entries[1:], strict=True):
        if entry.text:
            block.append(Text(f"\n  {head}: ", style="not bold")).append(_text(entry))
    return block


def _words(entry: Entry) -> str:
    return f"{entry.text} ({entry.small})" if entry.small else entry.text


def _text(entry: Entry) -> Text:
    return Text(_words(entry), style=COLOURS[entry.mark])
