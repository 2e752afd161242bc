"""No game of the registry shows a seat what it may not know, in any way in which something reaches it."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hidden import HIDDEN, KNOWN, PACES
from together import search_paces, search_parallel, search_steps

from riverbed_env.registry import find_game, game_ids
from riverbed_env.testing.conformance.options import option_id
from riverbed_env.testing.hidden import LeakTests


def suite_of(game_id: str) -> type[LeakTests]:
    """The leak tests of a game, as a class that pytest finds by its name."""
    name = f"Test{find_game(game_id).name.title().replace('_', '')}"
    return type(name, (LeakTests,), {"worlds": HIDDEN[game_id]})


globals().update({suite.__name__: suite for suite in map(suite_of, KNOWN)})


def test_every_game_of_the_registry_says_what_it_hides() -> None:
    assert game_ids() == KNOWN
    assert list(PACES) == [game_id for game_id in KNOWN if find_game(game_id).simultaneous]


CHOOSERS = [
    pytest.param(game.id, variant, count, id=f"{game.id}-{option_id(variant)}-{count}")
    for game in map(find_game, PACES)
    for variant in game.variants
    for count in range(2, game.max_players + 1)
]


SLOW = [pytest.param(search, marks=pytest.mark.slow) for search in (search_parallel, search_paces)]


@pytest.mark.parametrize("search", [search_steps, *SLOW])
@pytest.mark.parametrize(("game_id", "variant", "count"), CHOOSERS)
def test_choices_made_together_tell_nothing(
    search: Callable[..., int], game_id: str, variant: Mapping[str, Any], count: int
) -> None:
    assert search(HIDDEN[game_id], variant, count) > 0
