"""The command that makes one page from results: `board`; and its seeds, committed before and revealed after."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from riverbed_env.core.files import write_whole
from riverbed_env.errors import OptionError

from ..extras import need
from .console import console

if TYPE_CHECKING:
    from ..report.board import Results
    from ..sealed import Sealed

FOOTER = (
    "Intervals are 95 %, Student's t over deals. A gain is what an agent's choices were worth beside the reference's; "
    "nothing in it is fitted. Settings were hashed before the games were read."
)


def board(
    results: Annotated[
        list[Path] | None, Argument(help="Folders of judgements (riverbed judge) and of evaluations.")
    ] = None,
    title: Annotated[str, Option(help="The page's title.")] = "Board",
    commit: Annotated[
        Path | None, Option(help="Draw secret seeds into this new file and print their hash; no page.")
    ] = None,
    seeds: Annotated[int, Option(help="With --commit: how many seeds.")] = 1,
    reveal: Annotated[Path | None, Option(help="That file, afterwards: its seeds stand on the page.")] = None,
    commitment: Annotated[str | None, Option(help="The hash that was published before.")] = None,
    out: Annotated[Path, Option(help="The page.")] = Path("board.html"),
) -> None:
    """Make one page from results: strength with intervals, failures, costs, beliefs, and the pool behind them."""
    from ..sealed import Sealed

    if commit is not None:
        if results or reveal:
            raise OptionError("--commit comes before there are results: leave out everything but --seeds")
        sealed = Sealed.drawn(seeds)
        sealed.write(commit)
        console.print(f"publish this hash, and keep {commit} secret until the games are judged:", soft_wrap=True)
        console.print(sealed.hash, highlight=False)
        return
    need("reports")
    from ..report.board import read_results

    found = read_results(results or [])
    opened = None if reveal is None else Sealed.read(reveal)
    if opened is not None:
        opened.check(commitment, found.seeds)
    page = _page(found, title, _details(found, opened, commitment), results or [])
    write_whole(out, lambda partial: partial.write_text(page, encoding="utf-8"))
    console.print(f"wrote {out}, {len(page.encode()) / 1000:.0f} kB", highlight=False, markup=False, soft_wrap=True)


def _page(found: Results, title: str, details: dict[str, str], paths: Sequence[Path]) -> str:
    """The page, and its ranking in the terminal."""
    from ..report.board import board_sections, ranking
    from ..report.page import page

    sentences = list(ranking(found))
    for words in sentences:
        console.print(words, markup=False, highlight=False)
    command = shlex.join(["riverbed", "board", *map(str, paths), "--title", title])
    return page(
        title, board_sections(found), verdict=sentences, notes=(), details=details, command=command, footer=FOOTER
    )


def _details(found: Results, opened: Sealed | None, commitment: str | None) -> dict[str, str]:
    """What the page says of its results: where they are from, and whether deals were committed to."""
    details = {"results": ", ".join(map(str, found.sources))}
    if opened is not None:
        seeds = ", ".join(map(str, opened.seeds))
        return {**details, "commitment": opened.hash, "nonce": opened.nonce, "seeds, revealed": seeds}
    if commitment is not None:
        return {**details, "commitment": f"{commitment} (the seeds aren't revealed yet)"}
    return {**details, "seeds": f"{', '.join(map(str, found.seeds))}; nobody committed to them before"}
