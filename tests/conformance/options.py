"""Which tables the conformance tests play at: games, player counts and options, found from what each game says."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from riverbed_env.core.game import Game
from riverbed_env.core.packs import PACKS
from riverbed_env.envs.single import ON_ILLEGAL, RENDER_MODES
from riverbed_env.registry import entry_points, find_game, game_ids

Options = dict[str, Any]

GAMES = game_ids()
SIMULTANEOUS = [game_id for game_id in GAMES if find_game(game_id).simultaneous]
FORCED = ("public", "all", "none")
MANY_CYCLES = 60

# Values of the options that only one game has, other than their defaults; flags need none.
OWN_VALUES: dict[str, dict[str, tuple[Any, ...]]] = {
    "riverbed_hunt_v0": {"layout": ("random",), "roles": ({0: "leader", "player_2": "profiteer"},)},
    "river_rats_v0": {"mode": ("first_game", "advanced", "expert"), "prediction": ("at_least_form",)},
    "deep_river_v0": {"tiles": ("bdsDtsb",), "faces": ("010",), "first": ("salmon", "eel")},
}

# What a cap counts, as `Game.columns` calls it.
COUNTED = {"max_decisions": "decisions", "max_turns": "turns", "max_steps": "steps"}


def player_counts(game_id: str) -> list[int]:
    """The fewest, the most and the usual number of players."""
    game = find_game(game_id)
    return sorted({game.min_players, game.default_players, game.max_players})


def cap_of(game_id: str) -> str:
    """The option that caps a game's length."""
    return next(name for name in COUNTED if name in inspect.signature(find_game(game_id).make_params).parameters)


def pack_file(game_id: str) -> Path:
    """The file of the game's default content pack."""
    return PACKS / find_game(game_id).name / "default.toml"


def parameters(game_id: str) -> dict[str, inspect.Parameter]:
    """The options of the game's environment."""
    return dict(inspect.signature(entry_points(find_game(game_id)).raw_env).parameters)


WITH_PACKS = [game_id for game_id in GAMES if "pack" in parameters(game_id)]


def values(game_id: str, option: str, default: object) -> Iterable[Any]:
    """Values of an option to try, other than its default."""
    game = find_game(game_id)
    shared: dict[str, Iterable[Any]] = {
        "num_players": (),  # every player count has cases of its own
        "view": game.views,
        "rewards": game.rewards,
        "on_illegal": ON_ILLEGAL,
        "auto_forced": FORCED,
        "render_mode": RENDER_MODES,
        "pack": (pack_file(game_id),),
        "max_cycles": (MANY_CYCLES,),
        cap_of(game_id): (1, 9),
    }
    if isinstance(default, bool):
        return (not default,)
    own = OWN_VALUES.get(game_id, {})
    return [value for value in shared.get(option, own.get(option, ())) if value != default]


def option_values(game_id: str) -> list[Options]:
    """Every value of every option, one at a time; the first is the default of all."""
    found = parameters(game_id).items()
    return [{}, *({name: value} for name, given in found for value in values(game_id, name, given.default))]


def cases(game_id: str) -> list[Options]:
    """Every value of every option with the usual number of players; the variants of the game with the others."""
    game = find_game(game_id)
    others = [count for count in player_counts(game_id) if count != game.default_players]
    variants = list({option_id(variant): dict(variant) for variant in ({}, *game.variants)}.values())
    return [
        *option_values(game_id),
        *({"num_players": count, **variant} for count in others for variant in variants),
    ]


def option_id(options: Any) -> str:
    """A short name for a test's parameters."""
    words = [f"{name}={value.name if isinstance(value, Path) else value}" for name, value in options.items()]
    return ",".join(words).replace(" ", "") or "default"


def case_id(game_id: str, options: Options) -> str:
    """A short name of a table."""
    return f"{find_game(game_id).name}-{option_id(options)}"


def game_name(game_id: str) -> str:
    """A short name of a game."""
    return find_game(game_id).name


CASES = [
    pytest.param(game_id, options, id=case_id(game_id, options)) for game_id in GAMES for options in cases(game_id)
]
TABLES = [
    pytest.param(game_id, count, id=f"{game_name(game_id)}-{count}")
    for game_id in GAMES
    for count in player_counts(game_id)
]

every_game = pytest.mark.parametrize("game_id", GAMES, ids=game_name)
every_game_with_packs = pytest.mark.parametrize("game_id", WITH_PACKS, ids=game_name)
every_simultaneous_game = pytest.mark.parametrize("game_id", SIMULTANEOUS, ids=game_name)
every_table = pytest.mark.parametrize(("game_id", "count"), TABLES)
every_case = pytest.mark.parametrize(("game_id", "options"), CASES)


def rich_options(game: Game) -> list[Options]:
    """Two tables that have as much as possible between them that isn't the default."""
    variant = dict(game.variants[-1])
    smallest = {"num_players": game.min_players, "auto_forced": "all"}
    largest = {"num_players": game.max_players, "auto_forced": "none", "view": "now", "rewards": game.rewards[-1]}
    return [smallest, {**largest, **variant}]


RICH = [
    pytest.param(game_id, options, id=case_id(game_id, options))
    for game_id in GAMES
    for options in rich_options(find_game(game_id))
]
every_rich_table = pytest.mark.parametrize(("game_id", "options"), RICH)
