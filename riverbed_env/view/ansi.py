"""The table as text, whatever the game: each game supplies its own drawing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game


def draw(game: Game, pack: Any, games: npt.NDArray[np.void], settings: npt.NDArray[np.void], viewer: int | None) -> str:
    """The first game as `viewer` sees it; None draws all that is hidden too."""
    from . import riverbed_hunt

    drawers = {"riverbed_hunt": riverbed_hunt.draw}
    return drawers[game.name](pack, games, settings, viewer)
