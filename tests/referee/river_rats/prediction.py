"""RR-3.1: the joker's prediction."""

from collections.abc import Sequence

from .cards import rank_of
from .poker import Category, best_hand, can_form

# RR-3.1 (book: joker's prediction reference): what the rank of the first debt card predicts.
PREDICTIONS = {
    rank: category
    for category, ranks in {
        Category.STRAIGHT_FLUSH: ("A",),
        Category.FOUR_OF_A_KIND: ("K",),
        Category.FULL_HOUSE: ("Q", "J", "10"),
        Category.FLUSH: ("9", "8", "7", "6"),
        Category.STRAIGHT: ("5", "4", "3", "2"),
    }.items()
    for rank in ranks
}


def predicted_by(first_debt: str | None) -> Category | None:
    """RR-3.1: what the first debt card predicts.

    READING: a round whose setup found no card for the first debt (RR-3.5) has no prediction; a card laid face-down
    onto the empty place later predicts nothing.
    """
    return None if first_debt is None else PREDICTIONS[rank_of(first_debt)]


def matches(cards: Sequence[str], predicted: Category | None, option: str) -> bool:
    """RR-3.1: whether a collective hand meets a prediction; RR-3.7: one of fewer than five cards meets none."""
    if predicted is None or len(cards) < 5:
        return False
    if option == "at_least_form":
        return can_form(cards, predicted)
    return best_hand(cards).category == predicted
