"""RR-1.1: the chance outcome of the setup, and chance in play."""

from dataclasses import dataclass
from typing import Protocol

from .cards import CARDS, KINGS


@dataclass(frozen=True)
class Deal:
    """RR-1.1: the two kings drawn as River Rats, and the order of the 50 other cards, last = top.

    The aces that the players choose are taken out of this order, wherever they lie; what is left, in its order, is
    the draw deck. As the order is a random one, so is what is left of it, whichever aces are chosen.
    """

    kings: tuple[str, str]  # the active one, the waiting one
    deck: tuple[str, ...]


class Chance(Protocol):
    """Chance in play, given from outside."""

    def shuffle_cards(self, cards: list[str]) -> list[str]:
        """RR-3.5: the discard pile, first discarded first; returns the new deck, last = top."""


def check_deal(deal: Deal) -> None:
    """RR-1.1: refuse a deal that the setup can't produce."""
    if len(deal.kings) != 2 or not set(deal.kings) <= set(KINGS) or deal.kings[0] == deal.kings[1]:
        raise ValueError(f"RR-1.1: {deal.kings} aren't two of the four kings")
    if sorted([*deal.kings, *deal.deck]) != sorted(CARDS):
        raise ValueError("RR-1.1: the deck isn't the 50 cards besides the River Rats")
