"""Conformance tests for a game of one's own: what must hold for every game, as a class that pytest collects.

    # tests/test_pebbles.py
    from riverbed_env.testing.conformance import GameTests

    class TestPebbles(GameTests):
        game_id = "pebbles_v0"

`option_values` gives values to try for options that only this game has. Needs pytest; `-m "not slow"` leaves out what
takes more than a few seconds a test (register the marker "slow" in your pytest settings).
"""

import pytest

pytest.register_assert_rewrite(
    *(f"{__name__}.{part}" for part in ("forgery", "interface", "kit", "masks", "parts", "states", "words"))
)

from .interface import InterfaceTests  # noqa: E402  # whose assertions pytest rewrites
from .masks import MaskTests  # noqa: E402
from .parts import PartTests  # noqa: E402
from .states import StateTests  # noqa: E402
from .words import WordTests  # noqa: E402

__all__ = ["GameTests"]


class GameTests(PartTests, InterfaceTests, MaskTests, StateTests, WordTests):
    """All conformance tests of one game; see this package's docstring."""
