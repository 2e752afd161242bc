"""Where an observation of Riverbed Hunt holds what agents look at, and small readings of it."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.core.packs import PACKS
from riverbed_env.deduction import kernels as deduction
from riverbed_env.games.riverbed_hunt.rules import kernels
from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.state import NUM_FEATURES
from riverbed_env.games.riverbed_hunt.rules.vocab import CAMP_OF, NUM_ROLES, NUM_SPACES
from riverbed_env.kernels.common import one_hot
from riverbed_env.kernels.compile import KernelFamily

FOLDERS = (
    Path(kernels.__file__).parent,
    Path(deduction.__file__).parent,
    PACKS / "riverbed_hunt",  # cards are known by the pack
    Path(__file__).parent,
)

kernel = KernelFamily("riverbed_hunt_agents", *FOLDERS)

Vector = npt.NDArray[np.int8]


ICON, LAYERS, FIRST, IS_KNOWN = 3, 5, 6, 7  # features of a tile besides its elements
CAMPS = np.array(CAMP_OF, np.int8)


@kernel
def own_camp(observation: Vector) -> int:
    """The observer's camp, which is also the number of its track."""
    return int(CAMPS[one_hot(observation, AT.own_role, NUM_ROLES)])


@kernel
def is_known(observation: Vector, space: int) -> bool:
    """Whether the observer knows the tile on a space."""
    return bool(observation[AT.known_tiles + space * NUM_FEATURES + IS_KNOWN])


@kernel
def feature(observation: Vector, space: int, which: int) -> int:
    """A feature of the tile known to lie on a space, 0 if it isn't known."""
    return int(observation[AT.known_tiles + space * NUM_FEATURES + which])


@kernel
def is_face_down(observation: Vector, space: int) -> bool:
    """Whether a face-down tile lies on a space."""
    return bool(observation[AT.occupied + space] and not observation[AT.face_up + space])


@kernel
def own_space(observation: Vector) -> int:
    """The space of the observer's meeple, -1 before it is placed."""
    return one_hot(observation, AT.positions, NUM_SPACES)


@kernel
def in_reach(observation: Vector, space: int, place: int) -> bool:
    """RH-2.4: whether the tile on `place` is within reach of a meeple on `space`."""
    if not observation[AT.occupied + place]:
        return False
    step = 1
    if place < space:
        step = -1
    between = space + step
    while between != place and space != place:
        if observation[AT.occupied + between]:
            return False
        between += step
    return True


@kernel
def known_role(observation: Vector, seat: int) -> int:
    """The role the observer knows a seat to have, -1 if it doesn't."""
    shown = one_hot(observation, AT.roles_shown + seat * NUM_ROLES, NUM_ROLES)
    if shown >= 0:
        return shown
    return one_hot(observation, AT.roles_looked_at + seat * NUM_ROLES, NUM_ROLES)


@kernel
def knows_tiles(observation: Vector, seat: int) -> int:
    """How many face-down tiles the seat is known to have looked at."""
    total = 0
    for space in range(NUM_SPACES):
        if is_face_down(observation, space) and observation[AT.seen + seat * NUM_SPACES + space]:
            total += 1
    return total
