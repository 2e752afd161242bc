"""RR-3.4, debts: the pile of a round, what each side owes, and how the game is won and lost."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .piles import draw_top
from .rats import ability
from .state import close_question, record_act, record_numbers
from .vocab import DEBT_LIMIT, NO_CARD, NOBODY, Ending, Event, Suit, Winner


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
        record_act(game["table"], Event.DEBT, seat)


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
        record_act(table, Event.LOSE, NOBODY)
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
    record_numbers(table, Event.HAND_LOST, int(table["pile_size"]), 0)
    table["debt_seen"] = int(table["debt_seen"]) | first_debt_set(table)
    for place in range(int(table["pile_size"])):
        add_to_debt(game, int(game["pile"][place]))
    clear_pile(game)
    lose_if_in_debt(table)


@kernel
def give_debt_to_rat(game: Record) -> None:
    """RR-3.4: the players won: the pile goes face-down onto the active rat."""
    table = game["table"]
    record_numbers(table, Event.HAND_WON, int(table["pile_size"]), 0)
    table["rat_debt_seen"] = int(table["rat_debt_seen"]) | first_debt_set(table)
    for place in range(int(table["pile_size"])):
        game["rat_debt"] = int(game["rat_debt"]) | (1 << int(game["pile"][place]))
    table["rat_debt"] = int(table["rat_debt"]) + int(table["pile_size"])
    clear_pile(game)


@kernel
def first_debt_set(table: Record) -> int:
    """RR-6.1: the round's first debt, which everybody has seen, as a set of cards."""
    if table["first_debt"] == NO_CARD:
        return 0
    return 1 << int(table["first_debt"])


@kernel
def clear_pile(game: Record) -> None:
    """RR-3.4: clear the round's debt after one side has taken it."""
    game["pile"][:] = NO_CARD
    game["table"]["pile_size"] = 0
    game["table"]["first_debt"] = NO_CARD
