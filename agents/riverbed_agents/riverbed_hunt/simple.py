"""A simple rule-based agent for every role of Riverbed Hunt.

It looks before it trusts: it dives when it can, turns up tiles that it knows to be good for its camp, asks players
whose tiles have helped its camp so far, and uses Hunt and Con on known tiles. If it has a choice, it never turns up a
tile that it knows to end the game for another camp. It uses observations and masks only.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    MAX_CARD_KINDS,
    MAX_SEATS,
    NUM_DEEDS,
    NUM_QUESTIONS,
    NUM_SOURCES,
    NUM_SPACES,
    NUM_TRACKS,
    Camp,
    Question,
    Source,
)
from riverbed_env.kernels.common import one_hot
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below, random_legal_action, uniform
from riverbed_env.players.agents import CompiledAgent

from .default_pack import USES, Use
from .observation_reader import (
    CAMPS,
    FIRST,
    FOLDERS,
    ICON,
    Vector,
    feature,
    in_reach,
    is_face_down,
    is_known,
    kernel,
    known_role,
    knows_tiles,
    own_camp,
    own_space,
    unknown_in_reach,
)

WIN = 100.0  # worth of a tile that ends the game for the own camp; -WIN if it ends the game for another camp
UNKNOWN = -0.3  # worth of turning up an unknown tile
NEVER = -1000.0


@kernel
def tile_worth(observation: Vector, space: int, camp: int) -> float:
    """What turning up the tile on a space is worth to a camp: WIN or -WIN if it ends the game, else its elements.

    The closer a track is to its end, the more its elements count. Other camps' elements count against the camp.
    """
    if not is_known(observation, space):
        return UNKNOWN
    worth = 0.0
    winner = ending_track(observation, space)
    if winner == camp:
        return WIN
    elif winner >= 0:
        return -WIN
    for track in range(NUM_TRACKS):
        amount = feature(observation, space, track)
        left = max(1, int(observation[AT.to_go + track]))
        weight = 1.0 + 3.0 / left
        if track == camp:
            worth += weight * amount
        else:
            worth -= 0.7 * weight * amount
    return worth


@kernel
def ending_track(observation: Vector, space: int) -> int:
    """The track that the known tile would end, its top element checked first; -1 if none."""
    first = feature(observation, space, FIRST) - 1
    if first >= 0 and feature(observation, space, first) >= int(observation[AT.to_go + first]):
        return first
    for track in range(NUM_TRACKS):
        amount = feature(observation, space, track)
        if amount > 0 and amount >= int(observation[AT.to_go + track]):
            return track
    return -1


@kernel
def trust(observation: Vector, seat: int, camp: int) -> float:
    """How likely a seat is of the own camp, as a score: by its role if known, and by the tiles it has turned up."""
    role = known_role(observation, seat)
    score = 0.0
    if role >= 0:
        if int(CAMPS[role]) == camp:
            score += 6.0
        else:
            score -= 6.0
    for track in range(NUM_TRACKS):
        turned = int(observation[AT.deeds + seat * NUM_DEEDS + track])
        if track == camp:
            score += turned
        elif camp != Camp.PROFITEER or role >= 0:
            score -= 0.6 * turned
    return score + 0.5 * knows_tiles(observation, seat)


@kernel
def best_space(observation: Vector, mask: Vector, stream: Record, camp: int, sign: float) -> int:
    """The allowed space with the tile worth most (sign 1) or least (sign -1) to the camp; ties are broken at random."""
    best = -1
    best_score = NEVER * 10
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            score = sign * tile_worth(observation, space, camp) + 0.01 * uniform(stream)
            if score > best_score:
                best_score = score
                best = space
    return best


@kernel
def best_worth_in_reach(observation: Vector, camp: int) -> float:
    """The worth of the best face-down tile within reach; NEVER if there is none."""
    best = NEVER
    here = own_space(observation)
    for space in range(NUM_SPACES):
        if is_face_down(observation, space) and in_reach(observation, here, space):
            best = max(best, tile_worth(observation, space, camp))
    return best


@kernel
def choose(observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record) -> int:
    """The agent's action."""
    camp = own_camp(observation)
    question = one_hot(observation, AT.question, NUM_QUESTIONS)
    if question == Question.TURN:
        return choose_verb(observation, mask, stream, camp)
    elif question == Question.ANSWER:
        return choose_answer(observation, mask, stream, camp)
    elif question == Question.SEAT:
        return choose_seat(observation, mask, stream, camp)
    elif question == Question.REVEAL or question == Question.HUNT_ON:
        return choose_reveal(observation, mask, stream, camp)
    elif question == Question.FLIP_DOWN or question == Question.PENALTY:
        return A.SPACE + best_space(observation, mask, stream, camp, -1.0)
    elif question == Question.VIEW:
        return choose_view(observation, mask, stream)
    elif question == Question.MOVE or question == Question.PLACE:
        return choose_place(observation, mask, stream)
    return random_legal_action(mask, stream)


@kernel
def choose_verb(observation: Vector, mask: Vector, stream: Record, camp: int) -> int:
    """A turn: play a useful card, then take the best action, then end the turn."""
    card = choose_card(observation, mask, stream, camp)
    if card >= 0:
        return card
    here = own_space(observation)
    if observation[AT.flags]:
        return A.END_TURN
    best = best_worth_in_reach(observation, camp)
    if mask[A.UNCOVER] and (best > 2.5 or (best > 1.5 and uniform(stream) < 0.5)):
        return A.UNCOVER
    if mask[A.DIVE] and unknown_in_reach(observation, here) > 0 and uniform(stream) < 0.85:
        return A.DIVE
    if mask[A.SWIM] and unknown_in_reach(observation, here) == 0 and uniform(stream) < 0.7:
        return A.SWIM
    return A.CO_OP


@kernel
def choose_card(observation: Vector, mask: Vector, stream: Record, camp: int) -> int:
    """A card to play now; -1 for none. Harmless cards are played at random, cards that turn tiles if they help."""
    first = below(stream, MAX_CARD_KINDS)
    for place in range(MAX_CARD_KINDS):
        card = (first + place) % MAX_CARD_KINDS
        if mask[A.CARD + card]:
            if USES[card] == Use.BURY or USES[card] == Use.DELUDE:
                if worst_up_in_reach(observation, camp) < -1.0:
                    return A.CARD + card
            elif USES[card] == Use.RALLY:
                if most_trusted(observation, camp) > 2.0:
                    return A.CARD + card
            elif uniform(stream) < 0.4:
                return A.CARD + card
    return -1


@kernel
def worst_up_in_reach(observation: Vector, camp: int) -> float:
    """The worth of the worst face-up tile within reach, at most 0."""
    worst = 0.0
    here = own_space(observation)
    for space in range(NUM_SPACES):
        if is_known(observation, space) and not is_face_down(observation, space):
            if in_reach(observation, here, space):
                others = 0
                for track in range(NUM_TRACKS):
                    if track != camp:
                        others += feature(observation, space, track)
                worst = min(worst, 1.5 * feature(observation, space, camp) - others)
    return worst


@kernel
def most_trusted(observation: Vector, camp: int) -> float:
    """The `trust` in the player trusted most."""
    best = NEVER
    for seat in range(1, MAX_SEATS):
        if one_hot(observation, AT.positions + seat * NUM_SPACES, NUM_SPACES) >= 0:
            best = max(best, trust(observation, seat, camp))
    return best


@kernel
def choose_answer(observation: Vector, mask: Vector, stream: Record, camp: int) -> int:
    """The answer to a co-op: a power if known tiles make it pay, slipping away if only bad tiles are known."""
    best = best_worth_in_reach(observation, camp)
    if mask[A.HUNT] and (hunting_pays(observation) or uniform(stream) < 0.06):
        return A.HUNT
    if mask[A.CON] and (con_pays(observation) or uniform(stream) < 0.08):
        return A.CON
    if mask[A.SLIP_AWAY] and best < -1.5:
        return A.SLIP_AWAY
    return A.REVEAL


@kernel
def hunting_pays(observation: Vector) -> bool:
    """RH-5.1: known tiles hold two logs, or enough to win, and one of them within reach has log and Hunt icon."""
    here = own_space(observation)
    start = False
    logs = 0
    for space in range(NUM_SPACES):
        if is_face_down(observation, space) and feature(observation, space, Camp.SEPARATISTS) > 0:
            logs += feature(observation, space, Camp.SEPARATISTS)
            if in_reach(observation, here, space):
                start = start or feature(observation, space, ICON) > 0
    return start and (logs >= 2 or int(observation[AT.to_go + Camp.SEPARATISTS]) <= logs)


@kernel
def con_pays(observation: Vector) -> bool:
    """RH-5.3: a known coin tile is within reach and another one anywhere, or two coins end the game."""
    here = own_space(observation)
    near = 0
    total = 0
    for space in range(NUM_SPACES):
        coins = feature(observation, space, Camp.PROFITEER)
        if is_face_down(observation, space) and coins > 0 and ending_track(observation, space) != Camp.MERCHANTS:
            total += 1
            if in_reach(observation, here, space):
                near += 1
    return near > 0 and (total >= 2 or int(observation[AT.to_go + Camp.PROFITEER]) <= 2)


@kernel
def choose_reveal(observation: Vector, mask: Vector, stream: Record, camp: int) -> int:
    """The best allowed tile; stop if that is allowed and no good tile is known."""
    space = best_space(observation, mask, stream, camp, 1.0)
    if mask[A.STOP] and tile_worth(observation, space, camp) <= 0:
        return A.STOP
    return A.SPACE + space


@kernel
def choose_view(observation: Vector, mask: Vector, stream: Record) -> int:
    """Look at an unknown tile; ties are broken at random."""
    best = -1
    best_score = NEVER
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            score = uniform(stream) - 2.0 * is_known(observation, space)
            if score > best_score:
                best_score = score
                best = space
    if best < 0:
        return A.STOP
    return A.SPACE + best


@kernel
def choose_place(observation: Vector, mask: Vector, stream: Record) -> int:
    """Go to the space with most unknown tiles within reach; ties are broken at random."""
    best = -1
    best_score = NEVER
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            score = unknown_in_reach(observation, space) + uniform(stream)
            if score > best_score:
                best_score = score
                best = space
    if best < 0:
        return A.STOP
    return A.SPACE + best


@kernel
def choose_seat(observation: Vector, mask: Vector, stream: Record, camp: int) -> int:
    """The most trusted player for effects that help that player, the least trusted for a discard."""
    sign = 1.0
    if one_hot(observation, AT.source, NUM_SOURCES) == Source.CARD and not mask[A.SEAT]:
        sign = seat_sign(observation)
    best = -1
    best_score = NEVER * 10
    for seat in range(MAX_SEATS):
        if mask[A.SEAT + seat]:
            asked = 0
            if seat > 0:
                asked = int(observation[AT.asks + seat - 1])
            score = sign * trust(observation, seat, camp) - 0.2 * asked + uniform(stream)
            if seat == 0:
                score += 5.0
            if score > best_score:
                best_score = score
                best = seat
    return A.SEAT + best


@kernel
def seat_sign(observation: Vector) -> float:
    """-1 if the effect makes the chosen player discard, else 1."""
    if observation[AT.flags + 1] and random_discard_asks(observation):
        return -1.0
    return 1.0


@kernel
def random_discard_asks(observation: Vector) -> bool:
    """Whether the card under way makes another player discard."""
    card = one_hot(observation, AT.source_card, MAX_CARD_KINDS)
    return card >= 0 and USES[card] == Use.STEAL


SIMPLE = CompiledAgent(
    "simple", choose, folders=FOLDERS, about="rule-based, all roles: looks before it trusts, turns up what it knows"
)
