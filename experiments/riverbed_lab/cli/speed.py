"""The command that measures speed: `speed`."""

import os
from typing import Annotated

import typer

from riverbed_env.errors import OptionError

from ..extras import need
from .console import console, progress_bar

ROUNDS = 3  # whose medians the table shows


def speed(
    seconds: Annotated[float, typer.Option("--seconds", help="Measuring time of each row.")] = 2.0,
    learn: Annotated[bool, typer.Option("--learn", help="Measure learners, which need PyTorch.")] = False,
) -> None:
    """Measure decisions/s and games/s."""
    from ..speed.ours import learning_rows, rows
    from ..speed.table import measure_all, table_of

    if seconds <= 0:
        raise OptionError(f"--seconds must be above 0, not {seconds}")
    if learn:
        need("training")
    threads = (1, 2)[: os.cpu_count()]
    with progress_bar() as bar:
        speeds = measure_all(learning_rows(threads) if learn else rows(threads), seconds, 1 if learn else ROUNDS, bar)
    console.print(table_of(speeds))
