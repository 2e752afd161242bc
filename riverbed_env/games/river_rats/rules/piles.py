"""How cards move: deck, discard pile, market and hands (RR-2.2, RR-3.5), the rat's cards, and debts."""

from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.random import shuffle

from . import kernel
from .hands import count_cards
from .state import close_question, record_event, set_of
from .vocab import COLLECTIVE_SIZE, DEBT_LIMIT, MARKET_SIZE, NO_CARD, NOBODY, NUM_CARDS, Ending, Event, Suit, Winner


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
def list_cards(cards: int, out: Vector) -> int:
    """Write the cards of a set, ascending; returns how many there are."""
    size = 0
    for card in range(NUM_CARDS):
        if (cards >> card) & 1:
            out[size] = card
            size += 1
    return size


@kernel
def reshuffle(game: Record) -> None:
    """RR-3.5: the discard pile, shuffled, becomes the deck."""
    table = game["table"]
    size = list_cards(int(table["discard"]), game["deck"])
    if size == 0:
        return
    shuffle(game["chance"], game["deck"], size)
    table["discard"] = 0
    table["deck_size"] = size
    record_event(table, Event.RESHUFFLE)


@kernel
def discard(table: Record, cards: int) -> None:
    """RR-3.5: a set of cards goes onto the discard pile."""
    table["discard"] = int(table["discard"]) | cards


@kernel
def market_size(table: Record) -> int:
    """RR-2.2, RR-4.1: how many cards the market is refilled to."""
    return MARKET_SIZE + int(table["defeated"] == Suit.SPADES)


@kernel
def refill_market(game: Record) -> None:
    """RR-2.2: cards are added to the market one by one until it is full again or none is left."""
    table = game["table"]
    for _ in range(market_size(table) - count_cards(int(table["market"]))):
        card = draw_top(game)
        if card == NO_CARD:
            return
        table["market"] = int(table["market"]) | (1 << card)
        record_event(table, Event.REFILL, NOBODY, card)


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


EXTRA_FACE_DOWN = 2  # face-down cards of the clubs rat, beside those of the mode


@kernel
def ability(table: Record, params: Record, suit: int) -> bool:
    """RR-4.1, RR-5.1: whether the ability of that suit's rat holds: it is active, and the mode has abilities."""
    return bool(table["rat"] == suit and params["abilities"])


@kernel
def hand_to_fill(table: Record) -> int:
    """RR-2.5, RR-4.1: how many cards in the collective hand make the hands resolve."""
    return COLLECTIVE_SIZE + int(table["defeated"] == Suit.DIAMONDS)


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
    record_event(table, Event.RELIEF, NOBODY, card)


@kernel
def add_to_pile(game: Record, card: int) -> None:
    """RR-1.2: a card is laid onto the round's debt."""
    table = game["table"]
    size = int(table["pile_size"])
    game["pile"][size] = card
    table["pile_size"] = size + 1


@kernel
def draw_debt(game: Record, seat: int) -> None:
    """RR-2.3: the top card of the deck goes face-down onto the debt; a seat adds it, or the rat (NOBODY)."""
    card = draw_top(game)
    if card != NO_CARD:
        add_to_pile(game, card)
        record_event(game["table"], Event.DEBT, seat)


@kernel
def add_to_debt(game: Record, card: int) -> None:
    """RR-3.4: a card goes face-down on top of the players' debt."""
    table = game["table"]
    size = int(table["debt"])
    game["debt"][size] = card
    table["debt"] = size + 1


@kernel
def lose_if_in_debt(table: Record) -> None:
    """RR-3.4: five debts of the players lose the game at once."""
    if table["debt"] >= DEBT_LIMIT:
        record_event(table, Event.LOSE)
        finish(table, Winner.RATS)


@kernel
def finish(table: Record, winner: int) -> None:
    """RR-3.4, RR-3.6: the game is over; nobody is asked any more."""
    table["ending"] = Ending.OVER
    table["winner"] = winner
    close_question(table)


@kernel
def give_debt_to_players(game: Record, params: Record) -> None:
    """RR-3.4, RR-4.1: the rat won: the pile goes to the players in its order, the hearts rat's card last."""
    table = game["table"]
    if ability(table, params, Suit.HEARTS):
        draw_debt(game, NOBODY)
    record_event(table, Event.HAND_LOST, first=int(table["pile_size"]))
    table["debt_seen"] = int(table["debt_seen"]) | set_of(int(table["first_debt"]))
    for place in range(int(table["pile_size"])):
        add_to_debt(game, int(game["pile"][place]))
    clear_pile(game)
    lose_if_in_debt(table)


@kernel
def give_debt_to_rat(game: Record) -> None:
    """RR-3.4: the players won: the pile goes face-down onto the active rat."""
    table = game["table"]
    record_event(table, Event.HAND_WON, first=int(table["pile_size"]))
    table["rat_debt_seen"] = int(table["rat_debt_seen"]) | set_of(int(table["first_debt"]))
    for place in range(int(table["pile_size"])):
        game["rat_debt"] = int(game["rat_debt"]) | (1 << int(game["pile"][place]))
    table["rat_debt"] = int(table["rat_debt"]) + int(table["pile_size"])
    clear_pile(game)


@kernel
def clear_pile(game: Record) -> None:
    """RR-3.4: clear the round's debt after one side has taken it."""
    game["pile"][:] = NO_CARD
    game["table"]["pile_size"] = 0
    game["table"]["first_debt"] = NO_CARD
