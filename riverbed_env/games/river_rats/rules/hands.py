"""RR-3.2, RR-3.3, RR-3.7, poker hands: the value of the best five of a set of cards.

A hand's value is one integer, and values are equal exactly if the hands tie: the category, then up to five ranks of
four bits each, from 2 to 14, in the order in which they are compared. A missing kicker counts 0. All values come from
thirteen-bit sets of ranks: one for each suit, and those of ranks held at least once, twice, three and four times. With
a joker each category computes directly what the best card makes of it; none of the 52 cards is tried.
"""

import numpy as np
import numpy.typing as npt

from . import kernel
from .vocab import NUM_RANKS, NUM_SUITS, POKER_HAND, Category

RANK_SETS = 1 << NUM_RANKS
ALL_RANKS = RANK_SETS - 1
RANK_BITS = 4
FIRST_RANK = 4 * RANK_BITS  # where the first compared rank stands in a value
CATEGORY = 5 * RANK_BITS  # where the category stands
ACE_WORTH = 14
# By set of ranks: the place of the highest rank, -1 for none; how many ranks there are.
HIGHEST = np.array([ranks.bit_length() - 1 for ranks in range(RANK_SETS)], np.int8)
COUNT = np.array([ranks.bit_count() for ranks in range(RANK_SETS)], np.int8)
LOWEST_STRAIGHT = 5  # the five is its top card, the ace its lowest


def _straight_tops(jokers: int) -> npt.NDArray[np.int8]:
    """The worth of the top card of the best straight that each set of ranks makes with `jokers` jokers, 0 for none."""
    ranks = np.arange(RANK_SETS)
    with_low_ace = (ranks << 1) | (ranks >> (NUM_RANKS - 1))
    tops = np.zeros(RANK_SETS, np.int8)
    for top in range(LOWEST_STRAIGHT, ACE_WORTH + 1):
        held = COUNT[(with_low_ace >> (top - LOWEST_STRAIGHT)) & 0b11111]
        tops[held >= POKER_HAND - jokers] = top
    return tops


STRAIGHT_TOP = np.stack([_straight_tops(0), _straight_tops(1)])  # by jokers, then by set of ranks


@kernel
def suit_ranks(cards: int, suit: int) -> int:
    """The ranks held of a suit, as a set."""
    return (cards >> (NUM_RANKS * suit)) & ALL_RANKS


@kernel
def rank_counts(cards: int) -> tuple[int, int, int, int]:
    """The ranks held at least once, twice, three times, four times, as sets."""
    first, second = suit_ranks(cards, 0), suit_ranks(cards, 1)
    third, fourth = suit_ranks(cards, 2), suit_ranks(cards, 3)
    either, both = first | second, first & second
    other, others = third | fourth, third & fourth
    return either | other, both | others | (either & other), (both & other) | (others & either), both & others


@kernel
def highest(ranks: int) -> int:
    """The highest rank of a set, as a set with one rank; 0 for none."""
    if ranks == 0:
        return 0
    return 1 << int(HIGHEST[ranks])


@kernel
def worth(ranks: int) -> int:
    """The worth of the highest rank of a set, 2 to 14, 0 for none."""
    if ranks == 0:
        return 0
    return int(HIGHEST[ranks]) + 2


@kernel
def value_of(category: int, first: int, second: int, kickers: int, places: int) -> int:
    """A hand's value: the category, the worth of one or two ranks (0 for none), then the highest kickers in turn.

    kickers: the set of ranks they are taken from; places: how many count at most.
    """
    value = category << CATEGORY
    at = FIRST_RANK
    if first > 0:
        value |= first << at
        at -= RANK_BITS
    if second > 0:
        value |= second << at
        at -= RANK_BITS
    for _ in range(places):
        value |= worth(kickers) << at
        kickers &= ~highest(kickers)
        at -= RANK_BITS
    return value


@kernel
def category_of(value: int) -> int:
    """The Category of a hand's value."""
    return value >> CATEGORY


@kernel
def straight_flush_top(cards: int, joker: int) -> int:
    """RR-3.3: the worth of the top card of the best straight flush, 0 for none."""
    top = 0
    for suit in range(NUM_SUITS):
        top = max(top, int(STRAIGHT_TOP[joker, suit_ranks(cards, suit)]))
    return top


@kernel
def flush_top(cards: int, joker: int) -> int:
    """RR-3.3: the worth of the top card of the best flush, 0 for none; a joker is its ace."""
    top = 0
    for suit in range(NUM_SUITS):
        ranks = suit_ranks(cards, suit)
        if int(COUNT[ranks]) + joker >= POKER_HAND:
            top = max(top, worth(ranks))
            if joker:
                top = ACE_WORTH
    return top


@kernel
def hand_value(cards: int, joker: int) -> int:
    """RR-3.2, RR-3.3: the value of the best five of the cards, with a joker or without (1 or 0).

    RR-3.7: fewer than five cards make groups only, which follows from what the other categories need.
    """
    once, twice, thrice, four = rank_counts(cards)
    if joker:
        return hand_value_with_joker(cards, once, twice, thrice, four)
    top = straight_flush_top(cards, 0)
    if top:
        return value_of(Category.STRAIGHT_FLUSH, top, 0, 0, 0)
    if four:
        return value_of(Category.FOUR, worth(four), 0, once & ~highest(four), 1)
    if thrice and twice & ~highest(thrice):
        return value_of(Category.FULL_HOUSE, worth(thrice), 0, 0, 0)
    top = flush_top(cards, 0)
    if top:
        return value_of(Category.FLUSH, top, 0, 0, 0)
    if STRAIGHT_TOP[0, once]:
        return value_of(Category.STRAIGHT, int(STRAIGHT_TOP[0, once]), 0, 0, 0)
    if thrice:
        return value_of(Category.THREE, worth(thrice), 0, once & ~highest(thrice), 2)
    low_pairs = twice & ~highest(twice)
    if low_pairs:
        pairs = highest(twice) | highest(low_pairs)
        return value_of(Category.TWO_PAIR, worth(twice), worth(low_pairs), once & ~pairs, 1)
    if twice:
        return value_of(Category.PAIR, worth(twice), 0, once & ~twice, 3)
    return value_of(Category.HIGH_CARD, 0, 0, once, POKER_HAND)


@kernel
def hand_value_with_joker(cards: int, once: int, twice: int, thrice: int, four: int) -> int:
    """RR-3.2: the value with a joker, which counts as the card that makes the best hand.

    The sets are those of `rank_counts`. Five of a rank count as four of them and the fifth as kicker. With three of a
    rank a joker always makes four, which is better than the full house, and with a pair always three.
    """
    top = straight_flush_top(cards, 1)
    if top:
        return value_of(Category.STRAIGHT_FLUSH, top, 0, 0, 0)
    if thrice:
        if highest(thrice) & four:  # the joker is free to be the kicker
            return value_of(Category.FOUR, worth(thrice), ACE_WORTH, 0, 0)
        return value_of(Category.FOUR, worth(thrice), 0, once & ~highest(thrice), 1)
    if twice & ~highest(twice):
        return value_of(Category.FULL_HOUSE, worth(twice), 0, 0, 0)
    top = flush_top(cards, 1)
    if top:
        return value_of(Category.FLUSH, top, 0, 0, 0)
    if STRAIGHT_TOP[1, once]:
        return value_of(Category.STRAIGHT, int(STRAIGHT_TOP[1, once]), 0, 0, 0)
    if twice:
        return value_of(Category.THREE, worth(twice), 0, once & ~twice, 2)
    if once:
        return value_of(Category.PAIR, worth(once), 0, once & ~highest(once), 3)
    return value_of(Category.HIGH_CARD, ACE_WORTH, 0, 0, 0)


@kernel
def can_form(cards: int, joker: int, category: int) -> bool:
    """RR-3.1: whether five of the cards can be laid as a hand that the prediction names (option "at_least_form").

    A straight flush is a straight and a flush too; the converse doesn't hold.
    """
    once, twice, thrice, four = rank_counts(cards)
    if category == Category.STRAIGHT_FLUSH:
        return straight_flush_top(cards, joker) > 0
    elif category == Category.FOUR:
        held = four
        if joker:
            held = thrice
        return held != 0 and count_cards(cards) + joker >= POKER_HAND
    elif category == Category.FULL_HOUSE:
        if joker and twice & ~highest(twice):
            return True
        pairs = twice
        if joker:
            pairs = once
        return thrice != 0 and pairs & ~highest(thrice) != 0
    elif category == Category.FLUSH:
        return flush_top(cards, joker) > 0
    return category == Category.STRAIGHT and STRAIGHT_TOP[joker, once] > 0


@kernel
def count_cards(cards: int) -> int:
    """How many cards a set holds."""
    total = 0
    for suit in range(NUM_SUITS):
        total += int(COUNT[suit_ranks(cards, suit)])
    return total
