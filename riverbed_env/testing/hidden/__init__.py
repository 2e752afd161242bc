"""Leak tests for a game of one's own: what must stay hidden in every game, as a class that pytest collects.

    # tests/test_pebbles_leaks.py
    from riverbed_env.testing.hidden import HiddenWorlds, LeakTests

    class TestPebblesLeaks(LeakTests):
        worlds = HiddenWorlds(find_game("pebbles_v0"), twin=twin, told=told, touches=TOUCHES, needed=TOUCHES)

`HiddenWorlds` says what a game hides: `twin` draws it again. The tests compare a game with its twins by all that
reaches a seat, and play on in both. Needs pytest and its marker "slow".
"""

import pytest

pytest.register_assert_rewrite(f"{__name__}.suite", f"{__name__}.together")

from .channels import everything, numbers, views  # noqa: E402  # whose assertions pytest rewrites
from .pairs import Channels, Disclosure, Leak, Step, any_legal, compare_worlds, random_moments  # noqa: E402
from .records import Games, fields_apart, lay, leaves, other_seats, redraw_future, streams  # noqa: E402
from .search import follow, searched  # noqa: E402
from .suite import LeakTests  # noqa: E402
from .worlds import HiddenWorlds, twin_env, twin_in_part  # noqa: E402

__all__ = [
    "Channels",
    "Disclosure",
    "Games",
    "HiddenWorlds",
    "Leak",
    "LeakTests",
    "Step",
    "any_legal",
    "compare_worlds",
    "everything",
    "fields_apart",
    "follow",
    "lay",
    "leaves",
    "numbers",
    "other_seats",
    "random_moments",
    "redraw_future",
    "searched",
    "streams",
    "twin_env",
    "twin_in_part",
    "views",
]
