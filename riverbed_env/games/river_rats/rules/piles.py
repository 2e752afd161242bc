"""RR-2.2, RR-3.5, deck, discard pile, market and hands: how cards move between them."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import shuffle

from . import kernel
from .hands import count_cards
from .state import record_act, record_card
from .vocab import MARKET_SIZE, NO_CARD, NOBODY, NUM_CARDS, Event, Suit


@kernel
def card_left(table: Record) -> bool:
    """RR-3.5: whether a card can be drawn, after a reshuffle if need be."""
    return bool(table["deck_size"] > 0 or table["discard"] != 0)


@kernel
def draw_top(game: Record) -> int:
    """RR-3.5: the top card leaves the deck, after a reshuffle if the deck is empty; NO_CARD if no card is left."""
    table = game["table"]
    if table["deck_size"] == 0:
        reshuffle(game)
    size = int(table["deck_size"])
    if size == 0:
        return NO_CARD
    card = int(game["deck"][size - 1])
    game["deck"][size - 1] = NO_CARD
    table["deck_size"] = size - 1
    return card


@kernel
def reshuffle(game: Record) -> None:
    """RR-3.5: the discard pile, shuffled, becomes the deck."""
    table = game["table"]
    cards = int(table["discard"])
    size = 0
    for card in range(NUM_CARDS):
        if (cards >> card) & 1:
            game["deck"][size] = card
            size += 1
    if size == 0:
        return
    shuffle(game["chance"], game["deck"], size)
    table["discard"] = 0
    table["deck_size"] = size
    record_act(table, Event.RESHUFFLE, NOBODY)


@kernel
def discard(table: Record, cards: int) -> None:
    """RR-3.5: a set of cards goes onto the discard pile."""
    table["discard"] = int(table["discard"]) | cards


@kernel
def market_size(table: Record) -> int:
    """RR-2.2, RR-4.1: how many cards the market is refilled to."""
    if table["defeated"] == Suit.SPADES:
        return MARKET_SIZE + 1
    return MARKET_SIZE


@kernel
def refill_market(game: Record) -> None:
    """RR-2.2: cards are added to the market one by one until it is full again or none is left."""
    table = game["table"]
    for _ in range(market_size(table) - count_cards(int(table["market"]))):
        card = draw_top(game)
        if card == NO_CARD:
            return
        table["market"] = int(table["market"]) | (1 << card)
        record_card(table, Event.REFILL, NOBODY, card)


@kernel
def take_into_hand(game: Record, seat: int, card: int) -> None:
    """A card goes into a hand."""
    private = game["private"][seat]
    private["hand"] = int(private["hand"]) | (1 << card)
    game["table"]["hand_size"][seat] = int(game["table"]["hand_size"][seat]) + 1


@kernel
def leave_hand(game: Record, seat: int, card: int) -> None:
    """A card leaves a hand, seen or unseen."""
    private = game["private"][seat]
    private["hand"] = int(private["hand"]) & ~(1 << card)
    game["table"]["hand_size"][seat] = int(game["table"]["hand_size"][seat]) - 1


@kernel
def see_taken(table: Record, seat: int, card: int) -> None:
    """RR-6.1: everybody saw the card go into the hand."""
    table["taken"][seat] = int(table["taken"][seat]) | (1 << card)


@kernel
def see_leaving(table: Record, seat: int, card: int) -> None:
    """RR-6.1: everybody sees that the card is no longer in the hand."""
    table["taken"][seat] = int(table["taken"][seat]) & ~(1 << card)
