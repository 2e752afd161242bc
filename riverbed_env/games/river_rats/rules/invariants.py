"""What a state must fulfil beyond the ranges of its fields, so that it can be played to its end."""

from riverbed_env.kernels.common import events_are_sound
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.vocab import Worded

from . import kernel
from . import vocab as v
from .hands import count_cards
from .legality import legal_answers
from .modes import CARDS_FOR_A_JOKER, collective_count
from .piles import card_left, hand_to_fill
from .setup import aces_chosen, card_of
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


@kernel
def violation(game: Record, params: Record) -> int:
    """The first law that a state breaks, as a Violation; NONE if it breaks none. All fields must be in range."""
    table = game["table"]
    if not events_are_sound(table, int(table["num_players"]), 1, LIMITS):
        return Violation.EVENTS
    if not cards_conserved(game):
        return Violation.CARDS
    if not hands_add_up(game):
        return Violation.HANDS
    if not rats_drawn(game):
        return Violation.RATS
    if not debts_fit(game):
        return Violation.DEBTS
    if not question_fits(table, params):
        return Violation.ASKED
    if table["ending"] == v.Ending.PLAYING:
        if legal_answers(table, game["private"][int(table["asked"])], params) == 0:
            return Violation.MASK
    return Violation.NONE


@kernel
def pile_of(cards: Vector, size: int) -> int:
    """The cards of an array as a set; -1 unless its first `size` places, and no others, hold one."""
    found = 0
    for place in range(len(cards)):
        if (place < size) != (cards[place] != v.NO_CARD):
            return -1
        found |= set_of(int(cards[place]))
    return found


@kernel
def cards_conserved(game: Record) -> bool:
    """RR-1.1: each card is in one place, and piles have the public sizes."""
    table = game["table"]
    deck_size = int(table["deck_size"])
    seen = 0  # characters and River Rats
    if table["step"] == v.Step.ACES:
        deck_size = v.NUM_CARDS
    else:
        seen = aces_chosen(table) | 1 << card_of(int(game["first_rat"]), v.KING)
        seen |= 1 << card_of(int(game["second_rat"]), v.KING)
    held = 0
    count = 0
    for cards in (
        pile_of(game["deck"], deck_size),
        pile_of(game["face_down"], int(table["rat_down"])),
        pile_of(game["pile"], int(table["pile_size"])),
        pile_of(game["debt"], int(table["debt"])),
        int(game["rat_debt"]),
        int(table["market"]),
        int(table["discard"]),
        int(table["rat_up"]),
        int(table["collective"]),
        int(table["revealed"]),
        seen,
    ):
        if cards < 0:
            return False
        held |= cards
        count += count_cards(cards)
    for seat in range(v.MAX_SEATS + 1):
        own = game["private"][seat]
        held |= int(own["hand"]) | set_of(int(own["placed"]))
        count += count_cards(int(own["hand"])) + int(own["placed"] != v.NO_CARD)
    whole = held == v.ALL_CARDS and count == v.NUM_CARDS
    return bool(whole and count_cards(int(game["rat_debt"])) == table["rat_debt"])


@kernel
def hands_add_up(game: Record) -> bool:
    """RR-2.1, RR-6.1: public sizes of hands are true and within the limit; what was seen to go there is there."""
    table = game["table"]
    for seat in range(v.MAX_SEATS):
        own = game["private"][seat]
        size = count_cards(int(own["hand"]))
        if (own["placed"] != v.NO_CARD) != (seat == table["placer"]) or size != int(table["hand_size"][seat]):
            return False
        if (size > 0 and seat >= int(table["num_players"])) or size > v.HAND_LIMIT:
            return False
        if int(table["taken"][seat]) & ~(int(own["hand"]) | set_of(int(own["placed"]))) != 0:
            return False
    return bool(game["private"][v.PUBLIC]["hand"] == 0 and game["private"][v.PUBLIC]["placed"] == v.NO_CARD)


@kernel
def rats_drawn(game: Record) -> bool:
    """RR-1.1, RR-3.6: two River Rats, one after the other; RR-5.1: a joker's cards still have their places."""
    table = game["table"]
    rat, defeated = int(table["rat"]), int(table["defeated"])
    if game["first_rat"] == game["second_rat"]:
        return False
    if not table["joker_used"] or table["question"] == v.Question.REMOVE:
        if int(table["rat_down"]) > v.MAX_FACE_DOWN - CARDS_FOR_A_JOKER:
            return False
    if table["step"] == v.Step.ACES:
        return rat == v.Suit.NONE and defeated == v.Suit.NONE
    elif defeated == v.Suit.NONE:
        return bool(rat == game["first_rat"])
    return bool(defeated == game["first_rat"] and rat == game["second_rat"])


@kernel
def debts_fit(game: Record) -> bool:
    """RR-1.2, RR-2.3: each card played adds one debt at most; RR-3.4, RR-3.6: five end the game; RR-6.1: seen ones."""
    table = game["table"]
    owed = pile_of(game["debt"], int(table["debt"]))
    if int(table["debt_seen"]) & ~owed != 0 or int(table["rat_debt_seen"]) & ~int(game["rat_debt"]) != 0:
        return False
    if int(table["pile_size"]) > 1 + count_cards(int(table["collective"])) or table["first_debt"] != game["pile"][0]:
        return False
    if int(table["joker_down"]) + int(table["joker_up"]) + int(table["joker_used"]) > v.NUM_JOKERS:
        return False
    winner = v.Winner.NONE
    if table["debt"] >= v.DEBT_LIMIT:
        winner = v.Winner.RATS
    elif table["rat_debt"] >= v.DEBT_LIMIT:
        winner = v.Winner.PLAYERS
    return bool(table["winner"] == winner and (table["ending"] == v.Ending.OVER) == (winner != v.Winner.NONE))


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
