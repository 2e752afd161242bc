"""Every way to deal the role cards that an observer can't exclude, with its weight: exact, by depth-first search."""

import math

import numpy as np
import numpy.typing as npt

from riverbed_env.core.compile import Record
from riverbed_env.games.riverbed_hunt.vocab import MAX_SEATS, NUM_ROLES, Role

from .kernels import kernel

Numbers = npt.NDArray[np.float64]
Roles = npt.NDArray[np.int64]

NO_TARGET = -1.0
MOST_ASKS = 8  # asking the same player more often says no more than this
FARTHEST = 60.0  # log odds; keeps the product of nine factors above 0


def asking_factors(first: Numbers, again: Numbers) -> Numbers:
    """The factor for asking 0, 1, … MOST_ASKS times, a new axis before the two of roles, from log odds.

    first, again (…, NUM_ROLES, NUM_ROLES): for asking at all, and each time more.
    """
    times = np.arange(1, MOST_ASKS + 1)[:, None, None]
    odds = first[..., None, :, :] + (times - 1) * again[..., None, :, :]
    return np.concatenate([np.ones_like(odds[..., :1, :, :]), np.exp(odds)], axis=-3)


@kernel
def asking(evidence: Record, asked: Numbers, seat: int, other: int, role: int, other_role: int) -> float:
    """The factor by which what two seats asked each other speaks for their having these roles."""
    there = min(MOST_ASKS, int(evidence["asks"][seat, other]))
    back = min(MOST_ASKS, int(evidence["asks"][other, seat]))
    return float(asked[there, role, other_role] * asked[back, other_role, role])


@kernel
def weigh_alone(evidence: Record, tallies: Numbers, asked: Numbers, alone: Numbers) -> None:
    """The factor by which a seat's own tallies, and its asking those whose role is known, speak for each role.

    tallies (NUM_ROLES, NUM_TALLIES): log odds for each unit of a tally; asked (MOST_ASKS + 1, NUM_ROLES, NUM_ROLES):
    the factor for asking a seat of that role so often; alone (MAX_SEATS, NUM_ROLES): written, at most 1 but for asking.
    """
    for seat in range(int(evidence["num_players"])):
        if evidence["known"][seat] != Role.UNKNOWN:
            continue
        highest = -math.inf
        for role in range(NUM_ROLES):
            score = 0.0
            for tally in range(tallies.shape[1]):
                score += tallies[role, tally] * evidence["tallies"][seat, tally]
            alone[seat, role] = score
            highest = max(highest, score)
        for role in range(NUM_ROLES):
            factor = math.exp(max(-FARTHEST, alone[seat, role] - highest))
            for other in range(int(evidence["num_players"])):
                known = int(evidence["known"][other])
                if known != Role.UNKNOWN:
                    factor *= asking(evidence, asked, seat, other, role, known)
            alone[seat, role] = factor


@kernel
def spare_weight(evidence: Record, left: Roles) -> float:
    """RH-1.2: the share of the cards of a role that may be left over, for the one that is; 1 where none is.

    Role cards are dealt as cards: one drawn with a fellow that is dealt for certain is as likely as either of them.
    """
    for role in range(NUM_ROLES):
        if left[role] > 0:
            return float(evidence["may_be_spare"][role]) / float(evidence["cards"][role])
    return 1.0


@kernel
def find_mates(evidence: Record, unknown: Roles, open_seats: int, mates: Roles, num_mates: Roles) -> None:
    """For each open seat the open ones before it which it asked or which asked it, by their places."""
    for depth in range(open_seats):
        num_mates[depth] = 0
        for place in range(depth):
            asks = evidence["asks"][unknown[depth], unknown[place]] + evidence["asks"][unknown[place], unknown[depth]]
            if asks > 0:
                mates[depth, num_mates[depth]] = place
                num_mates[depth] += 1


@kernel
def lay_out(evidence: Record, roles: Roles, unknown: Roles, left: Roles) -> int:
    """Give every seat the role that is known of it; the number of open seats, which `unknown` names, and cards left."""
    open_seats = 0
    for role in range(NUM_ROLES):
        left[role] = evidence["cards"][role]
    roles[:] = Role.UNKNOWN
    for seat in range(int(evidence["num_players"])):
        roles[seat] = evidence["known"][seat]
        if roles[seat] == Role.UNKNOWN:
            unknown[open_seats] = seat
            open_seats += 1
        else:
            left[roles[seat]] -= 1
    return open_seats


@kernel
def walk(
    evidence: Record, alone: Numbers, asked: Numbers, roles: Roles, marginals: Numbers, pairs: Numbers, target: float
) -> float:
    """Go through every assignment of roles that the evidence leaves open; the total of their weights.

    alone: from `weigh_alone`. roles (MAX_SEATS,): written; with a target, the assignment at which the running total
    passes it, so that a target drawn uniformly below the total draws an assignment by its weight. Without one,
    marginals (MAX_SEATS, NUM_ROLES) gets the weight of each seat's having each role, and pairs (MOST_ASKS + 1,
    NUM_ROLES, NUM_ROLES), unless it is empty, that of each kind of asking.
    """
    unknown = np.zeros(MAX_SEATS, np.int64)
    left = np.zeros(NUM_ROLES, np.int64)
    open_seats = lay_out(evidence, roles, unknown, left)
    mates = np.zeros((MAX_SEATS, MAX_SEATS), np.int64)
    num_mates = np.zeros(MAX_SEATS, np.int64)
    find_mates(evidence, unknown, open_seats, mates, num_mates)
    weights = np.ones(MAX_SEATS + 1, np.float64)
    before = np.zeros(MAX_SEATS + 1, np.float64)  # the total when the open seat took its role
    following = np.zeros(MAX_SEATS + 1, np.int64)  # the role it tries next
    total: float = 0.0
    depth = 0
    while depth >= 0:
        if depth == open_seats:
            weight = weights[depth] * spare_weight(evidence, left)
            if weight > 0.0:
                total += weight
                if target >= 0.0 and total > target:
                    return total
                if len(pairs) > 0:
                    add_pairs(evidence, roles, weight, pairs)
            depth -= 1
            continue
        seat = unknown[depth]
        if roles[seat] != Role.UNKNOWN:
            marginals[seat, roles[seat]] += total - before[depth]
            left[roles[seat]] += 1
            roles[seat] = Role.UNKNOWN
        role = following[depth]
        while role < NUM_ROLES and left[role] == 0:
            role += 1
        if role == NUM_ROLES:
            following[depth] = 0
            depth -= 1
            continue
        following[depth] = role + 1
        roles[seat] = role
        left[role] -= 1
        before[depth] = total
        weight = weights[depth] * alone[seat, role]
        for place in range(num_mates[depth]):
            other = unknown[mates[depth, place]]
            weight *= asking(evidence, asked, seat, other, role, int(roles[other]))
        depth += 1
        weights[depth] = weight
    for seat in range(int(evidence["num_players"])):
        if evidence["known"][seat] != Role.UNKNOWN:
            marginals[seat, int(evidence["known"][seat])] = total
    return total


@kernel
def add_pairs(evidence: Record, roles: Roles, weight: float, pairs: Numbers) -> None:
    """Add an assignment's weight to each kind of asking that it makes of the co-ops."""
    for seat in range(int(evidence["num_players"])):
        for other in range(int(evidence["num_players"])):
            times = int(evidence["asks"][seat, other])
            if times > 0:
                pairs[min(MOST_ASKS, times), roles[seat], roles[other]] += weight
