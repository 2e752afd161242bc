"""A separatist hides: whom one asks tells who one is, so it doesn't always ask the friend it trusts most."""

from __future__ import annotations

from riverbed_env.core.compile import Record
from riverbed_env.core.random import uniform

from .sight import kernel
from .weights import HIDING


@kernel
def leaning(stream: Record) -> float:
    """What speaks for asking a seat besides its tiles, in points: a draw, so that askings tell less."""
    return HIDING * uniform(stream)
