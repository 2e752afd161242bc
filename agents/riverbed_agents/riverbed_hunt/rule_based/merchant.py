"""A merchant: it prefers to ask the chief, the only player whose camp is known from the start (RH-1.3)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_ROLES, Role

from ..observation_reader import kernel
from .weights import CHIEF_PREFERRED

Vector = npt.NDArray[np.int8]


@kernel
def preference(observation: Vector, seat: int) -> float:
    """A bonus in points for asking a seat, besides its tiles: the chief is certainly of the same camp."""
    if observation[AT.roles_shown + seat * NUM_ROLES + Role.CHIEF]:
        return CHIEF_PREFERRED
    return 0.0
