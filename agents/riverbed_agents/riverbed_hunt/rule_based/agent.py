"""A rule-based agent for every role of Riverbed Hunt.

It estimates what each tile is worth to each camp (`tiles`), what each player would turn up if asked (`trust`), when a
card helps (`cards`), where to stand (`places`), and when Hunt and Con pay (`leader`, `profiteer`). It uses observations
and masks only and keeps no memory.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    MAX_CARD_KINDS,
    NUM_QUESTIONS,
    NUM_ROLES,
    NUM_SOURCES,
    NUM_SPACES,
    Camp,
    Question,
    Source,
)
from riverbed_env.kernels.common import one_hot
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import random_legal_action
from riverbed_env.players.agents import CompiledAgent

from ..observation_reader import CAMPS, FOLDERS, Vector, kernel, own_space
from .cards import card_to_discard, seat_for_card, space_to_move_to, space_to_swap, space_to_view
from .leader import first_hunted, hunt_on, hunting_pays
from .listening import listen
from .places import best_place
from .profiteer import conning_pays, first_conned
from .talking import Manner, speak
from .tiles import OUTLOOK, best_allowed, best_in_reach, best_to_bury, survey
from .trust import discount_seen, judge, whom_to_ask
from .turns import just_looks, take_turn
from .weights import SLIP_BELOW


@kernel
def choose(observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record) -> int:
    """The agent's action; on the floor (RH-9) it talks shrewdly, and it listens to the others."""
    return decide(observation, mask, stream, Manner.SHREWD, True)


@kernel
def decide(observation: Vector, mask: Vector, stream: Record, manner: int, hears: bool) -> int:
    """The agent's action. manner: a Manner of talk. hears: whether what others say counts."""
    role = one_hot(observation, AT.own_role, NUM_ROLES)
    camp = int(CAMPS[role])
    question = one_hot(observation, AT.question, NUM_QUESTIONS)
    if question == Question.DISCARD:
        return A.CARD + card_to_discard(observation, mask, stream)
    elif question == Question.VIEW:
        return or_stop(space_to_view(observation, mask, stream))
    elif question == Question.PENALTY:
        return A.SPACE + best_to_bury(observation, mask, stream, Camp.MERCHANTS)  # RH-5.2: the chief chooses
    elif question == Question.FLIP_DOWN:
        return or_stop(best_to_bury(observation, mask, stream, camp))
    elif question == Question.REFRESH or question == Question.NONE:
        return random_legal_action(mask, stream)
    elif question == Question.TURN and can_only_end(observation, mask):
        return A.END_TURN
    elif question == Question.TURN and just_looks(observation, mask, role, camp):
        return A.DIVE
    elif question == Question.ANSWER and not (mask[A.HUNT] or mask[A.CON] or mask[A.SLIP_AWAY]):
        return A.REVEAL
    elif question == Question.FLOOR and manner == Manner.MUTE:
        return A.SILENT
    outlooks = np.empty(1, OUTLOOK)
    survey(observation, outlooks[0])
    if question == Question.FLOOR or question == Question.ABOUT:
        return talk(observation, mask, outlooks, stream, camp, manner, hears)
    take_in(observation, outlooks, hears)
    return weigh_up(observation, mask, outlooks, stream, role, question)


@kernel
def take_in(observation: Vector, outlooks: npt.NDArray[np.void], hears: bool) -> None:
    """RH-9.5: correct an outlook by what was said, or mark it as deaf to it."""
    if hears:
        listen(observation, outlooks[0])
    else:
        outlooks[0]["deaf"] = 1


@kernel
def talk(
    observation: Vector,
    mask: Vector,
    outlooks: npt.NDArray[np.void],
    stream: Record,
    camp: int,
    manner: int,
    hears: bool,
) -> int:
    """RH-9.3: what to say. outlooks: (1,) OUTLOOK, filled by `survey`."""
    outlooks[0]["deaf"] = not hears
    return speak(observation, mask, outlooks[0], stream, camp, manner)


@kernel
def weigh_up(
    observation: Vector, mask: Vector, outlooks: npt.NDArray[np.void], stream: Record, role: int, question: int
) -> int:
    """The action for questions that need the worth of tiles. outlooks: (1,) OUTLOOK, filled by `survey`."""
    outlook = outlooks[0]
    camp = int(CAMPS[role])
    if question == Question.TURN:
        return take_turn(observation, mask, outlook, stream, role, camp)
    elif question == Question.ANSWER:
        return answer(observation, mask, outlook, camp)
    elif question == Question.SEAT:
        return choose_seat(observation, mask, outlook, stream, role)
    elif question == Question.REVEAL:
        return choose_reveal(observation, mask, outlook, stream, camp)
    elif question == Question.HUNT_ON:
        return hunt_on(observation, mask, outlook, stream)
    elif question == Question.SWAP:
        return or_stop(space_to_swap(observation, mask, outlook, stream, camp))
    elif question == Question.MOVE:
        return or_stop(space_to_move_to(observation, mask, outlook, stream, camp))
    return A.SPACE + best_place(observation, mask, outlook, stream, camp, 1.0)


@kernel
def can_only_end(observation: Vector, mask: Vector) -> bool:
    """Whether the turn's action is done and no card can be played."""
    if not observation[AT.flags]:
        return False
    for card in range(MAX_CARD_KINDS):
        if mask[A.CARD + card]:
            return False
    return True


@kernel
def or_stop(space: int) -> int:
    """The action that chooses a space; STOP for -1."""
    if space < 0:
        return A.STOP
    return A.SPACE + space


@kernel
def answer(observation: Vector, mask: Vector, outlook: Record, camp: int) -> int:
    """RH-4.3: the answer to a co-op: a power if it pays, slipping away if every tile within reach is bad."""
    if mask[A.HUNT] and hunting_pays(observation, outlook):
        return A.HUNT
    if mask[A.CON] and conning_pays(observation, outlook):
        return A.CON
    if mask[A.SLIP_AWAY] and best_in_reach(observation, outlook, camp, own_space(observation)) < SLIP_BELOW:
        return A.SLIP_AWAY
    return A.REVEAL


@kernel
def choose_seat(observation: Vector, mask: Vector, outlook: Record, stream: Record, role: int) -> int:
    """RH-4.3 and cards: the player to ask or to play a card at; a random one if the agent has no preference."""
    judge(observation, outlook)
    if one_hot(observation, AT.source, NUM_SOURCES) == Source.CO_OP:
        seat = whom_to_ask(observation, mask, outlook, stream, role, True)
    else:
        seat = seat_for_card(observation, mask, outlook, stream, role)
    if seat < 0:
        return random_legal_action(mask, stream)
    return A.SEAT + seat


@kernel
def choose_reveal(observation: Vector, mask: Vector, outlook: Record, stream: Record, camp: int) -> int:
    """Reveal the best allowed tile for the own camp; decline, if allowed, when it gains nothing."""
    source = one_hot(observation, AT.source, NUM_SOURCES)
    if source == Source.HUNT:
        return first_hunted(observation, mask, outlook, stream)
    if source == Source.CON and one_hot(observation, AT.chosen_spaces, NUM_SPACES) < 0:
        return first_conned(observation, mask, outlook, stream)
    discount_seen(observation, mask, outlook, camp)
    space = best_allowed(mask, outlook, stream, camp)
    if mask[A.STOP] and outlook["worths"][space, camp] <= 0:
        return A.STOP
    return or_stop(space)


@kernel
def choose_without_powers(observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record) -> int:
    """The same agent without Hunt and Con, to measure what the powers are worth."""
    without_powers = mask.copy()
    without_powers[A.HUNT] = 0
    without_powers[A.CON] = 0
    return choose(observation, without_powers, memory, stream)


@kernel
def choose_without_talk(observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record) -> int:
    """The same agent without talk: it says nothing and hears nothing."""
    return decide(observation, mask, stream, Manner.MUTE, False)


@functools.cache
def rule_based_agent(powers: bool = True, talk: bool = True) -> CompiledAgent:
    """The rule-based agent; if `powers` is false, it never declares Hunt or Con, if `talk` is, it's silent and deaf.

    Raises OptionError if both are false.
    """
    if not powers and not talk:
        raise OptionError("powers and talk can't both be false: choose one")
    if not talk:
        about = "rule-based, but says nothing and hears nothing of what is said"
        return CompiledAgent("rule_based:talk=false", choose_without_talk, folders=FOLDERS, about=about)
    if powers:
        about = "rule-based, a strategy for every role: expected worth, trust, powers"
        return CompiledAgent("rule_based", choose, folders=FOLDERS, about=about)
    about = "rule-based, but never declares Hunt or Con"
    return CompiledAgent("rule_based:powers=false", choose_without_powers, folders=FOLDERS, about=about)


RULE_BASED = rule_based_agent()
