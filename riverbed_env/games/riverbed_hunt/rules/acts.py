"""RH-4, the actions Dive, Swim, Co-op and Uncover: when they can be chosen, and the programs they run."""

import numpy as np

from riverbed_env.kernels.compile import Record

from . import kernel
from .board import destinations, face_down_within_reach, face_up
from .stack import ask, count_deed, push_frame, record_act
from .state import INSTRUCTION, NUM_ACTION_PROGRAMS
from .vocab import MAX_INSTRUCTIONS, Deed, Effect, Element, Event, Question, Refusal, Role, Scope, Source, Who

# The actions and the two role powers, in the vocabulary of the packs: effect, scope, who, amount.
_PROGRAMS = {
    # RH-4.1
    Source.DIVE: ((Effect.VIEW, Scope.WITHIN_REACH, Who.SELF, 0),),
    # RH-4.2
    Source.SWIM: ((Effect.MOVE, Scope.SWIM, Who.SELF, 0), (Effect.DRAW, Scope.NONE, Who.SELF, 1)),
    # RH-4.3
    Source.CO_OP: (
        (Effect.CALL, Scope.WITHIN_REACH, Who.ANOTHER, 0),
        (Effect.DRAW, Scope.NONE, Who.SELF, 1),
        (Effect.REFRESH, Scope.NONE, Who.SELF, 0),
    ),
    # RH-4.4
    Source.UNCOVER: (
        (Effect.DISCARD, Scope.NONE, Who.SELF, 1),
        (Effect.REVEAL, Scope.WITHIN_REACH, Who.SELF, 0),
        (Effect.REFRESH, Scope.NONE, Who.SELF, 0),
        (Effect.FLIP_CARD, Scope.NONE, Who.SELF, 0),
    ),
    # RH-5.1, RH-5.2
    Source.HUNT: (
        (Effect.DISCARD, Scope.NONE, Who.SELF, 1),
        (Effect.DECLARE, Scope.NONE, Who.SELF, 0),
        (Effect.REVEAL, Scope.WITHIN_REACH, Who.SELF, 0),
        (Effect.HUNT_ON, Scope.ANY, Who.SELF, 0),
        (Effect.PENALTY, Scope.NONE, Who.SELF, 0),
    ),
    # RH-5.3
    Source.CON: (
        (Effect.DISCARD, Scope.NONE, Who.SELF, 1),
        (Effect.DECLARE, Scope.NONE, Who.SELF, 0),
        (Effect.REVEAL, Scope.WITHIN_REACH, Who.SELF, 0),
        (Effect.REVEAL, Scope.ANY, Who.SELF, 0),
    ),
}


def action_programs() -> np.ndarray[tuple[int, int], np.dtype[np.void]]:
    """The programs of the actions and powers, shape (NUM_ACTION_PROGRAMS, MAX_INSTRUCTIONS) of INSTRUCTION."""
    programs = np.zeros((NUM_ACTION_PROGRAMS, MAX_INSTRUCTIONS), INSTRUCTION)
    for source, instructions in _PROGRAMS.items():
        for step, (effect, scope, who, amount) in enumerate(instructions):
            programs[source, step] = (effect, scope, who, amount, 0, 0, 0)
    return programs


@kernel
def dive_refusal(table: Record, params: Record, seat: int) -> int:
    """RH-4.1: why the seat can't dive; RH-3.5: Dive must be ready and a face-down tile within reach."""
    if table["action_done"]:
        return Refusal.ACTION_TAKEN
    if not table["dive_ready"][seat]:
        return Refusal.EXHAUSTED
    if face_down_within_reach(table, params, seat) == 0:
        return Refusal.NOTHING_FACE_DOWN_IN_REACH
    return Refusal.OK


@kernel
def swim_refusal(table: Record, params: Record, seat: int) -> int:
    """RH-4.2: why the seat can't swim; RH-3.5: Swim must be ready and a destination exist."""
    if table["action_done"]:
        return Refusal.ACTION_TAKEN
    if not table["swim_ready"][seat]:
        return Refusal.EXHAUSTED
    if destinations(table, params, Scope.SWIM, seat) == 0:
        return Refusal.NO_DESTINATION
    return Refusal.OK


@kernel
def uncover_refusal(table: Record, params: Record, seat: int) -> int:
    """RH-4.4: why the seat can't uncover; it needs its Uncover, a card to discard and a face-down tile within reach."""
    if table["action_done"]:
        return Refusal.ACTION_TAKEN
    if not table["uncover_left"][seat]:
        return Refusal.UNCOVER_USED
    if table["hand_size"][seat] == 0:
        return Refusal.NO_CARD_TO_DISCARD
    if face_down_within_reach(table, params, seat) == 0:
        return Refusal.NOTHING_FACE_DOWN_IN_REACH
    return Refusal.OK


@kernel
def take_action(table: Record, seat: int, source: int) -> None:
    """RH-3.1: the active player takes the turn's action; RH-4.1, RH-4.2: Dive and Swim are exhausted first."""
    table["action_done"] = 1
    if source == Source.DIVE:
        table["dive_ready"][seat] = 0
        count_deed(table, seat, Deed.DIVES, 1)
    elif source == Source.SWIM:
        table["swim_ready"][seat] = 0
        count_deed(table, seat, Deed.SWIMS, 1)
        record_act(table, Event.SWIM, seat)
    elif source == Source.UNCOVER:
        record_act(table, Event.UNCOVER, seat)
    else:
        count_deed(table, seat, Deed.CO_OPS, 1)
    push_frame(table, source, 0, -1, seat, source)


@kernel
def refresh_all(table: Record, seat: int) -> None:
    """RH-4.3, RH-4.4: make Dive and Swim ready; RH-4.5: usable from the next turn, as this one's action is taken."""
    table["dive_ready"][seat] = 1
    table["swim_ready"][seat] = 1


@kernel
def callable_seats(table: Record, params: Record, seat: int) -> int:
    """RH-4.3: bits of the seats the active player can choose for a co-op.

    Ruling: a player without a face-down tile within reach can be chosen only if nobody but the asker has one. Players
    who slipped away from this co-op can't be chosen (RH-7, Slip Away).
    """
    can_reveal = 0
    remaining = 0
    for other in range(int(table["num_players"])):
        if other != seat and not (int(table["slipped"]) >> other) & 1:
            remaining |= 1 << other
            if face_down_within_reach(table, params, other) != 0:
                can_reveal |= 1 << other
    if can_reveal:
        return can_reveal
    return remaining


@kernel
def power_refusal(table: Record, own: Record, params: Record, seat: int, role: int) -> int:
    """RH-5.1, RH-5.3: why the seat can't declare the Hunt (role leader) or the Con (role profiteer).

    The seat needs the role, unrevealed, a card to discard and a face-down tile within reach. If `own` is the
    public's knowledge, it is enough that the seat could have the role.
    """
    if not may_be(table, own, seat, role):
        return Refusal.NOT_THE_ROLE
    if table["role"][seat] != Role.UNKNOWN:
        return Refusal.ROLE_REVEALED
    if table["hand_size"][seat] == 0:
        return Refusal.NO_CARD_TO_DISCARD
    if face_down_within_reach(table, params, seat) == 0:
        return Refusal.NOTHING_FACE_DOWN_IN_REACH
    return Refusal.OK


@kernel
def may_be(table: Record, own: Record, seat: int, role: int) -> bool:
    """RH-1.3: whether the seat has the role; if `own` is the public's knowledge, whether it could have it."""
    if own["role"] != Role.UNKNOWN:
        return bool(own["role"] == role)
    for other in range(int(table["num_players"])):
        if other != seat and table["role"][other] == role:
            return False
    return bool(table["role"][seat] == Role.UNKNOWN)


@kernel
def declare_power(table: Record, seat: int, source: int) -> None:
    """RH-5.4: begin the Hunt or the Con inside the co-op under way."""
    if source == Source.HUNT:
        record_act(table, Event.HUNT, seat)
    else:
        record_act(table, Event.CON, seat)
    push_frame(table, source, 0, -1, seat, source)


@kernel
def penalty_spaces(table: Record, params: Record) -> int:
    """RH-5.2: bits of the face-up tiles with a log that were turned up during the Hunt."""
    spaces = 0
    candidates = int(table["hunted"]) & face_up(table)
    for space in range(len(table["tile"])):
        if (candidates >> space) & 1 and params["features"][int(table["tile"][space]), Element.LOG] > 0:
            spaces |= 1 << space
    return spaces


@kernel
def ask_penalty(table: Record, params: Record) -> bool:
    """RH-5.2: ask the chief to turn one such tile down; return False if there is none."""
    spaces = penalty_spaces(table, params)
    if spaces == 0:
        return False
    chief = chief_seat(table)
    record_act(table, Event.PENALTY, chief)
    ask(table, chief, Question.PENALTY, spaces, 0, 0)
    return True


@kernel
def chief_seat(table: Record) -> int:
    """RH-1.3: the seat of the chief merchant, public from the start."""
    for seat in range(int(table["num_players"])):
        if table["role"][seat] == Role.CHIEF:
            return seat
    return -1


@kernel
def ready_refusal(table: Record, seat: int, swim: int) -> int:
    """RH-5.5: only an exhausted action can be made ready."""
    if (swim and table["swim_ready"][seat]) or (not swim and table["dive_ready"][seat]):
        return Refusal.NOT_EXHAUSTED
    return Refusal.OK


@kernel
def make_ready(table: Record, seat: int, swim: int) -> None:
    """RH-5.5: make Dive (swim 0) or Swim (swim 1) ready."""
    if swim:
        table["swim_ready"][seat] = 1
    else:
        table["dive_ready"][seat] = 1
