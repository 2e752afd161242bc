"""Which tables tests over all games play at, as parameters of pytest."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from riverbed_env.entries import ENTRIES
from riverbed_env.registry import find_game, game_ids
from riverbed_env.testing.conformance.options import Options, Values, option_id, parameters, player_counts, rich_options

GAMES = game_ids()
SIMULTANEOUS = [game_id for game_id in GAMES if find_game(game_id).simultaneous]
KINDS = [
    find_game(name).id for name in ("riverbed_hunt", "riverside")
]  # in turns, and at the same time: for what doesn't depend on the game
OURS = [game_id for game_id in GAMES if ENTRIES[game_id].env.startswith("riverbed_env.")]  # known in every process

# Values of the options that only one game has, other than their defaults; flags need none.
OWN_VALUES: dict[str, Values] = {
    find_game("riverbed_hunt").id: {
        "layout": ("random",),
        "roles": ({0: "leader", "player_2": "profiteer"},),
        "talk": ("claims", "text"),
        "talk_speakers": ("active",),
        "talk_budget": (2,),
    },
    find_game("river_rats").id: {"mode": ("first_game", "advanced", "expert"), "prediction": ("at_least_form",)},
    find_game("deep_river").id: {"tiles": ("bdsDtsb",), "faces": ("010",), "first": ("salmon", "eel")},
}


def slow(values: Iterable[Any]) -> list[Any]:
    """These values as parameters of slow tests."""
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]


def game_name(game_id: str) -> str:
    """A short name of a game."""
    return find_game(game_id).name


def named(table: Any) -> str:
    """A short name of a table: its options or its player count."""
    return option_id(table) if isinstance(table, dict) else str(table)


def tables(games: Sequence[str], tables_of: Callable[[str], Iterable[Any]]) -> list[Any]:
    """Parameters (game_id, table) of every table of these games."""
    return [
        pytest.param(game_id, table, id=f"{game_name(game_id)}-{named(table)}")
        for game_id in games
        for table in tables_of(game_id)
    ]


def rich_tables(game_id: str) -> list[Options]:
    """Tables of a game with little that is the default."""
    return rich_options(find_game(game_id))


WITH_PACKS = [game_id for game_id in GAMES if "pack" in parameters(game_id)]
every_game = pytest.mark.parametrize("game_id", GAMES, ids=game_name)
one_of_each_kind = pytest.mark.parametrize("game_id", KINDS, ids=game_name)
every_game_with_packs = pytest.mark.parametrize("game_id", WITH_PACKS, ids=game_name)
every_simultaneous_game = pytest.mark.parametrize("game_id", SIMULTANEOUS, ids=game_name)
every_table = pytest.mark.parametrize(("game_id", "count"), tables(GAMES, player_counts))
every_rich_table = pytest.mark.parametrize(("game_id", "options"), tables(GAMES, rich_tables))
one_rich_table_of_each_kind = pytest.mark.parametrize(
    ("game_id", "options"), tables(KINDS, lambda game_id: rich_tables(game_id)[-1:])
)
