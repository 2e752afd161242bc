"""Sample a game of River Rats that agrees with what a seat knows; everything else is dealt at random."""

from riverbed_env.games.river_rats.rules.hands import count_cards
from riverbed_env.games.river_rats.rules.vocab import KING, NO_CARD, NUM_CARDS, NUM_RANKS, Suit
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.random import below, draw, shuffle

from .kernels import kernel
from .outlook import list_cards

Cards = Vector


@kernel
def take(cards: Cards, left: int) -> tuple[int, int]:
    """The last card not dealt yet, NO_CARD if none is left, and the number of cards left then."""
    if left <= 0:
        return NO_CARD, 0
    return int(cards[left - 1]), left - 1


@kernel
def nth_card(cards: int, nth: int) -> int:
    """The card of a set that has `nth` lower cards in the set."""
    for card in range(NUM_CARDS):
        if (cards >> card) & 1:
            if nth == 0:
                return card
            nth -= 1
    return NO_CARD


@kernel
def deal_set(cards: Cards, left: int, known: int, size: int) -> tuple[int, int]:
    """Fill a set of known cards up to `size`; return it and the number of cards not dealt yet."""
    for _ in range(size - count_cards(known)):
        card, left = take(cards, left)
        if card != NO_CARD:
            known |= 1 << card
    return known, left


@kernel
def deal_waiting_rat(game: Record, cards: Cards, left: int) -> int:
    """RR-1.1: set the River Rats; the waiting one is the first king among the cards. Returns the cards left."""
    table = game["table"]
    game["first_rat"] = table["rat"]
    game["second_rat"] = table["rat"]
    if table["defeated"] != Suit.NONE:
        game["first_rat"] = table["defeated"]
        return left
    for place in range(left):
        card = int(cards[place])
        if card % NUM_RANKS == KING:
            game["second_rat"] = card // NUM_RANKS
            cards[place] = cards[left - 1]
            cards[left - 1] = card
            return left - 1
    return left


@kernel
def deal_hands(game: Record, observer: int, cards: Cards, left: int, stream: Record) -> int:
    """Deal the other hands clockwise, with cards they were seen to take, and the card one of them placed face-down."""
    table = game["table"]
    num_players = int(table["num_players"])
    for place in range(1, num_players):
        seat = (observer + place) % num_players
        known = int(table["taken"][seat])
        size = int(table["hand_size"][seat])
        placed = NO_CARD
        if table["placer"] == seat:
            nth = below(stream, size + 1)
            if nth < count_cards(known):
                placed = nth_card(known, nth)
                known &= ~(1 << placed)
            else:
                placed, left = take(cards, left)
        known, left = deal_set(cards, left, known, size)
        game["private"][seat]["hand"] = known
        game["private"][seat]["placed"] = placed
    return left


@kernel
def deal_debts(game: Record, cards: Cards, left: int) -> int:
    """Deal the face-down cards of all debts."""
    table = game["table"]
    game["pile"][:] = NO_CARD
    game["debt"][:] = NO_CARD
    for place in range(int(table["pile_size"])):
        game["pile"][place], left = take(cards, left)
    if table["first_debt"] != NO_CARD and table["pile_size"] > 0:
        left += int(game["pile"][0] != NO_CARD)
        game["pile"][0] = table["first_debt"]
    game["rat_debt"], left = deal_set(cards, left, int(table["rat_debt_seen"]), int(table["rat_debt"]))
    owed, left = deal_set(cards, left, int(table["debt_seen"]), int(table["debt"]))
    list_cards(owed, game["debt"])
    return left


@kernel
def deal_world(view: Record, cards: Cards, size: int, stream: Record, game: Record) -> None:
    """Fill `game` with what the view shows and a random deal of the unseen cards.

    cards: (size,) the cards that the seat can't see; their order changes.
    """
    table = game["table"]
    game["table"] = view["table"]
    game["private"][int(view["seat"])] = view["private"]
    shuffle(stream, cards, size)
    left = deal_waiting_rat(game, cards, size)
    left = deal_hands(game, int(view["seat"]), cards, left, stream)
    game["face_down"][:] = NO_CARD
    for place in range(int(table["rat_down"])):
        game["face_down"][place], left = take(cards, left)
    left = deal_debts(game, cards, left)
    deck = min(left, int(table["deck_size"]))
    table["deck_size"] = deck
    game["deck"][:] = NO_CARD
    for place in range(deck):
        game["deck"][place] = cards[place]
    game["chance"]["key"] = draw(stream)
    game["chance"]["block"] = draw(stream)
    game["chance"]["drawn"] = 0
