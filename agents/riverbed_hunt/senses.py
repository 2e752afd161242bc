"""What a learner can be given beside an observation of Riverbed Hunt: role posteriors, and what tiles are worth."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.core.compile import Record
from riverbed_env.core.senses import Sense
from riverbed_env.games.riverbed_hunt.vocab import MAX_SEATS, NUM_CAMPS, NUM_ROLES, NUM_SPACES

from .beliefs import believe
from .sight import FOLDERS, kernel
from .tiles import OUTLOOK, survey

Vector = npt.NDArray[np.int8]

PERCENT = 100
MOST = 100  # points


@kernel
def sense_beliefs(observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """Each seat's chance of each role in percent, the observer first, then clockwise."""
    beliefs = np.zeros((MAX_SEATS, NUM_ROLES), np.float64)
    believe(observation, beliefs)
    for seat in range(MAX_SEATS):
        for role in range(NUM_ROLES):
            out[seat * NUM_ROLES + role] = int(PERCENT * beliefs[seat, role] + 0.5)


@kernel
def sense_worths(observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """What turning up each face-down tile, and one drawn blind, is worth to each camp, then the camps' chances."""
    outlooks = np.zeros(1, OUTLOOK)
    survey(observation, outlooks[0])
    for space in range(NUM_SPACES + 1):
        for camp in range(NUM_CAMPS):
            out[space * NUM_CAMPS + camp] = int(max(-MOST, min(MOST, round(outlooks[0]["worths"][space, camp]))))
    for camp in range(NUM_CAMPS):
        out[(NUM_SPACES + 1) * NUM_CAMPS + camp] = int(outlooks[0]["now"][camp])


BELIEFS = Sense(
    "beliefs",
    MAX_SEATS * NUM_ROLES,
    sense_beliefs,
    high=PERCENT,
    scale=PERCENT,
    folders=FOLDERS,
    about="each seat's chance of each role in percent, by the fitted model of play",
)
WORTHS = Sense(
    "worths",
    (NUM_SPACES + 2) * NUM_CAMPS,
    sense_worths,
    low=-MOST,
    high=MOST,
    scale=20.0,
    folders=FOLDERS,
    about="what turning up each tile is worth to each camp, in points, and the camps' chances",
)
