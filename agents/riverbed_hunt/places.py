"""Where to place a meeple and where to move: near tiles worth turning up or looking at."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.core.compile import Record
from riverbed_env.core.random import uniform
from riverbed_env.games.riverbed_hunt import actions
from riverbed_env.games.riverbed_hunt.vocab import NUM_SPACES

from .contents import SWIMS
from .sight import FACE_UP, OCCUPIED, is_known, kernel
from .tiles import NEVER, Outlook, reached
from .weights import KNOWN_IN_REACH, UNKNOWN_IN_REACH

Vector = npt.NDArray[np.int8]

SPACE = actions.SPACE


@kernel
def place_worth(observation: Vector, outlook: Outlook, space: int, camp: int) -> float:
    """What standing on a space is worth: part of the best known tile within reach, and the unknown ones there."""
    best = 0.0
    unknown = 0
    for side in range(-1, 2):
        place = reached(observation, space, side)
        if place >= 0 and not observation[FACE_UP + place]:
            if is_known(observation, place):
                best = max(best, outlook.worths[camp, place])
            else:
                unknown += 1
    return KNOWN_IN_REACH * best + UNKNOWN_IN_REACH * unknown


@kernel
def best_place(observation: Vector, mask: Vector, outlook: Outlook, stream: Record, camp: int, sign: float) -> int:
    """The allowed space worth most (sign 1) or least (sign -1) to a camp, ties at random; -1 if none is allowed."""
    best = -1
    best_score = 2 * NEVER
    for space in range(NUM_SPACES):
        if mask[SPACE + space]:
            score = sign * place_worth(observation, outlook, space, camp) + 0.01 * uniform(stream)
            if score > best_score:
                best_score = score
                best = space
    return best


@kernel
def swim_gain(observation: Vector, outlook: Outlook, here: int, camp: int) -> float:
    """What the best swim adds to the worth of the place: the swims of the full board that end on a tile."""
    best = NEVER
    for space in range(NUM_SPACES):
        if SWIMS[here, space] and observation[OCCUPIED + space]:
            best = max(best, place_worth(observation, outlook, space, camp))
    return best - place_worth(observation, outlook, here, camp)
