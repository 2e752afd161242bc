"""Why the rules refuse an action. Masks, error messages, agents and tests all use this module.

It reads only the table and one seat's private part, so a mask can't reveal what others choose in the phase (RS-5.1).
"""

from riverbed_env.kernels.common import UNDECIDED, common_refusal
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.vocab import Forced

from . import kernel
from .actions import DIE_WAYS, NUM_ACTIONS, A
from .boats import die_refusal, seat_refusal
from .excursions import early_refusal, place_refusal, score_refusal, speed_refusal, stay_refusal
from .vocab import ROWS, Ending, Question, Refusal


@kernel
def refusal(table: Record, own: Record, params: Record, asked: int, action: int) -> int:
    """Why a seat can't take the action, as a Refusal; OK if it can. `asked` 1: the seat has to answer now."""
    refused = common_refusal(NUM_ACTIONS, asked, table["ending"] == Ending.PLAYING, action)
    if refused != UNDECIDED:
        return refused
    return answer_refusal(table, own, params, action)


@kernel
def answer_refusal(table: Record, own: Record, params: Record, action: int) -> int:
    """RS-2.2, RS-2.4, RS-3.1: why the action isn't a legal answer to the seat's question, as a Refusal."""
    question = int(own["question"])
    if action >= A.PRIZE:
        return score_refusal(table, own, params, action - A.PRIZE, 1)
    elif action >= A.SCORE:
        return score_refusal(table, own, params, action - A.SCORE, 0)
    elif action >= A.VILLAGE:
        if question != Question.VILLAGE and question != Question.SECOND and question != Question.FAST:
            return Refusal.WRONG_QUESTION
        return place_refusal(table, own, params, action - A.VILLAGE, 0)
    elif action == A.DONE:
        return Refusal.OK if question == Question.MORE else Refusal.WRONG_QUESTION  # RS-2.4: after the first score
    elif action == A.EARLY:
        return early_refusal(table, own, params)
    elif action == A.SPEED:
        return speed_refusal(table, own, params)
    elif action == A.STAY:
        return stay_refusal(own)
    elif action >= A.SEAT:
        return seat_refusal(own, params, (action - A.SEAT) // ROWS, (action - A.SEAT) % ROWS)
    way = (action - A.DIE) % DIE_WAYS
    return die_refusal(table, own, (action - A.DIE) // DIE_WAYS, way // 2, way % 2)


@kernel
def first_answer(own: Record) -> int:
    """The first action that could answer the seat's question."""
    question = int(own["question"])
    if question == Question.DIE:
        return A.DIE
    elif question == Question.SEAT:
        return A.SEAT + int(own["boat"]) * ROWS
    return A.STAY


@kernel
def past_answers(own: Record) -> int:
    """One past the last action that could answer the seat's question."""
    question = int(own["question"])
    if question == Question.DIE:
        return A.SEAT
    elif question == Question.SEAT:
        return first_answer(own) + ROWS
    elif question == Question.SCORE or question == Question.MORE:
        return NUM_ACTIONS
    return A.SCORE


@kernel
def write_answers(table: Record, own: Record, params: Record, mask: Vector) -> None:
    """Write 1 for every action that answers the seat's question, else 0. mask: (NUM_ACTIONS,) int8."""
    mask[:] = 0
    for action in range(first_answer(own), past_answers(own)):
        mask[action] = answer_refusal(table, own, params, action) == Refusal.OK


@kernel
def write_mask(table: Record, own: Record, params: Record, asked: int, mask: Vector) -> None:
    """Write 1 for every legal action of the seat, else 0. mask: (NUM_ACTIONS,) int8; never all 0."""
    if asked:
        write_answers(table, own, params, mask)
    else:
        mask[:] = 0
        mask[A.WAIT] = 1


@kernel
def forced_answer(table: Record, own: Record, params: Record) -> int:
    """The answer that `auto_forced` takes for the seat; -1 if the seat has to be asked.

    With "public", only the first question of phase 3 can be forced: its legal answers follow from the public sheets.
    The first question of phase 2 always has several answers, and later questions depend on private choices.
    """
    question = int(own["question"])
    if params["auto_forced"] == Forced.NONE:
        return -1
    if params["auto_forced"] == Forced.PUBLIC and question != Question.VILLAGE:
        return -1
    only = -1
    for action in range(first_answer(own), past_answers(own)):
        if answer_refusal(table, own, params, action) == Refusal.OK:
            if only >= 0:
                return -1
            only = action
    return only
