"""The command that measures speed: `speed`."""

from __future__ import annotations

from typing import Annotated

import typer

from riverbed_env.errors import OptionError

from .console import console, progress_bar

ROUNDS = 3  # whose medians the table shows


def speed(
    seconds: Annotated[float, typer.Option("--seconds", help="Measuring time of each row.")] = 2.0,
) -> None:
    """Measure decisions/s and games/s, and those of other libraries that are installed."""
    from ..speed.comparison import measure_all, print_report

    if seconds <= 0:
        raise OptionError(f"--seconds must be above 0, not {seconds}")
    with progress_bar() as bar:
        speeds = measure_all(seconds, ROUNDS, bar)
    print_report(speeds, console)
