"""Measuring speed: `riverbed doctor --speed`."""

import os

from riverbed_env.errors import OptionError

from ..extras import need
from .console import console, progress_bar

ROUNDS = 3  # whose medians the table shows


def measure_speed(what: str, seconds: float) -> None:
    """Print decisions/s and games/s of games ("play") or of learners ("learn"), measured for so long a row."""
    from ..speed.ours import learning_rows, rows
    from ..speed.table import measure_all, table_of

    if seconds <= 0:
        raise OptionError(f"seconds must be above 0, not {seconds}")
    learn = what == "learn"
    if learn:
        need("training")
    threads = (1, 2)[: os.cpu_count()]
    with progress_bar() as bar:
        speeds = measure_all(learning_rows(threads) if learn else rows(threads), seconds, 1 if learn else ROUNDS, bar)
    console.print(table_of(speeds))
