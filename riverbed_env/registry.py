"""The games of the library, by their versioned names."""

from __future__ import annotations

import difflib
import functools
import importlib
from typing import Any

from .core.batch import Batch
from .core.errors import OptionError
from .core.game import Game

_WHERE = {"riverbed_hunt_v0": ("riverbed_env.games.riverbed_hunt.game", "RIVERBED_HUNT")}


def game_ids() -> list[str]:
    """The versioned names of all games."""
    return list(_WHERE)


@functools.cache
def _load(game_id: str) -> Game:
    module, name = _WHERE[game_id]
    game: Game = getattr(importlib.import_module(module), name)
    return game


def find_game(game_id: str) -> Game:
    """A game by its versioned name ("riverbed_hunt_v0") or its plain one; OptionError where there is none."""
    for known in _WHERE:
        if game_id in (known, known.rpartition("_v")[0]):
            return _load(known)
    near = difflib.get_close_matches(game_id, _WHERE, n=1, cutoff=0.4)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise OptionError(f"there is no game {game_id!r}{hint}; there are {', '.join(_WHERE)}")


def make_batch(game_id: str, n: int, **options: Any) -> Batch:
    """A batch of `n` games by the game's versioned name; see `Batch` for the options all games share."""
    return Batch(find_game(game_id), n, **options)
