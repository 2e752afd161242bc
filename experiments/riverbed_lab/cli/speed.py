"""The command that measures speed: `speed`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riverbed_env.errors import OptionError

from .console import console, progress_bar


def speed(
    seconds: Annotated[float, typer.Option("--seconds", help="Measuring time of each row.")] = 2.0,
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds; the table shows their medians.")] = 3,
    beside: Annotated[int, typer.Option("--beside", help="Busy processes beside it, as on a shared machine.")] = 0,
    starts: Annotated[bool, typer.Option("--starts", help="Measure starts too; compiles every game.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write the rows as JSON to this folder.")] = None,
) -> None:
    """Measure decisions/s and games/s, and those of other libraries that are installed."""
    from ..files import writable_folder
    from ..speed.comparison import busy_machine, measure_all, measure_starts, print_report, write_report

    if seconds <= 0 or rounds < 1 or beside < 0:
        raise OptionError(
            "--seconds must be above 0, --rounds at least 1 and --beside at least 0, "
            f"not {seconds}, {rounds} and {beside}"
        )
    if out is not None:
        writable_folder(out)
    with busy_machine(beside), progress_bar() as bar:
        rows = measure_all(seconds, rounds, bar)
        started = measure_starts(bar) if starts else []
    print_report(rows, started, console)
    if out is not None:
        console.print(f"wrote {write_report(rows, started, out)}", soft_wrap=True)
