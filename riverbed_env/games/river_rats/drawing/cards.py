"""Playing cards of River Rats: rank, suit sign, and the back with what the viewer knows. Suits differ in shape."""

from riverbed_env.core.scene import Shape, circle, line, moved, polygon, rect, text

from ..rules.vocab import NUM_RANKS, Suit
from ..words.text import RANKS, SUIT_WORDS

WIDE, TALL = 40, 54  # of a card

_RANK_WORDS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_SIGNS = {  # in a box of 18 around (0, 0)
    Suit.HEARTS: [circle("red", -4, -3, 4.6), circle("red", 4, -3, 4.6), polygon("red", [-8, -0.6, 8, -0.6, 0, 9])],
    Suit.DIAMONDS: [polygon("red", [0, -9, 6.5, 0, 0, 9, -6.5, 0])],
    Suit.SPADES: [
        circle("black", -4, 2, 4.6),
        circle("black", 4, 2, 4.6),
        polygon("black", [-8, 0, 0, -9, 8, 0]),
        polygon("black", [0, 2, 3, 9, -3, 9]),
    ],
    Suit.CLUBS: [
        circle("black", 0, -4, 4.2),
        circle("black", -4.6, 2, 4.2),
        circle("black", 4.6, 2, 4.2),
        polygon("black", [0, 0, 3, 9, -3, 9]),
    ],
}


def suit_of(card: int) -> Suit:
    """The suit of a card."""
    return Suit(card // NUM_RANKS)


def card_words(card: int) -> str:
    """A card in words: "queen of hearts"."""
    rank = RANKS[card % NUM_RANKS]
    return f"{_RANK_WORDS.get(rank, rank)} of {SUIT_WORDS[suit_of(card)]}"


def suit_sign(suit: Suit, x: float, y: float) -> list[Shape]:
    """A suit's sign around (x, y)."""
    return moved(_SIGNS[suit], x, y)


def face(card: int, outline: str = "") -> list[Shape]:
    """A card face-up with its corner at (0, 0)."""
    suit = suit_of(card)
    return [
        rect(f"card{outline}", 0, 0, WIDE, TALL, 5),
        text(f"{_look(suit)} bold", 5, 18, RANKS[card % NUM_RANKS], 15),
        *suit_sign(suit, 23, 36),
    ]


def back(outline: str = "") -> list[Shape]:
    """A card face-down."""
    return [
        rect(f"cardback{outline}", 0, 0, WIDE, TALL, 5),
        *(line("backline", [6, at, 34, at]) for at in (10, 44)),
        text("onback bold", WIDE / 2, 34, "?", 18, anchor="middle"),
    ]


def known_back(card: int, outline: str = "") -> list[Shape]:
    """A card that lies face-down and that the viewer knows: its face in a frame of the back."""
    suit = suit_of(card)
    return [
        rect(f"cardback{outline}", 0, 0, WIDE, TALL, 5),
        rect("card", 4, 4, 32, 46, 3),
        text(f"{_look(suit)} bold", 8, 19, RANKS[card % NUM_RANKS], 14),
        *suit_sign(suit, 22, 35),
    ]


def _look(suit: Suit) -> str:
    return "red" if suit in (Suit.HEARTS, Suit.DIAMONDS) else "black"


def joker(outline: str = "", *, down: bool = False) -> list[Shape]:
    """A joker, or one that has to be earned yet."""
    if down:
        return [rect(f"cardback{outline}", 0, 0, WIDE, TALL, 5), text("onback", 20, 31, "joker", 11, anchor="middle")]
    star = [20, 12, 23, 21, 32, 21, 25, 27, 28, 36, 20, 30, 12, 36, 15, 27, 8, 21, 17, 21]
    return [
        rect(f"joker{outline}", 0, 0, WIDE, TALL, 5),
        polygon("coin", star),
        text("black", 20, 48, "joker", 10, anchor="middle"),
    ]
