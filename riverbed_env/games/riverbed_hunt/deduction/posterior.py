"""The exact posterior over roles under the model of play.

The model of play: given a seat's role (and the role of a seat it asks), its co-ops, dives, swims, cards, reveals and
informed choices are independent, so each multiplies the odds by a factor. The factors are fitted to games; see
`weights`.

`walk` visits every assignment by depth-first search. `sum_up` computes only the total and the marginals, which is
faster. Two open seats are mates if one asked the other or claims its camp; a seat without mates is lone. The weights of
lone seats are independent given the role cards left, so `sum_up` handles them by dynamic programming over the cards
left and enumerates only the seats with mates; for `walk` all count as such. The cards left are encoded as a number with
one digit per role, a stock; the number of its cards tells which lone seat is next.
"""

import math

import numpy as np

from riverbed_env.kernels.common import keep
from riverbed_env.kernels.compile import Floats, Record, Records, Whole
from riverbed_env.kernels.random import uniform

from ..rules.vocab import MAX_SEATS, MIN_PLAYERS, NUM_ROLES, Role
from . import kernel
from .evidence import NUM_HEARD, NUM_TALLIES, gather
from .weights import ASKED_AGAIN, ASKED_FIRST, HEARD, SAID, TALLIES

Roles = Whole

NO_TARGET = -1.0
MOST_ASKS = 8  # larger numbers of asks count as this
FARTHEST = 60.0  # limit of log odds; keeps the product of nine factors above 0
MOST_STOCKS = 3**NUM_ROLES  # RH-1.2: ten cards of five roles at most, one for each player and a spare one

SUMS = np.dtype(
    [
        ("roles", np.int64, (MAX_SEATS,)),
        ("unknown", np.int64, (MAX_SEATS,)),  # the open seats, those with mates first
        ("left", np.int64, (NUM_ROLES,)),  # role cards left
        ("steps", np.int64, (NUM_ROLES,)),  # place value of the role's digit in a stock
        ("open_seats", np.int64),
        ("mated", np.int64),  # open seats with mates
        ("spare", np.int64),  # cards left over when all open seats have one
        ("stock", np.int64),  # of all cards left for the open seats
        ("holds", np.int64, (MOST_STOCKS,)),  # the roles of which a stock holds cards, as bits
        ("cards", np.int64, (MOST_STOCKS,)),  # the number of cards in a stock
        ("below", np.float64, (MOST_STOCKS,)),  # weight of all ways to deal a stock to the remaining lone seats
        ("above", np.float64, (MOST_STOCKS,)),  # … of all ways to arrive at the stock
        ("factors", np.float64, (MAX_SEATS, MAX_SEATS, NUM_ROLES, NUM_ROLES)),  # by places of a seat and a mate
        ("mates", np.int64, (MAX_SEATS, MAX_SEATS)),  # by place: the places of its earlier mates
        ("num_mates", np.int64, (MAX_SEATS,)),
        ("weights", np.float64, (MAX_SEATS + 1,)),
        ("gained", np.float64, (MAX_SEATS + 1,)),  # the running total when the seat took its role
        ("following", np.int64, (MAX_SEATS + 1,)),  # the role it tries next
    ],
    align=True,
)


def asking_factors(first: Floats, again: Floats) -> Floats:
    """The factors for asking 0, 1, … MOST_ASKS times, (…, MOST_ASKS + 1, NUM_ROLES, NUM_ROLES), from log odds.

    first, again (…, NUM_ROLES, NUM_ROLES): log odds of the first ask, and of each further one.
    """
    times = np.arange(1, MOST_ASKS + 1)[:, None, None]
    odds = first[..., None, :, :] + (times - 1) * again[..., None, :, :]
    return np.concatenate([np.ones_like(odds[..., :1, :, :]), np.exp(odds)], axis=-3)


def with_claims(asked: Floats, said: Floats) -> Floats:
    """The factors for asking, and behind them those for claiming that a seat is of each camp, from log odds.

    said (…, NUM_CAMPS, NUM_ROLES, NUM_ROLES): by camp claimed, role of the speaker, role of the other.
    """
    return np.concatenate([asked, np.exp(said)], axis=-3)


# Models of play: choices and words that don't depend on the role; the fitted model; the same without words.
UNIFORM_CHOICE, PLAYING, DEAF = 0, 1, 2

ASKED = asking_factors(ASKED_FIRST, ASKED_AGAIN)

# By model. Under uniform choice, tallies, asks and words carry no information.
FACTORS = np.stack(
    [
        with_claims(np.ones_like(ASKED), np.zeros_like(SAID)),
        with_claims(ASKED, SAID),
        with_claims(ASKED, np.zeros_like(SAID)),
    ]
)
LOG_ODDS = np.stack(
    [
        np.zeros((*TALLIES.shape[:-1], TALLIES.shape[-1] + HEARD.shape[-1])),
        np.concatenate([TALLIES, HEARD], axis=-1),
        np.concatenate([TALLIES, np.zeros_like(HEARD)], axis=-1),
    ]
)


@kernel
def asking(evidence: Record, asked: Floats, seat: int, other: int, role: int, other_role: int) -> float:
    """The likelihood factor of two seats' asks of each other and claims about each other, given their roles."""
    times = min(MOST_ASKS, int(evidence["asks"][seat, other]))
    times_back = min(MOST_ASKS, int(evidence["asks"][other, seat]))
    factor = asked[times, role, other_role] * asked[times_back, other_role, role]
    said, said_back = int(evidence["said"][seat, other]), int(evidence["said"][other, seat])
    if said > 0:
        factor *= asked[MOST_ASKS + said, role, other_role]
    if said_back > 0:
        factor *= asked[MOST_ASKS + said_back, other_role, role]
    return float(factor)


@kernel
def weigh_alone(evidence: Record, tallies: Floats, asked: Floats, alone: Floats) -> None:
    """Write each open seat's likelihood factor for each role: from its tallies and from asks with seats of known role.

    tallies (NUM_ROLES, NUM_TALLIES + NUM_HEARD): log odds for each unit of a tally, then of Heard. asked (MOST_ASKS +
    1 + NUM_CAMPS, NUM_ROLES, NUM_ROLES): see `with_claims`. alone (MAX_SEATS, NUM_ROLES): written, 0 for roles of which
    no card is left.
    """
    num_players = int(evidence["num_players"])
    open_roles = 0  # of which cards are left, as bits
    for role in range(NUM_ROLES):
        left = int(evidence["cards"][role])
        for seat in range(num_players):
            left -= int(evidence["known"][seat] == role)
        open_roles |= int(left > 0) << role
    for seat in range(num_players):
        if evidence["known"][seat] == Role.UNKNOWN:
            weigh_deeds(evidence, tallies, seat, open_roles, alone[seat])
    for other in range(num_players):
        known = int(evidence["known"][other])
        if known != Role.UNKNOWN:
            for seat in range(num_players):
                if evidence["known"][seat] == Role.UNKNOWN and asked_each_other(evidence, seat, other):
                    for role in range(NUM_ROLES):
                        alone[seat, role] *= asking(evidence, asked, seat, other, role, known)


@kernel
def weigh_deeds(evidence: Record, tallies: Floats, seat: int, open_roles: int, factors: Floats) -> None:
    """Write the likelihood factor of a seat's tallies for each role, scaled to a maximum of 1; see `weigh_alone`."""
    count = NUM_TALLIES + NUM_HEARD if evidence["words"] else NUM_TALLIES
    highest = -math.inf
    for role in range(NUM_ROLES):
        odds = 0.0
        for tally in range(count):  # most units are 0, but a branch for each would be predicted badly
            odds += tallies[role, tally] * evidence["tallies"][seat, tally]
        factors[role] = odds
        highest = max(highest, odds)
    for role in range(NUM_ROLES):
        if open_roles >> role & 1:
            factors[role] = math.exp(max(-FARTHEST, factors[role] - highest))
        else:
            factors[role] = 0.0


@kernel
def asked_each_other(evidence: Record, seat: int, other: int) -> bool:
    """Whether one of two seats asked the other, or claims its camp."""
    asked = evidence["asks"][seat, other] + evidence["asks"][other, seat]
    said = evidence["said"][seat, other] + evidence["said"][other, seat]
    return bool(asked + said > 0)


@kernel
def spare_weight(evidence: Record, left: int) -> float:
    """RH-1.2: the share of the leftover card's role, `left` as a bit, that may be left over; 1 if no card is left over.

    Cards of one role are distinct cards, and only some of them may be the one left over.
    """
    for role in range(NUM_ROLES):
        if left >> role & 1:
            return float(evidence["may_be_spare"][role]) / float(evidence["cards"][role])
    return 1.0


@kernel
def lay_out(evidence: Record, work: Record) -> None:
    """Write the known roles, the open seats (`unknown`) and the cards left."""
    open_seats = 0
    for role in range(NUM_ROLES):
        work["left"][role] = evidence["cards"][role]
    work["roles"][:] = Role.UNKNOWN
    for seat in range(int(evidence["num_players"])):
        work["roles"][seat] = evidence["known"][seat]
        if evidence["known"][seat] == Role.UNKNOWN:
            work["unknown"][open_seats] = seat
            open_seats += 1
        else:
            work["left"][int(evidence["known"][seat])] -= 1
    work["open_seats"] = open_seats


@kernel
def walk(
    evidence: Record, alone: Floats, asked: Floats, roles: Roles, marginals: Floats, pairs: Floats, target: float
) -> float:
    """Visit every assignment of roles that the evidence leaves open; return their total weight.

    alone: from `weigh_alone`. target: a number at which to stop, or NO_TARGET. With a target, roles (MAX_SEATS,) is the
    assignment at which the running total exceeds it; a target drawn uniformly below the total samples an assignment by
    its weight. Without one, marginals (MAX_SEATS, NUM_ROLES) is the weight of each seat's role, and pairs (MOST_ASKS +
    1 + NUM_CAMPS, NUM_ROLES, NUM_ROLES), unless empty, the weight of each kind of ask and claim.
    """
    sums = np.empty(1, SUMS)
    work = sums[0]
    lay_out(evidence, work)
    work["mated"] = work["open_seats"]
    total = assign(evidence, alone, asked, work, marginals, pairs, target)
    roles[:] = work["roles"]
    keep(sums)
    return total


@kernel
def assign(
    evidence: Record, alone: Floats, asked: Floats, work: Record, marginals: Floats, pairs: Floats, target: float
) -> float:
    """Enumerate the roles of the first `mated` open seats, and sum over the others; see `walk`."""
    list_mates(evidence, asked, work)
    list_stocks(work)
    deal_below(evidence, alone, work)
    total = deal_mates(evidence, alone, work, marginals, pairs, target)
    for seat in range(int(evidence["num_players"])):
        if evidence["known"][seat] != Role.UNKNOWN:
            marginals[seat, int(evidence["known"][seat])] = total
    return total


@kernel
def add_pairs(evidence: Record, roles: Roles, weight: float, pairs: Floats) -> None:
    """Add an assignment's weight to the kind of each of its asks and claims: number or camp, and both roles."""
    for seat in range(int(evidence["num_players"])):
        for other in range(int(evidence["num_players"])):
            times = int(evidence["asks"][seat, other])
            if times > 0:
                pairs[min(MOST_ASKS, times), roles[seat], roles[other]] += weight
            said = int(evidence["said"][seat, other])
            if said > 0:
                pairs[MOST_ASKS + said, roles[seat], roles[other]] += weight


@kernel
def sum_up(evidence: Record, alone: Floats, asked: Floats, sums: Records, marginals: Floats) -> float:
    """The total weight of all assignments that the evidence leaves open; see `walk` for the arguments.

    sums (1,): SUMS, scratch. marginals (MAX_SEATS, NUM_ROLES): written, the weight of each seat's role.
    """
    work = sums[0]
    lay_out(evidence, work)
    put_mates_first(evidence, work)
    total = assign(evidence, alone, asked, work, marginals, work["factors"][0, :0], NO_TARGET)  # no pairs
    deal_above(alone, work, marginals)
    return total


@kernel
def put_mates_first(evidence: Record, work: Record) -> None:
    """Reorder the open seats so that those with mates come first."""
    open_seats = int(work["open_seats"])
    bits = 0
    for place in range(open_seats):
        seat = int(work["unknown"][place])
        for before in range(place):
            other = int(work["unknown"][before])
            bits |= (1 << seat | 1 << other) * int(asked_each_other(evidence, seat, other))
    mated = 0
    for place in range(open_seats):
        seat = int(work["unknown"][place])
        if bits >> seat & 1:
            work["unknown"][place] = work["unknown"][mated]
            work["unknown"][mated] = seat
            mated += 1
    work["mated"] = mated


@kernel
def list_mates(evidence: Record, asked: Floats, work: Record) -> None:
    """Write the earlier mates of each seat, with the factors of the asks between them."""
    for place in range(int(work["mated"])):
        seat = int(work["unknown"][place])
        count = 0
        for before in range(place):
            other = int(work["unknown"][before])
            if asked_each_other(evidence, seat, other):
                work["mates"][place, count] = before
                for role in range(NUM_ROLES):
                    for other_role in range(NUM_ROLES):
                        if work["left"][role] > 0 and work["left"][other_role] > 0:
                            factor = asking(evidence, asked, seat, other, role, other_role)
                            work["factors"][place, count, role, other_role] = factor
                count += 1
        work["num_mates"][place] = count


@kernel
def list_stocks(work: Record) -> None:
    """List every stock that the cards left can shrink to, starting with the empty one."""
    stocks = 1
    work["cards"][0] = 0
    work["holds"][0] = 0
    for role in range(NUM_ROLES):
        work["steps"][role] = stocks
        for digit in range(1, int(work["left"][role]) + 1):
            for stock in range(stocks):
                raised = stock + digit * stocks
                work["holds"][raised] = work["holds"][stock] | 1 << role
                work["cards"][raised] = work["cards"][stock] + digit
        stocks *= int(work["left"][role]) + 1
    work["stock"] = stocks - 1
    work["spare"] = work["cards"][stocks - 1] - work["open_seats"]


@kernel
def deal_below(evidence: Record, alone: Floats, work: Record) -> None:
    """Write the weight of all ways to deal each stock to the remaining lone seats."""
    open_seats, spare = int(work["open_seats"]), int(work["spare"])
    most = open_seats - int(work["mated"]) + spare
    for stock in range(int(work["stock"]) + 1):
        work["above"][stock] = 0.0
        cards = int(work["cards"][stock])
        if cards == spare:
            work["below"][stock] = spare_weight(evidence, int(work["holds"][stock]))
        elif spare < cards <= most:
            seat = int(work["unknown"][open_seats - (cards - spare)])
            total = 0.0
            for role in range(NUM_ROLES):
                if int(work["holds"][stock]) >> role & 1:
                    total += alone[seat, role] * work["below"][stock - int(work["steps"][role])]
            work["below"][stock] = total


@kernel
def deal_mates(evidence: Record, alone: Floats, work: Record, marginals: Floats, pairs: Floats, target: float) -> float:
    """Enumerate the roles of seats with mates; write marginals and the weight of each stock left; return the total."""
    mated = int(work["mated"])
    work["weights"][0] = 1.0
    work["following"][0] = 0
    stock = int(work["stock"])
    total: float = 0.0
    depth = 0
    while depth >= 0:
        if depth == mated:
            weight = work["weights"][depth]
            work["above"][stock] += weight
            weight *= work["below"][stock]
            total += weight
            if target >= 0.0 and total > target:
                return total
            if weight > 0.0 and len(pairs) > 0:
                add_pairs(evidence, work["roles"], weight, pairs)
            depth -= 1
            continue
        seat = int(work["unknown"][depth])
        role = int(work["roles"][seat])
        if role != Role.UNKNOWN:
            marginals[seat, role] += total - work["gained"][depth]
            work["left"][role] += 1
            work["roles"][seat] = Role.UNKNOWN
            stock += int(work["steps"][role])
        role = int(work["following"][depth])
        while role < NUM_ROLES and work["left"][role] <= 0:
            role += 1
        if role == NUM_ROLES:
            depth -= 1
            continue
        work["following"][depth] = role + 1
        work["roles"][seat] = role
        work["left"][role] -= 1
        work["gained"][depth] = total
        stock -= int(work["steps"][role])
        weight = work["weights"][depth] * alone[seat, role]
        for place in range(int(work["num_mates"][depth])):
            other = int(work["unknown"][int(work["mates"][depth, place])])
            weight *= work["factors"][depth, place, role, int(work["roles"][other])]
        depth += 1
        work["weights"][depth] = weight
        work["following"][depth] = 0
    return total


@kernel
def deal_above(alone: Floats, work: Record, marginals: Floats) -> None:
    """Deal the stocks that the seats with mates leave to the lone seats; write the marginals of the lone seats."""
    open_seats, spare = int(work["open_seats"]), int(work["spare"])
    most = open_seats - int(work["mated"]) + spare
    for stock in range(int(work["stock"]), -1, -1):
        cards = int(work["cards"][stock])
        if spare < cards <= most and work["above"][stock] > 0.0:
            seat = int(work["unknown"][open_seats - (cards - spare)])
            for role in range(NUM_ROLES):
                if int(work["holds"][stock]) >> role & 1:
                    rest = stock - int(work["steps"][role])
                    weight = work["above"][stock] * alone[seat, role]
                    work["above"][rest] += weight
                    marginals[seat, role] += weight * work["below"][rest]


@kernel
def sum_roles(evidence: Record, model: int, alone: Floats, marginals: Floats) -> float:
    """The total weight of all assignments of roles; alone: written by `weigh_alone`, marginals by `sum_up`."""
    count = int(evidence["num_players"]) - MIN_PLAYERS
    marginals[:] = 0.0
    weigh_alone(evidence, LOG_ODDS[model, count], FACTORS[model, count], alone)
    return sum_up(evidence, alone, FACTORS[model, count], np.empty(1, SUMS), marginals)


@kernel
def weigh_roles(evidence: Record, model: int, marginals: Floats) -> None:
    """Write the probability of each seat's role, given the evidence.

    model: PLAYING; DEAF, which hears no words; or UNIFORM_CHOICE, which uses only known roles and the number of cards.
    marginals (MAX_SEATS, NUM_ROLES): written; rows past the players are 0.
    """
    alone = np.empty((MAX_SEATS, NUM_ROLES), np.float64)
    total = sum_roles(evidence, model, alone, marginals)
    marginals /= total


@kernel
def draw_roles(evidence: Record, model: int, stream: Record, roles: Roles) -> None:
    """Sample an assignment of roles from the posterior. roles (MAX_SEATS,): written, UNKNOWN past the players."""
    alone = np.empty((MAX_SEATS, NUM_ROLES), np.float64)
    marginals = np.empty((MAX_SEATS, NUM_ROLES), np.float64)
    no_pairs = np.empty((0, NUM_ROLES, NUM_ROLES), np.float64)
    target = uniform(stream) * sum_roles(evidence, model, alone, marginals)
    factors = FACTORS[model, int(evidence["num_players"]) - MIN_PLAYERS]
    walk(evidence, alone, factors, roles, marginals, no_pairs, target)


@kernel
def weigh_all(views: Records, params: Records, evidence: Records, model: int, posteriors: Floats) -> None:
    """Write the posterior of each view. evidence: (1,), scratch. posteriors: (n, MAX_SEATS, NUM_ROLES), written."""
    for index in range(len(views)):
        gather(views[index], params[0], evidence[0])
        weigh_roles(evidence[0], model, posteriors[index])
