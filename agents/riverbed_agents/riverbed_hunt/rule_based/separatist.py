"""A separatist hides: whom it asks reveals its camp, so it doesn't always ask the friend that it trusts most."""

from __future__ import annotations

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import uniform

from ..observation_reader import kernel
from .weights import HIDING


@kernel
def preference(stream: Record) -> float:
    """A random bonus in points for asking a seat, besides its tiles, so that co-ops reveal less about the camp."""
    return HIDING * uniform(stream)
