"""What River Rats adds to its card: `card.md`, with the values and tables that it names."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

from riverbed_env.core.card import (
    CardSections,
    code_table,
    event_section,
    literal,
    literals,
    question_table,
    read_sections,
    table,
)
from riverbed_env.core.game import Game

from ..content.pack import MODE_NAMES, MODES, PREDICTION_NAMES, Deck
from ..rules.pieces import OBSERVATION
from ..rules.vocab import NUM_CARDS, NUM_RANKS, PREDICTED, Category, Event, JokerUse, Mode, Suit, Zone
from .text import ABILITY_WORDS, BONUS_WORDS, CATEGORY_WORDS, EVENTS, QUESTIONS, RANKS, SUIT_WORDS, card_name

JOKER_WORDS = {
    JokerUse.CARD: "is a card of the collective hand, whichever is best",
    JokerUse.REMOVE: "removes one of the rat's cards, for which two come face-down",
    JokerUse.REVEAL: "brings cards from the deck when hands resolve",
}


def card_sections(game: Game, pack: Deck) -> CardSections:
    """The game's parts of its card."""
    rats = ([suit.value, words, ABILITY_WORDS[suit], BONUS_WORDS[suit]] for suit, words in SUIT_WORDS.items())
    categories = [category for category in Category if category != Category.NONE]
    return read_sections(
        Path(__file__).with_name("card.md"),
        mode_names=literals(MODE_NAMES),
        prediction_names=literals(PREDICTION_NAMES),
        modes=mode_table(),
        rats=table(["suit", "River Rat", "while it is active (RR-4.1)", "once it is defeated"], rats),
        first_card=card_name(0),
        last=NUM_CARDS - 1,
        last_card=card_name(NUM_CARDS - 1),
        questions=question_table(QUESTIONS),
        num_cards=NUM_CARDS,
        suits=listed(Suit),
        zones=listed(Zone),
        mode_codes=listed(Mode),
        categories=code_table("category", categories, "in words", CATEGORY_WORDS),
        events=event_section(EVENTS, Event, OBSERVATION),
        predictions=prediction_table(),
    )


def listed(members: type[IntEnum]) -> str:
    """The numbers of an enum with their names, without those below 0."""
    return ", ".join(f"{member.value} {member.name.lower()}" for member in members if member.value >= 0)


def mode_table() -> str:
    """What each mode changes: powers, abilities, the rat's face-down cards, what a joker does."""
    rows = (
        [
            mode.value,
            literal(mode.name.lower()),
            *("yes" if has else "no" for has in (rules.powers, rules.abilities)),
            rules.face_down,
            JOKER_WORDS[rules.joker],
        ]
        for mode, rules in MODES.items()
    )
    return table(["number", "mode", "player powers", "abilities", "face-down cards of the rat", "a joker"], rows)


def prediction_table() -> str:
    """What each first debt predicts."""
    ranks: dict[Category, list[str]] = {}
    for rank in reversed(range(NUM_RANKS)):
        ranks.setdefault(Category(PREDICTED[rank]), []).append(RANKS[rank])
    rows = ([", ".join(names), CATEGORY_WORDS[category]] for category, names in ranks.items())
    return table(["first debt", "predicts (RR-3.1)"], rows)
