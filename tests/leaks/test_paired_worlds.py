"""No game of the registry shows a seat what it may not know, in any way in which something reaches it."""

from hidden import HIDDEN, KNOWN

from riverbed_env.registry import find_game, game_ids
from riverbed_env.testing.hidden import LeakTests


def suite_of(game_id: str) -> type[LeakTests]:
    """The leak tests of a game, as a class that pytest finds by its name."""
    name = f"Test{find_game(game_id).name.title().replace('_', '')}"
    return type(name, (LeakTests,), {"worlds": HIDDEN[game_id]})


globals().update({suite.__name__: suite for suite in map(suite_of, KNOWN)})


def test_every_game_of_the_registry_says_what_it_hides() -> None:
    assert game_ids() == KNOWN
