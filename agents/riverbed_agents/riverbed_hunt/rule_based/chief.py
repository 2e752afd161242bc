"""The chief merchant: it chooses the penalty after a failed Hunt."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import Camp
from riverbed_env.kernels.compile import Record

from ..observation_reader import kernel
from .tiles import best_to_bury

Vector = npt.NDArray[np.int8]


@kernel
def penalty(observation: Vector, mask: Vector, stream: Record) -> int:
    """RH-5.2: turn down the tile of the Hunt whose removal helps the merchants most."""
    return A.SPACE + best_to_bury(observation, mask, stream, Camp.MERCHANTS)
