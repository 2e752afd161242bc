"""All games by their versioned names: the library's own, those registered by hand, and those of installed packages."""

import importlib
import warnings
from types import ModuleType
from typing import Any

from .core.batch import Batch
from .core.game import Game
from .entries import ENTRIES, full_name, installed_games, load_game, register_game, register_installed
from .errors import OptionError

__all__ = ["entry_points", "find_game", "game_ids", "make", "make_batch", "register_game"]


def game_ids() -> list[str]:
    """The versioned names of all games.

    Imports the packages that bring more games; warns of those that can't be loaded.

    Returns:
        The names, like "riverbed_hunt_v1", the library's own first.
    """
    for game_id in installed_games():
        try:
            register_installed(game_id)
        except OptionError as error:
            warnings.warn(str(error), stacklevel=2)
    return list(ENTRIES)


def find_game(game_id: str | Game) -> Game:
    """Find a game by its name; imports no other package than the game's.

    Args:
        game_id: "riverbed_hunt", or with its version, "riverbed_hunt_v1"; a game itself is returned.

    Returns:
        The game: its tables of actions and pieces, its roles and camps, its words.

    Raises:
        OptionError: There is no such game, or its package can't be loaded.
    """
    if isinstance(game_id, Game):
        return game_id
    game: Game = load_game(full_name(game_id))
    return game


def entry_points(game: Game) -> ModuleType:
    """The module of a game's entry points.

    Args:
        game: A registered game.

    Returns:
        The module with `env`, `raw_env` and, where choices are simultaneous, `parallel_env`.
    """
    return importlib.import_module(ENTRIES[game.id].env)


def make(game_id: str | Game, **options: Any) -> Any:
    """Make an environment of PettingZoo's turn-based interface (AEC): one game.

    Args:
        game_id: The game's name, as `find_game` takes it.
        options: Those of the game's `env`, like num_players=7; `help(riverbed_hunt_v1.env)` lists them.

    Returns:
        The environment, a `TurnEnv`.

    Raises:
        OptionError: The game or an option isn't known, or an option's value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """
    return entry_points(find_game(game_id)).env(**options)


def make_batch(game_id: str | Game, num_envs: int, **options: Any) -> Batch:
    """Make many games that are stepped together.

    Args:
        game_id: The game's name, as `find_game` takes it.
        num_envs: How many, 1 or more.
        options: Those of `Batch` and the game's own; several values in a list are shared out. `features` are names,
            like ["outlook", "advice:simple"].

    Returns:
        The batch, with all games dealt.

    Raises:
        OptionError: The game or an option isn't known, or an option's value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """
    game = find_game(game_id)
    if "features" in options:
        sets = importlib.import_module("riverbed_env.players.features")
        options["features"] = sets.find_feature_sets(options["features"], game)
    return Batch(game, num_envs, **options)
