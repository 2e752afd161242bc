"""Loops over many views."""

import numpy as np
import numpy.typing as npt

from . import kernel
from .evidence import gather
from .posterior import weigh_roles
from .resample import resample

Records = npt.NDArray[np.void]


@kernel
def gather_all(views: Records, params: Records, evidence: Records) -> None:
    """Write the evidence of each view. evidence: (n,), written."""
    for index in range(len(views)):
        gather(views[index], params[0], evidence[index])


@kernel
def weigh_all(
    views: Records, params: Records, evidence: Records, model: int, posteriors: npt.NDArray[np.float64]
) -> None:
    """Write the posterior of each view. evidence: (1,), scratch. posteriors: (n, MAX_SEATS, NUM_ROLES), written."""
    for index in range(len(views)):
        gather(views[index], params[0], evidence[0])
        weigh_roles(evidence[0], model, posteriors[index])


@kernel
def resample_all(
    views: Records, params: Records, evidence: Records, model: int, streams: Records, games: Records
) -> None:
    """Sample a full state for each view. evidence: (1,), scratch. streams: (n,), drawn from. games: (n,), written."""
    for index in range(len(views)):
        resample(views[index], params[0], evidence[0], model, streams[index], games[index])
