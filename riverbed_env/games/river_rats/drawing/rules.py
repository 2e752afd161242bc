"""The rule of River Rats behind each choice, with a sentence of its rules page; a test compares the two."""

from __future__ import annotations

from riverbed_env.core.frame import Table

from ..rules.actions import ACTIONS
from ..rules.vocab import NO_CARD, JokerUse, Question
from ..words.text import SUIT_WORDS
from .cards import suit_of

RULES = {
    "RR-1.1": "Each player takes an ace as their character.",
    "RR-2.1": "A player whose hand holds fewer than three cards draws it up to three.",
    "RR-2.1/play": "Then one card is played open into the collective hand.",
    "RR-2.1/action": "Its player may perform the action of its suit (RR-2.3).",
    "RR-2.1/joker": "In place of all that, a player may put a joker that has been turned up into the collective hand.",
    "RR-2.3/hearts": "The top card of the deck is added face-down to the pile.",
    "RR-2.3/spades": "One card is discarded, from the player's hand or from the market.",
    "RR-2.3/clubs": "One card of the hand is laid open into the market.",
    "RR-2.3/diamonds": "One card of the collective hand changes places with one card of the player's hand.",
    "RR-2.4/hearts": "One of the rat's face-down cards is turned up.",
    "RR-2.4/spades": "Any number of cards is discarded, at least one, all from the hand or all from the market.",
    "RR-2.4/clubs": "Up to two cards go to the market, one after the other.",
    "RR-2.4/diamonds": "The card of the collective hand changes places with a card of the market instead.",
    "RR-2.4/debt": "Then the player decides whether to add a card to the pile.",
    "RR-5.1": "One of the rat's cards other than a River Rat is removed, open or face-down, and two cards are drawn "
    "face-down in its place.",
    "RR-5.1/joker": "An advanced joker takes a whole turn, like any joker, but fills no place in the collective hand.",
    "RR-5.2": "Cards are revealed from the deck one at a time, at least one, until the players stop.",
}
_OF_QUESTION = {
    Question.ACE: "RR-1.1",
    Question.DRAW: "RR-2.1",
    Question.PLAY: "RR-2.1/play",
    Question.ACTION: "RR-2.1/action",
    Question.ADD_DEBT: "RR-2.4/debt",
    Question.REMOVE: "RR-5.1",
    Question.USE_JOKER: "RR-5.2",
    Question.REVEAL_MORE: "RR-5.2",
}


def rule_of(table: Table, action: int) -> str:
    """The rule behind a choice: of the joker, of the suit that acts, or of the question."""
    name, _ = ACTIONS.split(action)
    game = table.game["table"]
    question = Question(int(game["question"]))
    if name == "JOKER" and question != Question.USE_JOKER:
        return "RR-5.1/joker" if table.params["joker"] == JokerUse.REMOVE else "RR-2.1/joker"
    if name in ("ACT", "POWER"):
        return _of_suit(table, name == "POWER")
    return _OF_QUESTION.get(question) or _of_suit(table, bool(game["power"]))


def _of_suit(table: Table, power: bool) -> str:
    """The rule of the suit of the card just played: its action, or its power."""
    played = int(table.game["table"]["played"])
    suit = "" if played == NO_CARD else SUIT_WORDS[suit_of(played)]
    return f"{'RR-2.4' if power else 'RR-2.3'}/{suit}"


def help_of(table: Table, action: int) -> str:
    """No more than the words of the action, which say what its suit does."""
    return ""
