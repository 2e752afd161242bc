"""RR-1.1: the cards in the box, as words: "AS", "10H", "KD", and "JOKER"."""

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "C", "D")
SPADES, HEARTS, CLUBS, DIAMONDS = SUITS

CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
ACES = tuple("A" + suit for suit in SUITS)
KINGS = tuple("K" + suit for suit in SUITS)
JOKER = "JOKER"


def rank_of(card: str) -> str:
    """The rank of a card that isn't a joker."""
    return card[:-1]


def suit_of(card: str) -> str:
    """The suit of a card that isn't a joker."""
    return card[-1]
