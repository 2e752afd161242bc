"""The command `doctor`: what is wrong with the installation."""

from __future__ import annotations

import sys
from typing import Annotated

import typer


def doctor(
    play: Annotated[bool, typer.Option("--play", help="Play a game of each kind, compiling what isn't yet.")] = False,
) -> None:
    """Say what is wrong with the installation and what to do about it; exit code 1 if something is."""
    from ..doctor.run import report

    sys.exit(report(typer.echo, play))
