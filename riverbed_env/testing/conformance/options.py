"""The player counts and options that conformance tests play with, derived from what the game declares."""

import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from riverbed_env.core.game import Game
from riverbed_env.core.packs import PACKS
from riverbed_env.core.picture import PANELS
from riverbed_env.envs.rendering import available_modes
from riverbed_env.envs.single import ON_ILLEGAL
from riverbed_env.kernels.vocab import FORCED_NAMES
from riverbed_env.registry import entry_points, find_game

Options = dict[str, Any]
Values = Mapping[str, Iterable[Any]]

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
    """The file of the default content pack of a game of the library."""
    return PACKS / find_game(game_id).name / "default.toml"


def parameters(game_id: str) -> dict[str, inspect.Parameter]:
    """The options of the game's environment."""
    return dict(inspect.signature(entry_points(find_game(game_id)).raw_env).parameters)


def values(game_id: str, option: str, default: object, own: Values) -> list[Any]:
    """Values of an option to try, except its default. own: values for options that only this game has."""
    game = find_game(game_id)
    if isinstance(default, bool):
        return [not default]
    shared: Values = {
        "num_players": (),  # every player count has cases of its own
        "view": game.views,
        "rewards": game.rewards,
        "on_illegal": ON_ILLEGAL,
        "auto_forced": FORCED_NAMES,
        "render_mode": available_modes(),
        "render_size": ((320, 200),),
        "render_panels": PANELS,
        "pack": (pack_file(game_id),),
        cap_of(game_id): (1, 9),
    }
    return [value for value in {**own, **shared}.get(option, ()) if value != default]


def option_values(game_id: str, own: Values) -> list[Options]:
    """Every value of every option, one at a time; the first is the default of all."""
    given = parameters(game_id).items()
    return [{}, *({name: value} for name, each in given for value in values(game_id, name, each.default, own))]


def cases(game_id: str, own: Values) -> list[Options]:
    """Every value of every option with the default number of players; the game's variants with the others."""
    game = find_game(game_id)
    others = [count for count in player_counts(game_id) if count != game.default_players]
    variants = list({option_id(variant): dict(variant) for variant in ({}, *game.variants)}.values())
    return [
        *option_values(game_id, own),
        *({"num_players": count, **variant} for count in others for variant in variants),
    ]


def rich_options(game: Game) -> list[Options]:
    """Two sets of options that differ from the defaults as much as possible."""
    variant = dict(game.variants[-1])
    smallest = {"num_players": game.min_players, "auto_forced": "all"}
    shortest = min(game.views, key=lambda view: game.views[view])
    largest = {"num_players": game.max_players, "auto_forced": "none", "view": shortest, "rewards": game.rewards[-1]}
    return [smallest, {**largest, **variant}]


def option_id(options: Any) -> str:
    """A short name for a test's parameters."""
    words = [f"{name}={value.name if isinstance(value, Path) else value}" for name, value in options.items()]
    return ",".join(words).replace(" ", "") or "default"


class OneGame:
    """Tests of one game. pytest parametrises them by the names of their arguments.

    game_id: the game; count: its player counts; case: every value of every option; options: two sets of options that
    are far from the defaults; rewards: its kinds of rewards.
    """

    game_id: ClassVar[str]
    option_values: ClassVar[Values] = {}

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Parametrise a test by the names of its arguments."""
        game = find_game(self.game_id)
        tables: dict[str, list[Any]] = {
            "game_id": [self.game_id],
            "count": player_counts(self.game_id),
            "case": cases(self.game_id, self.option_values),
            "options": rich_options(game),
            "rewards": list(game.rewards),
        }
        for name, given in tables.items():
            if name in metafunc.fixturenames:
                metafunc.parametrize(name, given, ids=option_id if name in ("case", "options") else str)
