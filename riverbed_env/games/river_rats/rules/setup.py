"""RR-1, setup: characters are chosen, River Rats drawn, cards dealt; each round the rat's cards and a debt are laid."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.memory import viewed
from riverbed_env.kernels.random import AGENTS, CHANCE, DEAL, below, open_stream, shuffle

from . import kernel
from . import vocab as v
from .piles import EXTRA_FACE_DOWN, ability, add_to_pile, draw_top, refill_market, take_into_hand
from .state import EMPTY_TABLE, TABLE, ask, record_event, set_of


@kernel
def card_of(suit: int, rank: int) -> int:
    """The card of a suit and a rank."""
    return suit * v.NUM_RANKS + rank


@kernel
def deal(game: Record, params: Record, seed: int, number: int) -> None:
    """RR-1.1: deal game `number` of `seed`: the order of all cards and the two River Rats.

    They are drawn before the aces are chosen, so the deal doesn't depend on what the players do.
    """
    game["seed"] = seed
    game["number"] = number
    stream = game["chance"]  # for the deal; below it is opened for chance in play
    open_stream(stream, seed, number, DEAL)
    game["table"] = viewed(EMPTY_TABLE, TABLE)[0]  # both jokers lie face-down, no card is anywhere yet
    game["table"]["num_players"] = params["num_players"]
    clear_secrets(game)
    first = below(stream, v.NUM_SUITS)
    second = below(stream, v.NUM_SUITS - 1)
    if second >= first:
        second += 1
    game["first_rat"] = first
    game["second_rat"] = second
    for card in range(v.NUM_CARDS):
        game["deck"][card] = card
    shuffle(stream, game["deck"], v.NUM_CARDS)
    open_stream(game["chance"], seed, number, CHANCE)
    open_stream(game["agents"], seed, number, AGENTS)


@kernel
def clear_turn(table: Record) -> None:
    """RR-2.1: clear what belongs to a turn."""
    table["played"] = v.NO_CARD
    table["swapped"] = v.NO_CARD
    table["power"] = 0
    table["zone"] = v.Zone.NONE
    table["drawn"] = 0


@kernel
def clear_secrets(game: Record) -> None:
    """Clear what an earlier game left, so that equal games are equal byte for byte."""
    for seat in range(v.MAX_SEATS + 1):
        game["private"][seat]["hand"] = 0
        game["private"][seat]["placed"] = v.NO_CARD
    game["rat_debt"] = 0
    game["face_down"][:] = v.NO_CARD
    game["pile"][:] = v.NO_CARD
    game["debt"][:] = v.NO_CARD


@kernel
def aces_chosen(table: Record) -> int:
    """RR-1.1: the aces that lie before players, as a set of cards."""
    cards = 0
    for seat in range(v.MAX_SEATS):
        if table["character"][seat] != v.Suit.NONE:
            cards |= 1 << card_of(int(table["character"][seat]), v.ACE)
    return cards


@kernel
def seen_cards(table: Record, own: Record) -> int:
    """RR-6.1: the cards whose place a seat knows, the River Rats apart, as a set."""
    seen = int(table["market"]) | int(table["discard"]) | int(table["rat_up"]) | int(table["collective"])
    seen |= int(table["revealed"]) | int(table["rat_debt_seen"]) | int(table["debt_seen"]) | int(own["hand"])
    for seat in range(v.MAX_SEATS):
        seen |= int(table["taken"][seat])
    return seen | aces_chosen(table) | set_of(int(own["placed"])) | set_of(int(table["first_debt"]))


@kernel
def ask_next_ace(game: Record, params: Record) -> None:
    """RR-1.1: characters are chosen in seat order, then the cards are laid out and seat 0 begins.

    The deck has no characters and River Rats; two cards go to each hand in seat order, then some to the market.
    """
    table = game["table"]
    for seat in range(int(table["num_players"])):
        if table["character"][seat] == v.Suit.NONE:
            table["active"] = seat
            ask(table, seat, v.Question.ACE)
            return
    table["active"] = 0
    kept = 0
    chosen = aces_chosen(table)
    for place in range(v.NUM_CARDS):
        card = int(game["deck"][place])
        rank = card % v.NUM_RANKS
        suit = card // v.NUM_RANKS
        ordinary = rank != v.KING or (suit != game["first_rat"] and suit != game["second_rat"])
        if ordinary and not (chosen >> card) & 1:
            game["deck"][kept] = card
            kept += 1
    for place in range(kept, v.NUM_CARDS):
        game["deck"][place] = v.NO_CARD
    table["deck_size"] = kept
    make_active(game, int(game["first_rat"]))
    for seat in range(int(table["num_players"])):
        for _ in range(v.DEALT_HAND):
            take_into_hand(game, seat, draw_top(game))
    refill_market(game)
    begin_round(game, params)


@kernel
def make_active(game: Record, suit: int) -> None:
    """RR-1.1, RR-3.6: a River Rat is turned face-up."""
    game["table"]["rat"] = suit
    record_event(game["table"], v.Event.RAT, v.NOBODY, card_of(suit, v.KING))


@kernel
def begin_round(game: Record, params: Record) -> None:
    """RR-1.2, RR-4.1: the rat's face-up cards, its face-down ones, the first debt, the diamonds rat's card.

    RR-3.5: a used joker leaves the game; RR-5.1: the mode says how many cards lie face-down.
    """
    table = game["table"]
    table["rat_up"] = 0
    table["collective"] = 0
    table["revealed"] = 0
    table["rat_down"] = 0
    table["pile_size"] = 0
    table["first_debt"] = v.NO_CARD
    table["prediction"] = v.Category.NONE
    table["joker_used"] = 0
    table["placer"] = v.NOBODY
    table["skips"] = 0
    clear_turn(table)
    table["round"] += 1
    for _ in range(v.FACE_UP_CARDS):
        table["rat_up"] = set_of(draw_top(game)) | int(table["rat_up"])
    face_down = int(params["face_down"]) - int(table["defeated"] == v.Suit.CLUBS)
    if ability(table, params, v.Suit.CLUBS):
        face_down += EXTRA_FACE_DOWN
    draw_face_down(game, face_down)
    debt = draw_top(game)
    if debt != v.NO_CARD:
        add_to_pile(game, debt)
        table["first_debt"] = debt
        table["prediction"] = v.PREDICTED[debt % v.NUM_RANKS]
    record_event(table, v.Event.ROUND, card=debt, first=1 + int(table["prediction"]))
    if ability(table, params, v.Suit.DIAMONDS):  # RR-4.1: the collective hand's first card, which triggers nothing
        card = draw_top(game)
        table["collective"] = set_of(card)
        if card != v.NO_CARD:
            record_event(table, v.Event.DEALT, v.NOBODY, card)
    table["step"] = v.Step.BEGIN_TURN


@kernel
def draw_face_down(game: Record, number: int) -> None:
    """RR-1.2: `number` cards are drawn for the rat, face-down; nobody knows them."""
    table = game["table"]
    for _ in range(number):
        card = draw_top(game)
        if card != v.NO_CARD:
            game["face_down"][int(table["rat_down"])] = card
            table["rat_down"] = int(table["rat_down"]) + 1
