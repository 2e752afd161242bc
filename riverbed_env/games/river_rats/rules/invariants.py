"""Book-keeping invariants beyond the ranges of fields: what holds in every state that the rules can reach."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.common import between, byte_of, event_at, ring_is_sound, tally_is_sound
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import MAX_EVENTS, Worded

from .hands import count_cards
from .kernels import kernel
from .legality import legal_answers
from .modes import collective_count
from .rats import hand_to_fill, num_face_down
from .record import MOST
from .setup import card_of
from .vocab import (
    ACE,
    DEBT_LIMIT,
    HAND_LIMIT,
    KING,
    MARKET_LIMIT,
    MAX_PILE,
    MAX_SEATS,
    NO_CARD,
    NOBODY,
    NUM_CARDS,
    NUM_CATEGORIES,
    NUM_EVENTS,
    NUM_JOKERS,
    NUM_RANKS,
    NUM_ZONES,
    PREDICTED,
    Ending,
    Event,
    JokerUse,
    Question,
    Step,
    Suit,
    Whose,
    Winner,
    Zone,
)

EXTRA_OF_A_JOKER = 2  # face-down cards an advanced joker brings at most


class Violation(Worded):
    """Which invariant a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    PILES = 2, "a pile's size doesn't equal its cards"
    CARDS = 3, "not every card is in exactly one place"
    HANDS = 4, "a hand's size doesn't equal its cards, or a hand is over the limit"
    CHARACTERS = 5, "the characters aren't different aces of those who play"
    RATS = 6, "the River Rats aren't those drawn, or have more face-down cards than they can"
    DEBTS = 7, "the round's debt doesn't fit what was played and predicted"
    JOKERS = 8, "there are more jokers than two"
    ASKED = 9, "not exactly one seat is asked"
    QUESTION = 10, "what is asked doesn't fit where the game stands"
    MASK = 11, "the asked seat has no legal action"
    ENDING = 12, "the end of the game and the debts don't agree"
    KNOWLEDGE = 13, "what everybody has seen isn't so"


@kernel
def violation(game: Record, params: Record) -> int:
    """The first invariant a state with all fields in range breaks, as a Violation; NONE if the rules can reach it."""
    table = game["table"]
    if not fields_agree(table):
        return Violation.RANGE
    if not piles_add_up(game):
        return Violation.PILES
    if not cards_conserved(game):
        return Violation.CARDS
    if not hands_add_up(game):
        return Violation.HANDS
    if not characters_chosen(table):
        return Violation.CHARACTERS
    if not rats_drawn(game, params):
        return Violation.RATS
    if not debts_fit(game):
        return Violation.DEBTS
    if int(table["joker_down"]) + int(table["joker_up"]) + int(table["joker_used"]) > NUM_JOKERS:
        return Violation.JOKERS
    if not one_seat_asked(table):
        return Violation.ASKED
    if not ending_agrees(table):
        return Violation.ENDING
    if table["ending"] == Ending.PLAYING:
        if not question_fits(table, params):
            return Violation.QUESTION
        if legal_answers(table, game["private"][int(table["asked"])], params) == 0:
            return Violation.MASK
    if not knowledge_true(game):
        return Violation.KNOWLEDGE
    return Violation.NONE


@kernel
def fields_agree(table: Record) -> bool:
    """Fields whose ranges depend on other fields are within them."""
    most_skips = int(table["num_players"]) - int(table["ending"] == Ending.PLAYING)
    return int(table["skips"]) <= most_skips and events_in_range(table)


@kernel
def events_in_range(table: Record) -> bool:
    """RR-6.1: the ring holds the last events and nothing else, and the tally counts them all."""
    if not ring_is_sound(table) or not tally_is_sound(table):
        return False
    for age in range(min(MAX_EVENTS, int(table["event_count"]))):
        if not event_in_range(event_at(table, age), int(table["num_players"])):
            return False
    return True


@kernel
def event_in_range(event: int, num_players: int) -> bool:
    """RR-6.1: the fields of an event are within their ranges."""
    if not between(byte_of(event, 0), 1, NUM_EVENTS - 1) or byte_of(event, 1) > num_players:
        return False
    if byte_of(event, 2) > NUM_CARDS or byte_of(event, 3) > NUM_CARDS:
        return False
    return numbers_fit(event) and byte_of(event, 6) <= MOST and byte_of(event, 7) <= MOST


@kernel
def numbers_fit(event: int) -> bool:
    """RR-6.1: the numbers of an event fit its kind: categories, a zone, whose card, debts, or none."""
    kind, first, second = byte_of(event, 0), byte_of(event, 4), byte_of(event, 5)
    most, most_second = 0, 0
    if kind == Event.ROUND or kind == Event.PREDICTION or kind == Event.COMPARE:
        most = NUM_CATEGORIES
    elif kind == Event.DISCARD or kind == Event.SWAP:
        most = NUM_ZONES - 1
    elif kind == Event.TURN_UP:
        most = Whose.PLAYERS
    elif kind == Event.HAND_WON or kind == Event.HAND_LOST:
        most = MAX_PILE
    if kind == Event.COMPARE:
        most_second = NUM_CATEGORIES
    elif kind == Event.PREDICTION:
        most_second = 1
    return between(first, 0, most) and between(second, 0, most_second)


@kernel
def filled_to(cards: npt.NDArray[np.int8], size: int) -> bool:
    """Whether exactly the first `size` places of an array hold cards."""
    for place in range(len(cards)):
        if (place < size) != (cards[place] != NO_CARD):
            return False
    return True


@kernel
def piles_add_up(game: Record) -> bool:
    """RR-6.1: the public sizes of what lies face-down are the numbers of its cards."""
    table = game["table"]
    deck_size = int(table["deck_size"])
    if table["step"] == Step.ACES:
        if deck_size != 0:
            return False
        deck_size = NUM_CARDS
    return bool(
        filled_to(game["deck"], deck_size)
        and filled_to(game["face_down"], int(table["rat_down"]))
        and filled_to(game["pile"], int(table["pile_size"]))
        and filled_to(game["debt"], int(table["debt"]))
        and count_cards(int(game["rat_debt"])) == table["rat_debt"]
    )


@kernel
def put_cards(cards: npt.NDArray[np.int8], places: npt.NDArray[np.int64]) -> None:
    """Count the cards of an array. places: (NUM_CARDS,), how often each card was met."""
    for place in range(len(cards)):
        if cards[place] != NO_CARD:
            places[int(cards[place])] += 1


@kernel
def put_set(cards: int, places: npt.NDArray[np.int64]) -> None:
    """Count the cards of a set."""
    for card in range(NUM_CARDS):
        places[card] += (cards >> card) & 1


@kernel
def cards_conserved(game: Record) -> bool:
    """RR-1.1: each card is in one place: a pile, a hand, the market, a side of the table, a character, a River Rat."""
    table = game["table"]
    places = np.zeros(NUM_CARDS, np.int64)
    put_cards(game["deck"], places)
    put_cards(game["face_down"], places)
    put_cards(game["pile"], places)
    put_cards(game["debt"], places)
    put_set(int(game["rat_debt"]), places)
    put_set(int(table["market"]), places)
    put_set(int(table["discard"]), places)
    put_set(int(table["rat_up"]), places)
    put_set(int(table["collective"]), places)
    put_set(int(table["revealed"]), places)
    for seat in range(MAX_SEATS + 1):
        put_set(int(game["private"][seat]["hand"]), places)
        if game["private"][seat]["placed"] != NO_CARD:
            places[int(game["private"][seat]["placed"])] += 1
    if table["step"] != Step.ACES:
        for seat in range(MAX_SEATS):
            if table["character"][seat] != Suit.NONE:
                places[card_of(int(table["character"][seat]), ACE)] += 1
        places[card_of(int(game["first_rat"]), KING)] += 1
        places[card_of(int(game["second_rat"]), KING)] += 1
    for card in range(NUM_CARDS):
        if places[card] != 1:
            return False
    return True


@kernel
def hands_add_up(game: Record) -> bool:
    """RR-2.1, RR-6.1: public sizes of hands are true and within the limit; only the placer has placed a card."""
    table = game["table"]
    for seat in range(MAX_SEATS + 1):
        private = game["private"][seat]
        size = count_cards(int(private["hand"]))
        if seat < MAX_SEATS:
            if size != int(table["hand_size"][seat]) or size > HAND_LIMIT:
                return False
        if size > 0 and seat >= int(table["num_players"]):
            return False
        if (private["placed"] != NO_CARD) != (seat == table["placer"]):
            return False
    return count_cards(int(table["market"])) <= MARKET_LIMIT


@kernel
def characters_chosen(table: Record) -> bool:
    """RR-1.1: each player has a different ace; they are chosen in seat order."""
    num_players = int(table["num_players"])
    taken = 0
    chosen = 0
    for seat in range(MAX_SEATS):
        suit = int(table["character"][seat])
        if suit == Suit.NONE:
            continue
        if chosen != seat or (taken >> suit) & 1:
            return False
        taken |= 1 << suit
        chosen += 1
    if table["step"] == Step.ACES:
        return chosen < num_players
    return chosen == num_players


@kernel
def rats_drawn(game: Record, params: Record) -> bool:
    """RR-1.1, RR-3.6: two different River Rats, one after the other; RR-1.2: no more face-down cards than allowed."""
    table = game["table"]
    if game["first_rat"] == game["second_rat"]:
        return False
    if table["step"] == Step.ACES:
        return bool(table["rat"] == Suit.NONE and table["defeated"] == Suit.NONE and table["rat_down"] == 0)
    most = num_face_down(table, params)
    if params["joker"] == JokerUse.REMOVE and table["joker_used"] and table["question"] != Question.REMOVE:
        most += EXTRA_OF_A_JOKER
    if int(table["rat_down"]) > most:
        return False
    if table["defeated"] == Suit.NONE:
        return bool(table["rat"] == game["first_rat"])
    return bool(table["defeated"] == game["first_rat"] and table["rat"] == game["second_rat"])


@kernel
def debts_fit(game: Record) -> bool:
    """RR-1.2, RR-2.3, RR-3.1: the first debt lies open and predicts; each card played has added at most one more."""
    table = game["table"]
    size = int(table["pile_size"])
    if size > 1 + count_cards(int(table["collective"])):
        return False
    if int(table["first_debt"]) != int(game["pile"][0]):
        return False
    if size == 0:
        return True
    return int(table["prediction"]) == PREDICTED[int(table["first_debt"]) % NUM_RANKS]


@kernel
def one_seat_asked(table: Record) -> bool:
    """Until the game is over, exactly one seat has to choose; afterwards none."""
    asked = table["asked"] != NOBODY and table["question"] != Question.NONE
    if table["ending"] == Ending.PLAYING:
        return bool(asked)
    return bool(table["asked"] == NOBODY and table["question"] == Question.NONE)


@kernel
def question_fits(table: Record, params: Record) -> bool:
    """What is asked fits where the game stands: an ace, a card, what the card does, or a joker."""
    question = int(table["question"])
    step = int(table["step"])
    asked_active = table["asked"] == table["active"]
    filled = collective_count(table, params)
    if (question == Question.ACE) != (step == Step.ACES):
        return False
    if question == Question.ACE:
        return bool(asked_active and table["character"][int(table["asked"])] == Suit.NONE)
    elif question == Question.DRAW or question == Question.PLAY:
        idle = table["played"] == NO_CARD and not table["power"] and table["revealed"] == 0
        room = table["hand_size"][int(table["asked"])] < HAND_LIMIT or question == Question.PLAY
        return bool(asked_active and idle and room and step == Step.DRAW_OR_PLAY and filled < hand_to_fill(table))
    elif question == Question.REMOVE:
        used = params["joker"] == JokerUse.REMOVE and table["joker_used"]
        following = (int(table["active"]) + 1) % int(table["num_players"]) == table["asked"]
        return bool(used and following and step == Step.END_TURN and filled < hand_to_fill(table))
    elif question == Question.USE_JOKER or question == Question.REVEAL_MORE:
        expert = params["joker"] == JokerUse.REVEAL and (table["revealed"] != 0) == (question == Question.REVEAL_MORE)
        counted = table["joker_used"] == (question == Question.REVEAL_MORE)
        return bool(asked_active and expert and counted and step == Step.COMPARE and joker_there(table))
    return bool(asked_active and step == Step.END_TURN and filled <= hand_to_fill(table) and act_fits(table, question))


@kernel
def joker_there(table: Record) -> bool:
    """RR-5.2: the question about a joker needs one face-up; revealing a card needs a card to draw."""
    if table["question"] == Question.USE_JOKER:
        return bool(table["joker_up"] > 0 and (table["deck_size"] > 0 or table["discard"] != 0))
    return bool(table["deck_size"] > 0 or table["discard"] != 0)


@kernel
def act_fits(table: Record, question: int) -> bool:
    """RR-2.3, RR-2.4: the action or power under way belongs to a card played face-up and has reached this question."""
    if table["played"] == NO_CARD or not (int(table["collective"]) >> int(table["played"])) & 1:
        return False
    suit = int(table["played"]) // NUM_RANKS
    power = bool(table["power"])
    if (question == Question.DISCARD_MORE) != (table["zone"] != Zone.NONE):
        return False
    if (question == Question.SWAP_IN) != (table["swapped"] != NO_CARD):
        return False
    if question == Question.ACTION:
        return not power
    elif question == Question.ADD_DEBT:
        return power and suit == Suit.HEARTS
    elif question == Question.DISCARD:
        return suit == Suit.SPADES
    elif question == Question.DISCARD_MORE:
        return power and suit == Suit.SPADES
    elif question == Question.TO_MARKET:
        return suit == Suit.CLUBS and table["num_players"] > 1 and count_cards(int(table["market"])) < MARKET_LIMIT
    elif question == Question.MORE_TO_MARKET:
        source_left = table["num_players"] > 1 or table["deck_size"] > 0 or table["discard"] != 0
        return bool(power and suit == Suit.CLUBS and source_left and count_cards(int(table["market"])) < MARKET_LIMIT)
    elif question == Question.SWAP_IN:
        out = int(table["swapped"])
        return bool(suit == Suit.DIAMONDS and out != table["played"] and (int(table["collective"]) >> out) & 1)
    return suit == Suit.DIAMONDS


@kernel
def ending_agrees(table: Record) -> bool:
    """RR-3.4, RR-3.6: the game is over if and only if the players or the second rat have five debts or more."""
    lost = table["debt"] >= DEBT_LIMIT
    won = table["rat_debt"] >= DEBT_LIMIT
    if won and (table["defeated"] == Suit.NONE or lost):
        return False
    if (table["ending"] == Ending.OVER) != (lost or won):
        return False
    if lost:
        return bool(table["winner"] == Winner.RATS)
    if won:
        return bool(table["winner"] == Winner.PLAYERS)
    return bool(table["winner"] == Winner.NONE)


@kernel
def knowledge_true(game: Record) -> bool:
    """RR-6.1: what was seen to be taken is in the hand, or placed face-down; what was seen of debts is among them."""
    table = game["table"]
    for seat in range(MAX_SEATS):
        private = game["private"][seat]
        held = int(private["hand"])
        if private["placed"] != NO_CARD:
            held |= 1 << int(private["placed"])
        if int(table["taken"][seat]) & ~held != 0:
            return False
    debts = 0
    for place in range(int(table["debt"])):
        debts |= 1 << int(game["debt"][place])
    return int(table["debt_seen"]) & ~debts == 0 and int(table["rat_debt_seen"]) & ~int(game["rat_debt"]) == 0
