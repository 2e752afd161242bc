"""RR-3.2, RR-3.3, RR-3.7: the hand evaluator against known counts, drawn hands and a slow second reckoning.

The slow one tries every five cards of a hand and, for a joker, every one of the 52 cards; it shares nothing with the
evaluator but the numbers of the cards.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from riverbed_env.games.river_rats.rules.hands import can_form, category_of, count_cards, hand_value
from riverbed_env.games.river_rats.rules.kernels import kernel
from riverbed_env.games.river_rats.rules.vocab import NUM_CARDS, NUM_CATEGORIES, Category

SUITS = "HSCD"
RANKS = "23456789TJQKA"
Cards = Sequence[int]


def cards(words: str) -> list[int]:
    """Cards by name: "KH 7S" is the king of hearts and the seven of spades."""
    return [SUITS.index(name[1]) * 13 + RANKS.index(name[0]) for name in words.split()]


def value(words: str, joker: int = 0) -> int:
    """The evaluator's value of cards by name."""
    return int(hand_value(sum(1 << card for card in cards(words)), joker))


def category(words: str, joker: int = 0) -> Category:
    """Its category."""
    return Category(int(category_of(value(words, joker))))


# --- the slow reckoning -----------------------------------------------------------------------------------------

Worth = tuple[int, tuple[int, ...]]


def slow_five(hand: Cards) -> Worth:
    """RR-3.3 for at most five cards, which needn't be different: the category and the ranks that are compared."""
    worths = [card % 13 + 2 for card in hand]
    groups = sorted(Counter(worths).items(), key=lambda group: (min(group[1], 4), group[0]), reverse=True)
    sizes = [count for _, count in groups]
    in_turn = tuple(rank for rank, count in groups for _ in range(count))
    if sizes[:1] == [5]:
        return Category.FOUR, (groups[0][0], groups[0][0])
    if sizes[:1] == [4]:
        return Category.FOUR, (groups[0][0], *in_turn[4:])
    if len(hand) == 5:
        flush = len({card // 13 for card in hand}) == 1
        top = 0
        if len(groups) == 5 and max(worths) - min(worths) == 4:
            top = max(worths)
        elif sorted(worths) == [2, 3, 4, 5, 14]:
            top = 5
        if flush and top:
            return Category.STRAIGHT_FLUSH, (top,)
        if sizes == [3, 2]:
            return Category.FULL_HOUSE, (groups[0][0],)
        if flush:
            return Category.FLUSH, (max(worths),)
        if top:
            return Category.STRAIGHT, (top,)
    if sizes[:1] == [3]:
        return Category.THREE, (groups[0][0], *in_turn[3:])
    if sizes[:2] == [2, 2]:
        return Category.TWO_PAIR, (groups[0][0], groups[1][0], *in_turn[4:])
    if sizes[:1] == [2]:
        return Category.PAIR, (groups[0][0], *in_turn[2:])
    return Category.HIGH_CARD, in_turn


def slow(hand: Cards, joker: int = 0) -> Worth:
    """RR-3.2: the best five of the cards, the joker being any of the 52."""
    if joker:
        return max(slow([*hand, card]) for card in range(NUM_CARDS))
    if len(hand) <= 5:
        return slow_five(hand)
    return max(slow_five(five) for five in combinations(hand, 5))


def packed(worth: Worth) -> int:
    """A slow value as the evaluator writes it."""
    ranks = [*worth[1], *[0] * 5][:5]
    total = int(worth[0])
    for rank in ranks:
        total = total << 4 | rank
    return total


def slow_can_form(hand: Cards, joker: int, wanted: Category) -> bool:
    """RR-3.1: whether some five of the cards are of the category, straight flushes being straights and flushes too."""
    likes = {wanted, Category.STRAIGHT_FLUSH} if wanted in (Category.STRAIGHT, Category.FLUSH) else {wanted}
    whole = [[*hand, card] for card in range(NUM_CARDS)] if joker else [list(hand)]
    return any(slow_five(five)[0] in likes for held in whole for five in combinations(held, 5))


# --- drawn hands --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "joker", "expected"),
    [
        ("5D 6D 7D 8D 9D", 0, Category.STRAIGHT_FLUSH),
        ("AD 2D 3D 4D 5D", 0, Category.STRAIGHT_FLUSH),
        ("9S 9D 9C 9H 2H", 0, Category.FOUR),
        ("QS QD QH 5C 5S", 0, Category.FULL_HOUSE),
        ("AH 7H 5H 3H 2H", 0, Category.FLUSH),
        ("4D 5S 6C 7S 8H", 0, Category.STRAIGHT),
        ("AD KS QC JS TH", 0, Category.STRAIGHT),
        ("QD KS AC 2S 3H", 0, Category.HIGH_CARD),
        ("8S 8H 8C 2D 3D", 0, Category.THREE),
        ("TS TC 4D 4H 2S", 0, Category.TWO_PAIR),
        ("KS KC 2D 5H 9S", 0, Category.PAIR),
        ("9S 9D 9C 9H", 1, Category.FOUR),
        ("9S 9D 9C 2H", 1, Category.FOUR),
        ("9S 9D 2C 2H", 1, Category.FULL_HOUSE),
        ("9S 7S 3S 2S", 1, Category.FLUSH),
        ("9S 7H 6S 5S", 1, Category.STRAIGHT),
        ("AS 5H 4S 3S", 1, Category.STRAIGHT),
        ("9S 9H 4S 3D", 1, Category.THREE),
        ("9S 8H 4S 3D", 1, Category.PAIR),
        ("KS QS JS TS", 1, Category.STRAIGHT_FLUSH),
        ("KS QS JS", 1, Category.PAIR),
        ("KS KH KC", 0, Category.THREE),
        ("KS KH QC QD", 0, Category.TWO_PAIR),
        ("4S 5S 6S 7S", 0, Category.HIGH_CARD),
        ("", 0, Category.HIGH_CARD),
        ("", 1, Category.HIGH_CARD),
    ],
)
def test_rr_3_3_the_category_of_a_drawn_hand(words: str, joker: int, expected: Category) -> None:
    assert category(words, joker) == expected


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2S 2H 2C 3D 3S", "AH KH QH JH 9H"),
        ("6S 5H 4C 3D 2S", "AS 5H 4C 3D 2S"),
        ("AS AH 2C 3D 4S", "KS KH AC QD JS"),
        ("AS AH 2C 3D 5S", "AD AC 2S 3H 4S"),
        ("AS AH KC KD 2S", "AD AC QS QH KS"),
        ("AS AH 2C 2D 4S", "AD AC 2S 2H 3S"),
        ("3S 3H 3C KD 5S", "3S 3H 3C KD 4S"),
        ("9S 9H 9C 9D 5S", "9S 9H 9C 9D 4S"),
        ("AS QH 9C 7D 5S", "AS QH 9C 7D 4S"),
        ("AS QH 9C 7D 5S", "AS QH 9C 7D"),
        ("2S 2H", "AS KS QS JS"),
        ("2S", ""),
    ],
)
def test_rr_3_3_one_hand_beats_another(better: str, worse: str) -> None:
    assert value(better) > value(worse)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AH KH QH JH 9H", "AS 6S 4S 3S 2S"),  # flushes: the top card alone
        ("9H 8H 7H 6H 5H", "9S 8S 7S 6S 5S"),
        ("QS QD QH AC AS", "QS QD QH 2C 2S"),  # full houses: the three alone
        ("9H 8C 7H 6D 5H", "9S 8S 7S 6C 5S"),
        ("AH 5C 4H 3D 2H", "AS 5S 4S 3C 2S"),
        ("AS AH KC QD JS 2C", "AD AC KS QH JD 3C"),
    ],
)
def test_rr_3_3_what_the_house_calls_a_tie(one: str, other: str) -> None:
    assert value(one) == value(other)


def test_rr_3_2_the_best_five_of_many() -> None:
    assert value("KS KH KC KD AS 2H 3H 4H 5H 6H 7C 8D 9S") == value("6H 5H 4H 3H 2H")
    assert value("KS KH QC QD JS JH 2C") == value("KS KH QC QD JS")
    assert value("KS KH KC QC QD QH 2C") == value("KS KH KC QC QD")


def test_rr_3_2_five_of_a_rank_count_as_four() -> None:
    assert value("9S 9D 9C 9H", 1) == value("9S 9D 9C 9H AS")


@pytest.mark.parametrize(
    ("words", "joker", "formed"),
    [
        ("5D 6D 7D 8D 9D", 0, {Category.STRAIGHT_FLUSH, Category.STRAIGHT, Category.FLUSH}),
        ("9S 9D 9C 9H 2H", 0, {Category.FOUR}),
        ("9S 9D 9C 9H 2H 2S", 0, {Category.FOUR, Category.FULL_HOUSE}),
        ("9S 9D 9C 2H", 1, {Category.FOUR, Category.FULL_HOUSE}),
        ("9S 9D 9C 9H", 1, {Category.FOUR}),
        ("9S 9D 9C", 1, set()),
        ("9S 9D 9C 9H", 0, set()),
    ],
)
def test_rr_3_1_what_a_hand_can_form(words: str, joker: int, formed: set[Category]) -> None:
    held = sum(1 << card for card in cards(words))
    predictable = [Category(code) for code in range(Category.STRAIGHT, NUM_CATEGORIES)]
    assert {wanted for wanted in predictable if can_form(held, joker, wanted)} == formed


# --- against the slow reckoning -----------------------------------------------------------------------------------


def hands(number: int, most: int, seed: int) -> list[list[int]]:
    """Random hands of 0 … most cards, half of them from few ranks or one suit, so that rare hands come up."""
    draw = Random(seed)
    found = []
    for place in range(number):
        ranks = draw.sample(range(13), draw.randint(3, 7)) if place % 2 else range(13)
        suits = draw.sample(range(4), draw.randint(1, 4)) if place % 3 else range(4)
        stock = [13 * suit + rank for suit in suits for rank in ranks]
        found.append(draw.sample(stock, min(len(stock), draw.randint(0, most))))
    return found


@pytest.mark.parametrize("most", [4, 5, 7])
def test_rr_3_2_values_are_those_of_the_slow_reckoning(most: int) -> None:
    for hand in hands(1500, most, most):
        held = sum(1 << card for card in hand)
        assert hand_value(held, 0) == packed(slow(hand)), hand
        assert count_cards(held) == len(hand)


def test_rr_3_2_jokers_are_worth_what_the_slow_reckoning_finds() -> None:
    for hand in hands(200, 5, 11):
        assert hand_value(sum(1 << card for card in hand), 1) == packed(slow(hand, 1)), hand


@pytest.mark.slow
@pytest.mark.parametrize("joker", [0, 1])
def test_rr_3_2_large_hands_are_worth_what_the_slow_reckoning_finds(joker: int) -> None:
    for hand in hands(60 if joker else 600, 8 if joker else 13, 12 + joker):
        assert hand_value(sum(1 << card for card in hand), joker) == packed(slow(hand, joker)), hand


@pytest.mark.parametrize("joker", [0, 1])
def test_rr_3_1_what_can_be_formed_is_what_the_slow_reckoning_finds(joker: int) -> None:
    for hand in hands(40 if joker else 400, 6, 14 + joker):
        held = sum(1 << card for card in hand)
        for code in range(Category.STRAIGHT, NUM_CATEGORIES):
            assert bool(can_form(held, joker, code)) == slow_can_form(hand, joker, Category(code)), hand


# --- all hands of five --------------------------------------------------------------------------------------------

KNOWN = {  # how many hands of five there are, and how many of them the house tells apart
    Category.STRAIGHT_FLUSH: (40, 10),
    Category.FOUR: (624, 156),
    Category.FULL_HOUSE: (3_744, 13),
    Category.FLUSH: (5_108, 8),
    Category.STRAIGHT: (10_200, 10),
    Category.THREE: (54_912, 858),
    Category.TWO_PAIR: (123_552, 858),
    Category.PAIR: (1_098_240, 2_860),
    Category.HIGH_CARD: (1_302_540, 1_277),
}


@kernel
def all_values(joker: int, size: int, out: npt.NDArray[np.int64]) -> int:
    """The values of all hands of five, or with `size` 4 of four; returns how many there are."""
    found = 0
    for first in range(NUM_CARDS):
        for second in range(first):
            for third in range(second):
                for fourth in range(third):
                    four = (1 << first) | (1 << second) | (1 << third) | (1 << fourth)
                    if size == 4:
                        out[found] = hand_value(four, joker)
                        found += 1
                        continue
                    for fifth in range(fourth):
                        out[found] = hand_value(four | (1 << fifth), joker)
                        found += 1
    return found


@pytest.mark.slow
@pytest.mark.compiled
def test_rr_3_3_every_hand_of_five_is_counted() -> None:
    values = np.zeros(math.comb(NUM_CARDS, 5), np.int64)
    assert all_values(0, 5, values) == len(values) == 2_598_960
    kinds = values >> 20
    for kind, (number, told_apart) in KNOWN.items():
        assert int((kinds == kind).sum()) == number, kind
        assert len(np.unique(values[kinds == kind])) == told_apart, kind


KNOWN_WITH_A_JOKER = {  # four cards and a joker, of the 53-card deck's hands those with the joker
    Category.STRAIGHT_FLUSH: 164,
    Category.FOUR: 2_509,
    Category.FULL_HOUSE: 2_808,
    Category.FLUSH: 2_696,
    Category.STRAIGHT: 10_332,
    Category.THREE: 82_368,
    Category.PAIR: 169_848,
}


@pytest.mark.slow
@pytest.mark.compiled
def test_rr_3_2_every_four_cards_with_a_joker_are_counted() -> None:
    values = np.zeros(math.comb(NUM_CARDS, 4), np.int64)
    assert all_values(1, 4, values) == len(values) == 270_725 == sum(KNOWN_WITH_A_JOKER.values())
    kinds, numbers = np.unique(values >> 20, return_counts=True)
    assert dict(zip(kinds.tolist(), numbers.tolist(), strict=True)) == KNOWN_WITH_A_JOKER
