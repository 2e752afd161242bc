"""River Rats in plain English: actions, events, views, observations; from the same tables as the rules.

Everything said about a seat's knowledge comes from its view (RR-6.1): only `look` reads a game for a seat.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np

from riverbed_env.core import text as common
from riverbed_env.core.text import Gap, Name, number_gap
from riverbed_env.kernels.compile import Records, Vector

from ..content.pack import Deck
from ..rules import vocab as v
from ..rules.actions import ACTIONS
from ..rules.invariants import Violation
from ..rules.setup import card_of
from ..rules.state import VIEW, look

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUIT_SIGNS = {v.Suit.HEARTS: "♥", v.Suit.SPADES: "♠", v.Suit.CLUBS: "♣", v.Suit.DIAMONDS: "♦"}
SUIT_WORDS: dict[v.Suit, str] = {suit: suit.name.lower() for suit in v.Suit if suit != v.Suit.NONE}
WORDS = common.read_words(__file__)
describe_refusal = common.describer(v.Refusal)
describe_violation = common.describer(Violation)


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
    sentences = WORDS.get(name.lower())
    if sentences is None:
        return ACTIONS.words(name)
    table = game["table"]
    played = int(table["played"])
    key: v.Suit | v.Question = v.Question(int(table["question"]))
    if name in ("ACT", "POWER"):
        key = v.Suit.NONE if played == v.NO_CARD else v.Suit(played // v.NUM_RANKS)
    return sentences.get(key.name, sentences["ELSE"]).format(card_name(argument))


# --- events -----------------------------------------------------------------------------------------------------------


def _actor(nobody: str, before: str) -> Callable[[Any, Any, Name], str]:
    return lambda pack, event, name: nobody if event.actor == v.NOBODY else before + name(event.actor)


def _category(number: int) -> str:
    return v.Category(number - 1).words


_JOKER = ("no joker is left to be turned up", "a joker is turned up")
_ZONES = [(zone, zone.name.lower()) for zone in v.Zone if zone != v.Zone.NONE]
_WHOSE = common.coded((whose, whose.name.lower()) for whose in v.Whose)
EVENTS = common.EventTable(
    v.EVENTS,
    {
        "doer": Gap(_actor("the hearts rat", ""), "A (nobody: the hearts rat)"),
        "by": Gap(_actor("", " by "), " by A, or at the comparison (no actor)"),
        "card": number_gap("card", "C", words=card_name),
        "other": number_gap("other", "D", words=card_name),
        "zone": number_gap("first", "zone X", f"X: {common.coded(_ZONES)}", lambda zone: v.Zone(zone).name.lower()),
        "category": number_gap("first", "category X", "X: 1 + category", _category),
        "second_category": number_gap("second", "category Y", "Y: 1 + category", _category),
        "joker": number_gap("second", "Y", "Y: 1 if a joker is turned up, 0 if none is left", _JOKER.__getitem__),
        "first": number_gap("first", "X debts", "X: cards of debt", lambda debts: common.counted(debts, "debt")),
        "whose": number_gap("first", "X's", f"X: {_WHOSE}", lambda whose: v.Whose(whose).words),
    },
)


describe_events = EVENTS.describe


# --- the table as a seat knows it -------------------------------------------------------------------------------------


def seen_by(games: Records, viewer: int | None) -> np.void:
    """A view: what the seat may know, or (None) what everybody knows."""
    return common.view_of(look, VIEW, games[0], v.PUBLIC if viewer is None else viewer)


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
    return common.whose_turn(v.Question(int(table["question"])).task, int(table["asked"]), viewer)


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
        lines.append(f"Defeated: {king_name(defeated)} ({WORDS['bonus'][defeated.name]}).")
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
        predicted = v.Category(int(table["prediction"])).words
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
    hand = common.counted(int(table["hand_size"][player]), "card")
    return f"{common.heading(player, viewer)}: {character}, {hand}, seen to be taken {taken}."


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
    powers = (
        [f"{WORDS['power'][own.name]} (only you, with your own suit)"]
        if own != v.Suit.NONE and params[0]["powers"]
        else []
    )
    return [*(WORDS["act"][suit.name] for suit in SUIT_WORDS), *powers]
