"""RR-2, a turn: drawing, playing, and the effects of the card just played."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .hands import count_cards
from .modes import collective_count, joker_refusal, take_face_down
from .piles import (
    ability,
    card_left,
    discard,
    draw_debt,
    draw_top,
    hand_to_fill,
    leave_hand,
    refill_market,
    see_leaving,
    see_taken,
    take_into_hand,
)
from .setup import clear_turn
from .state import ask, record_event
from .vocab import HAND_LIMIT, MARKET_LIMIT, NUM_RANKS, Event, Question, Refusal, Step, Suit, Zone


@kernel
def begin_turn(table: Record, params: Record) -> None:
    """RR-2.1: the active seat's turn; RR-3.7: it is skipped if there is nothing to draw or play."""
    table["turn"] += 1
    seat = int(table["active"])
    can_play = table["hand_size"][seat] > 0 or joker_refusal(table, params) == Refusal.OK
    if can_play or can_draw(table, seat):
        table["skips"] = 0
        table["step"] = Step.DRAW_OR_PLAY
        return
    record_event(table, Event.SKIP, seat)
    table["skips"] = int(table["skips"]) + 1
    table["active"] = (seat + 1) % int(table["num_players"])
    if table["skips"] >= table["num_players"]:
        table["step"] = Step.RESOLVE


@kernel
def can_draw(table: Record, seat: int) -> bool:
    """RR-2.1: whether the seat can draw: its hand is below the limit and a card is left."""
    return bool(table["hand_size"][seat] < HAND_LIMIT and (table["market"] != 0 or card_left(table)))


@kernel
def draw_or_play(table: Record) -> None:
    """RR-2.1: first the hand is filled, one card at a time, then a card is played."""
    seat = int(table["active"])
    ask(table, seat, Question.DRAW if can_draw(table, seat) else Question.PLAY)


@kernel
def end_turn(table: Record, params: Record) -> None:
    """RR-2.5: hands resolve when the collective hand is full; else the next player clockwise has a turn."""
    clear_turn(table)
    table["active"] = (int(table["active"]) + 1) % int(table["num_players"])
    table["step"] = Step.BEGIN_TURN
    if collective_count(table, params) >= hand_to_fill(table):
        table["step"] = Step.RESOLVE


@kernel
def draw_card(game: Record, seat: int) -> None:
    """RR-2.1: the seat draws a card from the deck; the others don't see it."""
    game["table"]["drawn"] = 1
    take_into_hand(game, seat, draw_top(game))
    record_event(game["table"], Event.DRAW, seat)


@kernel
def take_from_market(game: Record, seat: int, card: int) -> None:
    """RR-2.1: the seat takes a card from the market, and all see it; RR-2.2: the market is refilled at once."""
    table = game["table"]
    table["drawn"] = 1
    table["market"] = int(table["market"]) & ~(1 << card)
    take_into_hand(game, seat, card)
    see_taken(table, seat, card)
    record_event(table, Event.TAKE, seat, card)
    refill_market(game)


@kernel
def play_card(game: Record, params: Record, seat: int, card: int) -> None:
    """RR-2.1: a card goes face-up to the collective hand; RR-4.1: with the spades rat the first one goes face-down."""
    table = game["table"]
    first = collective_count(table, params) == 0
    leave_hand(game, seat, card)
    table["step"] = Step.END_TURN
    if first and ability(table, params, Suit.SPADES):
        game["private"][seat]["placed"] = card
        table["placer"] = seat
        record_event(table, Event.PLAY_FACE_DOWN, seat)
        return
    see_leaving(table, seat, card)
    table["collective"] = int(table["collective"]) | (1 << card)
    table["played"] = card
    record_event(table, Event.PLAY, seat, card)
    ask(table, seat, Question.ACTION)


@kernel
def exchangeable(table: Record) -> int:
    """RR-2.3: the collective hand's cards that may be swapped out: face-up, no joker, not the one just played."""
    return int(table["collective"]) & ~(1 << int(table["played"]))


@kernel
def market_has_room(table: Record) -> bool:
    """RR-2.2: whether another card may go to the market."""
    return count_cards(int(table["market"])) < MARKET_LIMIT


@kernel
def source_for_market(table: Record, seat: int) -> bool:
    """RR-2.3: whether there is a card to put into the market: in the hand, or in the deck for a player alone."""
    if table["num_players"] == 1:
        return card_left(table)
    return bool(table["hand_size"][seat] > 0)


@kernel
def action_possible(table: Record, seat: int) -> bool:
    """RR-2.3, RR-2.6: whether there is a card for the suit action of the card just played."""
    suit = int(table["played"]) // NUM_RANKS
    if suit == Suit.HEARTS:
        return card_left(table)
    elif suit == Suit.SPADES:
        return bool(table["hand_size"][seat] > 0 or table["market"] != 0)
    elif suit == Suit.CLUBS:
        return market_has_room(table) and source_for_market(table, seat)
    return bool(exchangeable(table) != 0 and table["hand_size"][seat] > 0)


@kernel
def power_refusal(table: Record, params: Record, seat: int) -> int:
    """RR-2.4, RR-2.6: why the player power can't be used, as a Refusal."""
    suit = int(table["played"]) // NUM_RANKS
    if not params["powers"]:
        return Refusal.NO_POWERS
    if suit != table["character"][seat]:
        return Refusal.NOT_THE_OWN_SUIT
    possible = action_possible(table, seat)
    if suit == Suit.HEARTS:
        possible = table["rat_down"] > 0
    elif suit == Suit.DIAMONDS:
        possible = exchangeable(table) != 0 and table["market"] != 0
    if not possible:
        return Refusal.NOTHING_FOR_THE_ACTION
    return Refusal.OK


@kernel
def act(game: Record, seat: int, power: int) -> None:
    """RR-2.3, RR-2.4: begin the suit action (power 0) or the player power of the card just played."""
    table = game["table"]
    table["power"] = power
    suit = int(table["played"]) // NUM_RANKS
    if suit == Suit.HEARTS:
        if power:
            card = take_face_down(game)
            table["rat_up"] = int(table["rat_up"]) | (1 << card)
            record_event(table, Event.TURN_UP, seat, card)
            ask(table, seat, Question.ADD_DEBT)
        else:
            draw_debt(game, seat)
    elif suit == Suit.SPADES:
        ask(table, seat, Question.DISCARD)
    elif suit == Suit.CLUBS:
        if table["num_players"] == 1:
            deck_to_market(game, seat)
            ask_for_second(table, seat)
        else:
            ask(table, seat, Question.TO_MARKET)
    else:
        ask(table, seat, Question.SWAP_OUT)


@kernel
def deck_to_market(game: Record, seat: int) -> None:
    """RR-2.3: alone, the card for the market comes from the deck."""
    table = game["table"]
    card = draw_top(game)
    table["market"] = int(table["market"]) | (1 << card)
    record_event(table, Event.TO_MARKET, seat, card)


@kernel
def hand_to_market(game: Record, seat: int, card: int) -> None:
    """RR-2.3: a card of the hand goes to the market."""
    table = game["table"]
    leave_hand(game, seat, card)
    see_leaving(table, seat, card)
    table["market"] = int(table["market"]) | (1 << card)
    record_event(table, Event.TO_MARKET, seat, card)


@kernel
def ask_for_second(table: Record, seat: int) -> None:
    """RR-2.4: with the clubs power a second card may follow, if there is one and room for it."""
    if table["power"] and market_has_room(table) and source_for_market(table, seat):
        ask(table, seat, Question.MORE_TO_MARKET)


@kernel
def discard_card(game: Record, seat: int, card: int) -> None:
    """RR-2.3: a card of hand or market is discarded; RR-2.4: with the power more of its zone may follow."""
    table = game["table"]
    zone = Zone.HAND if (int(game["private"][seat]["hand"]) >> card) & 1 else Zone.MARKET
    table["zone"] = zone
    if zone == Zone.HAND:
        leave_hand(game, seat, card)
        see_leaving(table, seat, card)
    else:
        table["market"] = int(table["market"]) & ~(1 << card)
    discard(table, 1 << card)
    record_event(table, Event.DISCARD, seat, card, first=zone)
    more = table["hand_size"][seat] > 0 if zone == Zone.HAND else table["market"] != 0
    if table["power"] and more:
        ask(table, seat, Question.DISCARD_MORE)
    else:
        refill_market(game)


@kernel
def swap(game: Record, seat: int, card: int) -> None:
    """RR-2.3: a card of the hand changes places with the one chosen; RR-2.4: or a card of the market."""
    table = game["table"]
    out = int(table["swapped"])
    table["collective"] = (int(table["collective"]) & ~(1 << out)) | (1 << card)
    if table["power"]:
        table["market"] = (int(table["market"]) & ~(1 << card)) | (1 << out)
        record_event(table, Event.SWAP, seat, out, card, Zone.MARKET, 0)
        return
    leave_hand(game, seat, card)
    see_leaving(table, seat, card)
    take_into_hand(game, seat, out)
    see_taken(table, seat, out)
    record_event(table, Event.SWAP, seat, out, card, Zone.HAND, 0)
