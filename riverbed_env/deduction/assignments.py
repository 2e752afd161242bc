"""Every way to deal the role cards that an observer can't exclude, with its weight: exact.

`walk` goes through all of them, by depth-first search. `sum_up` is for who wants to know only what they weigh together,
seat by seat and role by role. Seats that neither asked nor were asked by another open one ("lone" seats) weigh by
themselves, so they are summed out over what role cards are left; only what the others ("mates") may be is gone
through. What is left is a number with one digit for each role, a stock; how many cards it holds tells whose turn it is.
"""

import math

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_ROLES, Role
from riverbed_env.kernels.compile import Record

from .kernels import kernel

Numbers = npt.NDArray[np.float64]
Roles = npt.NDArray[np.int64]

NO_TARGET = -1.0
MOST_ASKS = 8  # asking the same player more often says no more than this
FARTHEST = 60.0  # log odds; keeps the product of nine factors above 0
MOST_STOCKS = 3**NUM_ROLES  # RH-1.2: ten cards of five roles at most, one for each player and a spare one

SUMS = np.dtype(
    [
        ("roles", np.int64, (MAX_SEATS,)),
        ("unknown", np.int64, (MAX_SEATS,)),  # the open seats, those with mates first
        ("left", np.int64, (NUM_ROLES,)),  # cards
        ("steps", np.int64, (NUM_ROLES,)),  # what a card of the role counts in a stock
        ("open_seats", np.int64),
        ("mated", np.int64),  # open seats with mates
        ("spare", np.int64),  # cards left when all open seats have one
        ("stock", np.int64),  # of all cards left for open seats
        ("digits", np.int64, (MOST_STOCKS, NUM_ROLES)),
        ("cards", np.int64, (MOST_STOCKS,)),  # how many are in a stock
        ("below", np.float64, (MOST_STOCKS,)),  # the weight of all ways to deal a stock to the lone seats it is for
        ("above", np.float64, (MOST_STOCKS,)),  # … of all ways to come to the stock
        ("factors", np.float64, (MAX_SEATS, MAX_SEATS, NUM_ROLES, NUM_ROLES)),  # by places of a seat and a mate before
        ("mates", np.int64, (MAX_SEATS, MAX_SEATS)),  # by place: the places of the mates before it
        ("num_mates", np.int64, (MAX_SEATS,)),
        ("weights", np.float64, (MAX_SEATS + 1,)),
        ("gained", np.float64, (MAX_SEATS + 1,)),  # the total when the seat took its role
        ("following", np.int64, (MAX_SEATS + 1,)),  # the role it tries next
    ],
    align=True,
)


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
    num_players = int(evidence["num_players"])
    for seat in range(num_players):
        if evidence["known"][seat] == Role.UNKNOWN:
            weigh_deeds(evidence, tallies, seat, alone[seat])
            for other in range(num_players):
                known = int(evidence["known"][other])
                if known != Role.UNKNOWN and asked_each_other(evidence, seat, other):
                    for role in range(NUM_ROLES):
                        alone[seat, role] *= asking(evidence, asked, seat, other, role, known)


@kernel
def weigh_deeds(evidence: Record, tallies: Numbers, seat: int, factors: Numbers) -> None:
    """The factor by which a seat's own tallies speak for each role, the highest 1; see `weigh_alone`."""
    factors[:] = 0.0
    for tally in range(tallies.shape[1]):
        units = evidence["tallies"][seat, tally]
        if units != 0.0:
            for role in range(NUM_ROLES):
                factors[role] += tallies[role, tally] * units
    highest = -math.inf
    for role in range(NUM_ROLES):
        highest = max(highest, factors[role])
    for role in range(NUM_ROLES):
        factors[role] = math.exp(max(-FARTHEST, factors[role] - highest))


@kernel
def asked_each_other(evidence: Record, seat: int, other: int) -> bool:
    """Whether one of two seats asked the other."""
    return bool(evidence["asks"][seat, other] + evidence["asks"][other, seat] > 0)


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
            if asked_each_other(evidence, int(unknown[depth]), int(unknown[place])):
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


@kernel
def sum_up(evidence: Record, alone: Numbers, asked: Numbers, rooms: npt.NDArray[np.void], marginals: Numbers) -> float:
    """The total weight of the assignments that the evidence leaves open; see `walk` for the arguments.

    rooms (1,): SUMS, scratch space. marginals (MAX_SEATS, NUM_ROLES): gets the weight of each seat's having each role.
    """
    room = rooms[0]
    room["open_seats"] = lay_out(evidence, room["roles"], room["unknown"], room["left"])
    put_mates_first(evidence, room)
    tell_mates(evidence, asked, room)
    list_stocks(room)
    deal_below(evidence, alone, room)
    total = deal_mates(alone, room, marginals)
    deal_above(alone, room, marginals)
    for seat in range(int(evidence["num_players"])):
        if evidence["known"][seat] != Role.UNKNOWN:
            marginals[seat, int(evidence["known"][seat])] = total
    return total


@kernel
def put_mates_first(evidence: Record, room: Record) -> None:
    """Order the open seats so that those which asked another open one, or were asked, come first."""
    mated = 0
    open_seats = int(room["open_seats"])
    for place in range(open_seats):
        seat = int(room["unknown"][place])
        for other in range(open_seats):
            if other != place and asked_each_other(evidence, seat, int(room["unknown"][other])):
                room["unknown"][place] = room["unknown"][mated]
                room["unknown"][mated] = seat
                mated += 1
                break
    room["mated"] = mated


@kernel
def tell_mates(evidence: Record, asked: Numbers, room: Record) -> None:
    """For each seat with mates those before it, and how the askings between them weigh by their roles."""
    for place in range(int(room["mated"])):
        seat = int(room["unknown"][place])
        count = 0
        for before in range(place):
            other = int(room["unknown"][before])
            if asked_each_other(evidence, seat, other):
                room["mates"][place, count] = before
                for role in range(NUM_ROLES):
                    for other_role in range(NUM_ROLES):
                        if room["left"][role] > 0 and room["left"][other_role] > 0:
                            factor = asking(evidence, asked, seat, other, role, other_role)
                            room["factors"][place, count, role, other_role] = factor
                count += 1
        room["num_mates"][place] = count


@kernel
def list_stocks(room: Record) -> None:
    """Every stock that the cards left can shrink to, from the empty one on."""
    stocks = 1
    room["cards"][0] = 0
    room["digits"][0] = 0
    for role in range(NUM_ROLES):
        room["steps"][role] = stocks
        for digit in range(1, int(room["left"][role]) + 1):
            for stock in range(stocks):
                raised = stock + digit * stocks
                room["digits"][raised] = room["digits"][stock]
                room["digits"][raised, role] = digit
                room["cards"][raised] = room["cards"][stock] + digit
        stocks *= int(room["left"][role]) + 1
    room["stock"] = stocks - 1
    room["spare"] = room["cards"][stocks - 1] - room["open_seats"]


@kernel
def deal_below(evidence: Record, alone: Numbers, room: Record) -> None:
    """What all ways weigh to deal each stock to the lone seats it is for, the last ones."""
    open_seats, spare = int(room["open_seats"]), int(room["spare"])
    most = open_seats - int(room["mated"]) + spare
    for stock in range(int(room["stock"]) + 1):
        room["above"][stock] = 0.0
        cards = int(room["cards"][stock])
        if cards == spare:
            room["below"][stock] = spare_weight(evidence, room["digits"][stock])
        elif spare < cards <= most:
            seat = int(room["unknown"][open_seats - (cards - spare)])
            total = 0.0
            for role in range(NUM_ROLES):
                if room["digits"][stock, role] > 0:
                    total += alone[seat, role] * room["below"][stock - int(room["steps"][role])]
            room["below"][stock] = total


@kernel
def deal_mates(alone: Numbers, room: Record, marginals: Numbers) -> float:
    """Go through what the seats with mates may be: the total, their marginals, the weight of each stock they leave."""
    mated = int(room["mated"])
    room["weights"][0] = 1.0
    room["following"][0] = 0
    stock = int(room["stock"])
    total: float = 0.0
    depth = 0
    while depth >= 0:
        if depth == mated:
            weight = room["weights"][depth]
            room["above"][stock] += weight
            total += weight * room["below"][stock]
            depth -= 1
            continue
        seat = int(room["unknown"][depth])
        role = int(room["roles"][seat])
        if role != Role.UNKNOWN:
            marginals[seat, role] += total - room["gained"][depth]
            room["left"][role] += 1
            room["roles"][seat] = Role.UNKNOWN
            stock += int(room["steps"][role])
        role = int(room["following"][depth])
        while role < NUM_ROLES and room["left"][role] == 0:
            role += 1
        if role == NUM_ROLES:
            depth -= 1
            continue
        room["following"][depth] = role + 1
        room["roles"][seat] = role
        room["left"][role] -= 1
        room["gained"][depth] = total
        stock -= int(room["steps"][role])
        weight = room["weights"][depth] * alone[seat, role]
        for place in range(int(room["num_mates"][depth])):
            other = int(room["unknown"][int(room["mates"][depth, place])])
            weight *= room["factors"][depth, place, role, int(room["roles"][other])]
        depth += 1
        room["weights"][depth] = weight
        room["following"][depth] = 0
    return total


@kernel
def deal_above(alone: Numbers, room: Record, marginals: Numbers) -> None:
    """Deal what the seats with mates leave to the lone ones, and add up what each role of theirs weighs."""
    open_seats, spare = int(room["open_seats"]), int(room["spare"])
    most = open_seats - int(room["mated"]) + spare
    for stock in range(int(room["stock"]), -1, -1):
        cards = int(room["cards"][stock])
        if spare < cards <= most and room["above"][stock] > 0.0:
            seat = int(room["unknown"][open_seats - (cards - spare)])
            for role in range(NUM_ROLES):
                if room["digits"][stock, role] > 0:
                    rest = stock - int(room["steps"][role])
                    weight = room["above"][stock] * alone[seat, role]
                    room["above"][rest] += weight
                    marginals[seat, role] += weight * room["below"][rest]
