"""When to play each ability card, and the choices that cards ask for."""

import numpy as np

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_CARD_KINDS, MAX_SEATS, NOBODY, NUM_SPACES, Role
from riverbed_env.kernels.compile import Record, Vector

from .. import sight
from ..kernels import kernel
from ..sight import pick
from ..uses import NOTHING, NUM_USES, Use, use_of
from .places import best_place, swim_gain
from .tiles import NEVER, best_burying, best_in_reach
from .trust import best_asking_worth, best_friend, likeliest_of_camp, whom_to_ask
from .weights import BURY_FROM, CARD_KEPT, DELUDE_FROM, MOVE_FROM, RALLY_FROM, SEEN_BY_OTHERS, SHARE_FROM, SWAP_FROM


@kernel
def card_to_play(view: Record, params: Record, mask: Vector, outlook: Record, role: int, camp: int) -> int:
    """The action that plays a card now: the first worth playing, in the order of `Use`; -1 for none."""
    best = -1
    best_use = NUM_USES
    for card in range(MAX_CARD_KINDS):
        if mask[A.CARD + card] and use_of(params, card) < best_use:
            if is_worth_playing(view, params, outlook, use_of(params, card), role, camp):
                best = A.CARD + card
                best_use = use_of(params, card)
    return best


@kernel
def is_worth_playing(view: Record, params: Record, outlook: Record, use: int, role: int, camp: int) -> bool:
    """Whether a card of this use helps now. A card that draws costs nothing; other last cards may be needed."""
    here = sight.space_of(view, 0)
    if use == Use.STEAL or use == Use.LOOK_AT_ROLE:
        return True
    elif use == Use.REFRESH:
        own = int(view["seat"])
        return not view["table"]["dive_ready"][own] and not view["table"]["swim_ready"][own]
    elif use == Use.MOVE_AND_DRAW:
        return True
    elif is_last_needed(view, role):
        return False
    elif use == Use.RALLY:
        return not view["table"]["action_done"] and best_asking_worth(view, params, outlook, camp, False) > RALLY_FROM
    elif use == Use.BURY:
        return best_burying(view, params, camp, here) > BURY_FROM
    elif use == Use.DELUDE:
        return best_burying(view, params, camp, here) + best_in_reach(view, params, outlook, camp, here) > DELUDE_FROM
    elif use == Use.SHARE:
        return sight.unknown_in_reach(view, here) > 0 and best_friend(view, params, outlook, camp) > SHARE_FROM
    elif use == Use.VIEW_ANY:
        return has_unknown(view)
    elif use == Use.VIEW_NEAR:
        return sight.unknown_in_reach(view, here) > 0
    elif use == Use.SWAP:
        return swap_gain(view, params, outlook, camp, here) > SWAP_FROM
    elif use == Use.MOVE_ANYONE:
        return swim_gain(view, params, outlook, here, camp) > MOVE_FROM
    elif use == Use.SHUFFLE:
        return best_in_reach(view, params, outlook, camp, here) < 0
    return False


@kernel
def is_last_needed(view: Record, role: int) -> bool:
    """RH-5.1, RH-5.3: whether a leader or profiteer must keep the last card to pay for declaring the power."""
    if role != Role.LEADER and role != Role.PROFITEER:
        return False
    return view["table"]["hand_size"][int(view["seat"])] <= 1 and sight.shown_role(view, 0) != role


@kernel
def has_unknown(view: Record) -> bool:
    """Whether there is a face-down tile that the observer doesn't know."""
    for space in range(NUM_SPACES):
        if sight.is_face_down(view, space) and not sight.is_known(view, space):
            return True
    return False


@kernel
def swap_gain(view: Record, params: Record, outlook: Record, camp: int, here: int) -> float:
    """By how much the best tile out of reach beats the best within reach."""
    best = NEVER
    for space in range(NUM_SPACES):
        if sight.is_face_down(view, space) and not sight.in_reach(view, here, space):
            best = max(best, outlook["worths"][space, camp])
    return best - max(0.0, best_in_reach(view, params, outlook, camp, here))


@kernel
def space_to_swap(view: Record, params: Record, mask: Vector, outlook: Record, stream: Record, camp: int) -> int:
    """The space to choose for a swap: first the best tile out of reach, then the worst one within reach."""
    here = sight.space_of(view, 0)
    second = sight.some_chosen(view)
    scores = np.zeros(NUM_SPACES)
    for space in range(NUM_SPACES):
        gain = outlook["worths"][space, camp] - 300.0 * sight.in_reach(view, here, space)
        scores[space] = -gain if second else gain
    return pick(scores, mask, A.SPACE, 0.01, stream)


@kernel
def space_to_view(view: Record, params: Record, mask: Vector, stream: Record) -> int:
    """An unknown tile, preferably within reach and seen by few others; -1 if there is none."""
    here = sight.space_of(view, 0)
    scores = np.zeros(NUM_SPACES)
    for space in range(NUM_SPACES):
        scores[space] = 1.0 * sight.in_reach(view, here, space) - 2.0 * sight.is_known(view, space)
        for seat in range(1, sight.players(view)):
            scores[space] += SEEN_BY_OTHERS * sight.has_seen(view, seat, space)
    return pick(scores, mask, A.SPACE, 0.5, stream)


@kernel
def space_to_move_to(view: Record, params: Record, mask: Vector, outlook: Record, stream: Record, camp: int) -> int:
    """The best place for the observer's own meeple; the worst place for another player's."""
    frame = view["table"]["frames"][int(view["table"]["depth"]) - 1]
    sign = 1.0
    if frame["seat"] != NOBODY and frame["seat"] != view["seat"]:
        sign = -1.0
    return best_place(view, params, mask, outlook, stream, camp, sign)


@kernel
def seat_for_card(view: Record, params: Record, mask: Vector, outlook: Record, stream: Record, role: int) -> int:
    """The player to play a card at: the own seat if allowed, a friend if the card helps, else an enemy."""
    if mask[A.SEAT]:
        return 0
    camp = int(sight.CAMPS[role])
    use = NOTHING
    card = sight.card_under_way(view)
    if card >= 0:
        use = use_of(params, card)
    if use == Use.RALLY:
        return whom_to_ask(view, params, mask, outlook, stream, role, False)
    elif use == Use.SHARE:
        return likeliest_of_camp(view, params, mask, outlook, stream, camp, 1.0)
    elif use == Use.LOOK_AT_ROLE:
        return least_known(view, params, mask, outlook, stream)
    return likeliest_of_camp(view, params, mask, outlook, stream, camp, -1.0)


@kernel
def least_known(view: Record, params: Record, mask: Vector, outlook: Record, stream: Record) -> int:
    """The allowed seat whose role is least certain, ties at random; -1 if there is none."""
    scores = np.zeros(MAX_SEATS)
    for seat in range(1, sight.players(view)):
        scores[seat] = -outlook["beliefs"][seat].max()
    return pick(scores, mask, A.SEAT, 0.01, stream)


@kernel
def card_to_discard(view: Record, params: Record, mask: Vector, stream: Record) -> int:
    """The card whose use is least worth keeping; a duplicate is worth less."""
    scores = np.zeros(MAX_CARD_KINDS)
    for card in range(MAX_CARD_KINDS):
        if mask[A.CARD + card]:
            scores[card] = 0.3 * (int(view["private"]["hand"][card]) > 1) - CARD_KEPT[use_of(params, card)]
    return pick(scores, mask, A.CARD, 0.1, stream)
