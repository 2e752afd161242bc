"""The report of an evaluation: one self-contained HTML file, and the same in Markdown."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from string import Template

from riverbed_env.core.files import write_whole

from ..evaluation.results import About, Report
from ..files import writable_folder
from .canvas import short_names
from .model import Entry, Grid, Line, Picture, Section
from .sections import sections
from .verdict import verdict

SIGNS = {"": "", "above": " ▲", "below": " ▼"}
CLASSES = {"": "", "above": "above", "below": "below-base"}
PICTURES = "figures"  # the folder beside the Markdown file
FOOTER = (
    "Intervals are 95 %: Wilson's for rates on independent deals, clustered by deal where games share one, a paired "
    "bootstrap over deals for gains. The deals that a gain needs follow from the variance of its paired differences, "
    "for a two-sided test at 5 % with power 80 %. Agents whose intervals overlap aren't ordered."
)


def write_report(report: Report, folder: Path) -> list[Path]:
    """Write report.html, report.md and the figures (SVG) that the latter shows to the folder; returns the files."""
    writable_folder(folder)
    writable_folder(folder / PICTURES)
    parts = sections(report)
    contents = {folder / PICTURES / each.file: each.svg for part in parts for each in part.pictures}
    contents[folder / "report.md"] = to_markdown(report, parts)
    contents[folder / "report.html"] = to_html(report, parts)
    for path, text in contents.items():
        write_whole(path, lambda partial, text=text: partial.write_text(text, encoding="utf-8"))  # type: ignore[misc]
    return list(contents)


def to_html(report: Report, parts: list[Section]) -> str:
    """The page: self-contained, its pictures inlined."""
    return page(
        _title(report.about),
        parts,
        verdict=verdict(report),
        notes=report.notes,
        details=_details(report),
        command=report.about.command,
        footer=FOOTER,
    )


def page(
    title: str,
    parts: Iterable[Section],
    *,
    verdict: Iterable[str],
    notes: Iterable[str],
    details: Mapping[str, str],
    command: str,
    footer: str,
) -> str:
    """A self-contained page of sections. command: what repeats it."""
    parts = list(parts)
    template = Template(Path(__file__).with_name("report.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=escape(title),
        verdict="\n".join(f"<li>{escape(words)}</li>" for words in verdict),
        notes="\n".join(f'<p class="note">{escape(words)}</p>' for words in notes),
        details="\n".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in details.items()),
        command=escape(command),
        contents="\n".join(f'<a href="#{part.name}">{escape(part.title)}</a>' for part in parts),
        sections="\n".join(_section_html(part) for part in parts),
        footer=escape(footer),
    )


def _title(about: About) -> str:
    short = short_names((*about.agents, about.reference))
    agents = ", ".join(short[agent] for agent in about.agents if agent != about.reference)
    return f"{about.title}: {agents or 'mirrors'} against {short[about.reference]}"


def _details(report: Report) -> dict[str, str]:
    """What was played, and which names are shortened in figures."""
    cut = [f"{short} is {name}" for name, short in short_names(report.names).items() if short != name]
    return {**report.about.details, **({"in figures": "; ".join(cut)} if cut else {})}


def _section_html(part: Section) -> str:
    pictures = "\n".join(map(_picture_html, part.pictures))
    gallery = f'<div class="pictures">\n{pictures}\n</div>\n' if part.pictures else ""
    heading = f"<h2>{escape(part.title)}</h2>\n<p>{escape(part.words)}</p>"
    grids = "\n".join(map(_grid_html, part.grids))
    return f'<section id="{part.name}">\n{heading}\n{gallery}{grids}\n</section>'


def _picture_html(picture: Picture) -> str:
    data = base64.b64encode(picture.svg.encode()).decode()
    title, words = escape(picture.title), escape(picture.words)
    image = f'<img alt="{title}. {words}" src="data:image/svg+xml;base64,{data}"/>'
    return f'<figure><p class="figure-title">{title}</p>{image}<figcaption>{words}</figcaption></figure>'


def _grid_html(grid: Grid) -> str:
    words = grid.word_columns
    head = "".join(
        f'<th scope="col"{_class("words", place in words)}>{escape(name)}</th>' for place, name in enumerate(grid.heads)
    )
    body = "\n".join(_line_html(line, words) for line in grid.lines)
    table = f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'
    below = f'\n<p class="below">{escape(grid.below)}</p>' if grid.below else ""
    title = escape(grid.title)
    if grid.folded:
        return f"<details><summary>{title}</summary>{table}{below}</details>"
    return f"<h3>{title}</h3>\n{table}{below}"


def _line_html(line: Line, words: set[int]) -> str:
    first, *rest = line.entries
    entries = "".join(
        f"<td{_class('words', place in words)}>{_entry_html(each)}</td>" for place, each in enumerate(rest, 1)
    )
    return f'<tr{_class("base", line.base)}><th scope="row">{_entry_html(first)}</th>{entries}</tr>'


def _entry_html(entry: Entry) -> str:
    small = f"<small>{escape(entry.small)}</small>" if entry.small else ""
    text = f"<span{_class(CLASSES[entry.mark])}>{escape(entry.text)}{SIGNS[entry.mark]}</span>"
    return (f'<a href="{escape(entry.link)}">{text}</a>' if entry.link else text) + small


def _class(name: str, wanted: bool = True) -> str:
    return f' class="{name}"' if name and wanted else ""


def to_markdown(report: Report, parts: list[Section]) -> str:
    """The report in Markdown; its pictures are files in the folder `figures` beside it."""
    blocks = [
        f"# {_plain(_title(report.about))}",
        "\n".join(f"- {_plain(words)}" for words in verdict(report)),
        *(f"Note: {_plain(words)}" for words in report.notes),
        "\n".join(f"- {_plain(name)}: {_plain(text)}" for name, text in _details(report).items()),
        f"To repeat it:\n\n```\n{report.about.command}\n```",
    ]
    for part in parts:
        blocks += [f"## {part.title}", _plain(part.words)]
        for each in part.pictures:
            blocks += [f"**{_plain(each.title)}**", f"![{_plain(each.words)}]({PICTURES}/{each.file})"]
        blocks += map(_grid_markdown, part.grids)
    return "\n\n".join([*blocks, "---", FOOTER]) + "\n"


def _grid_markdown(grid: Grid) -> str:
    rule = ["---" if place in grid.word_columns or place == 0 else "--:" for place in range(len(grid.heads))]
    lines = [[*map(_plain, grid.heads)], rule, *([*map(_entry_markdown, line.entries)] for line in grid.lines)]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"### {_plain(grid.title)}\n\n{text}" + (f"\n\n{_plain(grid.below)}" if grid.below else "")


def _entry_markdown(entry: Entry) -> str:
    small = f" ({_plain(entry.small)})" if entry.small else ""
    text = f"[{_plain(entry.text)}]({entry.link})" if entry.link else _plain(entry.text)
    return f"{text}{small}{SIGNS[entry.mark]}"


def _plain(text: str) -> str:
    """The text with Markdown's signs escaped."""
    for sign in "\\`*_|[":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("&", "&amp;").replace("<", "&lt;")
