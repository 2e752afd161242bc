"""What a state must fulfil beyond the ranges of its fields, so that it can be played to its end."""

import numpy as np

from riverbed_env.kernels.common import events_are_sound
from riverbed_env.kernels.compile import Record, Records
from riverbed_env.kernels.records import Bools, bits, filled
from riverbed_env.kernels.vocab import Worded

from . import kernel
from . import vocab as v
from .legality import legal_answers
from .modes import CARDS_FOR_A_JOKER, collective_count
from .piles import card_left, hand_to_fill
from .state import set_of


class Violation(Worded):
    """Which law a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    EVENTS = 2, "the public events don't add up"
    CARDS = 3, "not every card is in exactly one place, or a pile's size doesn't equal its cards"
    HANDS = 4, "a hand's size doesn't equal its cards, or a hand is over the limit"
    RATS = 5, "the River Rats aren't those drawn, or the active one has too many cards"
    DEBTS = 6, "the debts or jokers don't fit what was played, or what was seen of them isn't so"
    ASKED = 7, "what is asked doesn't fit where the game stands"
    MASK = 8, "the asked seat has no legal action"


LIMITS = v.EVENTS.limits()
CARDS, SEATS = np.arange(v.NUM_CARDS), np.arange(v.MAX_SEATS + 1)  # the last is PUBLIC


def cards_conserved(games: Records, params: Records) -> Bools:
    """RR-1.1: each card is in one place, and piles have the public sizes."""
    table, private, choosing = games["table"], games["private"], games["table"]["step"] == v.Step.ACES
    piles = (
        (games["deck"], np.where(choosing, v.NUM_CARDS, table["deck_size"])),
        (games["face_down"], table["rat_down"]),
        (games["pile"], table["pile_size"]),
        (games["debt"], table["debt"]),
    )
    suits = np.column_stack([table["character"], games["first_rat"], games["second_rat"]])
    ranks = np.array([*[v.ACE] * v.MAX_SEATS, v.KING, v.KING])
    apart = np.where((suits == v.Suit.NONE) | choosing[:, None], v.NO_CARD, suits * v.NUM_RANKS + ranks)
    places = np.column_stack([*(cards for cards, _ in piles), private["placed"], apart])
    sets = [table[name] for name in ("market", "discard", "rat_up", "collective", "revealed")]
    held = bits(np.column_stack([*sets, games["rat_debt"], private["hand"]]), v.NUM_CARDS).sum(axis=1)
    held += (places[:, :, None] == CARDS).sum(axis=1)
    sized = [filled(cards, size, v.NO_CARD) for cards, size in piles]
    sized.append(bits(games["rat_debt"], v.NUM_CARDS).sum(axis=1) == table["rat_debt"])
    return np.asarray((held == 1).all(axis=1) & np.all(sized, axis=0))


def hands_add_up(games: Records, params: Records) -> Bools:
    """RR-2.1, RR-6.1: public sizes of hands are true and within the limit; what was seen to go there is there."""
    table, placed = games["table"], games["private"]["placed"]
    hand = bits(games["private"]["hand"], v.NUM_CARDS)
    sizes = hand.sum(axis=2)
    placer = (placed != v.NO_CARD) == (table["placer"][:, None] == SEATS)
    within = sizes <= np.where(table["num_players"][:, None] > SEATS, v.HAND_LIMIT, 0)
    there = (hand | (placed[:, :, None] == CARDS))[:, : v.MAX_SEATS]
    lost = bits(table["taken"], v.NUM_CARDS) & ~there
    told = (sizes[:, : v.MAX_SEATS] == table["hand_size"]).all(axis=1)
    return np.asarray((placer & within).all(axis=1) & told & ~lost.any(axis=(1, 2)))


def rats_drawn(games: Records, params: Records) -> Bools:
    """RR-1.1, RR-3.6: two River Rats, one after the other; RR-5.1: a joker's cards still have their places."""
    table, first, second = games["table"], games["first_rat"], games["second_rat"]
    rat, defeated, choosing = table["rat"], table["defeated"], table["step"] == v.Step.ACES
    drawn = np.where(choosing, v.Suit.NONE, np.where(defeated == v.Suit.NONE, first, second))
    beaten = (defeated == v.Suit.NONE) | (~choosing & (defeated == first))
    dealt = (table["joker_used"] == 1) & (table["question"] != v.Question.REMOVE)
    room = dealt | (table["rat_down"] <= v.MAX_FACE_DOWN - CARDS_FOR_A_JOKER)
    return np.asarray((first != second) & (rat == drawn) & beaten & room)


def debts_fit(games: Records, params: Records) -> Bools:
    """RR-1.2, RR-2.3: each card played adds one debt at most; RR-3.4, RR-3.6: five end the game; RR-6.1: seen ones."""
    table = games["table"]
    unowed = bits(table["debt_seen"], v.NUM_CARDS) & ~(games["debt"][:, :, None] == CARDS).any(axis=1)
    seen = ~unowed.any(axis=1) & (table["rat_debt_seen"] & ~games["rat_debt"] == 0)
    most = 1 + bits(table["collective"], v.NUM_CARDS).sum(axis=1)
    piled = (table["pile_size"] <= most) & (table["first_debt"] == games["pile"][:, 0])
    jokers = table["joker_down"] + table["joker_up"] + table["joker_used"] <= v.NUM_JOKERS
    players_won = np.where(table["rat_debt"] >= v.DEBT_LIMIT, v.Winner.PLAYERS, v.Winner.NONE)
    winner = np.where(table["debt"] >= v.DEBT_LIMIT, v.Winner.RATS, players_won)
    decided = (table["winner"] == winner) & ((table["ending"] == v.Ending.OVER) == (winner != v.Winner.NONE))
    return np.asarray(seen & piled & jokers & decided)


LAWS = (
    (Violation.CARDS, cards_conserved),
    (Violation.HANDS, hands_add_up),
    (Violation.RATS, rats_drawn),
    (Violation.DEBTS, debts_fit),
)


@kernel
def violation(game: Record, params: Record) -> int:
    """What else a state breaks, as a Violation; NONE if it breaks nothing. It keeps all LAWS."""
    table = game["table"]
    if not events_are_sound(table, int(table["num_players"]), 1, LIMITS):
        return Violation.EVENTS
    if not question_fits(table, params):
        return Violation.ASKED
    if table["ending"] == v.Ending.PLAYING:
        if legal_answers(table, game["private"][int(table["asked"])], params) == 0:
            return Violation.MASK
    return Violation.NONE


@kernel
def question_fits(table: Record, params: Record) -> bool:
    """One seat is asked while the game is on, none afterwards; what follows the answer has the cards that it needs."""
    question = int(table["question"])
    step = int(table["step"])
    playing = table["ending"] == v.Ending.PLAYING
    if (table["asked"] != v.NOBODY) != playing or (question != v.Question.NONE) != playing:
        return False
    if not playing:
        return True
    filling = question == v.Question.DRAW or question == v.Question.PLAY or step < v.Step.END_TURN  # a card comes yet
    if collective_count(table, params) + int(filling) > hand_to_fill(table) or (question == v.Question.ACE) != (
        step == v.Step.ACES
    ):
        return False
    elif question == v.Question.DRAW:
        return bool(table["hand_size"][int(table["asked"])] < v.HAND_LIMIT)
    elif question == v.Question.ACTION:
        return bool(table["played"] != v.NO_CARD)
    elif question == v.Question.MORE_TO_MARKET:
        return bool(table["num_players"] > 1 or card_left(table))
    elif question == v.Question.SWAP_OUT:
        return bool(table["market"] != 0 if table["power"] else table["hand_size"][int(table["asked"])] > 0)
    elif question == v.Question.SWAP_IN:
        return set_of(int(table["swapped"])) & int(table["collective"]) != 0
    elif question == v.Question.USE_JOKER:
        return bool(params["joker"] == v.JokerUse.REVEAL and table["joker_up"] > 0 and card_left(table))
    elif question == v.Question.REVEAL_MORE:
        return card_left(table)
    return True
