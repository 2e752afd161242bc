"""The games of the library, by their versioned names."""

from __future__ import annotations

import difflib
import importlib
from types import ModuleType
from typing import Any

from .core.batch import Batch
from .core.game import Game
from .entries import ENTRIES, load_game, register_game
from .errors import OptionError

__all__ = ["entry_points", "find_game", "game_ids", "make_batch", "register_game"]


def game_ids() -> list[str]:
    """The versioned names of all games."""
    return list(ENTRIES)


def find_game(game_id: str) -> Game:
    """A game by its versioned name ("riverbed_hunt_v0") or its plain one; OptionError where there is none."""
    for known in ENTRIES:
        if game_id in (known, known.rpartition("_v")[0]):
            game: Game = load_game(known)
            return game
    near = difflib.get_close_matches(game_id, ENTRIES, n=1, cutoff=0.4)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise OptionError(f"there is no game {game_id!r}{hint}; there are {', '.join(ENTRIES)}")


def entry_points(game: Game) -> ModuleType:
    """The module with the game's `env`, `raw_env` and, where choices are simultaneous, `parallel_env`."""
    return importlib.import_module(ENTRIES[game.id].env)


def make_batch(game_id: str, num_envs: int, **options: Any) -> Batch:
    """A batch of `num_envs` games by the game's versioned name; see `Batch` for the options all games share."""
    return Batch(find_game(game_id), num_envs, **options)
