"""A simple rule-based agent for every role of Riverbed Hunt.

It looks before it trusts: it dives when it can, turns up tiles that it knows to be good for its camp, asks players
whose tiles have helped its camp so far, and uses Hunt and Con on known tiles. If it has a choice, it never turns up a
tile that it knows to end the game for another camp.
"""

import numpy as np

from riverbed_env.games.riverbed_hunt.rules import vocab as v
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.stack import signed_byte_of
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.random import below, random_legal_action, uniform
from riverbed_env.players.agents import CompiledAgent, Memory

from . import sight
from .kernels import kernel
from .sight import or_stop, pick
from .uses import Use, use_of

WIN = 100.0  # worth of a tile that ends the game for the own camp; -WIN if it ends the game for another camp
UNKNOWN = -0.3  # worth of turning up an unknown tile
NEVER = -1000.0
OWN_SEAT = 5.0  # added to the trust in oneself


@kernel
def tile_worth(view: Record, params: Record, space: int, camp: int) -> float:
    """What turning up the tile on a space is worth to a camp: WIN or -WIN if it ends the game, else its elements.

    The closer a track is to its end, the more its elements count. Other camps' elements count against the camp.
    """
    if not sight.is_known(view, space):
        return UNKNOWN
    worth = 0.0
    winner = sight.ending_track(view, params, space)
    if winner == camp:
        return WIN
    elif winner >= 0:
        return -WIN
    for track in range(v.NUM_TRACKS):
        amount = sight.feature(view, params, space, track)
        left = max(1, sight.to_go(view, params, track))
        weight = 1.0 + 3.0 / left
        if track == camp:
            worth += weight * amount
        else:
            worth -= 0.7 * weight * amount
    return worth


@kernel
def trust(view: Record, params: Record, seat: int, camp: int) -> float:
    """How likely a seat is of the own camp, as a score: by its role if known, and by the tiles it has turned up."""
    role = sight.known_role(view, seat)
    score = 0.0
    if role >= 0:
        if int(sight.CAMPS[role]) == camp:
            score += 6.0
        else:
            score -= 6.0
    for track in range(v.NUM_TRACKS):
        turned = signed_byte_of(int(view["table"]["deeds"][sight.seat_at(view, seat)]), track)
        if track == camp:
            score += turned
        elif camp != v.Camp.PROFITEER or role >= 0:
            score -= 0.6 * turned
    return score + 0.5 * sight.tiles_seen(view, seat)


@kernel
def best_space(view: Record, params: Record, mask: Vector, stream: Record, camp: int, sign: float) -> int:
    """The allowed space with the tile worth most (sign 1) or least (sign -1) to the camp; ties are broken at random."""
    scores = np.zeros(v.NUM_SPACES)
    for space in range(v.NUM_SPACES):
        scores[space] = sign * tile_worth(view, params, space, camp)
    return pick(scores, mask, A.SPACE, 0.01, stream)


@kernel
def best_worth_in_reach(view: Record, params: Record, camp: int) -> float:
    """The worth of the best face-down tile within reach; NEVER if there is none."""
    best = NEVER
    here = sight.space_of(view, 0)
    for space in range(v.NUM_SPACES):
        if sight.is_face_down(view, space) and sight.in_reach(view, here, space):
            best = max(best, tile_worth(view, params, space, camp))
    return best


@kernel
def choose(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """The agent's action."""
    camp = sight.own_camp(view)
    question = int(view["table"]["question"])
    if question == v.Question.TURN:
        return choose_verb(view, params, mask, stream, camp)
    elif question == v.Question.ANSWER:
        return choose_answer(view, params, mask, stream, camp)
    elif question == v.Question.SEAT:
        return choose_seat(view, params, mask, stream, camp)
    elif question == v.Question.REVEAL or question == v.Question.HUNT_ON:
        return choose_reveal(view, params, mask, stream, camp)
    elif question == v.Question.FLIP_DOWN or question == v.Question.PENALTY:
        return A.SPACE + best_space(view, params, mask, stream, camp, -1.0)
    elif question == v.Question.VIEW:
        return choose_view(view, params, mask, stream)
    elif question == v.Question.MOVE or question == v.Question.PLACE:
        return choose_place(view, params, mask, stream)
    return random_legal_action(mask, stream)


@kernel
def choose_verb(view: Record, params: Record, mask: Vector, stream: Record, camp: int) -> int:
    """A turn: play a useful card, then take the best action, then end the turn."""
    card = choose_card(view, params, mask, stream, camp)
    if card >= 0:
        return card
    here = sight.space_of(view, 0)
    if view["table"]["action_done"]:
        return A.END_TURN
    best = best_worth_in_reach(view, params, camp)
    if mask[A.UNCOVER] and (best > 2.5 or (best > 1.5 and uniform(stream) < 0.5)):
        return A.UNCOVER
    if mask[A.DIVE] and sight.unknown_in_reach(view, here) > 0 and uniform(stream) < 0.85:
        return A.DIVE
    if mask[A.SWIM] and sight.unknown_in_reach(view, here) == 0 and uniform(stream) < 0.7:
        return A.SWIM
    return A.CO_OP


@kernel
def choose_card(view: Record, params: Record, mask: Vector, stream: Record, camp: int) -> int:
    """A card to play now; -1 for none. Harmless cards are played at random, cards that turn tiles if they help."""
    first = below(stream, v.MAX_CARD_KINDS)
    for place in range(v.MAX_CARD_KINDS):
        card = (first + place) % v.MAX_CARD_KINDS
        if mask[A.CARD + card]:
            if use_of(params, card) == Use.BURY or use_of(params, card) == Use.DELUDE:
                if worst_up_in_reach(view, params, camp) < -1.0:
                    return A.CARD + card
            elif use_of(params, card) == Use.RALLY:
                if most_trusted(view, params, camp) > 2.0:
                    return A.CARD + card
            elif uniform(stream) < 0.4:
                return A.CARD + card
    return -1


@kernel
def worst_up_in_reach(view: Record, params: Record, camp: int) -> float:
    """The worth of the worst face-up tile within reach, at most 0."""
    worst = 0.0
    here = sight.space_of(view, 0)
    for space in range(v.NUM_SPACES):
        if sight.is_known(view, space) and not sight.is_face_down(view, space):
            if sight.in_reach(view, here, space):
                others = 0
                for track in range(v.NUM_TRACKS):
                    if track != camp:
                        others += sight.feature(view, params, space, track)
                worst = min(worst, 1.5 * sight.feature(view, params, space, camp) - others)
    return worst


@kernel
def most_trusted(view: Record, params: Record, camp: int) -> float:
    """The `trust` in the player trusted most."""
    best = NEVER
    for seat in range(1, sight.players(view)):
        if sight.space_of(view, seat) >= 0:
            best = max(best, trust(view, params, seat, camp))
    return best


@kernel
def choose_answer(view: Record, params: Record, mask: Vector, stream: Record, camp: int) -> int:
    """The answer to a co-op: a power if known tiles make it pay, slipping away if only bad tiles are known."""
    best = best_worth_in_reach(view, params, camp)
    if mask[A.HUNT] and (hunting_pays(view, params) or uniform(stream) < 0.06):
        return A.HUNT
    if mask[A.CON] and (con_pays(view, params) or uniform(stream) < 0.08):
        return A.CON
    if mask[A.SLIP_AWAY] and best < -1.5:
        return A.SLIP_AWAY
    return A.REVEAL


@kernel
def hunting_pays(view: Record, params: Record) -> bool:
    """RH-5.1: known tiles hold two logs, or enough to win, and one of them within reach has log and Hunt icon."""
    here = sight.space_of(view, 0)
    start = False
    logs = 0
    for space in range(v.NUM_SPACES):
        if sight.is_face_down(view, space) and sight.feature(view, params, space, v.Camp.SEPARATISTS) > 0:
            logs += sight.feature(view, params, space, v.Camp.SEPARATISTS)
            if sight.in_reach(view, here, space):
                start = start or sight.feature(view, params, space, sight.ICON) > 0
    return start and (logs >= 2 or sight.to_go(view, params, v.Camp.SEPARATISTS) <= logs)


@kernel
def con_pays(view: Record, params: Record) -> bool:
    """RH-5.3: a known coin tile is within reach and another one anywhere, or two coins end the game."""
    here = sight.space_of(view, 0)
    near = 0
    total = 0
    for space in range(v.NUM_SPACES):
        coins = sight.feature(view, params, space, v.Camp.PROFITEER)
        ends = sight.ending_track(view, params, space)
        if sight.is_face_down(view, space) and coins > 0 and ends != v.Camp.MERCHANTS:
            total += 1
            if sight.in_reach(view, here, space):
                near += 1
    return near > 0 and (total >= 2 or sight.to_go(view, params, v.Camp.PROFITEER) <= 2)


@kernel
def choose_reveal(view: Record, params: Record, mask: Vector, stream: Record, camp: int) -> int:
    """The best allowed tile; stop if that is allowed and no good tile is known."""
    space = best_space(view, params, mask, stream, camp, 1.0)
    if mask[A.STOP] and tile_worth(view, params, space, camp) <= 0:
        return A.STOP
    return A.SPACE + space


@kernel
def choose_view(view: Record, params: Record, mask: Vector, stream: Record) -> int:
    """Look at an unknown tile; ties are broken at random."""
    scores = np.zeros(v.NUM_SPACES)
    for space in range(v.NUM_SPACES):
        scores[space] = -2.0 * sight.is_known(view, space)
    return or_stop(pick(scores, mask, A.SPACE, 1.0, stream))


@kernel
def choose_place(view: Record, params: Record, mask: Vector, stream: Record) -> int:
    """Go to the space with most unknown tiles within reach; ties are broken at random."""
    scores = np.zeros(v.NUM_SPACES)
    for space in range(v.NUM_SPACES):
        scores[space] = sight.unknown_in_reach(view, space)
    return or_stop(pick(scores, mask, A.SPACE, 1.0, stream))


@kernel
def choose_seat(view: Record, params: Record, mask: Vector, stream: Record, camp: int) -> int:
    """The most trusted player for effects that help that player, the least trusted for a discard."""
    card = sight.card_under_way(view)
    steals = not mask[A.SEAT] and view["table"]["card_played"] and card >= 0 and use_of(params, card) == Use.STEAL
    sign = -1.0 if steals else 1.0
    scores = np.zeros(v.MAX_SEATS)
    scores[0] = sign * trust(view, params, 0, camp) + OWN_SEAT
    for seat in range(1, sight.players(view)):
        scores[seat] = sign * trust(view, params, seat, camp) - 0.2 * sight.times_asked(view, seat)
    return A.SEAT + pick(scores, mask, A.SEAT, 1.0, stream)


SIMPLE = CompiledAgent.of(kernel, "simple", choose, "rule-based: looks before it trusts, turns up what it knows")
