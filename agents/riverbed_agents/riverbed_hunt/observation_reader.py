"""Offsets of the pieces of a Riverbed Hunt observation, and small functions that read them."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.core.packs import PACKS
from riverbed_env.deduction.kernels import kernel as deduction
from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.state import NUM_FEATURES
from riverbed_env.games.riverbed_hunt.rules.vocab import CAMP_OF, NUM_ROLES, NUM_SPACES
from riverbed_env.kernels.common import one_hot
from riverbed_env.kernels.compile import KernelFamily

# The packs are included because the agents look up cards and tiles in the default pack.
FOLDERS = (*deduction.folders, PACKS / "riverbed_hunt", Path(__file__).parent)

kernel = KernelFamily("riverbed_hunt_agents", *FOLDERS)

Vector = npt.NDArray[np.int8]

ICON, LAYERS, FIRST, IS_KNOWN = 3, 5, 6, 7  # features of a tile besides its elements
CAMPS = np.array(CAMP_OF, np.int8)


@kernel
def own_camp(observation: Vector) -> int:
    """The observer's camp; a camp has the same number as its track."""
    return int(CAMPS[one_hot(observation, AT.own_role, NUM_ROLES)])


@kernel
def is_known(observation: Vector, space: int) -> bool:
    """Whether the observer knows the tile on a space."""
    return bool(observation[AT.known_tiles + space * NUM_FEATURES + IS_KNOWN])


@kernel
def feature(observation: Vector, space: int, which: int) -> int:
    """A feature of the tile on a space; 0 if the observer doesn't know the tile."""
    return int(observation[AT.known_tiles + space * NUM_FEATURES + which])


@kernel
def is_face_down(observation: Vector, space: int) -> bool:
    """Whether a face-down tile lies on a space."""
    return bool(observation[AT.occupied + space] and not observation[AT.face_up + space])


@kernel
def own_space(observation: Vector) -> int:
    """The space of the observer's meeple; -1 before it is placed."""
    return one_hot(observation, AT.positions, NUM_SPACES)


@kernel
def neighbour(observation: Vector, space: int, step: int) -> int:
    """RH-2.4: the next space with a tile along the river, in direction `step` (-1 or 1); -1 past its end."""
    place = space + step
    while 0 <= place < NUM_SPACES:
        if observation[AT.occupied + place]:
            return place
        place += step
    return -1


@kernel
def reached(observation: Vector, space: int, side: int) -> int:
    """RH-2.4: the space within reach before (side -1), at (0) or after (1) a space; -1 if there is no tile."""
    if side == 0:
        if observation[AT.occupied + space]:
            return space
        return -1
    return neighbour(observation, space, side)


@kernel
def in_reach(observation: Vector, space: int, place: int) -> bool:
    """RH-2.4: whether the tile on `place` is within reach of a meeple on `space`."""
    side = 0
    if place != space:
        side = 1 if place > space else -1
    return reached(observation, space, side) == place


@kernel
def unknown_in_reach(observation: Vector, here: int) -> int:
    """The number of face-down tiles within reach of a space that the observer doesn't know."""
    total = 0
    for side in range(-1, 2):
        space = reached(observation, here, side)
        if space >= 0 and not observation[AT.face_up + space] and not is_known(observation, space):
            total += 1
    return total


@kernel
def known_role(observation: Vector, seat: int) -> int:
    """A seat's role if the observer knows it, else -1."""
    shown = one_hot(observation, AT.roles_shown + seat * NUM_ROLES, NUM_ROLES)
    if shown >= 0:
        return shown
    return one_hot(observation, AT.roles_looked_at + seat * NUM_ROLES, NUM_ROLES)


@kernel
def knows_tiles(observation: Vector, seat: int) -> int:
    """The number of face-down tiles that a seat has looked at, as far as the observer knows."""
    total = 0
    for space in range(NUM_SPACES):
        if is_face_down(observation, space) and observation[AT.seen + seat * NUM_SPACES + space]:
            total += 1
    return total
