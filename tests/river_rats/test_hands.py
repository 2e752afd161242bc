"""RR-3.1 to RR-3.3, RR-3.7: what a hand is worth, to the engine and to the independent referee.

Hands are words: "KH 7S *" is the king of hearts, the seven of spades and a joker.
"""

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from random import Random

import pytest
from referee.adapters.river_rats import CARDS
from referee.river_rats import poker as referee
from referee.river_rats.cards import JOKER

from river_rats.scene import as_set, numbers
from riverbed_env.games.river_rats.rules.hands import can_form, count_cards, hand_value
from riverbed_env.games.river_rats.rules.vocab import NUM_CATEGORIES, NUM_RANKS, Category

Hand = tuple[Sequence[int], int]  # cards, jokers
HIGH, PAIR, TWO, THREE, STRAIGHT, FLUSH, FULL, FOUR, STRAIGHT_FLUSH = list(Category)[1:]
PREDICTABLE = [Category(code) for code in range(Category.STRAIGHT, NUM_CATEGORIES)]


def parse(words: str) -> Hand:
    """A hand of words."""
    return numbers(words.replace("*", "")), words.count("*")


def packed(category: int, ranks: Sequence[int]) -> int:
    """A category and the ranks that break a tie within it, 14 for the ace, as one number, the better the higher."""
    return sum(rank << 4 * place for rank, place in zip(ranks, range(4, -1, -1), strict=False)) | category << 20


def engine_value(hand: Hand) -> int:
    return int(hand_value(as_set(hand[0]), hand[1]))


def engine_forms(hand: Hand, category: Category) -> bool:
    return bool(can_form(as_set(hand[0]), hand[1], category))


def referees_cards(hand: Hand) -> list[str]:
    return [*(CARDS[card] for card in hand[0]), *[JOKER] * hand[1]]


def referee_value(hand: Hand) -> int:
    strength = referee.best_hand(referees_cards(hand))
    return packed(strength.category - 1, strength.values)


def referee_forms(hand: Hand, category: Category) -> bool:
    return referee.can_form(referees_cards(hand), referee.Category(category + 1))


both_values = pytest.mark.parametrize("value", [engine_value, referee_value], ids=["engine", "referee"])
both_forms = pytest.mark.parametrize("forms", [engine_forms, referee_forms], ids=["engine", "referee"])


# --- drawn hands --------------------------------------------------------------------------------------------------

WORTH: dict[str, tuple[Category, tuple[int, ...]]] = {
    # RR-3.3, five cards: the combination, and what breaks a tie within it.
    "5D 6D 7D 8D 9D": (STRAIGHT_FLUSH, (9,)),
    "AD 2D 3D 4D 5D": (STRAIGHT_FLUSH, (5,)),
    "9S 9D 9C 9H 2C": (FOUR, (9, 2)),
    "QS QD QH 5C 5S": (FULL, (12,)),
    "AH AS AD 5H 5S": (FULL, (14,)),
    "AH 7H 5H 3H 2H": (FLUSH, (14,)),
    "KH 7H 5H 3H 2H": (FLUSH, (13,)),
    "4D 5S 6C 7S 8H": (STRAIGHT, (8,)),
    "AS 2H 3C 4D 5S": (STRAIGHT, (5,)),
    "TS JH QC KD AS": (STRAIGHT, (14,)),
    "QS KH AC 2D 3S": (HIGH, (14, 13, 12, 3, 2)),  # no straight round the ace
    "8H 8S 8D 5H 3S": (THREE, (8, 5, 3)),
    "TS TC 4D 4H 2C": (TWO, (10, 4, 2)),
    "KS KC 2C 3C 4D": (PAIR, (13, 4, 3, 2)),
    # RR-3.2, more than five cards: the best five.
    "8H 8S 8D 3C 3S 3H": (FULL, (8,)),
    "8H 8S 6D 6C 3S 3H": (TWO, (8, 6, 3)),
    "8H 8S 6D 6C 3S 3H KC": (TWO, (8, 6, 13)),
    "KS KH KC QC QD QH 2C": (FULL, (13,)),
    "2H 3H 4H 5H 6C 9H": (FLUSH, (9,)),
    "2H 3H 4H 5H 6H 7C": (STRAIGHT_FLUSH, (6,)),  # better than the straight to 7
    "AH 2C 3H 4H 5H 6C 7S": (STRAIGHT, (7,)),
    "AH AC AS AD KH KC KS KD QH QC QS QD JS": (FOUR, (14, 13)),
    "AH KC QS 9D 8H 6C 5S 4D": (HIGH, (14, 13, 12, 9, 8)),
    "AH AC QS 9D 8H 6C 5S 3D 2H": (PAIR, (14, 12, 9, 8)),
    # RR-3.2, with a joker: the card that gives the best hand.
    "* 5D 6D 7D 8D": (STRAIGHT_FLUSH, (9,)),
    "* 5D 6D 8D 9D": (STRAIGHT_FLUSH, (9,)),
    "* JD QD KD AD": (STRAIGHT_FLUSH, (14,)),
    "* 2D 3D 4D AD": (STRAIGHT_FLUSH, (5,)),
    "* 9D 9S 9H 9C": (FOUR, (9, 14)),  # an ace, rather than a fifth nine
    "* AD AS AH AC": (FOUR, (14, 14)),  # five of a rank
    "* 9D 9S 9H 2C": (FOUR, (9, 2)),
    "* 9D 9S 4H 4C": (FULL, (9,)),
    "* AD KD 4D 2D": (FLUSH, (14,)),
    "* 9D TS JH QC": (STRAIGHT, (13,)),
    "* 5H 4S 3S AS": (STRAIGHT, (5,)),
    "* 9D 9S JH QC": (THREE, (9, 12, 11)),
    "* 9D 7S JH QC": (PAIR, (12, 11, 9, 7)),
    "* 9D 7S JH QC 9C": (THREE, (9, 12, 11)),
    "* 9D 9S 4H 4C 4S": (FOUR, (4, 9)),
    # RR-3.7, fewer than five cards: groups only.
    "": (HIGH, ()),
    "2H": (HIGH, (2,)),
    "2H 5H 9H KH": (HIGH, (13, 9, 5, 2)),
    "2H 3H 4H 5H": (HIGH, (5, 4, 3, 2)),
    "2H 2D": (PAIR, (2,)),
    "2H 2D 3S 3C": (TWO, (3, 2)),
    "2H 2D 2S 3C": (THREE, (2, 3)),
    "2H 2D 2S 2C": (FOUR, (2,)),
    "*": (HIGH, (14,)),
    "* 2H 3H 4H": (PAIR, (4, 3, 2)),
    "* 2H 2D 4H": (THREE, (2, 4)),
}


@both_values
@pytest.mark.parametrize("words", WORTH)
def test_rr_3_3_what_a_drawn_hand_is_worth(words: str, value: Callable[[Hand], int]) -> None:
    assert value(parse(words)) == packed(*WORTH[words])


FORMED: dict[str, set[Category]] = {
    "5D 6D 7D 8D 9D": {STRAIGHT_FLUSH, STRAIGHT, FLUSH},
    "5D 6S 7D 8D 9D 2D": {STRAIGHT, FLUSH},
    "* 5D 6D 7D 8D": {STRAIGHT_FLUSH, STRAIGHT, FLUSH},
    "9S 9D 9C 9H 2H": {FOUR},
    "9S 9D 9C 9H 2H 2S": {FOUR, FULL},
    "* 9S 9D 9C 2H": {FOUR, FULL},
    "* 9S 9D 9C 9H": {FOUR},
    "QS QD QH 5C 5S": {FULL},
    "2C 3C 5C JC QC": {FLUSH},
    "* 9S 9D 9C": set(),  # RR-3.7
    "9S 9D 9C 9H": set(),
}


@both_forms
@pytest.mark.parametrize("words", FORMED)
def test_rr_3_1_what_a_hand_can_form(words: str, forms: Callable[[Hand, Category], bool]) -> None:
    assert {category for category in PREDICTABLE if forms(parse(words), category)} == FORMED[words]


# --- one against the other ----------------------------------------------------------------------------------------


def hands(number: int, most: int, jokers: int, seed: int) -> list[Hand]:
    """Random hands of 0 … most cards, half of them from few ranks or one suit, so that rare hands come up."""
    draw = Random(seed)
    drawn: list[Hand] = []
    for place in range(number):
        ranks = draw.sample(range(13), draw.randint(3, 7)) if place % 2 else range(13)
        suits = draw.sample(range(4), draw.randint(1, 4)) if place % 3 else range(4)
        stock = [NUM_RANKS * suit + rank for suit in suits for rank in ranks]
        drawn.append((draw.sample(stock, min(len(stock), draw.randint(0, most))), jokers))
    return drawn


@pytest.mark.parametrize(
    ("number", "most", "joker"),
    [
        (1500, 4, 0),
        (1500, 5, 0),
        (1000, 7, 0),
        (150, 5, 1),
        pytest.param(600, 13, 0, marks=pytest.mark.slow),
        pytest.param(60, 8, 1, marks=pytest.mark.slow),
    ],
)
def test_rr_3_2_engine_and_referee_value_random_hands_alike(number: int, most: int, joker: int) -> None:
    for hand in hands(number, most, joker, most):
        assert engine_value(hand) == referee_value(hand), hand
        assert count_cards(as_set(hand[0])) == len(hand[0])


@pytest.mark.compiled
def test_rr_3_2_they_value_every_class_of_five_cards_alike() -> None:
    """RR-3.3: hands that differ in suits alone are worth the same, so one hand of each class speaks for all."""
    number = 0
    for ranks in combinations_with_replacement(range(NUM_RANKS), 5):
        if ranks[0] == ranks[4]:
            continue  # five of a rank
        suits = [[place % 4 for place in range(5)], *([[0] * 5] if len(set(ranks)) == 5 else [])]
        for each in suits:
            hand = [NUM_RANKS * suit + rank for suit, rank in zip(each, ranks, strict=True)], 0
            assert engine_value(hand) == referee_value(hand), hand
            number += 1
    assert number == 7_462


@pytest.mark.parametrize("joker", [0, 1])
def test_rr_3_1_engine_and_referee_form_the_same_of_random_hands(joker: int) -> None:
    for hand in hands(20 if joker else 400, 6, joker, 14 + joker):
        for category in PREDICTABLE:
            assert engine_forms(hand, category) == referee_forms(hand, category), hand
