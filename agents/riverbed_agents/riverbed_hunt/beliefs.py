"""Role posteriors of a view, by the kernels of `riverbed_hunt.deduction`; seats clockwise from the observer."""

import numpy as np

from riverbed_env.games.riverbed_hunt.deduction.evidence import EVIDENCE, gather
from riverbed_env.games.riverbed_hunt.deduction.posterior import PLAYING, weigh_roles
from riverbed_env.kernels.common import keep
from riverbed_env.kernels.compile import Floats, Record, Records

from .kernels import kernel

BY_SEAT, CLOCKWISE = 0, 1  # rows of the evidence


@kernel
def gather_clockwise(view: Record, params: Record, evidence: Records) -> None:
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
def believe(view: Record, params: Record, beliefs: Floats, model: int = PLAYING) -> None:
    """Write the probability that each seat has each role.

    beliefs (MAX_SEATS, NUM_ROLES): written, the observer in row 0, rows past the players 0.
    """
    evidence = np.empty(2, EVIDENCE)
    gather_clockwise(view, params, evidence)
    weigh_roles(evidence[CLOCKWISE], model, beliefs)
    keep(evidence)
