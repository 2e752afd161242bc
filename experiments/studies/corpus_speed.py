"""How fast a corpus is read: decisions a second of processor time, with observations and masks made again.

    python experiments/studies corpus_speed results/corpus --seconds 5

reads a recorded corpus on one thread, once for each view.
"""

from __future__ import annotations

import time
from itertools import cycle
from pathlib import Path
from typing import Annotated

import typer

from riverbed_env.corpus import Corpus
from riverbed_env.errors import OptionError

from .kit import print_table


def speed(corpus: Corpus, view: str, seconds: float) -> float:
    """Decisions read per second of processor time, files and hashes included; the corpus is read as often as needed."""
    decisions, begun = 0, time.process_time()
    for part in cycle(corpus.parts):
        for found in corpus.decisions(view=view, parts=[part]):
            decisions += len(found)
        if time.process_time() - begun > seconds:
            break
    return decisions / (time.process_time() - begun)


def main(
    folder: Annotated[Path, typer.Argument(help="A recorded corpus.")],
    seconds: Annotated[float, typer.Option(help="Seconds of each measurement.")] = 5.0,
) -> None:
    """Print how many decisions are read in a second by view."""
    corpus = Corpus(folder)
    if not corpus.parts:
        raise OptionError(f"{folder} has no parts yet")
    rows = []
    for view, size in corpus.game.views.items():
        speed(corpus, view, 0)  # compiles
        rows.append((view, str(size), f"{speed(corpus, view, seconds):,.0f}"))
    headings = ["view", "numbers in an observation", "decisions/s and core"]
    print_table(f"{corpus.manifest.environment}, one thread", headings, rows)
