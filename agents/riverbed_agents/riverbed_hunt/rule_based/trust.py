"""Whom to ask: the expected worth of what another player would turn up, over the roles they may have.

Assumes that the asked player turns up the best tile within reach for their own camp. Each tile that they have looked at
and the observer hasn't counts as a random draw from the unplaced tiles.
"""

import numpy as np

from riverbed_env.games.riverbed_hunt.deduction.posterior import DEAF, PLAYING
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_CAMPS, NUM_ROLES, NUM_SPACES, NUM_TILES, Role
from riverbed_env.kernels.compile import Floats, Record, Vector
from riverbed_env.kernels.random import uniform

from ..beliefs import believe
from ..kernels import kernel
from ..sight import CAMPS, has_seen, is_face_down, is_known, pick, players, reached, seat_at, shown_role, space_of
from .tiles import HIDDEN, NEVER, NOTHING, REACH, UNSEEN, sort_draws
from .weights import CHIEF_PREFERRED, CON_DREADED, HIDING, HUNT_DREADED, SPURNED_BY_FRIENDS, SPURNED_BY_OTHERS


def _best_draws() -> tuple[Floats, Floats]:
    """By (draws, tiles, rank): the chance that the best tile drawn has this rank, and that none drawn has a better one.

    The tile of rank i among n is the best of h draws with probability C(n - 1 - i, h - 1) / C(n, h).
    """
    is_best = np.zeros((REACH + 1, NUM_TILES + 1, NUM_TILES + 1))
    none_better = np.zeros_like(is_best)
    for hidden in range(1, REACH + 1):
        for size in range(hidden, NUM_TILES + 1):
            left, share = 1.0, hidden / size
            for rank in range(size - hidden + 1):
                is_best[hidden, size, rank], none_better[hidden, size, rank] = share, left
                left -= share
                if rank < size - hidden:
                    share *= (size - hidden - rank) / (size - 1 - rank)
    return is_best, none_better


IS_BEST, NONE_BETTER = _best_draws()


@kernel
def judge(view: Record, params: Record, outlook: Record) -> None:
    """Fill in an outlook's beliefs, once."""
    if outlook["judged"] == 0:
        outlook["judged"] = 1
        believe(view, params, outlook["beliefs"], DEAF if outlook["deaf"] else PLAYING)


@kernel
def camp_belief(outlook: Record, seat: int, camp: int) -> float:
    """The probability that a seat belongs to a camp."""
    total = 0.0
    for role in range(NUM_ROLES):
        if int(CAMPS[role]) == camp:
            total += outlook["beliefs"][seat, role]
    return total


@kernel
def survey_reach(view: Record, params: Record, outlook: Record, seat: int) -> bool:
    """RH-2.4: write what a seat takes the face-down tiles within its reach for; return whether there are any."""
    here = space_of(view, seat)
    some = False
    for side in range(-1, 2):
        space = reached(view, here, side)
        if space >= 0 and not is_face_down(view, space):
            space = -1
        some |= space >= 0
        outlook["reach"][side + 1] = space
        outlook["taken_for"][side + 1] = taken_for(view, params, outlook, seat, space)
    return some


@kernel
def taken_for(view: Record, params: Record, outlook: Record, seat: int, space: int) -> int:
    """The row of `worths` that a seat expects of the face-down tile on a space, of NOTHING if `space` is -1.

    HIDDEN if the seat has looked at the tile and the observer has neither seen it nor heard of it.
    """
    if space < 0:
        return NOTHING
    looked = has_seen(view, seat, space)
    if outlook["heard"][space] or (looked and is_known(view, space)):
        return space
    return HIDDEN if looked else UNSEEN


@kernel
def expected_answer(outlook: Record, camp: int, own: int) -> float:
    """What the observer's camp gains, in points, if the surveyed seat is of `camp` and turns up the tile it wants most.

    Call `survey_reach` first. own: the observer's camp.
    """
    their_worth = NEVER
    own_worth = 0.0
    hidden = 0
    for side in range(REACH):
        space, row = int(outlook["reach"][side]), int(outlook["taken_for"][side])
        worth, worth_to_us = outlook["worths"][row, camp], outlook["worths"][space, own]
        hidden += int(row == HIDDEN)
        better = worth > their_worth
        their_worth = worth if better else their_worth
        own_worth = worth_to_us if better else own_worth
    return with_hidden(outlook, camp, own, hidden, their_worth, own_worth)


@kernel
def with_hidden(outlook: Record, camp: int, own: int, hidden: int, their_worth: float, own_worth: float) -> float:
    """The observer's expected gain: from the best of `hidden` draws if it beats `their_worth`, else `own_worth`."""
    size = int(outlook["size"])
    hidden = min(hidden, size)
    if hidden == 0:
        return own_worth
    sort_draws(outlook, camp)
    total = 0.0
    for rank in range(size - hidden + 1):
        place = outlook["order"][camp, rank]
        if outlook["draws"][camp, place] <= their_worth:
            return float(total + NONE_BETTER[hidden, size, rank] * own_worth)
        total += IS_BEST[hidden, size, rank] * outlook["draws"][own, place]
    return total


@kernel
def asking_worth(view: Record, params: Record, outlook: Record, seat: int, own: int, powers: bool) -> float:
    """The expected gain of the observer's camp from asking a seat to reveal, in points. Call `survey_reach` first.

    powers: whether the seat may declare Hunt or Con (a co-op, not Rallying Call).
    """
    total = 0.0
    for camp in range(NUM_CAMPS):
        share = camp_belief(outlook, seat, camp)
        if share > 0.01:
            total += share * expected_answer(outlook, camp, own)
    if powers and can_declare(view, seat):
        total += outlook["beliefs"][seat, Role.LEADER] * HUNT_DREADED[own]
        total += outlook["beliefs"][seat, Role.PROFITEER] * CON_DREADED[own]
    return total


@kernel
def discount_seen(view: Record, params: Record, mask: Vector, outlook: Record, camp: int) -> None:
    """Correct the worth of unknown tiles for the players who looked at them and left them face-down.

    Players turn up tiles that are good for their camp. Measured at 7 and 9 players, an unknown tile that only merchants
    looked at has 0.09 kelps less and 0.08 logs more than others; logs and the other camps behave alike.
    """
    if not may_discount(view, mask):
        return
    judge(view, params, outlook)
    for seat in range(1, players(view)):
        friend = camp_belief(outlook, seat, camp)
        spurned = SPURNED_BY_FRIENDS * friend + SPURNED_BY_OTHERS * (1.0 - friend)
        for space in range(NUM_SPACES):  # times 0 or 1, since a branch would be predicted badly
            seen = has_seen(view, seat, space)
            outlook["worths"][space, camp] += spurned * (seen * int(not is_known(view, space)))


@kernel
def may_discount(view: Record, mask: Vector) -> bool:
    """Whether another player has looked at an unknown tile on an allowed space."""
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space] and not is_known(view, space):
            for seat in range(1, players(view)):
                if has_seen(view, seat, space):
                    return True
    return False


@kernel
def can_declare(view: Record, seat: int) -> bool:
    """RH-5.1, RH-5.3: whether a seat with the right role could declare: its role is hidden and it holds a card."""
    hidden = shown_role(view, seat) < 0
    return bool(hidden and view["table"]["hand_size"][seat_at(view, seat)] > 0)


@kernel
def best_asking_worth(view: Record, params: Record, outlook: Record, own: int, powers: bool) -> float:
    """The expected gain from asking the best seat; 0 if nobody has a tile to reveal."""
    judge(view, params, outlook)
    best = NEVER
    for seat in range(1, players(view)):
        if survey_reach(view, params, outlook, seat):
            best = max(best, asking_worth(view, params, outlook, seat, own, powers))
    if best <= NEVER:
        return 0.0
    return best


@kernel
def whom_to_ask(
    view: Record, params: Record, mask: Vector, outlook: Record, stream: Record, role: int, powers: bool
) -> int:
    """The allowed seat with the best expected answer; -1 if there is none.

    A merchant prefers the chief, whose camp is known from the start (RH-1.3). Separatists, the leader and the profiteer
    choose partly at random, so that co-ops reveal less about their camp.
    """
    own = int(CAMPS[role])
    best = -1
    best_score = 2 * NEVER
    for seat in range(players(view)):
        if mask[A.SEAT + seat]:
            survey_reach(view, params, outlook, seat)
            score = asking_worth(view, params, outlook, seat, own, powers) + 0.01 * uniform(stream)
            if role == Role.MERCHANT and shown_role(view, seat) == Role.CHIEF:
                score += CHIEF_PREFERRED
            elif role != Role.MERCHANT and role != Role.CHIEF:
                score += HIDING * uniform(stream)
            if score > best_score:
                best_score = score
                best = seat
    return best


@kernel
def likeliest_of_camp(
    view: Record, params: Record, mask: Vector, outlook: Record, stream: Record, camp: int, sign: float
) -> int:
    """The allowed seat likeliest (sign 1) or least likely (sign -1) of the camp, ties at random; -1 if none."""
    scores = np.zeros(MAX_SEATS)
    for seat in range(1, players(view)):
        scores[seat] = sign * camp_belief(outlook, seat, camp)
    return pick(scores, mask, A.SEAT, 0.01, stream)


@kernel
def best_friend(view: Record, params: Record, outlook: Record, camp: int) -> float:
    """The highest probability that another seat belongs to the camp."""
    judge(view, params, outlook)
    best = 0.0
    for seat in range(1, players(view)):
        best = max(best, camp_belief(outlook, seat, camp))
    return best
