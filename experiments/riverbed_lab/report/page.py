"""The report of an evaluation: one self-contained HTML file, and the same in Markdown."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path
from string import Template

from riverbed_env.core.files import write_whole

from ..evaluation.results import About, Report
from ..files import writable_folder
from .canvas import Picture, short_names
from .model import Entry, Grid, Line, Section
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
        title=escape(_title(report.about)),
        verdict="\n".join(f"<li>{escape(words)}</li>" for words in verdict(report)),
        notes="\n".join(f'<p class="note">{escape(words)}</p>' for words in report.notes),
        details="\n".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in _details(report)),
        command=escape(report.about.command),
        contents="\n".join(f'<a href="#{part.name}">{escape(part.title)}</a>' for part in parts),
        sections="\n".join(_section_html(part) for part in parts),
        footer=escape(FOOTER),
    )


def _title(about: About) -> str:
    short = short_names((*about.agents, about.reference))
    agents = ", ".join(short[agent] for agent in about.agents if agent != about.reference)
    return f"{about.title}: {agents or 'mirrors'} against {short[about.reference]}"


def _details(report: Report) -> list[tuple[str, str]]:
    """What was played, by which code, under which seed."""
    about = report.about
    cut = [f"{short} is {name}" for name, short in short_names(report.names).items() if short != name]
    counts, variants = (dict.fromkeys(column) for column in zip(*about.setups, strict=True))
    return [
        ("environment", about.environment),
        ("content pack", about.pack),
        ("code", about.code),
        ("seed", str(about.seed)),
        ("players", ", ".join(map(str, counts))),
        *([("variants", "; ".join(map(str, variants)))] if any(variants) else []),
        ("agents", ", ".join(about.agents)),
        ("reference", about.reference),
        *about.more.items(),
        *([("in figures", "; ".join(cut))] if cut else []),
        ("written", about.written),
    ]


def _section_html(part: Section) -> str:
    pictures = "\n".join(_picture_html(picture) for picture in part.pictures)
    grids = "\n".join(_grid_html(each) for each in part.grids)
    gallery = f'<div class="pictures">\n{pictures}\n</div>\n' if part.pictures else ""
    heading = f"<h2>{escape(part.title)}</h2>\n<p>{escape(part.words)}</p>"
    return f'<section id="{part.name}">\n{heading}\n{gallery}{grids}\n</section>'


def _picture_html(picture: Picture) -> str:
    data = base64.b64encode(picture.svg.encode()).decode()
    title, words = escape(picture.title), escape(picture.words)
    image = f'<img alt="{title}. {words}" src="data:image/svg+xml;base64,{data}"/>'
    return f'<figure><p class="figure-title">{title}</p>{image}<figcaption>{words}</figcaption></figure>'


def _grid_html(grid: Grid) -> str:
    words = _word_columns(grid)
    head = "".join(
        f'<th scope="col"{_class("words" if place in words else "")}>{escape(name)}</th>'
        for place, name in enumerate(grid.heads)
    )
    body = "\n".join(_line_html(line, words) for line in grid.lines)
    whole = (
        f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'
        + (f'\n<p class="below">{escape(grid.below)}</p>' if grid.below else "")
    )
    title = escape(grid.title)
    return f"<details><summary>{title}</summary>{whole}</details>" if grid.folded else f"<h3>{title}</h3>\n{whole}"


def _word_columns(grid: Grid) -> set[int]:
    """The columns of words, which are set left; numbers are set right."""
    texts = ([line.entries[place].text for line in grid.lines if not line.base] for place in range(len(grid.heads)))
    return {place for place, column in enumerate(texts) if any(text[:1].isalpha() for text in column)}


def _line_html(line: Line, words: set[int]) -> str:
    first, *rest = line.entries
    entries = "".join(
        f"<td{_class('words' if place in words else '')}>{_entry_html(each)}</td>" for place, each in enumerate(rest, 1)
    )
    return f'<tr{_class("base" if line.base else "")}><th scope="row">{_entry_html(first)}</th>{entries}</tr>'


def _entry_html(entry: Entry) -> str:
    small = f"<small>{escape(entry.small)}</small>" if entry.small else ""
    return f"<span{_class(CLASSES[entry.mark])}>{escape(entry.text)}{SIGNS[entry.mark]}</span>{small}"


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def to_markdown(report: Report, parts: list[Section]) -> str:
    """The report in Markdown; its pictures are files in the folder `figures` beside it."""
    blocks = [
        f"# {_plain(_title(report.about))}",
        "\n".join(f"- {_plain(words)}" for words in verdict(report)),
        *(f"Note: {_plain(words)}" for words in report.notes),
        "\n".join(f"- {name}: {_plain(text)}" for name, text in _details(report)),
        f"To repeat it:\n\n```\n{report.about.command}\n```",
        *(block for part in parts for block in _section_markdown(part)),
        f"---\n\n{FOOTER}",
    ]
    return "\n\n".join(blocks) + "\n"


def _section_markdown(part: Section) -> list[str]:
    pictures = [
        f"**{_plain(picture.title)}**\n\n![{_plain(picture.words)}]({PICTURES}/{picture.name}.svg)"
        for picture in part.pictures
    ]
    return [f"## {part.title}", _plain(part.words), *pictures, *(_grid_markdown(each) for each in part.grids)]


def _grid_markdown(grid: Grid) -> str:
    words = _word_columns(grid)
    rule = ["---" if place in words or place == 0 else "--:" for place in range(len(grid.heads))]
    lines = [
        [_plain(name) for name in grid.heads],
        rule,
        *([_entry_markdown(each) for each in line.entries] for line in grid.lines),
    ]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"### {_plain(grid.title)}\n\n{text}" + (f"\n\n{_plain(grid.below)}" if grid.below else "")


def _entry_markdown(entry: Entry) -> str:
    small = f" ({_plain(entry.small)})" if entry.small else ""
    return f"{_plain(entry.text)}{small}{SIGNS[entry.mark]}"


def _plain(text: str) -> str:
    """The text with Markdown's signs escaped."""
    for sign in "\\`*_|[":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("&", "&amp;").replace("<", "&lt;")
