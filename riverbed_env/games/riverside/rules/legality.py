"""One question about an action: why do the rules refuse it? Masks, error messages, agents and tests all ask it here.

It reads the table and one seat's own part, nothing else, so a mask can't tell what others choose in the phase (RS-5.1).
"""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.common import UNDECIDED, common_refusal
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import Forced

from .actions import DIE_WAYS, NUM_ACTIONS, A
from .boats import die_refusal, seat_refusal
from .excursions import done_refusal, early_refusal, score_refusal, speed_refusal, stay_refusal, village_refusal
from .kernels import kernel
from .vocab import ROWS, Ending, Question, Refusal


@kernel
def refusal(table: Record, own: Record, params: Record, asked: int, action: int) -> int:
    """Why a seat can't take the action: a Refusal, OK when it can. `asked` 1: the seat has to answer now."""
    refused = common_refusal(NUM_ACTIONS, asked, table["ending"] == Ending.PLAYING, action)
    if refused != UNDECIDED:
        return refused
    return answer_refusal(table, own, params, action)


@kernel
def answer_refusal(table: Record, own: Record, params: Record, action: int) -> int:
    """RS-2.2, RS-2.4, RS-3.1: why the action doesn't answer the seat's own question."""
    if action >= A.PRIZE:
        return score_refusal(table, own, params, action - A.PRIZE, 1)
    elif action >= A.SCORE:
        return score_refusal(table, own, params, action - A.SCORE, 0)
    elif action >= A.VILLAGE:
        return village_refusal(table, own, params, action - A.VILLAGE)
    elif action == A.DONE:
        return done_refusal(own)
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
    elif question == Question.SCORE or question == Question.MORE:
        return A.EARLY
    return A.STAY


@kernel
def past_answers(own: Record) -> int:
    """One past the last action that could answer the seat's question; the first where nothing is asked."""
    question = int(own["question"])
    if question == Question.NONE:
        return first_answer(own)
    elif question == Question.DIE:
        return A.SEAT
    elif question == Question.SEAT:
        return first_answer(own) + ROWS
    elif question == Question.SCORE or question == Question.MORE:
        return NUM_ACTIONS
    return A.SCORE


@kernel
def write_answers(table: Record, own: Record, params: Record, mask: npt.NDArray[np.int8]) -> None:
    """Write 1 for every action that answers the seat's question, else 0. mask: (NUM_ACTIONS,) int8."""
    mask[:] = 0
    for action in range(first_answer(own), past_answers(own)):
        mask[action] = answer_refusal(table, own, params, action) == Refusal.OK


@kernel
def write_mask(table: Record, own: Record, params: Record, asked: int, mask: npt.NDArray[np.int8]) -> None:
    """Write 1 for every action the rules don't refuse the seat, else 0. mask: (NUM_ACTIONS,) int8; never all 0."""
    if asked:
        write_answers(table, own, params, mask)
    else:
        mask[:] = 0
        mask[A.WAIT] = 1


@kernel
def only_answer(table: Record, own: Record, params: Record) -> int:
    """The seat's only answer, -1 if there are more or nothing is asked."""
    only = -1
    for action in range(first_answer(own), past_answers(own)):
        if answer_refusal(table, own, params, action) == Refusal.OK:
            if only >= 0:
                return -1
            only = action
    return only


@kernel
def forced_answer(table: Record, own: Record, params: Record) -> int:
    """The answer that `auto_forced` says is taken for the seat, -1 where it is to be asked.

    What is public are the sheets as the phase began, and so the answers to its first question; of dice there are
    always several. Everything later follows from choices that nobody else has seen.
    """
    question = int(own["question"])
    if question == Question.NONE or params["auto_forced"] == Forced.NONE:
        return -1
    if params["auto_forced"] == Forced.PUBLIC and question != Question.VILLAGE:
        return -1
    return only_answer(table, own, params)
