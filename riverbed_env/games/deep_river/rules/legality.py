"""Which actions are legal, and why the others are refused: for masks, error messages, agents and tests.

The rule that asks a question stores the legal places and tokens as bits, so legality reads only those.
"""

from riverbed_env.kernels.common import UNDECIDED, common_refusal
from riverbed_env.kernels.compile import Record, Vector

from . import kernel
from .actions import MIRRORED_ACTION, NUM_ACTIONS, A
from .vocab import NUM_PLACES, NUM_TOKENS, Ending, Question, Refusal


@kernel
def from_the_salmon(seat: int, action: int) -> int:
    """Convert a seat's action to the salmon's numbering of places, or back; the conversion is its own inverse."""
    if seat == 0:
        return action
    return int(MIRRORED_ACTION[action])


@kernel
def refusal(table: Record, seat: int, action: int) -> int:
    """Return why the seat can't take the action, as a Refusal; OK if it can."""
    refused = common_refusal(NUM_ACTIONS, seat == table["asked"], table["ending"] == Ending.PLAYING, action)
    if refused != UNDECIDED:
        return refused
    elif action < A.PLACE:
        return token_refusal(table, action - A.TOKEN, Question.TOKEN)
    elif action < A.TILT:
        return place_refusal(table, from_the_salmon(seat, action) - A.PLACE)
    elif action < A.TURN:
        return token_refusal(table, action - A.TILT, Question.TILT)
    elif table["question"] == (Question.DOUBLE if action < A.USE else Question.USE):  # DR-3.2
        return Refusal.OK
    return Refusal.WRONG_QUESTION


@kernel
def token_refusal(table: Record, token: int, question: int) -> int:
    """DR-2.1, DR-3.1: refuse to use a token tilted against the seat, or to tilt one already tilted this turn."""
    if table["question"] != question:
        return Refusal.WRONG_QUESTION
    elif (int(table["tokens"]) >> token) & 1:
        return Refusal.OK
    elif question == Question.TOKEN:
        return Refusal.TOKEN_BARRED
    return Refusal.TOKEN_TILTED


@kernel
def place_refusal(table: Record, place: int) -> int:
    """DR-2.2, DR-2.3, DR-3.1, DR-3.2: refuse a place that the question doesn't allow."""
    question = int(table["question"])
    if table["places"] == 0:
        return Refusal.WRONG_QUESTION
    elif (int(table["places"]) >> place) & 1:
        return Refusal.OK
    elif question == Question.FISH:
        return Refusal.NO_FREE_FISH
    elif question == Question.STAND:
        return Refusal.CANNOT_STAND
    elif question == Question.PILE:
        return Refusal.NO_PILE
    return Refusal.NOT_SINGLE


@kernel
def write_mask(table: Record, seat: int, mask: Vector) -> None:
    """Write 1 for each action that is legal for the seat, else 0. mask: (NUM_ACTIONS,) int8; never all 0."""
    mask[:] = 0
    question = int(table["question"])
    if seat != table["asked"]:
        mask[A.WAIT] = 1
    elif table["places"] != 0:
        places = int(table["places"])
        for place in range(NUM_PLACES):
            mask[from_the_salmon(seat, A.PLACE + place)] = (places >> place) & 1
    elif question == Question.DOUBLE:
        mask[A.TURN] = 1
        mask[A.ADVANCE] = 1
    elif question == Question.USE:
        mask[A.USE] = 1
        mask[A.LEAVE] = 1
    else:
        first = A.TILT if question == Question.TILT else A.TOKEN
        for token in range(NUM_TOKENS):
            mask[first + token] = (int(table["tokens"]) >> token) & 1


@kernel
def forced_action(table: Record) -> int:
    """The asked seat's only legal action, or -1 if it has several; both sides can tell which."""
    choices = int(table["places"]) | int(table["tokens"])  # one of the two is 0
    if choices == 0 or choices & (choices - 1):
        return -1
    argument = 0
    while choices > 1:
        choices >>= 1
        argument += 1
    if table["places"] != 0:
        return from_the_salmon(int(table["asked"]), A.PLACE + argument)
    elif table["question"] == Question.TILT:
        return A.TILT + argument
    return A.TOKEN + argument
