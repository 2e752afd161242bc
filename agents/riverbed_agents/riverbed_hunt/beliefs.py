"""Role posteriors of a view, by the kernels of `riverbed_hunt.deduction`; seats clockwise from the observer."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.deduction.evidence import EVIDENCE, gather
from riverbed_env.games.riverbed_hunt.deduction.posterior import PLAYING, weigh_roles
from riverbed_env.kernels.compile import Record

from .kernels import kernel

Evidence = npt.NDArray[np.void]
Numbers = npt.NDArray[np.float64]

BY_SEAT, CLOCKWISE = 0, 1  # rows of the evidence


@kernel
def gather_clockwise(view: Record, params: Record, evidence: Evidence) -> None:
    """Fill both rows of the evidence, (2,) EVIDENCE: by seat number, and clockwise from the observer."""
    by_seat, turned = evidence[BY_SEAT], evidence[CLOCKWISE]
    gather(view, params, by_seat)
    evidence[CLOCKWISE] = evidence[BY_SEAT]
    num_players = int(by_seat["num_players"])
    for place in range(num_players):
        seat = (int(view["seat"]) + place) % num_players
        turned["known"][place] = by_seat["known"][seat]
        turned["tallies"][place] = by_seat["tallies"][seat]
        turned["tile_said"][place] = by_seat["tile_said"][seat]
        turned["credence"][place] = by_seat["credence"][seat]
        for between in range(num_players):
            other = (seat + between) % num_players
            beside = (place + between) % num_players
            turned["asks"][place, beside] = by_seat["asks"][seat, other]
            turned["said"][place, beside] = by_seat["said"][seat, other]


@kernel
def believe(view: Record, params: Record, beliefs: Numbers, model: int = PLAYING) -> None:
    """Write the probability that each seat has each role.

    beliefs (MAX_SEATS, NUM_ROLES): written, the observer in row 0, rows past the players 0.
    """
    weigh_evidence(view, params, np.empty(2, EVIDENCE), model, beliefs)


@kernel
def weigh_evidence(view: Record, params: Record, evidence: Evidence, model: int, beliefs: Numbers) -> None:
    """See `believe`. evidence: (2,), scratch; compiled, a record doesn't keep its array alive."""
    gather_clockwise(view, params, evidence)
    weigh_roles(evidence[CLOCKWISE], model, beliefs)
