"""RR-3.3: the hand evaluator against PH Evaluator, an independent one from the package registry.

PH Evaluator ranks 7,462 classes of hands, 1 the best. The house ties some of them: straights and flushes compare the
top card alone (all straights and straight flushes of a top card are one class anyway), full houses the three. So our
values must rise as its ranks fall, and be equal exactly where the house ties.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt
import pytest
from phevaluator import evaluate_cards

from river_rats.all_hands import Hands, every_hand, values_of
from riverbed_env.games.river_rats.rules.vocab import NUM_CARDS, NUM_RANKS, Category
from riverbed_env.kernels.compile import compiled

pytestmark = [pytest.mark.slow, pytest.mark.compiled]

CLASSES = 7_462
CATEGORIES = {  # the last, that is worst, rank of each category of PH Evaluator's
    Category.STRAIGHT_FLUSH: 10,
    Category.FOUR: 166,
    Category.FULL_HOUSE: 322,
    Category.FLUSH: 1_599,
    Category.STRAIGHT: 1_609,
    Category.THREE: 2_467,
    Category.TWO_PAIR: 3_325,
    Category.PAIR: 6_185,
    Category.HIGH_CARD: 7_462,
}
TIED_BY_TOP = (Category.FLUSH, Category.FULL_HOUSE)  # where the house compares the first rank alone


def theirs(hands: Hands) -> npt.NDArray[np.int64]:
    """PH Evaluator's rank of each hand of five to seven cards; it counts a card as 4 * rank + suit."""
    named = hands % NUM_RANKS * 4 + hands // NUM_RANKS
    return np.fromiter((evaluate_cards(*hand) for hand in named.tolist()), np.int64, len(hands))


@pytest.fixture(scope="module")
def fives() -> Hands:
    """All hands of five, in lexicographic order of their sorted cards."""
    return every_hand(5)


@pytest.fixture(scope="module")
def ranks(fives: Hands) -> npt.NDArray[np.int64]:
    """PH Evaluator's rank of each of them."""
    return theirs(fives)


@pytest.fixture(scope="module")
def value_of_rank(fives: Hands, ranks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Our value of each of PH Evaluator's classes; every hand of a class must have the same."""
    values = values_of(fives)
    by_rank = np.zeros(CLASSES + 1, np.int64)
    by_rank[ranks] = values
    assert np.array_equal(by_rank[ranks], values)
    return by_rank


def test_rr_3_3_all_hands_of_five_are_of_the_same_category(fives: Hands, ranks: npt.NDArray[np.int64]) -> None:
    assert len(fives) == comb(NUM_CARDS, 5) == 2_598_960
    kinds = values_of(fives) >> 20
    best = 0
    for category, worst in CATEGORIES.items():
        there = (best < ranks) & (ranks <= worst)
        assert there.any()
        assert np.array_equal(kinds == category, there), category
        best = worst


def test_rr_3_3_values_rise_with_the_independent_ranks_and_tie_where_the_house_ties(
    value_of_rank: npt.NDArray[np.int64],
) -> None:
    in_order = value_of_rank[1:]  # from the best class to the worst
    assert (np.diff(in_order) <= 0).all()
    for better, worse in zip(in_order[:-1].tolist(), in_order[1:].tolist(), strict=True):
        category, first = Category(better >> 20), better >> 16
        tied = category in TIED_BY_TOP and first == worse >> 16
        assert (better == worse) == tied
    assert len(np.unique(in_order)) == CLASSES - (1_277 - 8) - (156 - 13)


def random_hands(number: int, size: int, rng: np.random.Generator) -> Hands:
    """Sorted hands of `size` different cards, every third from few ranks and every third from two suits."""
    weights = rng.random((number, NUM_CARDS))
    cards = np.arange(NUM_CARDS)
    few = weights[::3]
    few += (rng.random((len(few), NUM_RANKS)) < 0.5)[:, cards % NUM_RANKS]
    suited = weights[1::3]
    suited += (cards // NUM_RANKS < 2)[None, :]
    return np.sort(np.argpartition(-weights, size, axis=1)[:, :size], axis=1).astype(np.int64)


@pytest.mark.parametrize("size", [7])
def test_rr_3_2_half_a_million_hands_agree_with_its_own_evaluation(
    size: int, value_of_rank: npt.NDArray[np.int64]
) -> None:
    hands = random_hands(500_000, size, np.random.default_rng(size))
    assert np.array_equal(values_of(hands), value_of_rank[theirs(hands)])


@pytest.mark.parametrize("size", [6, 9])
def test_rr_3_2_many_hands_are_worth_their_best_five(
    size: int, ranks: npt.NDArray[np.int64], value_of_rank: npt.NDArray[np.int64]
) -> None:
    assert compiled()
    best = ranks.astype(np.int16)
    hands = random_hands(250_000, size, np.random.default_rng(size))
    best_rank = np.full(len(hands), CLASSES, np.int16)
    for five in combinations(range(size), 5):
        np.minimum(best_rank, best[place_of(hands[:, five])], out=best_rank)
    assert np.array_equal(values_of(hands), value_of_rank[best_rank])


def place_of(fives: Hands) -> npt.NDArray[np.int64]:
    """The place of sorted hands of five in lexicographic order: the hands after it are those of the higher cards."""
    after = sum(CHOOSE[NUM_CARDS - 1 - fives[:, place], 5 - place] for place in range(5))
    return comb(NUM_CARDS, 5) - 1 - after


CHOOSE = np.array([[comb(many, few) for few in range(6)] for many in range(NUM_CARDS)], np.int64)
