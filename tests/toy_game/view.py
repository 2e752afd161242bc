"""Ford drawn as text."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .game import Stones
from .words import describe_events, describe_state


def draw(pack: Stones, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """The game as `viewer` sees it; None draws all stones."""
    return "\n".join(
        ["Ford", describe_state(pack, games, params, viewer), *describe_events(pack, games[0], viewer=viewer)]
    )
