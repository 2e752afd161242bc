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

__all__ = ["entry_points", "find_game", "game_ids", "make_batch", "register_game"]

COLUMNS = ("game", "winner", "nobody_won", "truncated", "decisions")  # what tables need of every game


def game_ids() -> list[str]:
    """The versioned names of all games. Imports the packages that bring more; warns of those that can't be loaded."""
    for game_id in installed_games():
        try:
            register_installed(game_id)
        except OptionError as error:
            warnings.warn(str(error), stacklevel=2)
    return list(ENTRIES)


def find_game(game_id: str | Game) -> Game:
    """A game by its versioned name ("riverbed_hunt_v1") or without its version; a game itself is returned.

    Looks among installed packages too, and imports no other package than the game's. Raises OptionError if there is no
    such game, if its package can't be loaded, or if the game lacks something that tables need.
    """
    return game_id if isinstance(game_id, Game) else _checked(full_name(game_id))


def entry_points(game: Game) -> ModuleType:
    """The module with the game's `env`, `raw_env` and, where choices are simultaneous, `parallel_env`."""
    return importlib.import_module(ENTRIES[game.id].env)


def make_batch(game_id: str | Game, num_envs: int, **options: Any) -> Batch:
    """A batch of `num_envs` games by the game's versioned name; see `Batch` for the options all games share."""
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
