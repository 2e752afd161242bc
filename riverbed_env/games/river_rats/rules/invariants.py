"""What a state must fulfil beyond the ranges of its fields, so that it can be played to its end."""

import numpy as np

from riverbed_env.kernels.common import events_are_sound
from riverbed_env.kernels.compile import Record, Vector, Whole
from riverbed_env.kernels.vocab import Worded

from . import kernel
from . import vocab as v
from .hands import count_cards
from .legality import legal_answers
from .modes import collective_count
from .piles import card_left, hand_to_fill, num_face_down
from .setup import card_of
from .turn import market_has_room, source_for_market

EXTRA_OF_A_JOKER = 2  # face-down cards an advanced joker brings at most


class Violation(Worded):
    """Which law a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    EVENTS = 2, "the public events don't add up"
    CARDS = 3, "not every card is in exactly one place, or a pile's size doesn't equal its cards"
    HANDS = 4, "a hand's size doesn't equal its cards, or a hand is over the limit"
    CHARACTERS = 5, "the characters or River Rats aren't different, or aren't those chosen"
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
    if not characters_chosen(table) or not rats_drawn(game, params):
        return Violation.CHARACTERS
    if not debts_fit(game):
        return Violation.DEBTS
    if not question_fits(table, params):
        return Violation.ASKED
    if table["ending"] == v.Ending.PLAYING:
        if legal_answers(table, game["private"][int(table["asked"])], params) == 0:
            return Violation.MASK
    return Violation.NONE


@kernel
def put_cards(cards: Vector, size: int, places: Whole) -> bool:
    """Count the cards of an array; returns whether exactly its first `size` places hold one."""
    for place in range(len(cards)):
        if (place < size) != (cards[place] != v.NO_CARD):
            return False
        if place < size:
            places[int(cards[place])] += 1
    return True


@kernel
def put_set(cards: int, places: Whole) -> None:
    """Count the cards of a set. places: (NUM_CARDS,), how often each card was met."""
    for card in range(v.NUM_CARDS):
        places[card] += (cards >> card) & 1


@kernel
def cards_conserved(game: Record) -> bool:
    """RR-1.1: each card is in one place, and piles have the public sizes."""
    table = game["table"]
    choosing = table["step"] == v.Step.ACES
    places = np.zeros(v.NUM_CARDS, np.int64)
    full = put_cards(game["deck"], v.NUM_CARDS if choosing else int(table["deck_size"]), places)
    full = put_cards(game["face_down"], int(table["rat_down"]), places) and full
    full = put_cards(game["pile"], int(table["pile_size"]), places) and full
    full = put_cards(game["debt"], int(table["debt"]), places) and full
    if not full or count_cards(int(game["rat_debt"])) != table["rat_debt"]:
        return False
    put_set(int(game["rat_debt"]), places)
    put_set(int(table["market"]), places)
    put_set(int(table["discard"]), places)
    put_set(int(table["rat_up"]), places)
    put_set(int(table["collective"]), places)
    put_set(int(table["revealed"]), places)
    for seat in range(v.MAX_SEATS + 1):
        put_set(int(game["private"][seat]["hand"]), places)
        if game["private"][seat]["placed"] != v.NO_CARD:
            places[int(game["private"][seat]["placed"])] += 1
        if seat < v.MAX_SEATS and table["character"][seat] != v.Suit.NONE and not choosing:
            places[card_of(int(table["character"][seat]), v.ACE)] += 1
    if not choosing:
        places[card_of(int(game["first_rat"]), v.KING)] += 1
        places[card_of(int(game["second_rat"]), v.KING)] += 1
    for card in range(v.NUM_CARDS):
        if places[card] != 1:
            return False
    return bool(not choosing or table["deck_size"] == 0)


@kernel
def hands_add_up(game: Record) -> bool:
    """RR-2.1, RR-6.1: public sizes of hands are true and within the limit; what was seen to go there is there."""
    table = game["table"]
    for seat in range(v.MAX_SEATS + 1):
        private = game["private"][seat]
        held = int(private["hand"])
        size = count_cards(held)
        if (private["placed"] != v.NO_CARD) != (seat == table["placer"]) or size > v.HAND_LIMIT:
            return False
        if size > 0 and seat >= int(table["num_players"]):
            return False
        if private["placed"] != v.NO_CARD:
            held |= 1 << int(private["placed"])
        if seat < v.MAX_SEATS and (size != int(table["hand_size"][seat]) or int(table["taken"][seat]) & ~held != 0):
            return False
    return count_cards(int(table["market"])) <= v.MARKET_LIMIT


@kernel
def characters_chosen(table: Record) -> bool:
    """RR-1.1: each player has a different ace; they are chosen in seat order."""
    taken = 0
    chosen = 0
    for seat in range(v.MAX_SEATS):
        suit = int(table["character"][seat])
        if suit != v.Suit.NONE:
            if chosen != seat or (taken >> suit) & 1:
                return False
            taken |= 1 << suit
            chosen += 1
    if table["step"] == v.Step.ACES:
        return chosen < int(table["num_players"])
    return chosen == int(table["num_players"])


@kernel
def rats_drawn(game: Record, params: Record) -> bool:
    """RR-1.1, RR-3.6: two different River Rats, one after the other; RR-1.2: no more face-down cards than allowed."""
    table = game["table"]
    if game["first_rat"] == game["second_rat"]:
        return False
    if table["step"] == v.Step.ACES:
        return bool(table["rat"] == v.Suit.NONE and table["defeated"] == v.Suit.NONE and table["rat_down"] == 0)
    most = num_face_down(table, params)
    if params["joker"] == v.JokerUse.REMOVE and table["joker_used"] and table["question"] != v.Question.REMOVE:
        most += EXTRA_OF_A_JOKER
    if int(table["rat_down"]) > most:
        return False
    if table["defeated"] == v.Suit.NONE:
        return bool(table["rat"] == game["first_rat"])
    return bool(table["defeated"] == game["first_rat"] and table["rat"] == game["second_rat"])


@kernel
def debts_fit(game: Record) -> bool:
    """RR-1.2, RR-2.3: each card played adds one debt at most; RR-3.4, RR-3.6: five end the game; RR-6.1: seen ones."""
    table = game["table"]
    owed = 0
    for place in range(int(table["debt"])):
        owed |= 1 << int(game["debt"][place])
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
    """One seat is asked while the game is on, none afterwards; what it is asked fits where the game stands."""
    question = int(table["question"])
    step = int(table["step"])
    playing = table["ending"] == v.Ending.PLAYING
    if (table["asked"] != v.NOBODY) != playing or (question != v.Question.NONE) != playing:
        return False
    asked_active = table["asked"] == table["active"]
    filled = collective_count(table, params)
    if not playing:
        return True
    elif (question == v.Question.ACE) != (step == v.Step.ACES) or filled > hand_to_fill(table):
        return False
    elif question == v.Question.ACE:
        return bool(asked_active and table["character"][int(table["asked"])] == v.Suit.NONE)
    elif question == v.Question.DRAW or question == v.Question.PLAY:
        idle = table["played"] == v.NO_CARD and not table["power"] and table["revealed"] == 0
        room = table["hand_size"][int(table["asked"])] < v.HAND_LIMIT or question == v.Question.PLAY
        return bool(asked_active and idle and room and step == v.Step.DRAW_OR_PLAY and filled < hand_to_fill(table))
    elif question == v.Question.REMOVE:
        following = (int(table["active"]) + 1) % int(table["num_players"]) == table["asked"]
        return bool(
            params["joker"] == v.JokerUse.REMOVE and table["joker_used"] and following and step == v.Step.END_TURN
        )
    elif question == v.Question.USE_JOKER or question == v.Question.REVEAL_MORE:
        used = question == v.Question.REVEAL_MORE
        there = (used or table["joker_up"] > 0) and (table["revealed"] != 0) == used and table["joker_used"] == used
        expert = params["joker"] == v.JokerUse.REVEAL and step == v.Step.COMPARE
        return bool(asked_active and expert and there and card_left(table))
    return bool(asked_active and step == v.Step.END_TURN and act_fits(table, question))


@kernel
def act_fits(table: Record, question: int) -> bool:
    """RR-2.3, RR-2.4: the action or power under way belongs to a card played face-up and has reached this question."""
    played = int(table["played"])
    if played == v.NO_CARD or not (int(table["collective"]) >> played) & 1:
        return False
    suit = played // v.NUM_RANKS
    out = int(table["swapped"])
    if (question == v.Question.DISCARD_MORE) != (table["zone"] != v.Zone.NONE):
        return False
    if (question == v.Question.SWAP_IN) != (out != v.NO_CARD):
        return False
    if question == v.Question.TO_MARKET or question == v.Question.MORE_TO_MARKET:
        power = question == v.Question.MORE_TO_MARKET
        source = source_for_market(table, int(table["asked"])) if power else table["num_players"] > 1
        return bool(suit == v.Suit.CLUBS and market_has_room(table) and source and (table["power"] or not power))
    elif question == v.Question.SWAP_IN:
        return bool(suit == v.Suit.DIAMONDS and out != played and (int(table["collective"]) >> out) & 1)
    elif question == v.Question.DISCARD_MORE:
        return bool(table["power"] and suit == v.Suit.SPADES)
    return True
