"""When to play each ability card, and the choices that cards ask for."""

from __future__ import annotations

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_CARD_KINDS, NOBODY, NUM_SPACES, Role
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import uniform

from ..kernels import kernel
from ..sight import (
    CAMPS,
    Vector,
    card_under_way,
    has_seen,
    in_reach,
    is_face_down,
    is_known,
    players,
    shown_role,
    some_chosen,
    space_of,
    unknown_in_reach,
)
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
    here = space_of(view, 0)
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
        return unknown_in_reach(view, here) > 0 and best_friend(view, params, outlook, camp) > SHARE_FROM
    elif use == Use.VIEW_ANY:
        return has_unknown(view)
    elif use == Use.VIEW_NEAR:
        return unknown_in_reach(view, here) > 0
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
    return view["table"]["hand_size"][int(view["seat"])] <= 1 and shown_role(view, 0) != role


@kernel
def has_unknown(view: Record) -> bool:
    """Whether there is a face-down tile that the observer doesn't know."""
    for space in range(NUM_SPACES):
        if is_face_down(view, space) and not is_known(view, space):
            return True
    return False


@kernel
def swap_gain(view: Record, params: Record, outlook: Record, camp: int, here: int) -> float:
    """By how much the best tile out of reach beats the best within reach."""
    best = NEVER
    for space in range(NUM_SPACES):
        if is_face_down(view, space) and not in_reach(view, here, space):
            best = max(best, outlook["worths"][space, camp])
    return best - max(0.0, best_in_reach(view, params, outlook, camp, here))


@kernel
def space_to_swap(view: Record, params: Record, mask: Vector, outlook: Record, stream: Record, camp: int) -> int:
    """The space to choose for a swap: first the best tile out of reach, then the worst one within reach."""
    here = space_of(view, 0)
    second = some_chosen(view)
    best = -1
    best_score = 2 * NEVER
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            near = in_reach(view, here, space)
            score = outlook["worths"][space, camp] - 300.0 * near
            if second:
                score = -outlook["worths"][space, camp] + 300.0 * near
            score += 0.01 * uniform(stream)
            if score > best_score:
                best_score = score
                best = space
    return best


@kernel
def space_to_view(view: Record, params: Record, mask: Vector, stream: Record) -> int:
    """An unknown tile, preferably within reach and seen by few others; -1 if there is none."""
    here = space_of(view, 0)
    best = -1
    best_score = NEVER
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            score = 0.5 * uniform(stream) - 2.0 * is_known(view, space) + 1.0 * in_reach(view, here, space)
            for seat in range(1, players(view)):
                score += SEEN_BY_OTHERS * has_seen(view, seat, space)
            if score > best_score:
                best_score = score
                best = space
    return best


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
    camp = int(CAMPS[role])
    use = NOTHING
    card = card_under_way(view)
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
    best = -1
    best_score = NEVER
    for seat in range(1, players(view)):
        if mask[A.SEAT + seat]:
            score = 0.01 * uniform(stream) - outlook["beliefs"][seat].max()
            if score > best_score:
                best_score = score
                best = seat
    return best


@kernel
def card_to_discard(view: Record, params: Record, mask: Vector, stream: Record) -> int:
    """The card whose use is least worth keeping; a duplicate is worth less."""
    best = -1
    best_score = NEVER
    for card in range(MAX_CARD_KINDS):
        if mask[A.CARD + card]:
            score = (
                0.1 * uniform(stream) - CARD_KEPT[use_of(params, card)] + 0.3 * (int(view["private"]["hand"][card]) > 1)
            )
            if score > best_score:
                best_score = score
                best = card
    return best
