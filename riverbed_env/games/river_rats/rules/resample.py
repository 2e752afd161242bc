"""RR-6.1: a random game that looks the same to a seat: the cards that it hasn't seen are dealt again.

What the seat can't see it doesn't influence, so every way to lay those cards is as likely as another; what others tell
by their choices isn't weighed.
"""

import numpy as np

from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.random import CHANCE, below, draw, open_stream, renew_streams, shuffle

from . import kernel
from .hands import count_cards
from .piles import list_cards
from .setup import card_of, clear_secrets, seen_cards
from .vocab import ALL_CARDS, KING, NO_CARD, NUM_CARDS, NUM_SUITS, Step, Suit

Cards = Vector

ONE_IN = 8  # exchanges is of the chance in play


@kernel
def resample(view: Record, params: Record, stream: Record, game: Record) -> None:
    """RR-6.1: fill `game` with the view's table and own cards, and deal all other cards at random."""
    clear_secrets(game)
    game["deck"][:] = NO_CARD
    game["table"] = view["table"]
    game["private"][int(view["seat"])] = view["private"]
    choosing = view["table"]["step"] == Step.ACES
    seen = 0
    if not choosing:
        seen = seen_cards(view["table"], view["private"])
    draw_rats(view["table"], seen, stream, game)
    if not choosing:
        seen |= (1 << card_of(int(game["first_rat"]), KING)) | (1 << card_of(int(game["second_rat"]), KING))
    unseen = np.full(NUM_CARDS, NO_CARD, np.int8)
    left = list_cards(ALL_CARDS & ~seen, unseen)
    shuffle(stream, unseen, left)
    if not choosing:
        left = give_debts(game, unseen, left, stream)
        left = give_hands(game, int(view["seat"]), unseen, left, stream)
        for place in range(int(game["table"]["rat_down"])):
            left -= 1
            game["face_down"][place] = unseen[left]
    for place in range(left):
        game["deck"][place] = unseen[place]
    renew_streams(game, stream)


@kernel
def draw_rats(table: Record, seen: int, stream: Record, game: Record) -> None:
    """RR-1.1: the River Rats that were turned face-up, and others among those whose king hasn't been seen."""
    first = int(table["rat"])
    if table["defeated"] != Suit.NONE:
        first = int(table["defeated"])
    if first == Suit.NONE:
        first = below(stream, NUM_SUITS)
    second = int(table["rat"])
    if second == Suit.NONE or second == first:
        hidden = np.zeros(NUM_SUITS, np.int8)
        count = 0
        for suit in range(NUM_SUITS):
            if suit != first and not (seen >> card_of(suit, KING)) & 1:
                hidden[count] = suit
                count += 1
        second = int(hidden[below(stream, count)])
    game["first_rat"] = first
    game["second_rat"] = second


@kernel
def give_debts(game: Record, unseen: Cards, left: int, stream: Record) -> int:
    """RR-3.4: fill the round's debt and what each side owes; returns how many unseen cards are left."""
    table = game["table"]
    begun = 0
    if table["first_debt"] != NO_CARD:
        game["pile"][0] = table["first_debt"]
        begun = 1
    for place in range(begun, int(table["pile_size"])):
        left -= 1
        game["pile"][place] = unseen[left]
    owed = int(table["rat_debt_seen"])
    for _ in range(int(table["rat_debt"]) - count_cards(owed)):
        left -= 1
        owed |= 1 << int(unseen[left])
    game["rat_debt"] = owed
    for place in range(list_cards(int(table["debt_seen"]), game["debt"]), int(table["debt"])):
        left -= 1
        game["debt"][place] = unseen[left]
    shuffle(stream, game["debt"], int(table["debt"]))
    return left


@kernel
def give_hands(game: Record, observer: int, unseen: Cards, left: int, stream: Record) -> int:
    """RR-2.1: fill the other hands, what was seen to go there first; any of a placer's cards may lie face-down."""
    table = game["table"]
    held = np.zeros(NUM_CARDS, np.int8)
    for seat in range(int(table["num_players"])):
        if seat == observer:
            continue
        placed = int(table["placer"] == seat)
        size = list_cards(int(table["taken"][seat]), held)
        for _ in range(int(table["hand_size"][seat]) + placed - size):
            left -= 1
            held[size] = unseen[left]
            size += 1
        shuffle(stream, held, size)
        if placed:
            size -= 1
            game["private"][seat]["placed"] = held[size]
        cards = 0
        for place in range(size):
            cards |= 1 << int(held[place])
        game["private"][seat]["hand"] = cards
    return left


@kernel
def exchange(game: Record, params: Record, stream: Record) -> bool:
    """RR-1.1: exchange two places of the shuffled deck before the first decision, or chance in play for other chance.

    Returns False if nothing changed.
    """
    if below(stream, ONE_IN) == 0:
        open_stream(game["chance"], draw(stream), draw(stream), CHANCE)
        return True
    first = below(stream, NUM_CARDS)
    second = below(stream, NUM_CARDS)
    card = int(game["deck"][first])
    game["deck"][first] = game["deck"][second]
    game["deck"][second] = card
    return first != second
