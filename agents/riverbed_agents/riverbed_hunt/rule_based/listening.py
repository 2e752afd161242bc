"""RH-9: what a rule-based agent takes from claims about tiles: unknown tiles are worth what they probably bear.

By the fitted model of talk (see `deduction.evidence`): each claim multiplies the odds of what a tile bears, by
who its speaker probably is and by how often it was right. What claims say of roles is in the beliefs (`trust.judge`).
"""

import math

import numpy as np

from riverbed_env.games.riverbed_hunt.deduction.evidence import EVIDENCE, NUM_CLAIMED, truth_of
from riverbed_env.games.riverbed_hunt.deduction.weights import BEARS
from riverbed_env.games.riverbed_hunt.rules.vocab import MIN_PLAYERS, NUM_ROLES, NUM_SPACES, Talk
from riverbed_env.kernels.common import keep
from riverbed_env.kernels.compile import Floats, Record

from ..beliefs import CLOCKWISE, gather_clockwise
from ..kernels import kernel
from ..sight import FIRST, has_seen, is_face_down, is_known, may_lie, players, seat_at
from .tiles import write_mean_on
from .trust import judge

CLAIM = 15  # the bits of a word about a tile that say what it bears; larger than NUM_CLAIMED: a past claim


@kernel
def anything_claimed(view: Record, params: Record) -> bool:
    """Whether another seat's claim about a tile stands that the observer doesn't know."""
    if params["talk"] == Talk.NONE:
        return False
    for space in range(NUM_SPACES):
        if is_face_down(view, space) and not is_known(view, space):
            for seat in range(1, players(view)):
                claimed = int(view["table"]["tile_words"][seat_at(view, seat), space]) & CLAIM
                if 0 < claimed <= NUM_CLAIMED:
                    return True
    return False


@kernel
def listen(view: Record, params: Record, outlook: Record) -> None:
    """RH-9.5: correct the worth of unknown tiles by what the others claim of them, and mark them as heard of."""
    if outlook["deaf"] or not anything_claimed(view, params):
        return
    judge(view, params, outlook)
    evidences, odds = np.empty(2, EVIDENCE), np.zeros(NUM_CLAIMED, np.float64)
    gather_clockwise(view, params, evidences)
    evidence = evidences[CLOCKWISE]
    for space in range(NUM_SPACES):
        if is_face_down(view, space) and not is_known(view, space):
            odds[:] = 1.0
            for seat in range(1, players(view)):
                if evidence["tile_said"][seat, space] > 0:
                    outlook["heard"][space] = 1
                    weigh_claim(view, params, outlook, evidence, seat, space, odds)
            if outlook["heard"][space]:
                write_mean_on(view, params, outlook, space, odds)
    keep(evidences)


@kernel
def weigh_claim(
    view: Record, params: Record, outlook: Record, evidence: Record, seat: int, space: int, odds: Floats
) -> None:
    """Multiply the odds of what a tile bears by the chance that the seat, of whatever role, would claim this of it."""
    saw = has_seen(view, seat, space)
    claim = NUM_CLAIMED * saw + int(evidence["tile_said"][seat, space]) - 1
    count = int(evidence["num_players"]) - MIN_PLAYERS
    shares = np.zeros(NUM_CLAIMED, np.float64)
    mixed = np.zeros(NUM_CLAIMED, np.float64)
    count_unplaced(view, params, outlook, space, shares)
    for role in range(NUM_ROLES):
        belief = outlook["beliefs"][seat, role]
        if belief > 0.0:
            whole = 0.0
            for truth in range(NUM_CLAIMED):
                whole += shares[truth] * math.exp(evidence["credence"][seat] * BEARS[count, claim, role, truth])
            for truth in range(NUM_CLAIMED):
                chance = math.exp(evidence["credence"][seat] * BEARS[count, claim, role, truth])
                mixed[truth] += belief * chance / max(whole, 1e-9)
    for truth in range(NUM_CLAIMED):
        odds[truth] *= mixed[truth]


@kernel
def count_unplaced(view: Record, params: Record, outlook: Record, space: int, shares: Floats) -> None:
    """Count the unplaced tiles that may lie on a space by what they bear. shares: (NUM_CLAIMED,), written."""
    shares[:] = 0.0
    for place in range(int(outlook["size"])):
        tile = int(outlook["unplaced"][place])
        if may_lie(view, tile, space):
            shares[truth_of(int(params["features"][tile + 1, FIRST])) - 1] += 1.0
