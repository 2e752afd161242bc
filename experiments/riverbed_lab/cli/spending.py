"""Options of commands that may seat language models: what they may spend, and the cassette of their calls."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from ..llm.client import Run
from ..llm.seat import set_run

MaxCostOption = Annotated[float | None, Option("--max-cost", help="Models: the most to spend, as they are priced.")]
MaxTokensOption = Annotated[int | None, Option("--max-tokens", help="Models: the most tokens, in and out.")]
CassetteOption = Annotated[
    Path | None,
    Option("--cassette", help="Models: keep calls in this file; none is paid twice."),
]
OfflineOption = Annotated[bool, Option("--offline", help="Models: answer from the cassette alone.")]


def limit(max_cost: float | None, max_tokens: int | None, cassette: Path | None, offline: bool) -> None:
    """Hold the language models of this command to these options; without any, to those of the environment."""
    if max_cost is not None or max_tokens is not None or cassette is not None or offline:
        set_run(Run.limited(max_cost, max_tokens, cassette, offline))
