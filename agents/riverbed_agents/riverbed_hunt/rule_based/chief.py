"""The chief merchant: known to all, so it turns up what it can without hiding, and undoes what a Hunt brought most."""

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
    """RH-5.2: of the tiles the Hunt turned up, turn down the one whose going helps the merchants most."""
    return A.SPACE + best_to_bury(observation, mask, stream, Camp.MERCHANTS)
