"""RR-4, the River Rats' abilities while they are active, and their bonuses once they are defeated."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .piles import discard, draw_top, refill_market
from .state import record_card
from .vocab import COLLECTIVE_SIZE, NO_CARD, NOBODY, Event, Suit

EXTRA_FACE_DOWN = 2  # face-down cards of the clubs rat, beside those of the mode


@kernel
def ability(table: Record, params: Record, suit: int) -> bool:
    """RR-4.1, RR-5.1: whether the ability of that suit's rat holds: it is active, and the mode has abilities."""
    return bool(table["rat"] == suit and params["abilities"])


@kernel
def bonus(table: Record, suit: int) -> bool:
    """RR-4.1: whether the bonus of that suit's rat holds: it is defeated."""
    return bool(table["defeated"] == suit)


@kernel
def num_face_down(table: Record, params: Record) -> int:
    """RR-1.2, RR-4.1, RR-5.1: how many face-down cards the rat gets."""
    number = int(params["face_down"])
    if ability(table, params, Suit.CLUBS):
        number += EXTRA_FACE_DOWN
    if bonus(table, Suit.CLUBS):
        number -= 1
    return number


@kernel
def hand_to_fill(table: Record) -> int:
    """RR-2.5, RR-4.1: how many cards in the collective hand make the hands resolve."""
    if bonus(table, Suit.DIAMONDS):
        return COLLECTIVE_SIZE + 1
    return COLLECTIVE_SIZE


@kernel
def first_collective_card(game: Record) -> None:
    """RR-4.1: the diamonds rat deals the collective hand's first card, which triggers nothing."""
    card = draw_top(game)
    if card != NO_CARD:
        game["table"]["collective"] = 1 << card
        record_card(game["table"], Event.DEALT, NOBODY, card)


@kernel
def begin_bonus(game: Record) -> None:
    """RR-4.1, RR-2.2: what a bonus does when it begins: hearts discards a debt, spades fills the market."""
    table = game["table"]
    if bonus(table, Suit.HEARTS):
        lose_top_debt(game)
    elif bonus(table, Suit.SPADES):
        refill_market(game)


@kernel
def lose_top_debt(game: Record) -> None:
    """RR-4.1: the top card of the players' debt is discarded, if there is one."""
    table = game["table"]
    size = int(table["debt"])
    if size == 0:
        return
    card = int(game["debt"][size - 1])
    game["debt"][size - 1] = NO_CARD
    table["debt"] = size - 1
    table["debt_seen"] = int(table["debt_seen"]) & ~(1 << card)
    discard(table, 1 << card)
    record_card(table, Event.RELIEF, NOBODY, card)
