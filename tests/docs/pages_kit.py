"""Reading the project's Markdown pages and running the code on them, for the tests of the documentation.

As a program, `python tests/docs/pages_kit.py` writes what the code of the guides prints into the guides.
"""

import contextlib
import io
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def built_in_ids() -> list[str]:
    """The library's own games, without those that tests register."""
    from riverbed_env.entries import ENTRIES

    return [game_id for game_id, entry in ENTRIES.items() if entry.game.startswith("riverbed_env.")]


_BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```)?", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Table:
    """A table of a page: the titles it stands under, its header and its rows, without code type."""

    titles: tuple[str, ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, name: str) -> list[str]:
        """The cells of a column."""
        place = self.header.index(name)
        return [row[place] for row in self.rows]


def _cells(line: str) -> tuple[str, ...]:
    parts = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return tuple(part.strip().replace("`", "").replace(r"\|", "|") for part in parts)


def _runs(page: str) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """The lines of each table and the titles above it."""
    titles: list[str] = []
    lines: list[str] = []
    for line in [*page.splitlines(), ""]:
        if line.startswith("|"):
            lines.append(line)
            continue
        if lines:
            yield tuple(titles), lines
            lines = []
        if line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            titles = [*titles[: level - 1], line.lstrip("# ").replace("`", "")]


def tables(page: str) -> list[Table]:
    """All tables of a page."""
    return [Table(titles, _cells(lines[0]), tuple(_cells(line) for line in lines[2:])) for titles, lines in _runs(page)]


def find_table(page: str, *header: str) -> Table:
    """The only table whose header begins with these titles."""
    found = [table for table in tables(page) if table.header[: len(header)] == header]
    assert len(found) == 1, f"{len(found)} tables begin with {' | '.join(header)}"
    return found[0]


@dataclass(frozen=True)
class Program:
    """A block of Python on a page, and the slice of the page that shows its output, if any."""

    code: str
    output: slice | None


def programs(page: str) -> list[Program]:
    """The Python blocks of a page, in order; a text block directly after one is its output."""
    return [
        Program(found["code"], slice(*found.span("output")) if found["output"] is not None else None)
        for found in _BLOCK.finditer(page)
    ]


def as_it_runs(page: str, file: Path) -> str:
    """The page with every output as its code, run in order as the program `file`, prints it."""
    found = programs(page)
    file.write_text("\n".join(program.code for program in found), encoding="utf-8")  # kernels are kept beside a file
    names: dict[str, Any] = {"__name__": "page", "__file__": str(file)}
    parts, done = [], 0
    for program in found:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(program.code, str(file), "exec"), names)  # the page's own code
        if program.output is not None:
            lines = [line.rstrip() + "\n" for line in printed.getvalue().splitlines()]
            parts += [page[done : program.output.start], *lines]
            done = program.output.stop
    return "".join([*parts, page[done:]])


def write_outputs() -> None:
    """Rewrite the outputs of all guides."""
    for path in sorted((DOCS / "guides").glob("*.md")):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            path.write_text(as_it_runs(path.read_text(encoding="utf-8"), Path(folder, "page.py")), encoding="utf-8")


if __name__ == "__main__":
    write_outputs()
