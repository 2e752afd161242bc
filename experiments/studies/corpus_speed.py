"""How fast a corpus is read: decisions a second of processor time, with observations and masks made again.

    python experiments/studies corpus_speed results/corpus --seconds 5

reads a recorded corpus on one thread, once for each view.
"""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Annotated

import typer

from riverbed_env.corpus import Corpus
from riverbed_env.errors import OptionError

from .kit import Play, print_table, rate


def reading(corpus: Corpus, view: str) -> Play:
    """Reads a part, files and hashes included, and then the next one."""
    parts = cycle(corpus.parts)
    return lambda: sum(len(found) for found in corpus.decisions(view=view, parts=[next(parts)]))


def main(
    folder: Annotated[Path, typer.Argument(help="A recorded corpus.")],
    seconds: Annotated[float, typer.Option(help="Seconds of each measurement.")] = 5.0,
) -> None:
    """Print how many decisions are read in a second by view."""
    corpus = Corpus(folder)
    if not corpus.parts:
        raise OptionError(f"{folder} has no parts yet")
    rows = [
        (view, str(size), f"{rate(reading(corpus, view), seconds)[1]:,.0f}") for view, size in corpus.game.views.items()
    ]
    headings = ["view", "numbers in an observation", "decisions/s and core"]
    print_table(f"{corpus.manifest.environment}, one thread", headings, rows)
