"""Why the rules refuse an action: the one source for masks, error messages, agents and tests.

These functions read only the public table and one seat's private part, so a mask can't leak a secret to its seat. Given
the public's part instead of a seat's, they say what could be legal as far as everybody knows.
"""

from riverbed_env.kernels.common import UNDECIDED, common_refusal
from riverbed_env.kernels.compile import Record, Vector

from . import kernel
from .actions import NUM_ACTIONS, A
from .acts import may_hold, play_refusal, power_refusal, ready_refusal, slip_away_refusal
from .board import destinations, face_down_within_reach
from .knowledge import only_space
from .talk import claim_refusal
from .vocab import MAX_CARD_KINDS, MAX_SEATS, NUM_SPACES, NUM_VERBS, Ending, Question, Refusal, Role, Scope


@kernel
def refusal(table: Record, own: Record, params: Record, seat: int, action: int) -> int:
    """Why the seat can't take the action: a Refusal, OK when it can."""
    refused = common_refusal(NUM_ACTIONS, seat == table["asked"], table["ending"] == Ending.PLAYING, action)
    if refused != UNDECIDED:
        return refused
    elif action >= A.SILENT:
        if table["question"] != Question.FLOOR:  # RH-9.3: not in the middle of a claim either
            return Refusal.WRONG_QUESTION
        return claim_refusal(table, seat, action - A.SILENT)
    elif action >= A.CARD:
        return card_refusal(table, own, params, seat, action - A.CARD)
    elif action >= A.SEAT:
        return seat_refusal(table, seat, action - A.SEAT)
    elif action >= A.SPACE:
        return space_refusal(table, action - A.SPACE)
    elif action == A.STOP:
        return Refusal.OK if table["optional"] else Refusal.NOT_OPTIONAL  # RH-5.1
    elif table["question"] == Question.TURN:
        return turn_refusal(table, params, seat, action)
    elif table["question"] == Question.ANSWER:
        return answer_refusal(table, own, params, seat, action)
    elif table["question"] == Question.REFRESH and A.READY <= action < A.READY + 2:
        return ready_refusal(table, seat, action - A.READY)
    return Refusal.WRONG_QUESTION


@kernel
def turn_refusal(table: Record, params: Record, seat: int, action: int) -> int:
    """RH-3.1, RH-3.2: why the seat can't take a verb of its turn."""
    if action == A.END_TURN:
        return Refusal.OK if table["action_done"] else Refusal.ACTION_OWED  # RH-3.1
    elif A.READY <= action < A.READY + 2:
        if not table["marker_left"][seat]:  # RH-5.5: once a game
            return Refusal.MARKER_USED
        return ready_refusal(table, seat, action - A.READY)
    elif not A.DIVE <= action <= A.UNCOVER:
        return Refusal.WRONG_QUESTION
    elif table["action_done"]:
        return Refusal.ACTION_TAKEN
    elif action == A.CO_OP:
        return Refusal.OK  # RH-4.3: somebody can be chosen
    elif action == A.SWIM and destinations(table, params, Scope.SWIM, seat) == 0 and table["swim_ready"][seat]:
        return Refusal.NO_DESTINATION  # RH-3.5, RH-4.2
    elif action == A.SWIM:
        return Refusal.OK if table["swim_ready"][seat] else Refusal.EXHAUSTED
    elif action == A.DIVE and not table["dive_ready"][seat]:
        return Refusal.EXHAUSTED  # RH-3.5, RH-4.1
    elif action == A.UNCOVER and not table["uncover_left"][seat]:
        return Refusal.UNCOVER_USED  # RH-4.4
    elif action == A.UNCOVER and table["hand_size"][seat] == 0:
        return Refusal.NO_CARD_TO_DISCARD
    reachable = face_down_within_reach(table, params, seat) != 0
    return Refusal.OK if reachable else Refusal.NOTHING_FACE_DOWN_IN_REACH


@kernel
def answer_refusal(table: Record, own: Record, params: Record, seat: int, action: int) -> int:
    """RH-4.3, RH-5.1, RH-5.3, RH-7.5: why the seat can't give an answer to a co-op."""
    if action == A.REVEAL:
        return Refusal.OK
    elif action == A.HUNT:
        return power_refusal(table, own, params, seat, Role.LEADER)
    elif action == A.CON:
        return power_refusal(table, own, params, seat, Role.PROFITEER)
    elif action == A.SLIP_AWAY:
        return slip_away_refusal(table, own, params, seat)
    return Refusal.WRONG_QUESTION


@kernel
def space_refusal(table: Record, space: int) -> int:
    """RH-2.5: a space must be among those the question allows."""
    if table["spaces"] == 0:
        return Refusal.WRONG_QUESTION
    if (int(table["spaces"]) >> space) & 1:
        return Refusal.OK
    if not (int(table["occupied"]) >> space) & 1:
        return Refusal.SPACE_EMPTY
    return Refusal.SPACE_NOT_ALLOWED


@kernel
def seat_refusal(table: Record, seat: int, clockwise: int) -> int:
    """RH-4.3 and cards: the player `clockwise` seats away must be among those the question allows."""
    if table["seats"] == 0:
        return Refusal.WRONG_QUESTION
    if clockwise >= int(table["num_players"]):
        return Refusal.SEAT_ABSENT
    if (int(table["seats"]) >> ((seat + clockwise) % int(table["num_players"]))) & 1:
        return Refusal.OK
    return Refusal.SEAT_NOT_ALLOWED


@kernel
def card_refusal(table: Record, own: Record, params: Record, seat: int, card: int) -> int:
    """RH-7.1: why the seat can't play a card in its turn; RH-7.3: or discard it when a discard is asked."""
    if table["question"] == Question.TURN:
        return play_refusal(table, own, params, seat, card)
    if table["question"] != Question.DISCARD:
        return Refusal.WRONG_QUESTION
    return Refusal.OK if may_hold(table, own, params, seat, card) else Refusal.CARD_NOT_HELD


@kernel
def write_mask(table: Record, own: Record, params: Record, seat: int, mask: Vector) -> None:
    """Write 1 for every action the rules don't refuse the seat, else 0. mask: (NUM_ACTIONS,) int8; never all 0."""
    mask[:] = 0
    if seat != table["asked"]:
        mask[A.WAIT] = 1
        return
    question = int(table["question"])
    if question == Question.TURN:
        for action in range(A.DIVE, A.REVEAL):
            mask[action] = turn_refusal(table, params, seat, action) == Refusal.OK
    elif question == Question.ANSWER:
        for action in range(A.REVEAL, A.STOP):
            mask[action] = answer_refusal(table, own, params, seat, action) == Refusal.OK
    elif question == Question.FLOOR:
        for verb in range(NUM_VERBS):
            mask[A.SILENT + verb] = claim_refusal(table, seat, verb) == Refusal.OK
    elif question == Question.REFRESH:
        for swim in range(2):
            mask[A.READY + swim] = ready_refusal(table, seat, swim) == Refusal.OK
    mask[A.STOP] = table["optional"]
    spaces = int(table["spaces"])
    if spaces:
        for space in range(NUM_SPACES):
            mask[A.SPACE + space] = (spaces >> space) & 1
    if table["seats"]:
        for clockwise in range(MAX_SEATS):
            mask[A.SEAT + clockwise] = seat_refusal(table, seat, clockwise) == Refusal.OK
    if (question == Question.TURN and not table["card_played"]) or question == Question.DISCARD:
        for card in range(MAX_CARD_KINDS):
            if own["hand"][card] > 0:
                mask[A.CARD + card] = card_refusal(table, own, params, seat, card) == Refusal.OK


@kernel
def forced_action(table: Record, own: Record, held: Record, params: Record) -> int:
    """The asked seat's only answer as far as `own` shows (the seat's part, or the public's), or -1 if there are more.

    `held` is always the seat's part: everybody may know that there is one answer, but not which (a last card).
    """
    seat = int(table["asked"])
    question = int(table["question"])
    spaces = int(table["spaces"])
    seats = int(table["seats"])
    if spaces:
        if spaces & (spaces - 1) or table["optional"]:
            return -1
        return A.SPACE + only_space(spaces)
    elif seats:
        if seats & (seats - 1) or table["optional"]:
            return -1
        return A.SEAT + (only_space(seats) - seat + int(table["num_players"])) % int(table["num_players"])
    elif question == Question.FLOOR:  # RH-9.10: silence and some promise are always legal
        return -1
    elif question == Question.TURN:
        return forced_verb(table, own, params, seat)
    elif question == Question.ANSWER:
        for action in range(A.REVEAL + 1, A.STOP):
            if answer_refusal(table, own, params, seat, action) == Refusal.OK:
                return -1
        return A.REVEAL
    elif question == Question.REFRESH:
        if not table["dive_ready"][seat] and not table["swim_ready"][seat]:
            return -1
        return A.READY + int(table["dive_ready"][seat])
    return forced_discard(table, own, held, seat)


@kernel
def forced_verb(table: Record, own: Record, params: Record, seat: int) -> int:
    """RH-3.1: Co-op before the action and END_TURN after it are always legal; -1 if anything else is."""
    for action in range(A.DIVE, A.REVEAL):
        if action != A.CO_OP and action != A.END_TURN and turn_refusal(table, params, seat, action) == Refusal.OK:
            return -1
    if table["hand_size"][seat] > 0 and not table["card_played"]:
        for card in range(MAX_CARD_KINDS):
            if may_hold(table, own, params, seat, card):
                if play_refusal(table, own, params, seat, card) == Refusal.OK:
                    return -1
    if table["action_done"]:
        return A.END_TURN
    return A.CO_OP


@kernel
def forced_discard(table: Record, own: Record, held: Record, seat: int) -> int:
    """RH-7.3: the only card to discard: the last one in the hand, or the only kind if that is known."""
    only = -1
    for card in range(MAX_CARD_KINDS):
        if held["hand"][card] > 0:
            if only >= 0:
                return -1
            only = A.CARD + card
    if own["role"] == Role.UNKNOWN and table["hand_size"][seat] > 1:
        return -1
    return only
