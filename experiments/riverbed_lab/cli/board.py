"""The command that makes one page from results: `board`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from riverbed_env.core.files import write_whole

from ..extras import need
from .console import console

FOOTER = (
    "Intervals are 95 %, Student's t over deals. A gain is what an agent's choices were worth beside the reference's; "
    "nothing in it is fitted."
)


def board(
    results: Annotated[list[Path], Argument(help="Folders of judgements (riverbed judge) and of evaluations.")],
    title: Annotated[str, Option(help="The page's title.")] = "Board",
    out: Annotated[Path, Option(help="The page.")] = Path("board.html"),
) -> None:
    """Make one page from results: strength with intervals, failures, costs, beliefs, and the pool behind them."""
    need("reports")
    from ..report.board import board_sections, ranking, read_results
    from ..report.page import page

    found = read_results(results)
    sentences = list(ranking(found))
    text = page(
        *(title, board_sections(found)),
        verdict=sentences,
        notes=(),
        details={"results": ", ".join(map(str, found.sources))},
        command=shlex.join(["riverbed", "board", *map(str, results), "--title", title]),
        footer=FOOTER,
    )
    write_whole(out, lambda partial: partial.write_text(text, encoding="utf-8"))
    for words in sentences:
        console.print(words)
    console.print(f"wrote {out}, {len(text.encode()) / 1000:.0f} kB", soft_wrap=True)
