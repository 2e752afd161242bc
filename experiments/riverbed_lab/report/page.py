"""The report as one self-contained HTML file, and its tables in a terminal."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from riverbed_env.core.files import write_whole

from .figures import short_names
from .model import Entry, Picture, Section, Table
from .report import Report
from .report import verdict as verdict_of
from .sections import sections

PAGE = "report.html"
SIGNS = {"": "", "above": " ▲", "below": " ▼"}
CLASSES = {"": "", "above": "above", "below": "below-base"}
COLOURS = {"": "", "above": "green", "below": "red"}
GAP = 3  # columns between two columns of a table in a terminal
FOOTER = (
    "Intervals are 95 %: Wilson's for rates on independent deals, clustered by deal where games share one, a paired "
    "bootstrap over deals for gains. The deals that a gain needs follow from the variance of its paired differences, "
    "for a two-sided test at 5 % with power 80 %. Agents whose intervals overlap aren't ordered."
)


def write_report(report: Report, folder: Path) -> Path:
    """Write the page to the folder; returns the file."""
    short = short_names((*report.agents, report.reference))
    agents = ", ".join(short[agent] for agent in report.agents if agent != report.reference)
    return write_page(
        folder / PAGE,
        f"{report.title}: {agents or 'mirrors'} against {short[report.reference]}",
        sections(report),
        verdict=verdict_of(report),
        notes=report.notes,
        details=report.details,
        command=report.command,
    )


def write_page(
    path: Path,
    title: str,
    parts: Sequence[Section],
    *,
    verdict: Sequence[str] = (),
    notes: Sequence[str] = (),
    details: Mapping[str, str] | None = None,
    command: str,
) -> Path:
    """Write sections as a page.

    Args:
        path: the file.
        title: of the page.
        parts: its sections.
        verdict: sentences above them.
        notes: in small print.
        details: what was played, lines of text by name.
        command: that makes it again.

    Returns:
        The file.
    """
    template = Template(Path(__file__).with_name("report.html").read_text(encoding="utf-8"))
    text = template.substitute(
        title=escape(title),
        verdict="\n".join(f"<li>{escape(words)}</li>" for words in verdict),
        notes="\n".join(f'<p class="note">{escape(words)}</p>' for words in notes),
        details="\n".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in (details or {}).items()),
        command=escape(command),
        contents="\n".join(f'<a href="#{part.name}">{escape(part.title)}</a>' for part in parts),
        sections="\n".join(map(_section_html, parts)),
        footer=escape(FOOTER),
    )
    write_whole(path, lambda partial: partial.write_text(text, encoding="utf-8"))
    return path


def _section_html(part: Section) -> str:
    pictures = "\n".join(map(_picture_html, part.pictures))
    gallery = f'<div class="pictures">\n{pictures}\n</div>\n' if part.pictures else ""
    heading = f"<h2>{escape(part.title)}</h2>\n<p>{escape(part.words)}</p>"
    tables = "\n".join(map(_table_html, part.tables))
    return f'<section id="{part.name}">\n{heading}\n{gallery}{tables}\n</section>'


def _picture_html(picture: Picture) -> str:
    data = base64.b64encode(picture.svg.encode()).decode()
    title, words = escape(picture.title), escape(picture.words)
    image = f'<img alt="{title}. {words}" src="data:image/svg+xml;base64,{data}"/>'
    return f'<figure><p class="figure-title">{title}</p>{image}<figcaption>{words}</figcaption></figure>'


def _table_html(table: Table) -> str:
    sides = [_class("words", place in table.word_columns) for place in range(len(table.heads))]
    head = "".join(f'<th scope="col"{side}>{escape(name)}</th>' for side, name in zip(sides, table.heads, strict=True))
    body = "\n".join(_line_html(line, sides) for line in table.lines)
    shown = f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'
    title = escape(table.title)
    return f"<details><summary>{title}</summary>{shown}</details>" if table.folded else f"<h3>{title}</h3>\n{shown}"


def _line_html(line: Sequence[Entry], sides: Sequence[str]) -> str:
    entries = "".join(f"<td{side}>{_entry_html(each)}</td>" for side, each in zip(sides[1:], line[1:], strict=True))
    return f'<tr><th scope="row">{_entry_html(line[0])}</th>{entries}</tr>'


def _entry_html(entry: Entry) -> str:
    small = f"<small{_class('wraps', ' to ' in entry.small)}>{escape(entry.small)}</small>" if entry.small else ""
    return f"<span{_class(CLASSES[entry.mark])}>{escape(entry.text)}{SIGNS[entry.mark]}</span>{small}"


def _class(name: str, wanted: bool = True) -> str:
    return f' class="{name}"' if name and wanted else ""


# --- the terminal -----------------------------------------------------------------------------------------------------


def render(part: Section, width: int, title: str) -> Iterator[RenderableType]:
    """The tables of a section that aren't folded away, or all if all are: words are never broken, nothing is cut off.

    A table that has no room becomes blocks of lines.
    """
    for table in part.tables:
        if not table.folded or all(each.folded for each in part.tables):
            widths = _widths(table, width)
            body = Group(*(_block(table, line) for line in table.lines)) if widths is None else _table(table, widths)
            yield Group(Text(f"{title}: {part.title}, {table.title}", style="italic"), body)


def _widths(table: Table, width: int) -> list[int] | None:
    """The width of each column, the widest narrowed as far as their words allow; None if that isn't enough.

    Rich would narrow columns further, and break words.
    """
    columns = [[head, *map(_words, column)] for head, column in zip(table.heads, zip(*table.lines, strict=True))]
    widths = [max(map(len, column)) for column in columns]
    least = [max(len(word) for text in column for word in text.split() or [""]) for column in columns]
    while sum(widths) + GAP * (len(columns) - 1) + 2 > width:
        narrower = [place for place in range(len(widths)) if widths[place] > least[place]]
        if not narrower:
            return None
        widths[max(narrower, key=widths.__getitem__)] -= 1
    return widths


def _table(table: Table, widths: Sequence[int]) -> RichTable:
    shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, (name, wide) in enumerate(zip(table.heads, widths, strict=True)):
        shown.add_column(Text(name), width=wide, justify="left" if place in table.word_columns else "right")
    for line in table.lines:
        shown.add_row(*map(_text, line))
    return shown


def _block(table: Table, line: Sequence[Entry]) -> Text:
    """A line as a block: its head, and under it every entry beside its heading."""
    block = Text(f"\n{_words(line[0])}", style="bold")
    for head, entry in zip(table.heads[1:], line[1:], strict=True):
        if entry.text:
            block.append(Text(f"\n  {head}: ", style="not bold")).append(_text(entry))
    return block


def _words(entry: Entry) -> str:
    return f"{entry.text} ({entry.small})" if entry.small else entry.text


def _text(entry: Entry) -> Text:
    return Text(_words(entry), style=COLOURS[entry.mark])
