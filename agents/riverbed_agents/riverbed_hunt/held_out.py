"""Held-out partners and opponents: the rule-based agent with one or two habits changed.

No agent is trained against them. They show whether an agent's strength among rule-based agents depends on
how those agents play.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    EVENT_FIELDS,
    MAX_CARD_KINDS,
    MAX_SEATS,
    NUM_QUESTIONS,
    NUM_SOURCES,
    NUM_TRACKS,
    Camp,
    Event,
    Question,
    Role,
    Source,
)
from riverbed_env.kernels.common import one_hot
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import MAX_EVENTS
from riverbed_env.players.agents import CompiledAgent

from .observation_reader import FOLDERS, Vector, kernel, known_role, own_camp
from .rule_based.agent import choose as choose_by_rule
from .rule_based.tiles import OUTLOOK, WON, best_allowed, survey

Memory = npt.NDArray[np.int32]

MERCHANTS, SEPARATISTS = int(Camp.MERCHANTS), int(Camp.SEPARATISTS)

VERBS = np.array([A.DIVE, A.SWIM, A.CO_OP, A.UNCOVER])
VERB_EVENTS = np.array([Event.DIVE, Event.SWIM, Event.CO_OP, Event.UNCOVER])

CLOSE = 3  # once a track has this little to go, the bold liar stops lying
NONE = -1


@kernel
def question_of(observation: Vector) -> int:
    """The question asked, as a Question."""
    return one_hot(observation, AT.question, NUM_QUESTIONS)


@kernel
def asks_for_co_op(observation: Vector) -> bool:
    """Whether the question is which player to ask for a co-op."""
    source = one_hot(observation, AT.source, NUM_SOURCES)
    return bool(question_of(observation) == Question.SEAT and source == Source.CO_OP)


@kernel
def turn_up_for(observation: Vector, mask: Vector, stream: Record, camp: int) -> int:
    """Turn up the tile best for a camp; NONE if it ends the game for a camp that isn't the observer's."""
    return tile_for(observation, mask, np.empty(1, OUTLOOK), stream, camp)


@kernel
def tile_for(observation: Vector, mask: Vector, outlooks: npt.NDArray[np.void], stream: Record, camp: int) -> int:
    """See `turn_up_for`. outlooks: (1,) OUTLOOK, scratch; compiled, a record doesn't keep its array alive."""
    outlook = outlooks[0]
    survey(observation, outlook)
    space = best_allowed(mask, outlook, stream, camp)
    if space < 0 or outlook["worths"][space, own_camp(observation)] <= -WON / 2:
        return NONE
    return A.SPACE + space


@kernel
def least_to_go(observation: Vector) -> int:
    """How many elements the track closest to its end has to go."""
    least = int(observation[AT.to_go])
    for track in range(1, NUM_TRACKS):
        least = min(least, int(observation[AT.to_go + track]))
    return least


@kernel
def newest(observation: Vector, kind: int) -> int:
    """Where the latest event of a kind by another player starts in the observation; NONE if there is none."""
    for place in range(MAX_EVENTS):
        start = AT.events + place * EVENT_FIELDS
        if observation[start] == kind and observation[start + 1] != 1:
            return start
    return NONE


@kernel
def seat_of_chief(observation: Vector) -> int:
    """The chief's seat, counted clockwise from the observer; NONE if unknown."""
    for seat in range(MAX_SEATS):
        if known_role(observation, seat) == Role.CHIEF:
            return seat
    return NONE


@kernel
def bold_liar(observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Lies while no end is near: turns up tiles for another camp, asks the chief as a merchant would."""
    if least_to_go(observation) > CLOSE:
        camp = own_camp(observation)
        if question_of(observation) == Question.REVEAL:
            feigned = SEPARATISTS if camp == MERCHANTS else MERCHANTS
            action = turn_up_for(observation, mask, stream, feigned)
            if action >= 0:
                return action
        elif asks_for_co_op(observation) and camp != MERCHANTS:
            chief = seat_of_chief(observation)
            if chief > 0 and mask[A.SEAT + chief]:
                return A.SEAT + chief
    return choose_by_rule(observation, mask, memory, stream)


@kernel
def silent(observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Gives away as little as it can: looks and swims instead of asking, plays no card, slips away, declines."""
    question = question_of(observation)
    if question == Question.TURN:
        if observation[AT.flags]:
            return A.END_TURN
        if mask[A.DIVE]:
            return A.DIVE
        if mask[A.SWIM]:
            return A.SWIM
        return A.CO_OP
    elif question == Question.ANSWER and mask[A.SLIP_AWAY]:
        return A.SLIP_AWAY
    elif mask[A.STOP]:
        return A.STOP
    return choose_by_rule(observation, mask, memory, stream)


@kernel
def copycat(observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Copies others: takes the action taken last, asks the player asked last."""
    question = question_of(observation)
    if question == Question.TURN and not observation[AT.flags]:
        latest = NONE
        copied = NONE
        for which in range(len(VERBS)):
            verb = VERBS[which]
            place = newest(observation, VERB_EVENTS[which])
            if place >= 0 and mask[verb] and (latest < 0 or place < latest):
                latest = place
                copied = verb
        if copied >= 0:
            return copied
    elif asks_for_co_op(observation):
        place = newest(observation, Event.CO_OP)
        if place >= 0:
            asked = int(observation[place + 2]) - 1
            if asked >= 0 and mask[A.SEAT + asked]:
                return A.SEAT + asked
    return choose_by_rule(observation, mask, memory, stream)


@kernel
def contrarian(observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Plays against the trend: asks the player it asked least, turns up tiles for the camp furthest from its end."""
    question = question_of(observation)
    if question == Question.REVEAL:
        behind = 0
        for track in range(1, NUM_TRACKS):
            if observation[AT.to_go + track] > observation[AT.to_go + behind]:
                behind = track
        action = turn_up_for(observation, mask, stream, behind)
        if action >= 0:
            return action
    elif asks_for_co_op(observation):
        least = NONE
        for seat in range(1, MAX_SEATS):
            if mask[A.SEAT + seat] and (
                least < 0 or observation[AT.asks + seat - 1] < observation[AT.asks + least - 1]
            ):
                least = seat
        if least >= 0:
            return A.SEAT + least
    return choose_by_rule(observation, mask, memory, stream)


@kernel
def over_eager(observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Never waits: declares its power when first asked, continues every Hunt, asks before it looks."""
    question = question_of(observation)
    if mask[A.HUNT]:
        return A.HUNT
    elif mask[A.CON]:
        return A.CON
    elif question == Question.HUNT_ON:
        action = turn_up_for(observation, mask, stream, SEPARATISTS)
        if action >= 0:
            return action
    elif question == Question.TURN and not observation[AT.flags]:
        if mask[A.UNCOVER]:
            return A.UNCOVER
        return A.CO_OP
    return choose_by_rule(observation, mask, memory, stream)


@kernel
def hoarder(observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Collects cards: swims for them, plays none and never uncovers."""
    if question_of(observation) != Question.TURN:
        return choose_by_rule(observation, mask, memory, stream)
    if mask[A.SWIM]:
        return A.SWIM
    thrifty = mask.copy()
    thrifty[A.UNCOVER] = 0
    thrifty[A.CARD : A.CARD + MAX_CARD_KINDS] = 0
    return choose_by_rule(observation, thrifty, memory, stream)


def held_out_agent(name: str, choose: Callable[..., int], about: str) -> CompiledAgent:
    """A held-out agent; `about` says in lists what it does."""
    return CompiledAgent(name, choose, folders=FOLDERS, about=f"held-out: {about}")


BOLD_LIAR = held_out_agent("bold_liar", bold_liar, "lies while no end is near, asks the chief as a merchant would")
SILENT = held_out_agent("silent", silent, "gives away as little as it can: looks and swims, plays no card, slips away")
COPYCAT = held_out_agent("copycat", copycat, "copies others: takes the action taken last, asks the player asked last")
CONTRARIAN = held_out_agent("contrarian", contrarian, "plays against the trend: for the camp furthest from its end")
OVER_EAGER = held_out_agent("over_eager", over_eager, "never waits: declares its power when first asked")
HOARDER = held_out_agent("hoarder", hoarder, "collects cards: swims for them, plays none and never uncovers")

HELD_OUT = (BOLD_LIAR, SILENT, COPYCAT, CONTRARIAN, OVER_EAGER, HOARDER)
