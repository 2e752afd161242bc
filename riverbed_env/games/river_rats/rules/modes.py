"""RR-5, modes: how a joker is used in each, and whether it may be used now."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .hands import count_cards
from .piles import ability, add_to_debt, card_left, discard, draw_top, lose_if_in_debt
from .setup import draw_face_down
from .state import ask, record_event
from .vocab import NO_CARD, NOBODY, NUM_RANKS, Event, JokerUse, Question, Refusal, Step, Suit

CARDS_FOR_A_JOKER = 2  # face-down cards drawn in place of the removed one


@kernel
def collective_count(table: Record, params: Record) -> int:
    """RR-2.5: how many cards the collective hand holds; an advanced joker fills no slot (RR-5.1)."""
    total = count_cards(int(table["collective"])) + int(table["placer"] != NOBODY)
    if params["joker"] == JokerUse.CARD:
        total += int(table["joker_used"])
    return total


@kernel
def joker_refusal(table: Record, params: Record) -> int:
    """RR-2.1, RR-4.1, RR-5.1: why no joker can be used in a turn now, as a Refusal."""
    if params["joker"] == JokerUse.REVEAL:
        return Refusal.JOKER_AT_RESOLUTION
    if table["joker_up"] == 0:
        return Refusal.NO_JOKER
    if table["joker_used"]:
        return Refusal.JOKER_USED
    if table["drawn"]:
        return Refusal.JOKER_AFTER_DRAW
    if ability(table, params, Suit.SPADES) and collective_count(table, params) == 0:
        return Refusal.JOKER_TOO_EARLY
    return Refusal.OK


@kernel
def use_joker(game: Record, params: Record, seat: int) -> None:
    """RR-2.1: a face-up joker goes to the collective hand; RR-5.1: or the next player removes a rat's card.

    RR-5.2: or the first card is revealed at once.
    """
    table = game["table"]
    table["joker_up"] = int(table["joker_up"]) - 1
    table["joker_used"] = 1
    record_event(table, Event.JOKER, seat)
    if params["joker"] == JokerUse.REVEAL:
        reveal_card(game, seat)
        return
    table["step"] = Step.END_TURN
    if params["joker"] == JokerUse.REMOVE and (table["rat_up"] != 0 or table["rat_down"] > 0):
        ask(table, (seat + 1) % int(table["num_players"]), Question.REMOVE)


@kernel
def remove_card(game: Record, seat: int, card: int) -> None:
    """RR-5.1: one of the rat's cards (NO_CARD: the lowest face-down one) is discarded face-up, and two are drawn."""
    table = game["table"]
    removed = card
    if card == NO_CARD:
        removed = take_face_down(game)
    else:
        table["rat_up"] = int(table["rat_up"]) & ~(1 << card)
    discard(table, 1 << removed)
    record_event(table, Event.REMOVE, seat, removed)
    draw_face_down(game, CARDS_FOR_A_JOKER)


@kernel
def take_face_down(game: Record) -> int:
    """RR-2.6: the lowest of the rat's face-down cards leaves its place; the others move up."""
    table = game["table"]
    card = int(game["face_down"][0])
    size = int(table["rat_down"]) - 1
    for place in range(size):
        game["face_down"][place] = game["face_down"][place + 1]
    game["face_down"][size] = NO_CARD
    table["rat_down"] = size
    return card


@kernel
def ask_for_joker(table: Record, params: Record) -> None:
    """RR-5.2, RR-7.1: in expert mode the next player may use a joker before hands resolve."""
    table["step"] = Step.COMPARE
    if params["joker"] == JokerUse.REVEAL and table["joker_up"] > 0 and card_left(table):
        ask(table, int(table["active"]), Question.USE_JOKER)


@kernel
def reveal_card(game: Record, seat: int) -> None:
    """RR-5.2: a card goes from the deck to the collective hand; a card of the rat's suit is a bust.

    Then all revealed cards are discarded, and the top card of the deck becomes a debt of the players.
    """
    table = game["table"]
    card = draw_top(game)
    table["revealed"] = int(table["revealed"]) | (1 << card)
    table["step"] = Step.COMPARE
    if card // NUM_RANKS == table["rat"]:
        record_event(table, Event.BUST, seat, card)
        discard(table, int(table["revealed"]))
        table["revealed"] = 0
        add_to_debt(game, draw_top(game))
        lose_if_in_debt(table)
        return
    record_event(table, Event.REVEAL, seat, card)
    if card_left(table):
        ask(table, seat, Question.REVEAL_MORE)
