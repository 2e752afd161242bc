"""What River Rats adds to its card: modes, rats, codes, how to read the pieces; written from the tables of the game."""

from __future__ import annotations

from riverbed_env.core.card import CardSections, code_table, event_section, literal, literals, question_table, table
from riverbed_env.core.game import Game

from ..content.pack import MODE_NAMES, MODES, PREDICTION_NAMES, Deck
from ..rules.pieces import OBSERVATION
from ..rules.vocab import NUM_CARDS, NUM_RANKS, PREDICTED, Category, Event, JokerUse, Mode, Suit, Zone
from .text import ABILITY_WORDS, BONUS_WORDS, CATEGORY_WORDS, EVENTS, QUESTIONS, RANKS, SUIT_WORDS, card_name

SUMMARY = """\
A cooperative poker game with hidden hands. Each round the players build one poker hand together, a card each in turn,
against the cards of a River Rat, of which some lie face-down. The round's debt goes to whoever loses it; five debts
defeat a rat, five debts of the players end the game. A suit lets its card do more, an ace of that suit more still, and
jokers are earned by hands that were predicted. Nobody may tell what they hold. Every rule is stated, with its id
(RR-…), in [the rules](../rules/river_rats.md)."""

PLAYERS = """\
All players are one camp, `players`, and have one role, `player`: all win or all lose. So there is no
`rewards="zero_sum"`: the players have nobody to win from."""

ACTIONS_NOTE = f"""\
Most decisions are about a card, and action `CARD` names it whatever is asked: its argument is 13 × suit + rank, suits
hearts, spades, clubs, diamonds, ranks two to ace. So argument 0 is {card_name(0)}, argument {NUM_CARDS - 1} is
{card_name(NUM_CARDS - 1)}."""

READING = f"""\
- **Sets of cards** have {NUM_CARDS} entries, 1 for each card in the set, in the order of action `CARD`.
- **While characters are chosen** no card lies anywhere yet, and `rat` is all 0.
- **What is face-down** shows in its number alone: `rat_face_down`, `pile`, `rat_debt`, `debt`, `deck`, `hand_sizes`.
  Who placed the collective hand's face-down card is in `placer`; that player alone sees it, in `own_face_down`.
- **View `history`** remembers what lay open before: the first debts (`rat_debt_seen`, `debt_seen`), cards that players
  took from the market or swapped out (`taken`), and so which cards may still be anywhere (`unseen`)."""

FORCED = """\
Hands are hidden, but their sizes aren't, and no two cards are alike. So how many answers a decision has is always
public, and `"public"` and `"all"` do the same in this game. What the only answer is needn't be public: the last card of
a hand is played unasked. The commonest forced decision is to do nothing where neither suit action nor player power is
possible (RR-2.6)."""

END = """\
The players win when both River Rats have been defeated, at once with the hand that does it (RR-3.6). They lose as soon
as they have five debts (RR-3.4), in expert mode even in the middle of a resolution (RR-5.2). A game takes at most some
15 rounds. Random play wins practically never."""

NOBODY_WINS = "the players lose, for then the River Rats win, and nobody plays them (RR-3.4)"

JOKER_WORDS = {
    JokerUse.CARD: "is a card of the collective hand, whichever is best",
    JokerUse.REMOVE: "removes one of the rat's cards, for which two come face-down",
    JokerUse.REVEAL: "brings cards from the deck when hands resolve",
}


def card_sections(game: Game, pack: Deck) -> CardSections:
    """The game's parts of its card."""
    predictions = (
        "which collective hands match the prediction: those whose best category it is, or all that could be laid as it "
        "(RR-3.1)"
    )
    events = event_section(EVENTS, Event, OBSERVATION, "A field that its sentence doesn't name is 0.")
    return CardSections(
        summary=SUMMARY,
        options={
            "mode": (literals(MODE_NAMES), "how hard the game is: see [modes](#modes) (RR-5.1)"),
            "prediction": (literals(PREDICTION_NAMES), predictions),
        },
        players=f"## Players\n\n{PLAYERS}\n\n## Modes\n\n{mode_table()}\n\n## River Rats\n\n{rat_table()}",
        actions=f"{ACTIONS_NOTE}\n\n{question_table(QUESTIONS)}",
        reading=READING,
        codes=f"{codes_section()}\n\n{events}",
        nobody_wins=NOBODY_WINS,
        end=END,
        forced=FORCED,
        content=f"## Predictions\n\n{prediction_table()}",
    )


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


def rat_table() -> str:
    """What each River Rat does while it is active, and what its defeat brings."""
    rows = ([suit.value, words, ABILITY_WORDS[suit], BONUS_WORDS[suit]] for suit, words in SUIT_WORDS.items())
    return table(["suit", "River Rat", "while it is active (RR-4.1)", "once it is defeated"], rows)


def prediction_table() -> str:
    """What each first debt predicts."""
    ranks: dict[Category, list[str]] = {}
    for rank in reversed(range(NUM_RANKS)):
        ranks.setdefault(Category(PREDICTED[rank]), []).append(RANKS[rank])
    rows = ([", ".join(names), CATEGORY_WORDS[kind]] for kind, names in ranks.items())
    return table(["first debt", "predicts (RR-3.1)"], rows)


def codes_section() -> str:
    """The numbers of categories, suits, zones and modes."""
    suits, zones, modes = (
        ", ".join(f"{member.value} {member.name.lower()}" for member in members if member.value >= 0)
        for members in (Suit, Zone, Mode)
    )
    kinds = [kind for kind in Category if kind != Category.NONE]
    return f"""\
### Categories, suits and zones

Suits: {suits}. Zones of a discard: {zones}. Modes: {modes}.

{code_table("category", kinds, "in words", CATEGORY_WORDS)}"""
