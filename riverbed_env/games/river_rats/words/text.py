"""River Rats in plain English: actions, events, views, observations; from the same tables as the rules.

Everything said about a seat's knowledge comes from its view (RR-6.1): only `look` reads a game for a seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.core.text import (
    Decision,
    EventTable,
    Gap,
    Name,
    addressing,
    coded,
    counted,
    describe_pieces,
    describer,
    heading,
    seat_gap,
    view_of,
    whose_turn,
)

from ..content.pack import Deck
from ..rules import vocab as v
from ..rules.actions import ACTIONS
from ..rules.invariants import Violation
from ..rules.pieces import NOW_SIZE, OBSERVATION, OBSERVATION_SIZE, STATE
from ..rules.setup import card_of
from ..rules.state import VIEW, look

Records = npt.NDArray[np.void]
Vector = npt.NDArray[np.int8]

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUIT_SIGNS = {v.Suit.HEARTS: "♥", v.Suit.SPADES: "♠", v.Suit.CLUBS: "♣", v.Suit.DIAMONDS: "♦"}
SUIT_WORDS: dict[v.Suit, str] = {suit: suit.name.lower() for suit in v.Suit if suit != v.Suit.NONE}

CATEGORY_WORDS = {
    v.Category.NONE: "nothing",
    v.Category.HIGH_CARD: "a high card",
    v.Category.PAIR: "a pair",
    v.Category.TWO_PAIR: "two pairs",
    v.Category.THREE: "three of a kind",
    v.Category.STRAIGHT: "a straight",
    v.Category.FLUSH: "a flush",
    v.Category.FULL_HOUSE: "a full house",
    v.Category.FOUR: "four of a kind",
    v.Category.STRAIGHT_FLUSH: "a straight flush",
}
ABILITY_WORDS = {
    v.Suit.HEARTS: "when it wins a hand, another debt is added before the players get it",
    v.Suit.SPADES: "the collective hand's first card can't be a joker and is placed face-down",
    v.Suit.CLUBS: "it has two more face-down cards",
    v.Suit.DIAMONDS: "the top card of the deck is the collective hand's first card",
}
BONUS_WORDS = {
    v.Suit.HEARTS: "the players lost a debt",
    v.Suit.SPADES: "the market is refilled to four cards",
    v.Suit.CLUBS: "the rat has one face-down card fewer",
    v.Suit.DIAMONDS: "hands resolve with six cards",
}
QUESTIONS = {
    v.Question.NONE: Decision("do nothing"),
    v.Question.ACE: Decision("choose an ace as character", ("CARD",)),
    v.Question.DRAW: Decision("draw a card", ("CARD", "DRAW", "JOKER")),
    v.Question.PLAY: Decision("play a card", ("CARD", "JOKER")),
    v.Question.ACTION: Decision("choose the suit action, the player power or neither", ("NO", "ACT", "POWER")),
    v.Question.DISCARD: Decision("discard a card from hand or market", ("CARD",)),
    v.Question.DISCARD_MORE: Decision("discard another card from the same zone, or stop", ("CARD", "NO")),
    v.Question.TO_MARKET: Decision("put a card of the hand into the market", ("CARD",)),
    v.Question.MORE_TO_MARKET: Decision("put a second card into the market, or stop", ("CARD", "DRAW", "NO")),
    v.Question.SWAP_OUT: Decision("choose a card of the collective hand to swap out", ("CARD",)),
    v.Question.SWAP_IN: Decision("choose the card to swap in", ("CARD",)),
    v.Question.ADD_DEBT: Decision("decide whether to add debt", ("DEBT", "NO")),
    v.Question.REMOVE: Decision("remove one of the rat's cards", ("CARD", "HIDDEN")),
    v.Question.USE_JOKER: Decision("decide whether to use a joker before the hands are compared", ("JOKER", "NO")),
    v.Question.REVEAL_MORE: Decision("decide whether to reveal another card", ("DRAW", "NO")),
}
_CARD_VERBS = {
    v.Question.ACE: "choose {} as character",
    v.Question.DRAW: "take {} from the market",
    v.Question.PLAY: "play {}",
    v.Question.DISCARD: "discard {}",
    v.Question.DISCARD_MORE: "discard {} too",
    v.Question.TO_MARKET: "put {} into the market",
    v.Question.MORE_TO_MARKET: "put {} into the market too",
    v.Question.SWAP_OUT: "swap {} out of the collective hand",
    v.Question.SWAP_IN: "swap {} into the collective hand",
    v.Question.REMOVE: "remove the rat's {}",
}
_DRAW_VERBS = {
    v.Question.MORE_TO_MARKET: "put another card from the deck into the market",
    v.Question.REVEAL_MORE: "reveal another card from the deck",
}
_NO_VERBS = {
    v.Question.ACTION: "neither action nor power",
    v.Question.DISCARD_MORE: "discard no more",
    v.Question.MORE_TO_MARKET: "put no more into the market",
    v.Question.ADD_DEBT: "add no debt",
    v.Question.USE_JOKER: "use no joker",
    v.Question.REVEAL_MORE: "reveal no more",
}
_ACTS = {
    v.Suit.HEARTS: "hearts action: a card from the deck onto the debt",
    v.Suit.SPADES: "spades action: discard a card from hand or market",
    v.Suit.CLUBS: "clubs action: a card into the market",
    v.Suit.DIAMONDS: "diamonds action: swap another card of the collective hand with one of the hand",
}
_POWERS = {
    v.Suit.HEARTS: "hearts power: turn one of the rat's face-down cards up, then perhaps add debt",
    v.Suit.SPADES: "spades power: discard any number of cards from the hand or from the market",
    v.Suit.CLUBS: "clubs power: up to two cards into the market",
    v.Suit.DIAMONDS: "diamonds power: swap another card of the collective hand with one of the market",
}


describe_refusal = describer(v.Refusal)
describe_violation = describer(Violation)


@cache
def card_name(card: int) -> str:
    """A card in two or three signs, such as 10♥; "no card" for NO_CARD."""
    if card == v.NO_CARD:
        return "no card"
    return f"{RANKS[card % v.NUM_RANKS]}{SUIT_SIGNS[v.Suit(card // v.NUM_RANKS)]}"


def members(cards: int) -> list[int]:
    """The cards of a set."""
    left, found = int(cards), []
    while left:
        found.append((left & -left).bit_length() - 1)
        left &= left - 1
    return found


def card_names(cards: Iterable[int]) -> str:
    """Cards with spaces between them, "none" for none."""
    return " ".join(card_name(card) for card in cards) or "none"


def describe_action(pack: Deck, game: np.void, action: int, seat: int) -> str:
    """What an action means for `seat` now. Raises IndexError if there is no such action."""
    name, argument = ACTIONS.split(action)
    table = game["table"]
    question = v.Question(int(table["question"]))
    played = int(table["played"])
    suit = v.Suit(played // v.NUM_RANKS) if played != v.NO_CARD else v.Suit.NONE
    if name == "CARD":
        return _CARD_VERBS.get(question, "choose {}").format(card_name(argument))
    if name == "DRAW":
        return _DRAW_VERBS.get(question, "draw a card from the deck")
    if name == "JOKER":
        how = "reveal cards from the deck into the collective hand"
        return (
            f"use a joker: {how}" if question == v.Question.USE_JOKER else "use a joker instead of drawing and playing"
        )
    if name == "NO":
        return _NO_VERBS.get(question, "decline")
    if name == "ACT":
        return _ACTS.get(suit, "perform the suit action")
    if name == "POWER":
        return _POWERS.get(suit, "use the player power")
    return {"WAIT": "wait", "HIDDEN": "remove one of the rat's face-down cards", "DEBT": "add debt"}[name]


# --- events -----------------------------------------------------------------------------------------------------------


class Happened(NamedTuple):
    """A public event: seat and cards from 0, -1 for none; the numbers as the event has them."""

    kind: int
    actor: int
    card: int
    other: int
    first: int
    second: int


def _unpack(fields: Sequence[int]) -> Happened:
    kind, actor, card, other, first, second = fields[:6]
    return Happened(kind, actor - 1, card - 1, other - 1, first, second)


def _by(pack: Deck, event: Happened, name: Name) -> str:
    return "" if event.actor == v.NOBODY else f" by {name(event.actor)}"


def _doer(pack: Deck, event: Happened, name: Name) -> str:
    return "the hearts rat" if event.actor == v.NOBODY else name(event.actor)


def _category(field: str, number: str) -> Gap:
    """A gap for a category, which an event holds as 1 + category."""
    return Gap(
        lambda pack, event, name: CATEGORY_WORDS[getattr(event, field) - 1],
        f"category {number}",
        f"{number}: 1 + category",
    )


_WHOSE = {v.Whose.PLAYERS: "the players'", v.Whose.RATS: "the rat's"}
_JOKER = ("no joker is left to be turned up", "a joker is turned up")
_ZONES = [(zone, zone.name.lower()) for zone in v.Zone if zone != v.Zone.NONE]
EVENTS = EventTable(
    sentences={
        v.Event.ACE: "{actor} choose{s} {card} as character",
        v.Event.RAT: "{card} is the active River Rat",
        v.Event.ROUND: "a round begins: {card} is its first debt and predicts {category}",
        v.Event.DEALT: "the diamonds rat deals {card} into the collective hand",
        v.Event.TAKE: "{actor} take{s} {card} from the market",
        v.Event.DRAW: "{actor} draw{s} a card from the deck",
        v.Event.REFILL: "{card} comes to the market",
        v.Event.PLAY: "{actor} play{s} {card}",
        v.Event.PLAY_FACE_DOWN: "{actor} play{s} a card face-down",
        v.Event.JOKER: "{actor} use{s} a joker",
        v.Event.DEBT: "{doer} add{s} a debt",
        v.Event.TURN_UP: "{whose} {card} is turned up{by}",
        v.Event.DISCARD: "{actor} discard{s} {card} from the {zone}",
        v.Event.TO_MARKET: "{actor} put{s} {card} into the market",
        v.Event.SWAP: "{actor} swap{s} {card} out of the collective hand and {other} from the {zone} in",
        v.Event.REMOVE: "{actor} remove{s} the rat's {card}; two cards are drawn face-down",
        v.Event.REVEAL: "{actor} reveal{s} {card} into the collective hand",
        v.Event.BUST: "{actor} reveal{s} {card}, of the rat's suit: the revealed cards go, and the players get a debt",
        v.Event.PASS: "{actor} decline{s}",
        v.Event.SKIP: "{actor} {has} nothing to draw or play",
        v.Event.PREDICTION: "the collective hand is {category} as predicted; {joker}",
        v.Event.COMPARE: "the players have {category}, the rats {second_category}",
        v.Event.HAND_WON: "the players win the hand: {first} to the rat",
        v.Event.HAND_LOST: "the rats win the hand: {first} to the players",
        v.Event.DEFEAT: "{card} is defeated",
        v.Event.RELIEF: "the players lose the debt {card}",
        v.Event.RESHUFFLE: "the discard pile is shuffled into a new deck",
        v.Event.WIN: "the game ends: both River Rats are defeated, the players win",
        v.Event.LOSE: "the game ends: the players have five debts, the River Rats win",
        v.Event.TRUNCATE: "the game is cut off at the cap on decisions",
    },
    gaps={
        "actor": seat_gap("actor", "A"),
        "doer": Gap(_doer, "A (nobody: the hearts rat)"),
        "by": Gap(_by, " by A, or at the comparison (no actor)"),
        "card": Gap(lambda pack, event, name: card_name(event.card), "C"),
        "other": Gap(lambda pack, event, name: card_name(event.other), "D"),
        "zone": Gap(lambda pack, event, name: v.Zone(event.first).name.lower(), "zone X", f"X: {coded(_ZONES)}"),
        "category": _category("first", "X"),
        "second_category": _category("second", "Y"),
        "joker": Gap(
            lambda pack, event, name: _JOKER[event.second], "Y", "Y: 1 if a joker is turned up, 0 if none is left"
        ),
        "first": Gap(lambda pack, event, name: counted(event.first, "debt"), "X debts", "X: cards of debt"),
        "whose": Gap(
            lambda pack, event, name: _WHOSE[event.first],
            "X's",
            "X: " + coded((whose, whose.name.lower()) for whose in v.Whose),
        ),
    },
    columns={
        "kind": "kind of the event, 0 where there is none",
        "actor A": "1 + seats clockwise from the observer, 0 nobody",
        "card C": "1 + card, 0 none",
        "second card D": "1 + card, 0 none",
        "first number X": "see the table of kinds",
        "second number Y": "see the table of kinds",
        "round": "rounds begun when it happened, at most 127",
        "turn": "turns begun when it happened, at most 127",
    },
    unpack=_unpack,
)


def recent_events(table: np.void) -> list[Happened]:
    """The last public events (at most 32), oldest first."""
    return EVENTS.happened(table)


def describe_events(pack: Deck, game: np.void, since: int = 0, viewer: int | None = None) -> list[str]:
    """The last public events (at most 32), oldest first, without the first `since` of the game; `viewer` is "you"."""
    return [EVENTS.say(pack, event, addressing(viewer)) for event in EVENTS.happened(game["table"], since)]


# --- the table as a seat knows it -------------------------------------------------------------------------------------


def seen_by(games: Records, viewer: int | None) -> np.void:
    """A view: what the seat may know, or (None) what everybody knows."""
    return view_of(look, VIEW, games[0], v.PUBLIC if viewer is None else viewer)


def describe_view(pack: Deck, games: Records, params: Records, viewer: int | None) -> str:
    """What a seat knows about the game, in sentences."""
    view = seen_by(games, viewer)
    table, own = view["table"], view["private"]
    debts = (
        f"Debts: the rat {int(table['rat_debt'])} of {v.DEBT_LIMIT}, the players {int(table['debt'])} of {v.DEBT_LIMIT}"
    )
    lines = [
        f"{state_of_play(pack, games, params, viewer)}.",
        f"Round {int(table['round'])}, turn {int(table['turn'])}. {debts}, at stake {int(table['pile_size'])}.",
        *_describe_rats(table),
        *_describe_cards(table),
    ]
    lines += [_describe_player(table, player, viewer) for player in range(int(table["num_players"]))]
    if viewer is not None:
        lines.append(f"Your hand: {card_names(members(own['hand']))}.")
        if own["placed"] != v.NO_CARD:
            lines.append(f"Your face-down card in the collective hand: {card_name(int(own['placed']))}.")
    return "\n".join(lines)


def state_of_play(pack: Deck, games: Records, params: Records, viewer: int | None) -> str:
    """Who has to choose what, or how the game ended."""
    table = games[0]["table"]
    if table["ending"] != v.Ending.PLAYING:
        return result(pack, games, params, viewer)
    return whose_turn(QUESTIONS[v.Question(int(table["question"]))].task, int(table["asked"]), viewer)


def result(pack: Deck, games: Records, params: Records, viewer: int | None) -> str:
    """How a finished game ended, said to `viewer`: "You lost: the players have five debts"."""
    table = games[0]["table"]
    if table["ending"] == v.Ending.TRUNCATED:
        return "The game was cut off at the cap on decisions"
    who = "The players" if viewer is None else "You"
    if table["winner"] == v.Winner.PLAYERS:
        return f"{who} won: both River Rats are defeated"
    return f"{who} lost: {'the players' if viewer is not None else 'they'} have {int(table['debt'])} debts"


def _describe_rats(table: np.void) -> list[str]:
    if table["rat"] == v.Suit.NONE:
        return ["The River Rats aren't drawn yet."]
    rat = v.Suit(int(table["rat"]))
    lines = [f"Active River Rat: {king_name(rat)}."]
    if table["defeated"] != v.Suit.NONE:
        defeated = v.Suit(int(table["defeated"]))
        lines.append(f"Defeated: {king_name(defeated)} ({BONUS_WORDS[defeated]}).")
    cards = card_names(members(table["rat_up"]))
    lines.append(f"Rat's cards: {cards}, and {int(table['rat_down'])} face-down.")
    return lines


def king_name(suit: v.Suit) -> str:
    """A River Rat by its card."""
    return card_name(card_of(suit, v.KING))


def _describe_cards(table: np.void) -> list[str]:
    face_down = ", and one face-down" if table["placer"] != v.NOBODY else ""
    joker = ", a joker is used" if table["joker_used"] else ""
    revealed = f", revealed {card_names(members(table['revealed']))}" if table["revealed"] else ""
    lines = [f"Collective hand: {card_names(members(table['collective']))}{face_down}{revealed}{joker}."]
    if table["first_debt"] != v.NO_CARD:
        predicted = CATEGORY_WORDS[v.Category(int(table["prediction"]))]
        lines.append(f"First debt: {card_name(int(table['first_debt']))}, predicts {predicted}.")
    lines.append(f"Market: {card_names(members(table['market']))}.")
    lines.append(f"Deck {int(table['deck_size'])}; discard pile {card_names(members(table['discard']))}.")
    jokers = f"{int(table['joker_up'])} to be used, {int(table['joker_down'])} to be earned"
    lines.append(f"Jokers: {jokers}.")
    return lines


def _describe_player(table: np.void, player: int, viewer: int | None) -> str:
    suit = v.Suit(int(table["character"][player]))
    character = "no character yet" if suit == v.Suit.NONE else f"ace of {SUIT_WORDS[suit]}"
    taken = card_names(members(table["taken"][player]))
    hand = counted(int(table["hand_size"][player]), "card")
    return f"{heading(player, viewer)}: {character}, {hand}, seen to be taken {taken}."


def describe_state(pack: Deck, games: Records, params: Records, viewer: int | None) -> str:
    """The game in sentences: what a seat knows, or (None) everything."""
    words = describe_view(pack, games, params, viewer)
    if viewer is not None:
        return words
    game = games[0]
    lines = [words, "Hidden:"]
    for seat in range(int(game["table"]["num_players"])):
        own = game["private"][seat]
        placed = f", face-down {card_name(int(own['placed']))}" if own["placed"] != v.NO_CARD else ""
        lines.append(f"player_{seat}: hand {card_names(members(own['hand']))}{placed}.")
    rats = ", then ".join(king_name(v.Suit(int(game[name]))) for name in ("first_rat", "second_rat"))
    lines.append(f"River Rats: {rats}.")
    lines.append(f"Rat's face-down cards: {card_names(held(game['face_down']))}.")
    lines.append(f"At stake: {card_names(held(game['pile']))}.")
    lines.append(f"Debts of the rat: {card_names(members(game['rat_debt']))}.")
    lines.append(f"Debts of the players: {card_names(held(game['debt']))}.")
    lines.append(f"Deck from the top: {card_names(reversed(held(game['deck'])))}.")
    return "\n".join(lines)


def held(cards: Vector) -> list[int]:
    """The cards of an array."""
    return [int(card) for card in cards if card != v.NO_CARD]


def describe_observation(pack: Deck, vector: Vector) -> str:
    """An observation of any view, or the full state, piece by piece, without zeros."""
    say: dict[str, Callable[[Vector], list[str]]] = {"events": lambda events: EVENTS.observed(pack, events)}
    for piece in (*OBSERVATION.pieces, *STATE.pieces):
        if piece.shape == (v.NUM_CARDS,) and piece.name != "deck_cards":
            say[piece.name] = partial(_card_set, piece.name)
    return describe_pieces(vector, OBSERVATION, (NOW_SIZE, OBSERVATION_SIZE), STATE, say)


def _card_set(name: str, cards: Vector) -> list[str]:
    """A piece that holds a set of cards."""
    return [f"{name}: {card_names(np.flatnonzero(cards).tolist())}"] if cards.any() else []


# --- help for a person at the table -----------------------------------------------------------------------------------


def goal(pack: Deck, games: Records, params: Records, seat: int) -> str:
    """How the players win together."""
    return (
        "You play together against two River Rats. Build a poker hand that beats the rat's: five debts defeat a rat. "
        f"You all win when both are defeated, and lose with {v.DEBT_LIMIT} debts of your own."
    )


def explain(pack: Deck, games: Records, params: Records, seat: int) -> list[str]:
    """What the suits do when a card is played, and with the power of one's own ace."""
    own = v.Suit(int(seen_by(games, seat)["table"]["character"][seat]))
    powers = [f"{_POWERS[own]} (only you, with your own suit)"] if own != v.Suit.NONE and params[0]["powers"] else []
    return [*_ACTS.values(), *powers]
