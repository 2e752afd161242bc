"""The option of commands that may seat language models: what they may spend, and the cassette of their calls."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from typer import Option

from riverbed_env.errors import OptionError

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
        help="Language models: max_cost=, max_tokens=, cassette=FILE, offline=true; evaluate and judge: "
        "unrepaired=true, only games without a repaired choice; repeatable.",
    ),
]


@dataclass(frozen=True)
class Limits:
    """What `--llm` takes.

    cassette: the file that keeps calls, so that none is paid twice; offline: ask it alone; unrepaired: leave out games
    in which chance chose for a player from outside.
    """

    max_cost: float | None = None
    max_tokens: int | None = None
    cassette: str | None = None
    offline: bool = False
    unrepaired: bool = False


def limits(words: list[str] | None, *, compares: bool = False) -> Limits:
    """The limits that `--llm` names. Raises OptionError for other names and values.

    compares: whether the command compares agents by games of which it can leave some out.
    """
    found = build(Limits, assignments(words or [], "--llm"), "--llm")
    if found.unrepaired and not compares:
        raise OptionError("--llm unrepaired=true is for evaluate and judge, which can leave games out")
    return found


def limit(words: list[str] | None, folder: Path | None = None, *, compares: bool = False) -> Limits:
    """Hold the language models of this command to these limits; without any, to those of the environment.

    folder: where calls are kept if no cassette is named; compares: see `limits`.
    """
    usual, given = None if folder is None else folder / CALLS, limits(words, compares=compares)
    if words:
        cassette = Path(given.cassette) if given.cassette else usual
        set_run(Run.limited(given.max_cost, given.max_tokens, cassette, given.offline))
    elif usual is not None and "RIVERBED_CASSETTE" not in os.environ:
        set_run(replace(current_run(), cassette=Cassette(usual)))
    return given
