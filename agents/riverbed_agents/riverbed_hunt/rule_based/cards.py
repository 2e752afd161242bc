"""When to play each ability card, and the choices that cards ask for."""

from __future__ import annotations

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_CARD_KINDS, MAX_SEATS, NUM_SPACES, Role
from riverbed_env.kernels.common import one_hot
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import uniform

from ..default_pack import NUM_USES, USES, Use
from ..observation_reader import CAMPS, Vector, in_reach, is_face_down, is_known, kernel, own_space, unknown_in_reach
from .places import best_place, swim_gain
from .tiles import NEVER, best_burying, best_in_reach
from .trust import best_asking_worth, best_friend, likeliest_of_camp, whom_to_ask
from .weights import BURY_FROM, CARD_KEPT, DELUDE_FROM, MOVE_FROM, RALLY_FROM, SEEN_BY_OTHERS, SHARE_FROM, SWAP_FROM

DIVE_READY, SWIM_READY = AT.readiness + 1, AT.readiness + 2


@kernel
def card_to_play(observation: Vector, mask: Vector, outlook: Record, role: int, camp: int) -> int:
    """The action that plays a card now: the first worth playing, in the order of `Use`; -1 for none."""
    best = -1
    best_use = NUM_USES
    for card in range(MAX_CARD_KINDS):
        if mask[A.CARD + card] and USES[card] < best_use:
            if is_worth_playing(observation, outlook, USES[card], role, camp):
                best = A.CARD + card
                best_use = USES[card]
    return best


@kernel
def is_worth_playing(observation: Vector, outlook: Record, use: int, role: int, camp: int) -> bool:
    """Whether a card of this use helps now. A card that draws costs nothing; other last cards may be needed."""
    here = own_space(observation)
    if use == Use.STEAL or use == Use.LOOK_AT_ROLE:
        return True
    elif use == Use.REFRESH:
        return not observation[DIVE_READY] and not observation[SWIM_READY]
    elif use == Use.MOVE_AND_DRAW:
        return True
    elif is_last_needed(observation, role):
        return False
    elif use == Use.RALLY:
        return not observation[AT.flags] and best_asking_worth(observation, outlook, camp, False) > RALLY_FROM
    elif use == Use.BURY:
        return best_burying(observation, camp, here) > BURY_FROM
    elif use == Use.DELUDE:
        return best_burying(observation, camp, here) + best_in_reach(observation, outlook, camp, here) > DELUDE_FROM
    elif use == Use.SHARE:
        return unknown_in_reach(observation, here) > 0 and best_friend(observation, outlook, camp) > SHARE_FROM
    elif use == Use.VIEW_ANY:
        return has_unknown(observation)
    elif use == Use.VIEW_NEAR:
        return unknown_in_reach(observation, here) > 0
    elif use == Use.SWAP:
        return swap_gain(observation, outlook, camp, here) > SWAP_FROM
    elif use == Use.MOVE_ANYONE:
        return swim_gain(observation, outlook, here, camp) > MOVE_FROM
    elif use == Use.SHUFFLE:
        return best_in_reach(observation, outlook, camp, here) < 0
    return False


@kernel
def is_last_needed(observation: Vector, role: int) -> bool:
    """RH-5.1, RH-5.3: whether a leader or profiteer must keep the last card to pay for declaring the power."""
    if role != Role.LEADER and role != Role.PROFITEER:
        return False
    return int(observation[AT.hand_sizes]) <= 1 and not observation[AT.roles_shown + role]


@kernel
def has_unknown(observation: Vector) -> bool:
    """Whether there is a face-down tile that the observer doesn't know."""
    for space in range(NUM_SPACES):
        if is_face_down(observation, space) and not is_known(observation, space):
            return True
    return False


@kernel
def swap_gain(observation: Vector, outlook: Record, camp: int, here: int) -> float:
    """By how much the best tile out of reach beats the best within reach."""
    best = NEVER
    for space in range(NUM_SPACES):
        if is_face_down(observation, space) and not in_reach(observation, here, space):
            best = max(best, outlook["worths"][space, camp])
    return best - max(0.0, best_in_reach(observation, outlook, camp, here))


@kernel
def space_to_swap(observation: Vector, mask: Vector, outlook: Record, stream: Record, camp: int) -> int:
    """The space to choose for a swap: first the best tile out of reach, then the worst one within reach."""
    here = own_space(observation)
    second = one_hot(observation, AT.chosen_spaces, NUM_SPACES) >= 0
    best = -1
    best_score = 2 * NEVER
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            near = in_reach(observation, here, space)
            score = outlook["worths"][space, camp] - 300.0 * near
            if second:
                score = -outlook["worths"][space, camp] + 300.0 * near
            score += 0.01 * uniform(stream)
            if score > best_score:
                best_score = score
                best = space
    return best


@kernel
def space_to_view(observation: Vector, mask: Vector, stream: Record) -> int:
    """An unknown tile, preferably within reach and seen by few others; -1 if there is none."""
    here = own_space(observation)
    best = -1
    best_score = NEVER
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            score = (
                0.5 * uniform(stream) - 2.0 * is_known(observation, space) + 1.0 * in_reach(observation, here, space)
            )
            for seat in range(1, MAX_SEATS):
                score += SEEN_BY_OTHERS * int(observation[AT.seen + seat * NUM_SPACES + space])
            if score > best_score:
                best_score = score
                best = space
    return best


@kernel
def space_to_move_to(observation: Vector, mask: Vector, outlook: Record, stream: Record, camp: int) -> int:
    """The best place for the observer's own meeple; the worst place for another player's."""
    mover = one_hot(observation, AT.chosen_seat, MAX_SEATS)
    sign = 1.0
    if mover > 0:
        sign = -1.0
    return best_place(observation, mask, outlook, stream, camp, sign)


@kernel
def seat_for_card(observation: Vector, mask: Vector, outlook: Record, stream: Record, role: int) -> int:
    """The player to play a card at: the own seat if allowed, a friend if the card helps, else an enemy."""
    if mask[A.SEAT]:
        return 0
    camp = int(CAMPS[role])
    use = Use.NOTHING
    card = one_hot(observation, AT.source_card, MAX_CARD_KINDS)
    if card >= 0:
        use = USES[card]
    if use == Use.RALLY:
        return whom_to_ask(observation, mask, outlook, stream, role, False)
    elif use == Use.SHARE:
        return likeliest_of_camp(observation, mask, outlook, stream, camp, 1.0)
    elif use == Use.LOOK_AT_ROLE:
        return least_known(observation, mask, outlook, stream)
    return likeliest_of_camp(observation, mask, outlook, stream, camp, -1.0)


@kernel
def least_known(observation: Vector, mask: Vector, outlook: Record, stream: Record) -> int:
    """The allowed seat whose role is least certain, ties at random; -1 if there is none."""
    best = -1
    best_score = NEVER
    for seat in range(1, MAX_SEATS):
        if mask[A.SEAT + seat]:
            score = 0.01 * uniform(stream) - outlook["beliefs"][seat].max()
            if score > best_score:
                best_score = score
                best = seat
    return best


@kernel
def card_to_discard(observation: Vector, mask: Vector, stream: Record) -> int:
    """The card whose use is least worth keeping; a duplicate is worth less."""
    best = -1
    best_score = NEVER
    for card in range(MAX_CARD_KINDS):
        if mask[A.CARD + card]:
            score = 0.1 * uniform(stream) - CARD_KEPT[USES[card]] + 0.3 * (int(observation[AT.own_hand + card]) > 1)
            if score > best_score:
                best_score = score
                best = card
    return best
