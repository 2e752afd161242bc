"""A rule-based agent for every role of Riverbed Hunt.

It estimates what each tile is worth to each camp (`tiles`), what each player would turn up if asked (`trust`), when a
card helps (`cards`), where to stand (`places`), and when Hunt and Con pay (`leader`, `profiteer`). It keeps no
memory.
"""

import functools
from collections.abc import Callable

import numpy as np

from riverbed_env.games.riverbed_hunt.rules import vocab as v
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.kernels.compile import Record, Records, Vector
from riverbed_env.kernels.random import random_legal_action
from riverbed_env.players.agents import CompiledAgent, Memory

from ..kernels import kernel
from ..sight import is_on_floor, may_play_a_card, or_stop, own_camp, some_chosen, source_of, space_of
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
def choose(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """The agent's action; on the floor (RH-9) it talks shrewdly, and it listens to the others."""
    return decide(view, params, mask, stream, Manner.SHREWD, True)


@kernel
def decide(view: Record, params: Record, mask: Vector, stream: Record, manner: int, hears: bool) -> int:
    """The agent's action. manner: a Manner of talk. hears: whether what others say counts."""
    role, camp = int(view["private"]["role"]), own_camp(view)
    question = int(view["table"]["question"])
    if question == v.Question.DISCARD:
        return A.CARD + card_to_discard(view, params, mask, stream)
    elif question == v.Question.VIEW:
        return or_stop(space_to_view(view, params, mask, stream))
    elif question == v.Question.PENALTY:
        return A.SPACE + best_to_bury(view, params, mask, stream, v.Camp.MERCHANTS)  # RH-5.2: the chief chooses
    elif question == v.Question.FLIP_DOWN:
        return or_stop(best_to_bury(view, params, mask, stream, camp))
    elif question == v.Question.REFRESH or question == v.Question.NONE:
        return random_legal_action(mask, stream)
    elif question == v.Question.TURN and can_only_end(view, mask):
        return A.END_TURN
    elif question == v.Question.TURN and just_looks(view, params, mask, role, camp):
        return A.DIVE
    elif question == v.Question.ANSWER and not (mask[A.HUNT] or mask[A.CON] or mask[A.SLIP_AWAY]):
        return A.REVEAL
    elif question == v.Question.FLOOR and manner == Manner.MUTE:
        return A.SILENT
    outlooks = np.empty(1, OUTLOOK)
    survey(view, params, outlooks[0])
    outlooks[0]["deaf"] = not hears
    return weigh_up(view, params, mask, outlooks, stream, question, manner)


@kernel
def weigh_up(
    view: Record, params: Record, mask: Vector, outlooks: Records, stream: Record, question: int, manner: int
) -> int:
    """The action for questions that need the worth of tiles. outlooks: (1,) OUTLOOK, filled by `survey`."""
    outlook = outlooks[0]
    role, camp = int(view["private"]["role"]), own_camp(view)
    if is_on_floor(view):
        return speak(view, params, mask, outlook, stream, camp, manner)
    listen(view, params, outlook)
    if question == v.Question.TURN:
        return take_turn(view, params, mask, outlook, stream, role, camp)
    elif question == v.Question.ANSWER:
        return answer(view, params, mask, outlook, camp)
    elif question == v.Question.SEAT:
        return choose_seat(view, params, mask, outlook, stream, role)
    elif question == v.Question.REVEAL:
        return choose_reveal(view, params, mask, outlook, stream, camp)
    elif question == v.Question.HUNT_ON:
        return hunt_on(view, params, mask, outlook, stream)
    elif question == v.Question.SWAP:
        return or_stop(space_to_swap(view, params, mask, outlook, stream, camp))
    elif question == v.Question.MOVE:
        return or_stop(space_to_move_to(view, params, mask, outlook, stream, camp))
    return A.SPACE + best_place(view, params, mask, outlook, stream, camp, 1.0)


@kernel
def can_only_end(view: Record, mask: Vector) -> bool:
    """Whether the turn's action is done and no card can be played."""
    return bool(view["table"]["action_done"]) and not may_play_a_card(mask)


@kernel
def answer(view: Record, params: Record, mask: Vector, outlook: Record, camp: int) -> int:
    """RH-4.3: the answer to a co-op: a power if it pays, slipping away if every tile within reach is bad."""
    if mask[A.HUNT] and hunting_pays(view, params, outlook):
        return A.HUNT
    if mask[A.CON] and conning_pays(view, params, outlook):
        return A.CON
    if mask[A.SLIP_AWAY] and best_in_reach(view, params, outlook, camp, space_of(view, 0)) < SLIP_BELOW:
        return A.SLIP_AWAY
    return A.REVEAL


@kernel
def choose_seat(view: Record, params: Record, mask: Vector, outlook: Record, stream: Record, role: int) -> int:
    """RH-4.3 and cards: the player to ask or to play a card at; a random one if the agent has no preference."""
    judge(view, params, outlook)
    if source_of(view) == v.Source.CO_OP:
        seat = whom_to_ask(view, params, mask, outlook, stream, role, True)
    else:
        seat = seat_for_card(view, params, mask, outlook, stream, role)
    if seat < 0:
        return random_legal_action(mask, stream)
    return A.SEAT + seat


@kernel
def choose_reveal(view: Record, params: Record, mask: Vector, outlook: Record, stream: Record, camp: int) -> int:
    """Reveal the best allowed tile for the own camp; decline, if allowed, when it gains nothing."""
    source = source_of(view)
    if source == v.Source.HUNT:
        return first_hunted(view, params, mask, outlook, stream)
    if source == v.Source.CON and not some_chosen(view):
        return first_conned(view, params, mask, outlook, stream)
    discount_seen(view, params, mask, outlook, camp)
    space = best_allowed(mask, outlook, stream, camp)
    if mask[A.STOP] and outlook["worths"][space, camp] <= 0:
        return A.STOP
    return or_stop(space)


POWERS, MANNER, HEARS = True, Manner.SHREWD, True  # of the template `choose_otherwise`, replaced


def choose_otherwise(
    view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record
) -> int:
    """The same agent with or without Hunt and Con, with another way to talk and to listen."""
    allowed = mask.copy()
    if not POWERS:
        allowed[A.HUNT] = 0
        allowed[A.CON] = 0
    return decide(view, params, allowed, stream, MANNER, HEARS)


def choosing(name: str, powers: bool, manner: Manner, hears: bool) -> Callable[..., int]:
    """The kernel of the agent of this name that uses its powers or not, talks so and listens or not."""
    return kernel.link(choose_otherwise, f"choose_{name}", {"POWERS": powers, "MANNER": manner, "HEARS": hears})


@functools.cache
def rule_based_agent(powers: bool = True, talk: bool = True) -> CompiledAgent:
    """The rule-based agent; if `powers` is false, it never declares Hunt or Con, if `talk` is, it's silent and deaf."""
    if powers and talk:
        about = "rule-based, a strategy for every role: expected worth, trust, powers"
        return CompiledAgent.of(kernel, "rule_based", choose, about)
    without = {"powers": "never declares Hunt or Con", "talk": "says nothing and hears nothing of what is said"}
    off = [name for name, kept in (("powers", powers), ("talk", talk)) if not kept]
    choose_so = choosing("_".join(["without", *off]), powers, Manner.SHREWD if talk else Manner.MUTE, talk)
    about = "rule-based, but " + " and ".join(without[name] for name in off)
    return CompiledAgent.of(kernel, "rule_based:" + ",".join(f"{name}=false" for name in off), choose_so, about)


RULE_BASED = rule_based_agent()
