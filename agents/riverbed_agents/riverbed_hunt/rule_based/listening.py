"""RH-9: what a rule-based agent takes from claims about tiles: unknown tiles are worth what they probably bear.

By the fitted model of talk (`riverbed_env.deduction.claims`): each claim multiplies the odds of what a tile bears, by
who its speaker probably is and by how often it was right. What claims say of roles is in the beliefs (`trust.judge`).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from riverbed_env.deduction.claims import NUM_CLAIMED, truth_of
from riverbed_env.deduction.evidence import EVIDENCE
from riverbed_env.deduction.weights import BEARS
from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, MIN_PLAYERS, NUM_CAMPS, NUM_ROLES, NUM_SPACES, Talk
from riverbed_env.kernels.compile import Record

from ..beliefs import gather
from ..default_pack import FEATURES
from ..observation_reader import FIRST, Vector, is_face_down, is_known, kernel
from .trust import judge

Numbers = npt.NDArray[np.float64]
Evidence = npt.NDArray[np.void]

CLAIM = 15  # the bits of a word about a tile that say what it bears; larger than NUM_CLAIMED: a past claim


@kernel
def anything_claimed(observation: Vector) -> bool:
    """Whether another seat's claim about a tile stands that the observer doesn't know."""
    if observation[AT.talk + Talk.NONE]:
        return False
    for space in range(NUM_SPACES):
        if is_face_down(observation, space) and not is_known(observation, space):
            for seat in range(1, MAX_SEATS):
                claimed = int(observation[AT.tile_words + seat * NUM_SPACES + space]) & CLAIM
                if 0 < claimed <= NUM_CLAIMED:
                    return True
    return False


@kernel
def listen(observation: Vector, outlook: Record) -> None:
    """Correct the worth of unknown tiles by what the others claim of them, and mark them as heard of."""
    if anything_claimed(observation):
        judge(observation, outlook)
        believe_claims(observation, outlook, np.empty(1, EVIDENCE), np.zeros(NUM_CLAIMED, np.float64))


@kernel
def believe_claims(observation: Vector, outlook: Record, evidence: Evidence, odds: Numbers) -> None:
    """See `listen`. evidence (1,), odds (NUM_CLAIMED,): scratch; compiled, a record doesn't keep its array alive."""
    gather(observation, evidence[0])
    for space in range(NUM_SPACES):
        if is_face_down(observation, space) and not is_known(observation, space):
            odds[:] = 1.0
            for seat in range(1, int(evidence[0]["num_players"])):
                if evidence[0]["tile_said"][seat, space] > 0:
                    outlook["heard"][space] = 1
                    weigh_claim(observation, outlook, evidence[0], seat, space, odds)
            if outlook["heard"][space]:
                write_weighed_mean(observation, outlook, space, odds)


@kernel
def weigh_claim(observation: Vector, outlook: Record, evidence: Record, seat: int, space: int, odds: Numbers) -> None:
    """Multiply the odds of what a tile bears by the chance that the seat, of whatever role, would claim this of it."""
    saw = int(observation[AT.seen + seat * NUM_SPACES + space])
    claim = NUM_CLAIMED * saw + int(evidence["tile_said"][seat, space]) - 1
    count = int(evidence["num_players"]) - MIN_PLAYERS
    shares = np.zeros(NUM_CLAIMED, np.float64)
    mixed = np.zeros(NUM_CLAIMED, np.float64)
    count_unplaced(observation, outlook, space, shares)
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
def count_unplaced(observation: Vector, outlook: Record, space: int, shares: Numbers) -> None:
    """Count the unplaced tiles that may lie on a space by what they bear. shares: (NUM_CLAIMED,), written."""
    shares[:] = 0.0
    for place in range(int(outlook["size"])):
        tile = int(outlook["unplaced"][place])
        if observation[AT.possible + tile * NUM_SPACES + space]:
            shares[truth_of(int(FEATURES[tile + 1, FIRST])) - 1] += 1.0


@kernel
def write_weighed_mean(observation: Vector, outlook: Record, space: int, odds: Numbers) -> None:
    """Write the mean worth of the tiles that may lie on the space, each with the odds of what it bears."""
    worths = outlook["worths"][space]
    total = 0.0
    for camp in range(NUM_CAMPS):
        worths[camp] = 0.0
    for place in range(int(outlook["size"])):
        tile = int(outlook["unplaced"][place])
        if observation[AT.possible + tile * NUM_SPACES + space]:
            weight = odds[truth_of(int(FEATURES[tile + 1, FIRST])) - 1]
            total += weight
            for camp in range(NUM_CAMPS):
                worths[camp] += weight * outlook["draws"][camp, place]
    for camp in range(NUM_CAMPS):
        worths[camp] /= max(total, 1e-9)
