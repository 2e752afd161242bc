"""One question about an action: why do the rules refuse it? Masks, error messages, agents and tests all ask it here.

It reads the public table and one seat's private part, nothing else, so a mask can't tell what its seat may not know.
The legal answers to a question are one integer, bit a - 1 for action a; masks and refusals both use it.
"""

from riverbed_env.kernels.common import UNDECIDED, common_refusal
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.vocab import Forced

from . import kernel
from .actions import NUM_ACTIONS, A
from .modes import joker_refusal
from .piles import card_left
from .setup import aces_chosen
from .turn import action_possible, exchangeable, power_refusal
from .vocab import ACE, ACES, NUM_CARDS, NUM_RANKS, Ending, Question, Refusal, Zone

# The bits of answers that aren't cards; a card has the same bit as in a set of cards.
DRAW_BIT, JOKER_BIT, NO_BIT, ACT_BIT = (1 << (action - A.CARD) for action in (A.DRAW, A.JOKER, A.NO, A.ACT))
POWER_BIT, HIDDEN_BIT, DEBT_BIT = (1 << (action - A.CARD) for action in (A.POWER, A.HIDDEN, A.DEBT))


@kernel
def card_answers(table: Record, own: Record) -> tuple[int, int]:
    """RR-1.1, RR-2.1 to RR-2.4, RR-5.1: the cards that answer the question, as a set; the Refusal of others."""
    question = int(table["question"])
    hand = int(own["hand"])
    market = int(table["market"])
    if question == Question.ACE:
        return ACES & ~aces_chosen(table), Refusal.NOT_AN_ACE
    elif question == Question.DRAW:
        return market, Refusal.NOT_IN_MARKET
    elif question == Question.PLAY or question == Question.TO_MARKET:
        return hand, Refusal.NOT_IN_HAND
    elif question == Question.DISCARD:
        return hand | market, Refusal.NOT_IN_HAND_OR_MARKET
    elif question == Question.DISCARD_MORE:
        return hand if table["zone"] == Zone.HAND else market, Refusal.NOT_IN_ZONE
    elif question == Question.MORE_TO_MARKET:
        if table["num_players"] == 1:
            return 0, Refusal.NOT_ALONE
        return hand, Refusal.NOT_IN_HAND
    elif question == Question.SWAP_OUT:
        return exchangeable(table), Refusal.NOT_EXCHANGEABLE
    elif question == Question.SWAP_IN:
        if table["power"]:
            return market, Refusal.NOT_IN_MARKET
        return hand, Refusal.NOT_IN_HAND
    elif question == Question.REMOVE:
        return int(table["rat_up"]), Refusal.NOT_THE_RATS
    return 0, Refusal.WRONG_QUESTION


@kernel
def other_answers(table: Record, params: Record) -> int:
    """The answers that aren't cards, as bits; all of them are public (RR-2.1, RR-2.4, RR-5.1, RR-5.2)."""
    question = int(table["question"])
    if question == Question.DRAW or question == Question.PLAY:
        answers = 0
        if question == Question.DRAW and card_left(table):
            answers |= DRAW_BIT
        if joker_refusal(table, params) == Refusal.OK:
            answers |= JOKER_BIT
        return answers
    elif question == Question.ACTION:
        answers = NO_BIT
        if action_possible(table, int(table["asked"])):
            answers |= ACT_BIT
        if power_refusal(table, params, int(table["asked"])) == Refusal.OK:
            answers |= POWER_BIT
        return answers
    elif question == Question.DISCARD_MORE:
        return NO_BIT
    elif question == Question.MORE_TO_MARKET:
        if table["num_players"] > 1:
            return NO_BIT
        return NO_BIT | DRAW_BIT
    elif question == Question.ADD_DEBT:
        if card_left(table):
            return NO_BIT | DEBT_BIT
        return NO_BIT
    elif question == Question.REMOVE:
        if table["rat_down"] > 0:
            return HIDDEN_BIT
    elif question == Question.USE_JOKER:
        return NO_BIT | JOKER_BIT
    elif question == Question.REVEAL_MORE:
        return NO_BIT | DRAW_BIT
    return 0


@kernel
def legal_answers(table: Record, own: Record, params: Record) -> int:
    """All legal answers of the current seat, whose private part is `own`: bit a - 1 for action a."""
    return card_answers(table, own)[0] | other_answers(table, params)


@kernel
def refusal(table: Record, own: Record, params: Record, seat: int, action: int) -> int:
    """Why the seat can't take the action: a Refusal, OK if it can."""
    refused = common_refusal(NUM_ACTIONS, seat == table["asked"], table["ending"] == Ending.PLAYING, action)
    if refused != UNDECIDED:
        return refused
    elif (legal_answers(table, own, params) >> (action - A.CARD)) & 1:
        return Refusal.OK
    elif action < A.CARD + NUM_CARDS:
        if table["question"] == Question.ACE and (action - A.CARD) % NUM_RANKS == ACE:
            return Refusal.ACE_TAKEN
        return card_answers(table, own)[1]
    return other_refusal(table, params, action)


@kernel
def other_refusal(table: Record, params: Record, action: int) -> int:
    """Why an answer other than a card isn't legal, as a Refusal."""
    question = int(table["question"])
    if action == A.JOKER and (question == Question.DRAW or question == Question.PLAY):
        return joker_refusal(table, params)
    elif action == A.DRAW and question == Question.DRAW:
        return Refusal.NO_CARDS_LEFT
    elif action == A.DRAW and question == Question.MORE_TO_MARKET:
        return Refusal.HAND_FIRST
    elif action == A.ACT and question == Question.ACTION:
        return Refusal.NOTHING_FOR_THE_ACTION
    elif action == A.POWER and question == Question.ACTION:
        return power_refusal(table, params, int(table["asked"]))
    elif action == A.DEBT and question == Question.ADD_DEBT:
        return Refusal.NO_CARDS_LEFT
    elif action == A.HIDDEN and question == Question.REMOVE:
        return Refusal.NO_FACE_DOWN_CARD
    return Refusal.WRONG_QUESTION


@kernel
def write_mask(table: Record, own: Record, params: Record, seat: int, mask: Vector) -> None:
    """Write 1 for every action the rules don't refuse the seat, else 0. mask: (NUM_ACTIONS,) int8; never all 0."""
    mask[:] = 0
    if seat != table["asked"]:
        mask[A.WAIT] = 1
        return
    answers = legal_answers(table, own, params)
    for place in range(NUM_ACTIONS - A.CARD):
        mask[A.CARD + place] = (answers >> place) & 1


@kernel
def forced_action(table: Record, own: Record, params: Record) -> int:
    """The current seat's only legal answer, or -1 if there are more.

    The number of answers is public (RR-6.1): hands are hidden, but their sizes aren't, and no two cards are alike. The
    answer itself may be secret, like a hand's last card.
    """
    if params["auto_forced"] == Forced.NONE or table["ending"] != Ending.PLAYING:
        return -1
    answers = legal_answers(table, own, params)
    if answers == 0 or answers & (answers - 1):
        return -1
    action = A.CARD
    while not (answers >> (action - A.CARD)) & 1:
        action += 1
    return action
