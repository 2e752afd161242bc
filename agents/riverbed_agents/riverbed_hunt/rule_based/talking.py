"""RH-9: what a rule-based agent says: which tile it tells of, and how; its own camp; whom it accuses.

It tells of the tiles it knows first, the one worth most to anybody first, as SPEECH has it for its camp and the camp
that the tile helps most; then it claims a camp; then it says of whom it is sure, or, as a liar, throws suspicion on the
likeliest merchant. It says nothing twice.
"""

from enum import IntEnum

from riverbed_env.games.riverbed_hunt.deduction.evidence import NUM_CLAIMED, truth_of
from riverbed_env.games.riverbed_hunt.rules import vocab as v
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.random import random_legal_action

from ..kernels import kernel
from ..sight import FIRST, feature, is_face_down, is_known, players, seat_at, shown_role
from .trust import camp_belief, judge
from .weights import ACCUSED_ABOVE, SPEECH, SURE_ABOVE, Speech

NOBODY = -1
MERCHANTS, SEPARATISTS, PROFITEER = int(v.Camp.MERCHANTS), int(v.Camp.SEPARATISTS), int(v.Camp.PROFITEER)
CLAIM, CAMP_CLAIM = 15, 3  # the bits of a word that say what a tile bears, and of which camp a seat is


class Manner(IntEnum):
    """How an agent talks."""

    MUTE = 0  # says nothing
    SHREWD = 1  # as SPEECH has it for its camp
    TRUTHFUL = 2  # tells of every tile it knows, never lies
    LYING = 3  # tells of every tile it knows, always lies


@kernel
def speak(view: Record, params: Record, mask: Vector, outlook: Record, stream: Record, camp: int, manner: int) -> int:
    """RH-9.3: the verb or the object of a claim, or SILENT. outlook: filled by `survey`."""
    if int(view["table"]["question"]) == v.Question.ABOUT:
        return finish_claim(view, params, mask, outlook, stream, camp, manner)
    space = tile_to_tell(view, params, outlook, camp, manner, 0)
    if space >= 0:
        return A.BEARS + said_of_tile(view, params, outlook, camp, manner, space) - 1
    own = own_claim(camp, manner)
    if mask[A.CAMP + own] and claimed_camp(view, 0) != 1 + own and not is_public(view, 0):
        return A.CAMP + own
    seat = seat_to_tell(view, params, outlook, camp, manner, NOBODY)
    if seat >= 0:
        said = said_of_seat(view, params, outlook, camp, manner, seat)
        if mask[A.CAMP + said]:
            return A.CAMP + said
    return A.SILENT


@kernel
def finish_claim(
    view: Record, params: Record, mask: Vector, outlook: Record, stream: Record, camp: int, manner: int
) -> int:
    """RH-9.4: what the claim begun is about: the same that `speak` began it for."""
    for claimed in range(1, NUM_CLAIMED + 1):
        if int(view["table"]["verb"]) == A.BEARS - A.SILENT + claimed - 1:
            space = tile_to_tell(view, params, outlook, camp, manner, claimed)
            if space >= 0 and mask[A.SPACE + space]:
                return A.SPACE + space
    for said in range(v.NUM_CAMPS):
        if int(view["table"]["verb"]) == A.CAMP - A.SILENT + said:
            if said == own_claim(camp, manner) and mask[A.SEAT] and not is_public(view, 0):
                return A.SEAT
            seat = seat_to_tell(view, params, outlook, camp, manner, said)
            if seat >= 0 and mask[A.SEAT + seat]:
                return A.SEAT + seat
    return random_legal_action(mask, stream)


# --- tiles ------------------------------------------------------------------------------------------------------------


@kernel
def tile_to_tell(view: Record, params: Record, outlook: Record, camp: int, manner: int, claimed: int) -> int:
    """The known face-down tile to tell of, worth most to anybody; -1 for none.

    claimed: only tiles of which this is to be said, 1 + kelp, log, coin, none of them; 0 for any.
    """
    best = -1
    most = 0.0
    for space in range(v.NUM_SPACES):
        if is_face_down(view, space) and is_known(view, space):
            said = said_of_tile(view, params, outlook, camp, manner, space)
            if said == 0 or (claimed > 0 and said != claimed):
                continue
            if said != int(view["table"]["tile_words"][int(view["seat"]), space]) & CLAIM:
                worth = abs(outlook["worths"][space, helped_camp(outlook, space)])
                if worth >= most:
                    most = worth
                    best = space
    return best


@kernel
def helped_camp(outlook: Record, space: int) -> int:
    """The camp that a tile helps most."""
    best = 0
    for camp in range(1, v.NUM_CAMPS):
        if outlook["worths"][space, camp] > outlook["worths"][space, best]:
            best = camp
    return best


@kernel
def said_of_tile(view: Record, params: Record, outlook: Record, camp: int, manner: int, space: int) -> int:
    """What to say that a known tile bears: 1 + kelp, log, coin, none of them; 0 for nothing."""
    truth = truth_of(feature(view, params, space, FIRST))
    speech = int(SPEECH[camp, helped_camp(outlook, space)])
    if manner == Manner.TRUTHFUL:
        speech = Speech.TRUTH
    elif manner == Manner.LYING:
        speech = Speech.DETER if truth == 1 else Speech.LURE
    if speech == Speech.TRUTH:
        return truth
    elif speech == Speech.LURE:
        return 1
    elif speech == Speech.DETER:
        return 2
    return 0


# --- seats ------------------------------------------------------------------------------------------------------------


@kernel
def own_claim(camp: int, manner: int) -> int:
    """The camp to claim for oneself: everybody claims to be a merchant, but for those who tell the truth."""
    if manner == Manner.TRUTHFUL:
        return camp
    elif manner == Manner.LYING and camp == MERCHANTS:
        return SEPARATISTS
    return MERCHANTS


@kernel
def is_public(view: Record, seat: int) -> bool:
    """Whether a seat's role is public."""
    return shown_role(view, seat) >= 0


@kernel
def claimed_camp(view: Record, seat: int) -> int:
    """1 + the camp that the observer claims a seat to be of; 0 for none."""
    return int(view["table"]["seat_words"][int(view["seat"]), seat_at(view, seat)]) & CAMP_CLAIM


@kernel
def lies_about_seats(camp: int, manner: int) -> bool:
    """Whether to accuse merchants instead of telling what one believes."""
    if manner == Manner.SHREWD:
        return camp != MERCHANTS
    return manner == Manner.LYING


@kernel
def said_of_seat(view: Record, params: Record, outlook: Record, camp: int, manner: int, seat: int) -> int:
    """The camp to claim for another seat; -1 for nothing."""
    if lies_about_seats(camp, manner):
        if camp_belief(outlook, seat, MERCHANTS) > ACCUSED_ABOVE:
            return SEPARATISTS
        return NOBODY
    for other in range(v.NUM_CAMPS):
        if camp_belief(outlook, seat, other) > SURE_ABOVE:
            return other
    return NOBODY


@kernel
def seat_to_tell(view: Record, params: Record, outlook: Record, camp: int, manner: int, said: int) -> int:
    """The seat to tell of, the likeliest to be of its camp; -1 for none. said: only if this camp is claimed; -1 any."""
    judge(view, params, outlook)
    best = NOBODY
    most = 0.0
    for seat in range(1, players(view)):
        if is_public(view, seat):
            continue
        claim = said_of_seat(view, params, outlook, camp, manner, seat)
        if claim < 0 or (said >= 0 and claim != said) or claimed_camp(view, seat) == 1 + claim:
            continue
        belief = max(
            camp_belief(outlook, seat, MERCHANTS),
            camp_belief(outlook, seat, SEPARATISTS),
            camp_belief(outlook, seat, PROFITEER),
        )
        if belief > most:
            most = belief
            best = seat
    return best
