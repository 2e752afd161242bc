"""The table of any game as text; each game supplies its drawing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.entries import ENTRIES


def draw(game: Game, pack: Any, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """The first game as `viewer` sees it; None shows everything hidden too."""
    picture: str = import_module(ENTRIES[game.id].view).draw(pack, games, params, viewer)
    return picture
