"""Run the leak kit on other libraries' hidden-information games and print the results.

python experiments/studies leaks --games 30
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed
from riverbed_lab.cli.console import console, plainly, progress_bar
from riverbed_lab.files import writable_folder

from .report import measure_all, print_report, worth_an_error, write_report


def leaks(
    games: Annotated[int, typer.Option("--games", help="Games of each of an environment's two searches.")] = 30,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the games and twins.")] = 0,
    only: Annotated[str | None, typer.Option("--only", help="Only environments with this in their name.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the rows as JSON to this folder.")] = None,
) -> None:
    """Run the leak kit on other libraries' hidden-information games."""
    if games < 1:
        raise OptionError(f"games must be at least 1, not {games}")
    if out is not None:
        writable_folder(out)
    with progress_bar() as bar:
        rows = measure_all(games, check_seed(seed), bar, only)
    print_report(rows, console)
    if out is not None:
        console.print(f"wrote {write_report(rows, out)}")
    if worth_an_error(rows):
        sys.exit(1)


if __name__ == "__main__":
    plainly(lambda: typer.run(leaks))
