"""RR-3.2, RR-3.3: what a hand is worth, by trying every five of the cards and every card for a joker."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import combinations
from typing import NamedTuple

from .cards import CARDS, JOKER, RANKS, rank_of, suit_of

# RR-3.3 (book: card value ranking): ace, king, queen, jack, 10 to 2.
VALUES = {rank: place for place, rank in enumerate(RANKS, start=1)} | {"A": 14}
VALUE_OF = {card: VALUES[rank_of(card)] for card in CARDS}
SUIT_OF = {card: suit_of(card) for card in CARDS}
LOW_STRAIGHT = [14, 5, 4, 3, 2]  # from A to 5, where the ace counts as 1


class Category(IntEnum):
    """Book, hand ranking overview: the combinations, a better one being greater."""

    HIGHEST_CARD = 1
    ONE_PAIR = 2
    TWO_PAIR = 3
    THREE_OF_A_KIND = 4
    STRAIGHT = 5
    FLUSH = 6
    FULL_HOUSE = 7
    FOUR_OF_A_KIND = 8
    STRAIGHT_FLUSH = 9


class Strength(NamedTuple):
    """RR-3.3: a combination and the values that break a tie within it, first things first; greater is better."""

    category: Category
    values: tuple[int, ...]


def best_hand(cards: Sequence[str]) -> Strength:
    """RR-3.2: the best five of the cards, each joker being the card that gives the best hand (any of the 52).

    RR-3.7: fewer than five cards make groups only.
    """
    if len(cards) < 5:
        return max(strength_of_groups(named) for named in without_jokers(cards))
    return max(strength_of_five(five) for named in without_jokers(cards) for five in combinations(named, 5))


def without_jokers(cards: Sequence[str]) -> Iterator[list[str]]:
    """RR-3.2: the same cards with every card in the joker's place, one after another."""
    if JOKER not in cards:
        yield list(cards)
        return
    place = cards.index(JOKER)
    for card in CARDS:
        yield from without_jokers([*cards[:place], card, *cards[place + 1 :]])


def strength_of_five(cards: Sequence[str]) -> Strength:
    """RR-3.3: five cards, no joker among them."""
    top = top_of_straight(cards)
    flush = is_flush(cards)
    if top and flush:
        return Strength(Category.STRAIGHT_FLUSH, (top,))  # the top card alone
    groups = strength_of_groups(cards)
    if groups.category >= Category.FULL_HOUSE:
        return groups
    if flush:
        return Strength(Category.FLUSH, (max(VALUE_OF[card] for card in cards),))  # the top card alone
    if top:
        return Strength(Category.STRAIGHT, (top,))  # the top card alone
    return groups


def strength_of_groups(cards: Sequence[str]) -> Strength:
    """RR-3.3, RR-3.7: what at most five cards are worth by their equal ranks alone."""
    sizes = Counter(VALUE_OF[card] for card in cards)
    # The values, those of the greater groups first, then the higher first.
    values = tuple(sorted(sizes, key=lambda value: (sizes[value], value), reverse=True))
    match sorted(sizes.values(), reverse=True):
        case [5]:
            # RR-3.2: five of a rank (with a joker) count as four of a kind. READING: the fifth is its own other card.
            return Strength(Category.FOUR_OF_A_KIND, values * 2)
        case [4, *_]:
            return Strength(Category.FOUR_OF_A_KIND, values)
        case [3, 2]:
            return Strength(Category.FULL_HOUSE, values[:1])  # the three alone
        case [3, *_]:
            return Strength(Category.THREE_OF_A_KIND, values)
        case [2, 2, *_]:
            return Strength(Category.TWO_PAIR, values)
        case [2, *_]:
            return Strength(Category.ONE_PAIR, values)
        case _:
            # READING: of two short hands equal as far as both go, the one with a card more is better (RR-3.7 is
            # silent); no cards at all are the worst of hands.
            return Strength(Category.HIGHEST_CARD, values)


def is_flush(cards: Sequence[str]) -> bool:
    """Five cards of the same suit."""
    return len({SUIT_OF[card] for card in cards}) == 1


def top_of_straight(cards: Sequence[str]) -> int:
    """The value of the highest of five cards in sequence, 0 if they aren't one; the ace is low in A-5 (RR-3.3)."""
    values = sorted((VALUE_OF[card] for card in cards), reverse=True)
    if values == LOW_STRAIGHT:
        return 5
    if values == list(range(values[0], values[0] - 5, -1)):
        return values[0]
    return 0


def can_form(cards: Sequence[str], category: Category) -> bool:
    """RR-3.1, `at_least_form`: whether five of the cards, with jokers as any cards, form the combination."""
    return any(forms(five, category) for named in without_jokers(cards) for five in combinations(named, 5))


def forms(five: Sequence[str], category: Category) -> bool:
    """RR-3.1: whether five cards form a combination that a joker can predict, though they may form a better one too.

    READING: a straight flush forms a straight and a flush as well. Five cards of one rank form no full house.
    """
    sizes = sorted(Counter(VALUE_OF[card] for card in five).values(), reverse=True)
    match category:
        case Category.STRAIGHT_FLUSH:
            return is_flush(five) and top_of_straight(five) > 0
        case Category.FOUR_OF_A_KIND:
            return sizes[0] >= 4
        case Category.FULL_HOUSE:
            return sizes == [3, 2]
        case Category.FLUSH:
            return is_flush(five)
        case Category.STRAIGHT:
            return top_of_straight(five) > 0
        case _:
            raise ValueError(f"RR-3.1: no joker predicts {category.name}")
