"""All games by their versioned names: the library's own, those registered by hand, and those of installed packages."""

from __future__ import annotations

import functools
import importlib
import warnings
from types import ModuleType
from typing import Any

import numpy as np

from .core.batch import Batch
from .core.game import Game
from .entries import ENTRIES, full_name, installed_games, load_game, register_game, register_installed
from .errors import OptionError

__all__ = ["entry_points", "find_game", "game_ids", "make", "make_batch", "register_game"]

COLUMNS = ("game", "winner", "nobody_won", "truncated", "decisions")  # what tables need of every game


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
        OptionError: There is no such game, its package can't be loaded, or it lacks something that tables need.
    """
    return game_id if isinstance(game_id, Game) else _checked(full_name(game_id))


def entry_points(game: Game) -> ModuleType:
    """The module with the game's `env`, `raw_env` and, where choices are simultaneous, `parallel_env`."""
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
        options: Those of `Batch` and the game's own; several values in a list are shared out.

    Returns:
        The batch, with all games dealt.

    Raises:
        OptionError: The game or an option isn't known, or an option's value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """
    return Batch(find_game(game_id), num_envs, **options)


@functools.cache
def _checked(game_id: str) -> Game:
    """The registered game, once it is known to have what tables read."""
    game: Game = load_game(game_id)
    if game.id != game_id:
        raise OptionError(f"{game_id} is registered for {ENTRIES[game_id].game}, which calls itself {game.id}")
    roles = [role for role in game.roles if game.camp_of_role.get(role) not in game.camps]
    if roles:
        raise OptionError(f"{game_id}: camp_of_role gives {roles[0]!r} no camp among {', '.join(game.camps)}")
    columns = game.columns(np.zeros(1, game.dtype))
    summary, scores = game.summary, range(game.max_players if game.summary.score else 0)
    for where, needed in (
        ("every game", COLUMNS),
        ("summary.happened", summary.happened.values()),
        ("summary.among", summary.among.values()),
        ("summary.means", summary.means.values()),
        (f"summary.score {summary.score!r}", [f"{summary.score}_{seat}" for seat in scores]),
    ):
        missing = [name for name in needed if name not in columns]
        if missing:
            raise OptionError(f"{game_id}: columns() has no {missing[0]!r}, which {where} needs; it has "
                              f"{', '.join(columns)}")  # fmt: skip
    return game
