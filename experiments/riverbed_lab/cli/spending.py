"""The option of commands that may seat language models: what they may spend, and the cassette of their calls."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from typer import Option

from ..config_files import assignments, build
from ..llm.cassette import Cassette
from ..llm.client import Run
from ..llm.seat import current_run, set_run

CALLS = "calls.jsonl"

ModelsOption = Annotated[
    list[str] | None,
    Option(
        "--llm",
        metavar="NAME=VALUE",
        help="Language models: max_cost=, max_tokens=, cassette=FILE, offline=true; repeatable.",
    ),
]


@dataclass(frozen=True)
class Limits:
    """What `--llm` takes. cassette: the file that keeps calls, so that none is paid twice; offline: ask it alone."""

    max_cost: float | None = None
    max_tokens: int | None = None
    cassette: str | None = None
    offline: bool = False


def limits(words: list[str] | None) -> Limits:
    """The limits that `--llm` names. Raises OptionError for other names and values."""
    return build(Limits, assignments(words or [], "--llm"), "--llm")


def limit(words: list[str] | None, folder: Path | None = None) -> None:
    """Hold the language models of this command to these limits; without any, to those of the environment.

    folder: where calls are kept if no cassette is named.
    """
    usual = None if folder is None else folder / CALLS
    if words:
        given = limits(words)
        cassette = Path(given.cassette) if given.cassette else usual
        set_run(Run.limited(given.max_cost, given.max_tokens, cassette, given.offline))
    elif usual is not None and "RIVERBED_CASSETTE" not in os.environ:
        set_run(replace(current_run(), cassette=Cassette(usual)))
