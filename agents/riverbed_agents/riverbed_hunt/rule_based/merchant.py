"""A merchant: the chief's camp is the only one known from the start (RH-1.3), so merchants gather round the chief."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_ROLES, Role

from ..observation_reader import kernel
from .weights import CHIEF_PREFERRED

Vector = npt.NDArray[np.int8]


@kernel
def leaning(observation: Vector, seat: int) -> float:
    """What speaks for asking a seat besides its tiles, in points: what the chief turns up can't be turned on one."""
    if observation[AT.roles_shown + seat * NUM_ROLES + Role.CHIEF]:
        return CHIEF_PREFERRED
    return 0.0
