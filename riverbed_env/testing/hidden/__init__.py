"""Leak tests for a game of one's own: what must stay hidden in every game, as a class that pytest collects.

    # tests/test_pebbles_leaks.py
    from riverbed_env.testing.hidden import HiddenWorlds, LeakTests

    class TestPebblesLeaks(LeakTests):
        worlds = HiddenWorlds(find_game("pebbles_v0"), twin=twin, told=told, touches=TOUCHES, needed=TOUCHES)

`HiddenWorlds` says what a game hides: `twin` draws it again. The tests compare a game with its twins by all that
reaches a seat, and play on in both. Needs pytest and its marker "slow".
"""

import pytest

pytest.register_assert_rewrite(f"{__name__}.suite")

from .channels import Channels, Leak, compare_worlds, everything  # noqa: E402  # whose assertions pytest rewrites
from .search import searched  # noqa: E402
from .suite import LeakTests  # noqa: E402
from .worlds import Disclosure, Games, HiddenWorlds, Step, other_seats, redraw_future, streams  # noqa: E402

__all__ = [
    "Channels",
    "Disclosure",
    "Games",
    "HiddenWorlds",
    "Leak",
    "LeakTests",
    "Step",
    "compare_worlds",
    "everything",
    "other_seats",
    "redraw_future",
    "searched",
    "streams",
]
