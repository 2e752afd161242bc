"""Held-out partners and opponents: the rule-based agent with one or two habits changed.

No agent is trained against them. They show whether an agent's strength among rule-based agents depends on
how those agents play.
"""

from collections.abc import Callable

import numpy as np

from riverbed_env.games.riverbed_hunt.rules import vocab as v
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.kernels.common import byte_of, event_at, keep
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.vocab import MAX_EVENTS
from riverbed_env.players.agents import CompiledAgent, Memory

from .kernels import kernel
from .rule_based.agent import choose as choose_by_rule
from .rule_based.tiles import OUTLOOK, WON, best_allowed, survey
from .sight import known_role, left_to_go, own_camp, place_of, players, source_of, times_asked

MERCHANTS, SEPARATISTS = int(v.Camp.MERCHANTS), int(v.Camp.SEPARATISTS)

VERBS = np.array([A.DIVE, A.SWIM, A.CO_OP, A.UNCOVER])
VERB_EVENTS = np.array([v.Event.DIVE, v.Event.SWIM, v.Event.CO_OP, v.Event.UNCOVER])

CLOSE = 3  # once a track has this little to go, the bold liar stops lying
NONE = -1


@kernel
def asks_for_co_op(view: Record) -> bool:
    """Whether the question is which player to ask for a co-op."""
    return bool(view["table"]["question"] == v.Question.SEAT and source_of(view) == v.Source.CO_OP)


@kernel
def turn_up_for(view: Record, params: Record, mask: Vector, stream: Record, camp: int) -> int:
    """Turn up the tile best for a camp; NONE if it ends the game for a camp that isn't the observer's."""
    outlooks = np.empty(1, OUTLOOK)
    survey(view, params, outlooks[0])
    space = best_allowed(mask, outlooks[0], stream, camp)
    loses = space >= 0 and outlooks[0]["worths"][space, own_camp(view)] <= -WON / 2
    keep(outlooks)
    return NONE if space < 0 or loses else A.SPACE + space


@kernel
def least_to_go(view: Record, params: Record) -> int:
    """How many elements the track closest to its end has to go."""
    kelp, log, coin = left_to_go(view, params)
    return min(kelp, log, coin)


@kernel
def newest(view: Record, kind: int) -> int:
    """The age of the latest event of a kind by another player; NONE if there is none."""
    for age in range(MAX_EVENTS):
        event = event_at(view["table"], age)
        if byte_of(event, 0) == kind and byte_of(event, 1) != 1 + int(view["seat"]):
            return age
    return NONE


@kernel
def seat_of_chief(view: Record) -> int:
    """The chief's seat, counted clockwise from the observer; NONE if unknown."""
    for seat in range(players(view)):
        if known_role(view, seat) == v.Role.CHIEF:
            return seat
    return NONE


@kernel
def bold_liar(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Lies while no end is near: turns up tiles for another camp, asks the chief as a merchant would."""
    if least_to_go(view, params) > CLOSE:
        camp = own_camp(view)
        if view["table"]["question"] == v.Question.REVEAL:
            feigned = SEPARATISTS if camp == MERCHANTS else MERCHANTS
            action = turn_up_for(view, params, mask, stream, feigned)
            if action >= 0:
                return action
        elif asks_for_co_op(view) and camp != MERCHANTS:
            chief = seat_of_chief(view)
            if chief > 0 and mask[A.SEAT + chief]:
                return A.SEAT + chief
    return choose_by_rule(view, params, observation, mask, memory, stream)


@kernel
def silent(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Gives away as little as it can: looks and swims instead of asking, plays no card, slips away, declines."""
    question = view["table"]["question"]
    if question == v.Question.TURN:
        if view["table"]["action_done"]:
            return A.END_TURN
        if mask[A.DIVE]:
            return A.DIVE
        if mask[A.SWIM]:
            return A.SWIM
        return A.CO_OP
    elif question == v.Question.ANSWER and mask[A.SLIP_AWAY]:
        return A.SLIP_AWAY
    elif mask[A.STOP]:
        return A.STOP
    return choose_by_rule(view, params, observation, mask, memory, stream)


@kernel
def copycat(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Copies others: takes the action taken last, asks the player asked last."""
    question = view["table"]["question"]
    if question == v.Question.TURN and not view["table"]["action_done"]:
        latest = NONE
        copied = NONE
        for which in range(len(VERBS)):
            verb = VERBS[which]
            place = newest(view, VERB_EVENTS[which])
            if place >= 0 and mask[verb] and (latest < 0 or place < latest):
                latest = place
                copied = verb
        if copied >= 0:
            return copied
    elif asks_for_co_op(view):
        place = newest(view, v.Event.CO_OP)
        if place >= 0:
            asked = place_of(view, byte_of(event_at(view["table"], place), 2) - 1)
            if asked >= 0 and mask[A.SEAT + asked]:
                return A.SEAT + asked
    return choose_by_rule(view, params, observation, mask, memory, stream)


@kernel
def contrarian(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Plays against the trend: asks the player it asked least, turns up tiles for the camp furthest from its end."""
    question = view["table"]["question"]
    if question == v.Question.REVEAL:
        behind = np.argmax(np.array(left_to_go(view, params)))
        action = turn_up_for(view, params, mask, stream, int(behind))
        if action >= 0:
            return action
    elif asks_for_co_op(view):
        least = NONE
        for seat in range(1, players(view)):
            if mask[A.SEAT + seat] and (least < 0 or times_asked(view, seat) < times_asked(view, least)):
                least = seat
        if least >= 0:
            return A.SEAT + least
    return choose_by_rule(view, params, observation, mask, memory, stream)


@kernel
def over_eager(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Never waits: declares its power when first asked, continues every Hunt, asks before it looks."""
    question = view["table"]["question"]
    if mask[A.HUNT]:
        return A.HUNT
    elif mask[A.CON]:
        return A.CON
    elif question == v.Question.HUNT_ON:
        action = turn_up_for(view, params, mask, stream, SEPARATISTS)
        if action >= 0:
            return action
    elif question == v.Question.TURN and not view["table"]["action_done"]:
        if mask[A.UNCOVER]:
            return A.UNCOVER
        return A.CO_OP
    return choose_by_rule(view, params, observation, mask, memory, stream)


@kernel
def hoarder(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Collects cards: swims for them, plays none and never uncovers."""
    if view["table"]["question"] != v.Question.TURN:
        return choose_by_rule(view, params, observation, mask, memory, stream)
    if mask[A.SWIM]:
        return A.SWIM
    thrifty = mask.copy()
    thrifty[A.UNCOVER] = 0
    thrifty[A.CARD : A.CARD + v.MAX_CARD_KINDS] = 0
    return choose_by_rule(view, params, observation, thrifty, memory, stream)


def held_out_agent(name: str, choose: Callable[..., int], about: str) -> CompiledAgent:
    """A held-out agent; `about` says in lists what it does."""
    return CompiledAgent.of(kernel, name, choose, f"held-out: {about}")


BOLD_LIAR = held_out_agent("bold_liar", bold_liar, "lies while no end is near, asks the chief as a merchant would")
SILENT = held_out_agent("silent", silent, "gives away as little as it can: looks and swims, plays no card, slips away")
COPYCAT = held_out_agent("copycat", copycat, "copies others: takes the action taken last, asks the player asked last")
CONTRARIAN = held_out_agent("contrarian", contrarian, "plays against the trend: for the camp furthest from its end")
OVER_EAGER = held_out_agent("over_eager", over_eager, "never waits: declares its power when first asked")
HOARDER = held_out_agent("hoarder", hoarder, "collects cards: swims for them, plays none and never uncovers")

HELD_OUT = (BOLD_LIAR, SILENT, COPYCAT, CONTRARIAN, OVER_EAGER, HOARDER)
