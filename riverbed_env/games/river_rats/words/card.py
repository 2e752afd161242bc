"""What River Rats adds to its card: `card.md`, with the values and tables that it names."""

from enum import IntEnum
from pathlib import Path

from riverbed_env.core import card
from riverbed_env.core.game import Game

from ..content.pack import MODE_NAMES, MODES, PREDICTION_NAMES, Deck
from ..rules import vocab as v
from ..rules.pieces import OBSERVATION
from .text import EVENTS, RANKS, SUIT_WORDS, WORDS, card_name


def card_sections(game: Game, pack: Deck) -> card.CardSections:
    """The game's parts of its card."""
    rats = (
        [suit.value, words, *(WORDS[kind][suit.name] for kind in ("ability", "bonus"))]
        for suit, words in SUIT_WORDS.items()
    )
    categories = [category for category in v.Category if category != v.Category.NONE]
    return card.read_sections(
        Path(__file__).with_name("card.md"),
        mode_names=card.literals(MODE_NAMES),
        prediction_names=card.literals(PREDICTION_NAMES),
        modes=mode_table(),
        rats=card.table(["suit", "River Rat", "while it is active (RR-4.1)", "once it is defeated"], rats),
        first_card=card_name(0),
        last=v.NUM_CARDS - 1,
        last_card=card_name(v.NUM_CARDS - 1),
        questions=card.question_table(v.Question),
        num_cards=v.NUM_CARDS,
        suits=listed(v.Suit),
        zones=listed(v.Zone),
        mode_codes=listed(v.Mode),
        categories=card.code_table("category", categories, "in words"),
        events=card.event_section(EVENTS, OBSERVATION),
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
            card.literal(mode.name.lower()),
            *("yes" if has else "no" for has in (rules.powers, rules.abilities)),
            rules.face_down,
            rules.joker.words,
        ]
        for mode, rules in MODES.items()
    )
    return card.table(["number", "mode", "player powers", "abilities", "face-down cards of the rat", "a joker"], rows)


def prediction_table() -> str:
    """What each first debt predicts."""
    ranks: dict[v.Category, list[str]] = {}
    for rank in reversed(range(v.NUM_RANKS)):
        ranks.setdefault(v.Category(v.PREDICTED[rank]), []).append(RANKS[rank])
    rows = ([", ".join(names), category.words] for category, names in ranks.items())
    return card.table(["first debt", "predicts (RR-3.1)"], rows)
