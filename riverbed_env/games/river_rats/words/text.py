"""River Rats in plain English: actions, events, views, observations; from the same tables as the rules.

Everything said of a seat's knowledge is said from its view (RR-6.1): nothing here reads a game on a seat's behalf but
`look`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
import numpy.typing as npt

from riverbed_env.core.text import at_the_table, counted, describe_pieces, event_words, from_the_observer, view_of
from riverbed_env.kernels.common import byte_of

from ..content.pack import Deck
from ..rules.actions import ACTIONS
from ..rules.invariants import VIOLATION_WORDS, Violation
from ..rules.look import look
from ..rules.pieces import NOW_SIZE, OBSERVATION, OBSERVATION_SIZE, STATE
from ..rules.setup import card_of
from ..rules.state import VIEW
from ..rules.vocab import (
    KING,
    MAX_SEATS,
    NO_CARD,
    NOBODY,
    NUM_CARDS,
    NUM_RANKS,
    PUBLIC,
    REFUSAL_WORDS,
    Category,
    Ending,
    Event,
    Question,
    Refusal,
    Suit,
    Whose,
    Winner,
    Zone,
)

Vector = npt.NDArray[np.int8]

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUIT_SIGNS = {Suit.HEARTS: "♥", Suit.SPADES: "♠", Suit.CLUBS: "♣", Suit.DIAMONDS: "♦"}
SUIT_WORDS = {suit: suit.name.lower() for suit in Suit if suit != Suit.NONE}

CATEGORY_WORDS = {
    Category.NONE: "nothing",
    Category.HIGH_CARD: "a high card",
    Category.PAIR: "a pair",
    Category.TWO_PAIR: "two pairs",
    Category.THREE: "three of a kind",
    Category.STRAIGHT: "a straight",
    Category.FLUSH: "a flush",
    Category.FULL_HOUSE: "a full house",
    Category.FOUR: "four of a kind",
    Category.STRAIGHT_FLUSH: "a straight flush",
}
ABILITY_WORDS = {
    Suit.HEARTS: "when it wins a hand, another debt is added before the players get it",
    Suit.SPADES: "the collective hand's first card can't be a joker and is placed face-down",
    Suit.CLUBS: "it has two more face-down cards",
    Suit.DIAMONDS: "the top card of the deck is the collective hand's first card",
}
BONUS_WORDS = {
    Suit.HEARTS: "the players lost a debt",
    Suit.SPADES: "the market is refilled to four cards",
    Suit.CLUBS: "the rat has one face-down card fewer",
    Suit.DIAMONDS: "hands resolve with six cards",
}
QUESTION_WORDS = {
    Question.NONE: "nothing",
    Question.ACE: "an ace as character",
    Question.DRAW: "a card to draw",
    Question.PLAY: "a card to play",
    Question.ACTION: "the suit action, the player power, or neither",
    Question.DISCARD: "a card to discard from hand or market",
    Question.DISCARD_MORE: "another card to discard from the same zone, or no more",
    Question.TO_MARKET: "a card of the hand for the market",
    Question.MORE_TO_MARKET: "a second card for the market, or no more",
    Question.SWAP_OUT: "a card of the collective hand to swap out",
    Question.SWAP_IN: "the card to swap in",
    Question.ADD_DEBT: "whether to add debt",
    Question.REMOVE: "one of the rat's cards to remove",
    Question.USE_JOKER: "whether to use a joker before the hands are compared",
    Question.REVEAL_MORE: "whether to reveal another card",
}
_CARD_VERBS = {
    Question.ACE: "choose {} as character",
    Question.DRAW: "take {} from the market",
    Question.PLAY: "play {}",
    Question.DISCARD: "discard {}",
    Question.DISCARD_MORE: "discard {} too",
    Question.TO_MARKET: "put {} into the market",
    Question.MORE_TO_MARKET: "put {} into the market too",
    Question.SWAP_OUT: "swap {} out of the collective hand",
    Question.SWAP_IN: "swap {} into the collective hand",
    Question.REMOVE: "remove the rat's {}",
}
_DRAW_VERBS = {
    Question.MORE_TO_MARKET: "put another card from the deck into the market",
    Question.REVEAL_MORE: "reveal another card from the deck",
}
_JOKER_VERBS = {
    Question.USE_JOKER: "use a joker: reveal cards from the deck into the collective hand",
}
_NO_VERBS = {
    Question.ACTION: "neither action nor power",
    Question.DISCARD_MORE: "discard no more",
    Question.MORE_TO_MARKET: "put no more into the market",
    Question.ADD_DEBT: "add no debt",
    Question.USE_JOKER: "use no joker",
    Question.REVEAL_MORE: "reveal no more",
}
_ACTS = {
    Suit.HEARTS: "hearts action: a card from the deck onto the debt",
    Suit.SPADES: "spades action: discard a card from hand or market",
    Suit.CLUBS: "clubs action: a card into the market",
    Suit.DIAMONDS: "diamonds action: swap another card of the collective hand with one of the hand",
}
_POWERS = {
    Suit.HEARTS: "hearts power: turn one of the rat's face-down cards up, then perhaps add debt",
    Suit.SPADES: "spades power: discard any number of cards from the hand or from the market",
    Suit.CLUBS: "clubs power: up to two cards into the market",
    Suit.DIAMONDS: "diamonds power: swap another card of the collective hand with one of the market",
}


def describe_refusal(code: int) -> str:
    """Why the rules refuse an action."""
    return REFUSAL_WORDS[Refusal(code)]


def describe_violation(code: int) -> str:
    """Which book-keeping invariant a state breaks."""
    return VIOLATION_WORDS[Violation(code)]


def card_name(card: int) -> str:
    """A card in two or three signs, such as 10♥."""
    return f"{RANKS[card % NUM_RANKS]}{SUIT_SIGNS[Suit(card // NUM_RANKS)]}"


def members(cards: int) -> list[int]:
    """The cards of a set."""
    return [card for card in range(NUM_CARDS) if int(cards) >> card & 1]


def card_names(cards: Iterable[int]) -> str:
    """Cards with spaces between them, "none" for none."""
    return " ".join(card_name(card) for card in cards) or "none"


def describe_action(pack: Deck, game: np.void, action: int, seat: int) -> str:
    """An action as it would be meant by `seat` now; IndexError where there is no such action."""
    name, argument = ACTIONS.split(action)
    table = game["table"]
    question = Question(int(table["question"]))
    played = int(table["played"])
    suit = Suit(played // NUM_RANKS) if played != NO_CARD else Suit.NONE
    if name == "CARD":
        return _CARD_VERBS.get(question, "choose {}").format(card_name(argument))
    if name == "DRAW":
        return _DRAW_VERBS.get(question, "draw a card from the deck")
    if name == "JOKER":
        return _JOKER_VERBS.get(question, "use a joker instead of drawing and playing")
    if name == "NO":
        return _NO_VERBS.get(question, "decline")
    if name == "ACT":
        return _ACTS.get(suit, "perform the suit action")
    if name == "POWER":
        return _POWERS.get(suit, "use the player power")
    return {"WAIT": "wait", "HIDDEN": "remove one of the rat's face-down cards", "DEBT": "add debt"}[name]


EVENT_WORDS = {
    Event.ACE: "{actor} chooses {card} as character",
    Event.RAT: "{card} is the active River Rat",
    Event.ROUND: "a round begins: {debt} is its first debt and predicts {category}",
    Event.DEALT: "the diamonds rat deals {card} into the collective hand",
    Event.TAKE: "{actor} takes {card} from the market",
    Event.DRAW: "{actor} draws a card from the deck",
    Event.REFILL: "{card} comes to the market",
    Event.PLAY: "{actor} plays {card}",
    Event.PLAY_FACE_DOWN: "{actor} plays a card face-down",
    Event.JOKER: "{actor} uses a joker",
    Event.DEBT: "{doer} adds a debt",
    Event.TURN_UP: "{whose} {card} is turned up{by}",
    Event.DISCARD: "{actor} discards {card} from the {zone}",
    Event.TO_MARKET: "{actor} puts {card} into the market",
    Event.SWAP: "{actor} swaps {card} out of the collective hand and {other} from the {zone} in",
    Event.REMOVE: "{actor} removes the rat's {card}; two cards are drawn face-down",
    Event.REVEAL: "{actor} reveals {card} into the collective hand",
    Event.BUST: "{actor} reveals {card}, of the rat's suit: the revealed cards go, and the players get a debt",
    Event.PASS: "{actor} declines",
    Event.SKIP: "{actor} has nothing to draw or play",
    Event.PREDICTION: "the collective hand is {category} as predicted; {joker}",
    Event.COMPARE: "the players have {category}, the rats {second_category}",
    Event.HAND_WON: "the players win the hand: {first} to the rat",
    Event.HAND_LOST: "the rats win the hand: {first} to the players",
    Event.DEFEAT: "{card} is defeated",
    Event.RELIEF: "the players lose the debt {card}",
    Event.RESHUFFLE: "the discard pile is shuffled into a new deck",
    Event.WIN: "the game ends: both River Rats are defeated, the players win",
    Event.LOSE: "the game ends: the players have five debts, the River Rats win",
    Event.TRUNCATE: "the game is cut off at the cap on decisions",
}


def describe_event(
    kind: int, actor: int, card: int, other: int, first: int, second: int, name: Callable[[int], str] = at_the_table
) -> str:
    """A public event; actor is a seat that `name` names, cards are -1 for none, numbers are the event's own."""
    event = Event(kind)
    debts = event in (Event.HAND_WON, Event.HAND_LOST)
    categories = event in (Event.ROUND, Event.PREDICTION, Event.COMPARE)
    return EVENT_WORDS[event].format(
        actor=name(actor),
        whose="the players'" if first == Whose.PLAYERS else "the rat's",
        by="" if actor == NOBODY else f" by {name(actor)}",
        doer="the hearts rat" if actor == NOBODY else name(actor),
        card=card_name(card) if card != NO_CARD else "no card",
        debt=card_name(card) if card != NO_CARD else "nothing",
        other=card_name(other) if other != NO_CARD else "no card",
        zone=Zone(first).name.lower() if event in (Event.DISCARD, Event.SWAP) else "",
        category=CATEGORY_WORDS[Category(first - 1)] if categories else "",
        second_category=CATEGORY_WORDS[Category(second - 1)] if event == Event.COMPARE else "",
        joker="a joker is turned up" if second else "no joker is left to be turned up",
        first=counted(first, "debt") if debts else first,
    )


def unpack_event(word: int) -> tuple[int, int, int, int, int, int]:
    """(kind, actor, card, second card, first number, second number) of an event's word: -1 for no seat, no card."""
    kind, actor, card, other, first, second = (byte_of(word, place) for place in range(6))
    return kind, actor - 1, card - 1, other - 1, first, second


def recent_events(table: np.void) -> list[tuple[int, int, int, int, int, int]]:
    """The last public events, oldest first, as `unpack_event` gives them."""
    return [unpack_event(word) for word in event_words(table)]


def describe_events(pack: Deck, game: np.void, since: int = 0) -> list[str]:
    """The last public events (at most 32), oldest first; the first `since` of the game are left out."""
    return [describe_event(*unpack_event(word)) for word in event_words(game["table"], since)]


def seen_by(games: npt.NDArray[np.void], viewer: int | None) -> np.void:
    """A view: what the seat may know, or for None what everybody knows."""
    return view_of(look, VIEW, games, PUBLIC if viewer is None else viewer)


def describe_view(pack: Deck, view: np.void) -> str:
    """What a seat knows of the game, in sentences."""
    table, own, seat = view["table"], view["private"], int(view["seat"])
    lines = [headline(table), *_describe_rats(table), *_describe_cards(table)]
    for player in range(int(table["num_players"])):
        lines.append(_describe_player(table, player))
    if seat < MAX_SEATS:
        lines.append(f"Own hand: {card_names(members(own['hand']))}.")
        if own["placed"] != NO_CARD:
            lines.append(f"Own face-down card in the collective hand: {card_name(int(own['placed']))}.")
    if table["ending"] == Ending.PLAYING:
        question = QUESTION_WORDS[Question(int(table["question"]))]
        lines.append(f"player_{int(table['asked'])} is asked for {question}.")
    return "\n".join(lines)


def headline(table: np.void) -> str:
    """How the game stands, in a sentence."""
    debts = f"Debts: the rat {int(table['rat_debt'])} of 5, the players {int(table['debt'])} of 5"
    if table["ending"] == Ending.OVER:
        won = table["winner"] == Winner.PLAYERS
        return f"Over: {'the players won' if won else 'the River Rats won'}. {debts}."
    if table["ending"] == Ending.TRUNCATED:
        return f"Cut off at the cap on decisions. {debts}."
    return f"Round {int(table['round'])}, turn {int(table['turn'])}. {debts}, at stake {int(table['pile_size'])}."


def _describe_rats(table: np.void) -> list[str]:
    if table["rat"] == Suit.NONE:
        return ["The River Rats aren't drawn yet."]
    rat = Suit(int(table["rat"]))
    lines = [f"Active River Rat: {king_name(rat)}."]
    if table["defeated"] != Suit.NONE:
        defeated = Suit(int(table["defeated"]))
        lines.append(f"Defeated: {king_name(defeated)} ({BONUS_WORDS[defeated]}).")
    cards = card_names(members(table["rat_up"]))
    lines.append(f"Rat's cards: {cards}, and {int(table['rat_down'])} face-down.")
    return lines


def king_name(suit: Suit) -> str:
    """A River Rat by its card."""
    return card_name(card_of(suit, KING))


def _describe_cards(table: np.void) -> list[str]:
    face_down = ", and one face-down" if table["placer"] != NOBODY else ""
    joker = ", a joker is used" if table["joker_used"] else ""
    revealed = f", revealed {card_names(members(table['revealed']))}" if table["revealed"] else ""
    lines = [f"Collective hand: {card_names(members(table['collective']))}{face_down}{revealed}{joker}."]
    if table["first_debt"] != NO_CARD:
        predicted = CATEGORY_WORDS[Category(int(table["prediction"]))]
        lines.append(f"First debt: {card_name(int(table['first_debt']))}, predicts {predicted}.")
    lines.append(f"Market: {card_names(members(table['market']))}.")
    lines.append(f"Deck {int(table['deck_size'])}; discard pile {card_names(members(table['discard']))}.")
    jokers = f"{int(table['joker_up'])} to be used, {int(table['joker_down'])} to be earned"
    lines.append(f"Jokers: {jokers}.")
    return lines


def _describe_player(table: np.void, player: int) -> str:
    suit = Suit(int(table["character"][player]))
    character = "no character yet" if suit == Suit.NONE else f"ace of {SUIT_WORDS[suit]}"
    taken = card_names(members(table["taken"][player]))
    hand = counted(int(table["hand_size"][player]), "card")
    return f"player_{player}: {character}, {hand}, seen to be taken {taken}."


def describe_state(pack: Deck, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """The game in sentences: what a seat knows, or (None) everything."""
    words = describe_view(pack, seen_by(games, viewer))
    if viewer is not None:
        return words
    game = games[0]
    lines = [words, "Hidden:"]
    for seat in range(int(game["table"]["num_players"])):
        own = game["private"][seat]
        placed = f", face-down {card_name(int(own['placed']))}" if own["placed"] != NO_CARD else ""
        lines.append(f"player_{seat}: hand {card_names(members(own['hand']))}{placed}.")
    rats = ", then ".join(king_name(Suit(int(game[name]))) for name in ("first_rat", "second_rat"))
    lines.append(f"River Rats: {rats}.")
    lines.append(f"Rat's face-down cards: {card_names(held(game['face_down']))}.")
    lines.append(f"At stake: {card_names(held(game['pile']))}.")
    lines.append(f"Debts of the rat: {card_names(members(game['rat_debt']))}.")
    lines.append(f"Debts of the players: {card_names(held(game['debt']))}.")
    lines.append(f"Deck from the top: {card_names(reversed(held(game['deck'])))}.")
    return "\n".join(lines)


def held(cards: Vector) -> list[int]:
    """The cards of an array."""
    return [int(card) for card in cards if card != NO_CARD]


def describe_observation(pack: Deck, vector: Vector) -> str:
    """An observation, or the part of it that view "now" has, piece by piece; zeros are left out."""
    tell: dict[str, Callable[[Vector], list[str]]] = {"events": _relative_events}
    for piece in (*OBSERVATION.pieces, *STATE.pieces):
        if piece.shape == (NUM_CARDS,) and piece.name != "deck_cards":
            tell[piece.name] = partial(_card_set, piece.name)
    return describe_pieces(vector, OBSERVATION, (NOW_SIZE, OBSERVATION_SIZE), STATE, tell)


def _card_set(name: str, cards: Vector) -> list[str]:
    """A piece that holds a set of cards."""
    return [f"{name}: {card_names(np.flatnonzero(cards).tolist())}"] if cards.any() else []


def _relative_events(events: Vector) -> list[str]:
    """Events of an observation, newest first; player_k is k seats clockwise from the observer."""
    said = []
    for kind, actor, card, other, first, second, *_ in events.tolist():
        if kind:
            words = describe_event(kind, actor - 1, card - 1, other - 1, first, second, from_the_observer)
            said.append(f"event: {words}")
    return said
