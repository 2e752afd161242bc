"""The report of an evaluation: one HTML file that needs nothing else, and the same in Markdown."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path
from string import Template

from riverbed_env.core.files import write_whole

from ..evaluation.results import Header, Report
from ..files import writable_folder
from .canvas import Picture, short_names
from .cells import Cell, Row, Section, Table
from .sections import sections

SIGNS = {"": "", "above": " ▲", "below": " ▼"}
CLASSES = {"": "", "above": "above", "below": "below-base"}
PICTURES = "figures"  # the folder beside the Markdown file
FOOTER = (
    "A rate carries its 95 % interval: Wilson's for independent deals, clustered by deal where games share one. A gain "
    "on common deals carries its paired bootstrap interval. Agents whose intervals overlap aren't ordered."
)


def write_report(report: Report, folder: Path) -> list[Path]:
    """Write report.html, report.md and the figures (SVG) that the latter shows to the folder; returns the files."""
    writable_folder(folder)
    writable_folder(folder / PICTURES)
    parts = sections(report)
    pictures = [picture for part in parts for picture in part.pictures]
    contents = {folder / PICTURES / f"{picture.name}.svg": picture.svg for picture in pictures}
    contents[folder / "report.md"] = to_markdown(report, parts)
    contents[folder / "report.html"] = to_html(report, parts)
    for path, text in contents.items():
        write_whole(path, lambda partial, text=text: partial.write_text(text, encoding="utf-8"))  # type: ignore[misc]
    return list(contents)


def to_html(report: Report, parts: list[Section]) -> str:
    """The page: self-contained, its pictures inlined."""
    template = Template(Path(__file__).with_name("report.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=escape(_title(report.header)),
        warnings="\n".join(f'<p class="warning">{escape(words)}</p>' for words in report.warnings),
        settings="\n".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in _settings(report)),
        command=escape(report.header.command),
        contents="\n".join(f'<a href="#{part.name}">{escape(part.title)}</a>' for part in parts),
        sections="\n".join(_section_html(part) for part in parts),
        footer=escape(FOOTER),
    )


def _title(header: Header) -> str:
    return f"{header.title}: evaluation of {', '.join(header.agents)}"


def _settings(report: Report) -> list[tuple[str, str]]:
    """The lines of the heading: what was played, by which code, under which seed."""
    header = report.header
    cut = [f"{short} is {name}" for name, short in short_names(report.names).items() if short != name]
    return [
        ("environment", header.environment),
        ("content pack", header.pack),
        ("code", header.code),
        ("seed", str(header.seed)),
        ("players", ", ".join(str(count) for count in header.players)),
        ("agents", ", ".join(header.agents)),
        ("reference", header.reference),
        *header.settings.items(),
        *([("in figures", "; ".join(cut))] if cut else []),
        ("written", header.written),
    ]


def _section_html(part: Section) -> str:
    pictures = "\n".join(_picture_html(picture) for picture in part.pictures)
    tables = "\n".join(_table_html(table) for table in part.tables)
    gallery = f'<div class="pictures">\n{pictures}\n</div>\n' if part.pictures else ""
    heading = f"<h2>{escape(part.title)}</h2>\n<p>{escape(part.words)}</p>"
    return f'<section id="{part.name}">\n{heading}\n{gallery}{tables}\n</section>'


def _picture_html(picture: Picture) -> str:
    data = base64.b64encode(picture.svg.encode()).decode()
    title, words = escape(picture.title), escape(picture.words)
    image = f'<img alt="{title}. {words}" src="data:image/svg+xml;base64,{data}"/>'
    return f'<figure><p class="figure-title">{title}</p>{image}<figcaption>{words}</figcaption></figure>'


def _table_html(table: Table) -> str:
    words = _word_columns(table)
    head = "".join(
        f'<th scope="col"{_class("words" if place in words else "")}>{escape(name)}</th>'
        for place, name in enumerate(table.head)
    )
    body = "\n".join(_row_html(line, words) for line in table.rows)
    whole = (
        f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'
        + (f'\n<p class="below">{escape(table.below)}</p>' if table.below else "")
    )
    title = escape(table.title)
    return f"<details><summary>{title}</summary>{whole}</details>" if table.folded else f"<h3>{title}</h3>\n{whole}"


def _word_columns(table: Table) -> set[int]:
    """The columns of words, which go to the left; numbers go to the right."""
    texts = ([line.cells[place].text for line in table.rows if not line.base] for place in range(len(table.head)))
    return {place for place, column in enumerate(texts) if any(text[:1].isalpha() for text in column)}


def _row_html(line: Row, words: set[int]) -> str:
    first, *rest = line.cells
    cells = "".join(_cell_html(cell, place in words) for place, cell in enumerate(rest, 1))
    return f'<tr{_class("base" if line.base else "")}><th scope="row">{escape(first.text)}</th>{cells}</tr>'


def _cell_html(cell: Cell, words: bool) -> str:
    lines = escape(cell.small).replace(", ", "<br/>")  # a part a line: wide tables stay within the page
    small = f"<small>{lines}</small>" if cell.small else ""
    text = f"<span{_class(CLASSES[cell.mark])}>{escape(cell.text)}{SIGNS[cell.mark]}</span>"
    return f"<td{_class('words' if words else '')}>{text}{small}</td>"


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def to_markdown(report: Report, parts: list[Section]) -> str:
    """The report in Markdown; its pictures are files in the folder `figures` beside it."""
    settings = "\n".join(f"- {name}: {_plain(text)}" for name, text in _settings(report))
    blocks = [
        f"# {_plain(_title(report.header))}",
        *(f"> **Warning:** {_plain(words)}" for words in report.warnings),
        settings,
        f"The command that makes it again:\n\n```\n{report.header.command}\n```",
        *(block for part in parts for block in _section_markdown(part)),
        f"---\n\n{FOOTER}",
    ]
    return "\n\n".join(blocks) + "\n"


def _section_markdown(part: Section) -> list[str]:
    pictures = [
        f"**{_plain(picture.title)}**\n\n![{_plain(picture.words)}]({PICTURES}/{picture.name}.svg)"
        for picture in part.pictures
    ]
    return [f"## {part.title}", _plain(part.words), *pictures, *(_table_markdown(table) for table in part.tables)]


def _table_markdown(table: Table) -> str:
    words = _word_columns(table)
    rule = ["---" if place in words or place == 0 else "--:" for place in range(len(table.head))]
    lines = [
        [_plain(name) for name in table.head],
        rule,
        *([_cell_markdown(cell) for cell in line.cells] for line in table.rows),
    ]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"### {_plain(table.title)}\n\n{text}" + (f"\n\n{_plain(table.below)}" if table.below else "")


def _cell_markdown(cell: Cell) -> str:
    small = f" ({_plain(cell.small)})" if cell.small else ""
    return f"{_plain(cell.text)}{small}{SIGNS[cell.mark]}"


def _plain(text: str) -> str:
    """Words that Markdown takes for nothing else."""
    for sign in "\\`*_|[":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("&", "&amp;").replace("<", "&lt;")
