"""The command that measures speed: `speed`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riverbed_env.errors import OptionError

from .console import console, progress_bar

ROUNDS = 3  # whose medians the table shows


def speed(
    seconds: Annotated[float, typer.Option("--seconds", help="Measuring time of each row.")] = 2.0,
    starts: Annotated[bool, typer.Option("--starts", help="Measure starts too; compiles every game.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write the rows as JSON to this folder.")] = None,
) -> None:
    """Measure decisions/s and games/s, and those of other libraries that are installed."""
    from ..files import writable_folder
    from ..speed.comparison import measure_all, measure_starts, print_report, write_report

    if seconds <= 0:
        raise OptionError(f"--seconds must be above 0, not {seconds}")
    if out is not None:
        writable_folder(out)
    with progress_bar() as bar:
        rows = measure_all(seconds, ROUNDS, bar)
        started = measure_starts(bar) if starts else []
    print_report(rows, started, console)
    if out is not None:
        console.print(f"wrote {write_report(rows, started, out)}", soft_wrap=True)
