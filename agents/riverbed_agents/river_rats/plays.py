"""Rules of thumb for drawing and playing cards and jokers in River Rats."""

import numpy as np

from riverbed_env.games.river_rats.rules.actions import A
from riverbed_env.games.river_rats.rules.legality import legal_answers
from riverbed_env.games.river_rats.rules.vocab import NO_CARD, NUM_CARDS, NUM_RANKS, JokerUse, Suit
from riverbed_env.kernels.compile import Record

from .jokers import removal_pays
from .kernels import kernel
from .outlook import RatHands
from .weighing import debt_gain, joker_played, keeping, known_collective, slots_left, weigh

DRAWN = 5  # cards that represent the whole deck
SUIT_WORTH = np.array([0.0, 0.004, 0.006, 0.012])  # of a card's suit action; hearts are computed separately


@kernel
def weigh_play(
    table: Record, own: Record, params: Record, card: int, hand: int, scene: Record, rat_hands: RatHands
) -> float:
    """The value of playing a card of a hand."""
    left = hand & ~(1 << card)
    scene["own"] = left
    cards = known_collective(table, own) | (1 << card)
    slots = slots_left(table, params) - 1
    worth, winning = weigh(table, own, params, cards, joker_played(table, params), slots, scene, rat_hands)
    suit = card // NUM_RANKS
    if suit == Suit.HEARTS:
        worth += max(0.0, debt_gain(table, params, winning))
    elif slots > 0 or suit == Suit.DIAMONDS:
        worth += float(SUIT_WORTH[suit])
    return worth - keeping(card, left)


@kernel
def best_play(
    table: Record, own: Record, params: Record, hand: int, scene: Record, rat_hands: RatHands
) -> tuple[float, int]:
    """The best card to play from a hand: its value and the card."""
    best, chosen = -1.0, NO_CARD
    for card in range(NUM_CARDS):
        if (hand >> card) & 1:
            worth = weigh_play(table, own, params, card, hand, scene, rat_hands)
            if worth > best:
                best, chosen = worth, card
    return best, chosen


@kernel
def choose_draw(table: Record, own: Record, params: Record, scene: Record, rat_hands: RatHands) -> int:
    """Choose to draw a market card, to draw from the deck, or to play a joker instead."""
    hand = int(own["hand"])
    market = int(table["market"])
    shown = int(scene["open"])
    answers = legal_answers(table, own, params)
    stay, own_card = best_play(table, own, params, hand, scene, rat_hands)
    best, chosen = -1.0, A.DRAW
    if (answers >> (A.DRAW - A.CARD)) & 1:
        best = deck_worth(table, own, params, stay, scene, rat_hands)
    for card in range(NUM_CARDS):
        if (market >> card) & 1:
            scene["open"] = shown & ~(1 << card)
            worth = weigh_play(table, own, params, card, hand | (1 << card), scene, rat_hands)
            if own_card != NO_CARD:
                other = weigh_play(table, own, params, own_card, hand | (1 << card), scene, rat_hands)
                worth = max(worth, other)
            worth += keeping(card, hand)
            if worth > best:
                best, chosen = worth, A.CARD + card
    scene["open"] = shown
    if (answers >> (A.JOKER - A.CARD)) & 1 and joker_pays(table, own, params, best, scene, rat_hands):
        return A.JOKER
    return chosen


@kernel
def deck_worth(table: Record, own: Record, params: Record, stay: float, scene: Record, rat_hands: RatHands) -> float:
    """The value of drawing from the deck: the better of the hand and the drawn card, averaged over a few cards."""
    hand = int(own["hand"])
    pool = int(scene["pool"])
    size = int(scene["pool_size"])
    total, number = 0.0, 0
    skip = max(1, size // DRAWN)
    place = 0
    for card in range(NUM_CARDS):
        if (pool >> card) & 1:
            if place % skip == skip // 2:
                worth = weigh_play(table, own, params, card, hand | (1 << card), scene, rat_hands)
                total += max(stay, worth) + keeping(card, hand)
                number += 1
            place += 1
    scene["own"] = hand
    if number == 0:
        return stay
    return total / number


@kernel
def joker_pays(table: Record, own: Record, params: Record, best: float, scene: Record, rat_hands: RatHands) -> bool:
    """Whether a joker gains enough now. best: the value of the best choice without it."""
    if params["joker"] == JokerUse.REMOVE:
        return removal_pays(table, own, params, scene, rat_hands)
    scene["own"] = own["hand"]
    cards, slots = known_collective(table, own), slots_left(table, params) - 1
    worth, _ = weigh(table, own, params, cards, 1, slots, scene, rat_hands)
    return worth > best


@kernel
def choose_play(table: Record, own: Record, params: Record, scene: Record, rat_hands: RatHands) -> int:
    """Choose a card of the hand to play, or a joker."""
    answers = legal_answers(table, own, params)
    best, card = best_play(table, own, params, int(own["hand"]), scene, rat_hands)
    if (answers >> (A.JOKER - A.CARD)) & 1 and (card < 0 or joker_pays(table, own, params, best, scene, rat_hands)):
        return A.JOKER
    return A.CARD + card
