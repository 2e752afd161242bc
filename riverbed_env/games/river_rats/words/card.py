"""What River Rats adds to its card: modes, rats, codes, how to read the pieces; written from the tables of the game."""

from __future__ import annotations

from riverbed_env.core.card import (
    CardSections,
    OptionWords,
    Section,
    event_field_table,
    literal,
    placeholders,
    question_table,
    sections,
    table,
)
from riverbed_env.core.game import Game
from riverbed_env.kernels.vocab import MAX_EVENTS

from ..content.pack import MODE_NAMES, MODES, PREDICTION_NAMES, Deck, ModeRules
from ..rules.pieces import OBSERVATION
from ..rules.vocab import NUM_CARDS, NUM_RANKS, PREDICTED, Category, Event, JokerUse, Mode, Question, Suit, Whose, Zone
from .text import ABILITY_WORDS, BONUS_WORDS, CATEGORY_WORDS, EVENT_WORDS, QUESTION_WORDS, RANKS, SUIT_WORDS, card_name
from .versions import VERSION_HISTORY

SUMMARY = """\
A cooperative poker game with hidden hands. Each round the players build one poker hand together, a card each in turn,
against the cards of a River Rat, of which some lie face-down. The round's debt goes to whoever loses it; five debts
defeat a rat, five debts of the players end the game. A suit lets its card do more, an ace of that suit more still, and
jokers are earned by hands that were predicted. Nobody may tell what they hold. Every rule is stated, with its id
(RR-…), in [the rules](../rules/river_rats.md)."""

MODE_OPTION = "how hard the game is: see [modes](#modes) (RR-5.1)"
PREDICTION_OPTION = """\
which collective hands match the prediction: those whose best category it is, or all that could be laid as it
(RR-3.1)"""
FORCED_OPTION = "which [forced decisions](#forced-decisions) are taken for the player"

CAMP_NOTE = """\
All players are one camp, `players`, and have one role, `player`: all win or all lose. So there is no
`rewards="zero_sum"`: the players have nobody to win from."""

ACTIONS_NOTE = f"""\
Most decisions are about a card, and action `CARD` names it whatever is asked: its argument is 13 × suit + rank, suits
hearts, spades, clubs, diamonds, ranks two to ace. So argument 0 is {card_name(0)}, argument {NUM_CARDS - 1} is
{card_name(NUM_CARDS - 1)}. The piece `question` of the observation says what is asked, and these actions can answer
it."""

OBSERVATION_NOTE = f"""\
- **Sets of cards** have {NUM_CARDS} entries, 1 for each card in the set, in the order of action `CARD`.
- **Seats** are counted from the observer: entry 0 is the observer, entry 1 the next player clockwise, and so on.
  Entries past the number of players are 0.
- **One-hot** pieces hold a 1 at the entry that is meant and 0 elsewhere.
- **Several things in one piece**, such as `flags`, lie in the order in which the meaning lists them.
- **While characters are chosen** no card lies anywhere yet, and `rat` is all 0.
- **What is face-down** shows in its number alone: `rat_face_down`, `pile`, `rat_debt`, `debt`, `deck`, `hand_sizes`.
  Who placed the collective hand's face-down card is in `placer`; that player alone sees it, in `own_face_down`.
- **View `history`** remembers what lay open before: the first debts (`rat_debt_seen`, `debt_seen`), cards that players
  took from the market or swapped out (`taken`), and so which cards may still be anywhere (`unseen`)."""

EVENT_NOTE = f"""\
`events` has a row for each of the last {MAX_EVENTS} public events, the newest first; rows of zeros are left when fewer
have happened. In the sentences below A is the actor, C the card, D the second card, X and Y the numbers. A field that
its sentence doesn't name is 0."""

FORCED_NOTE = """\
Hands are hidden, but their sizes aren't, and no two cards are alike. So how many answers a decision has is always
public, and `"public"` and `"all"` do the same in this game. What the only answer is needn't be public: the last card of
a hand is played unasked. The commonest forced decision is to do nothing where neither suit action nor player power is
possible (RR-2.6)."""

END_NOTE = """\
The players win when both River Rats have been defeated, at once with the hand that does it (RR-3.6). They lose as soon
as they have five debts (RR-3.4), in expert mode even in the middle of a resolution (RR-5.2). A game takes at most some
15 rounds. Random play wins practically never."""

NOBODY_WINS = "the players lose, for then the River Rats win, and nobody plays them (RR-3.4)"

EVENT_COLUMNS = ("kind", "actor A", "card C", "second card D", "first number X", "second number Y", "round", "turn")

EVENT_CODES = {
    "kind": "kind of the event, 0 where there is none",
    "actor A": "1 + seats clockwise from the observer, 0 nobody",
    "card C": "1 + card, 0 none",
    "second card D": "1 + card, 0 none",
    "first number X": "see the table of kinds",
    "second number Y": "see the table of kinds",
    "round": "rounds begun when it happened, at most 127",
    "turn": "turns begun when it happened, at most 127",
}

LETTERS = {
    "actor": "A",
    "doer": "A (nobody: the hearts rat)",
    "card": "C",
    "debt": "C",
    "other": "D",
    "zone": "zone X",
    "category": "category X",
    "second_category": "category Y",
    "joker": "Y",
    "first": "X debts",
    "whose": "X's",
    "by": " by A, or at the comparison (no actor)",
}

NUMBERS = {
    "zone": "X: " + ", ".join(f"{zone.value} {zone.name.lower()}" for zone in Zone if zone != Zone.NONE),
    "category": "X: 1 + category",
    "second_category": "Y: 1 + category",
    "joker": "Y: 1 if a joker is turned up, 0 if none is left",
    "first": "X: cards of debt",
    "whose": "X: " + ", ".join(f"{whose.value} {whose.name.lower()}" for whose in Whose),
}

ANSWERED_BY = {
    Question.NONE: (),
    Question.ACE: ("CARD",),
    Question.DRAW: ("CARD", "DRAW", "JOKER"),
    Question.PLAY: ("CARD", "JOKER"),
    Question.ACTION: ("NO", "ACT", "POWER"),
    Question.DISCARD: ("CARD",),
    Question.DISCARD_MORE: ("CARD", "NO"),
    Question.TO_MARKET: ("CARD",),
    Question.MORE_TO_MARKET: ("CARD", "DRAW", "NO"),
    Question.SWAP_OUT: ("CARD",),
    Question.SWAP_IN: ("CARD",),
    Question.ADD_DEBT: ("DEBT", "NO"),
    Question.REMOVE: ("CARD", "HIDDEN"),
    Question.USE_JOKER: ("JOKER", "NO"),
    Question.REVEAL_MORE: ("DRAW", "NO"),
}

JOKER_WORDS = {
    JokerUse.CARD: "is a card of the collective hand, whichever is best",
    JokerUse.REMOVE: "removes one of the rat's cards, for which two come face-down",
    JokerUse.REVEAL: "brings cards from the deck when hands resolve",
}

YES = {True: "yes", False: "no"}


def card_sections(game: Game, pack: Deck) -> CardSections:
    """The game's parts of its card."""
    return CardSections(
        summary=SUMMARY,
        options=option_words(),
        players=(
            Section("Players", CAMP_NOTE),
            Section("Modes", mode_table()),
            Section("River Rats", rat_table()),
        ),
        actions=f"{ACTIONS_NOTE}\n\n{question_table(Question, QUESTION_WORDS, ANSWERED_BY)}",
        observation=observation_body(),
        nobody_wins=NOBODY_WINS,
        end=END_NOTE,
        forced=FORCED_NOTE,
        content=(Section("Predictions", prediction_table()),),
        versions=VERSION_HISTORY,
    )


def option_words() -> dict[str, OptionWords]:
    """The options that only this game has."""
    return {
        "mode": OptionWords(", ".join(literal(mode) for mode in MODE_NAMES), MODE_OPTION),
        "prediction": OptionWords(", ".join(literal(rule) for rule in PREDICTION_NAMES), PREDICTION_OPTION),
    }


def mode_table() -> str:
    """What each mode changes."""
    rows = ([mode.value, literal(mode.name.lower()), *mode_row(rules)] for mode, rules in MODES.items())
    return table(["number", "mode", "player powers", "abilities", "face-down cards of the rat", "a joker"], rows)


def mode_row(rules: ModeRules) -> list[object]:
    """What a mode has, how many face-down cards there are, what a joker does."""
    return [YES[rules.powers], YES[rules.abilities], rules.face_down, JOKER_WORDS[rules.joker]]


def rat_table() -> str:
    """What each River Rat does while it is active, and what its defeat brings."""
    rows = ([suit.value, SUIT_WORDS[suit], ABILITY_WORDS[suit], BONUS_WORDS[suit]] for suit in SUIT_WORDS)
    return table(["suit", "River Rat", "while it is active (RR-4.1)", "once it is defeated"], rows)


def prediction_table() -> str:
    """What each first debt predicts."""
    ranks: dict[Category, list[str]] = {}
    for rank in reversed(range(NUM_RANKS)):
        ranks.setdefault(Category(PREDICTED[rank]), []).append(RANKS[rank])
    return table(
        ["first debt", "predicts (RR-3.1)"], ([", ".join(names), CATEGORY_WORDS[kind]] for kind, names in ranks.items())
    )


def observation_body() -> str:
    """How to read the pieces, then every number that stands for something."""
    fields = event_field_table(OBSERVATION.start("events"), EVENT_COLUMNS, EVENT_CODES)
    parts = (
        Section("How to read it", OBSERVATION_NOTE),
        Section("Categories, suits and zones", codes_body()),
        Section(
            "Public events",
            f"{EVENT_NOTE}\n\n{fields}\n\n{event_table()}",
        ),
    )
    return sections(parts, level=3)


def codes_body() -> str:
    """The numbers of categories, suits and zones; questions and modes have tables of their own."""
    kinds = table(
        ["category", "name", "in words"],
        ([kind.value, kind.name, words] for kind, words in CATEGORY_WORDS.items() if kind != Category.NONE),
    )
    suits = ", ".join(f"{suit.value} {suit.name.lower()}" for suit in Suit if suit != Suit.NONE)
    zones = ", ".join(f"{zone.value} {zone.name.lower()}" for zone in Zone)
    modes = ", ".join(f"{mode.value} {mode.name.lower()}" for mode in Mode)
    note = (
        "The numbers of `question` are in the table under [Actions](#actions). "
        f"Suits: {suits}. Zones of a discard: {zones}. Modes: {modes}."
    )
    return f"{note}\n\n{kinds}"


def event_table() -> str:
    """Every kind of public event as a sentence, and what its numbers are."""
    rows = [[Event.NONE.value, Event.NONE.name, "no event yet", "–"]]
    for event, words in EVENT_WORDS.items():
        named = placeholders(words)
        numbers = "; ".join(NUMBERS[name] for name in named if name in NUMBERS)
        rows.append([event.value, event.name, words.format(**LETTERS), numbers or "–"])
    return table(["kind", "name", "what everybody saw", "numbers"], rows)
