"""A separatist hides: whom one asks tells who one is, so it doesn't always ask the friend it trusts most."""

from __future__ import annotations

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import uniform

from ..observation_reader import kernel
from .weights import HIDING


@kernel
def leaning(stream: Record) -> float:
    """What speaks for asking a seat besides its tiles, in points: a draw, so that askings tell less."""
    return HIDING * uniform(stream)
