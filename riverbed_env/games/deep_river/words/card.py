"""What Deep River adds to its card: sides, codes, content and origins, written from the tables of the game."""

from __future__ import annotations

from collections.abc import Sequence

from riverbed_env.core.card import (
    CardSections,
    OptionWords,
    Section,
    code,
    codes,
    event_field_table,
    literal,
    origin_table,
    placeholders,
    sections,
    span,
    table,
)
from riverbed_env.core.game import Game
from riverbed_env.kernels.vocab import MAX_EVENTS

from ..content.pack import CAMPS, LETTERS, Pack, SmallTile, Token
from ..rules.actions import ACTIONS, MIRRORED_ACTION
from ..rules.pieces import OBSERVATION
from ..rules.vocab import EEL_NEST, MAX_MAX_TURNS, NUM_PLACES, NUM_PURPOSES, Camp, Event, Load, Purpose, Question, Tile
from .text import EVENT_WORDS, HOW_WORDS, QUESTION_WORDS, TILE_WORDS
from .versions import VERSION_HISTORY

SUMMARY = """\
A game of perfect information for two. Salmon and eels pass each other in a river of seven tiles; each fish that comes
into the rival nest drives a bear towards it. Whoever brings the bear into the rival nest wins at once; else the side
from whose nest the bear is farther away when the current has run out. A turn carries out one of three current tokens,
which turn over and drift down the river. Every rule is stated, with its id (DR-…), in
[the rules](../rules/deep_river.md)."""

PLAYERS = """\
`player_0` is the salmon, `player_1` the eels. Both see everything. Chance only lays the river, tosses the tokens and
draws who begins."""

ANSWERED_BY = {
    Question.NONE: (),
    Question.TOKEN: ("TOKEN",),
    Question.FISH: ("PLACE",),
    Question.STAND: ("PLACE",),
    Question.PILE: ("PLACE",),
    Question.TILT: ("TILT",),
    Question.DOUBLE: ("TURN", "ADVANCE"),
    Question.PAWN: ("PLACE",),
    Question.USE: ("USE", "LEAVE"),
}

ASKED_WHEN = {
    Question.NONE: "the game is over",
    Question.TOKEN: "a turn begins (DR-2.1)",
    Question.FISH: "a fish is to move; skipped where none can (DR-2.2)",
    Question.STAND: "a lone pawn may stand in several places of a tile (DR-2.3)",
    Question.PILE: "a swap tile works and there is a pile (DR-3.1)",
    Question.TILT: "a tilt tile works (DR-3.1)",
    Question.DOUBLE: "the double tile works for a double pawn and there is a pawn to turn (DR-3.2)",
    Question.PAWN: "a pawn is to be turned (DR-3.2)",
    Question.USE: "a fish has been advanced to a tile that has something to work on (DR-3.2)",
}

ACTIONS_NOTE = """\
The piece `question` of the observation says what is asked, and these actions can answer it; the mask says which of
them are legal now. Only the side whose turn it is is asked.

**Places are counted from the own nest**, so that one policy serves both sides. The eels' river is mirrored: their
tile 1 is the tile beside the eel nest. The two slots of the double tile are alike and keep their order for both sides;
where an empty one is taken, it is the first. So an action of the eels means this to the salmon, and the other way
round (`MIRRORED_ACTION` in `riverbed_env.games.deep_river.rules.actions`); all others mean the same to both:"""

OBSERVATION_NOTE = """\
- **Sides**: entry 0 is the observer's, entry 1 the rival's. An observation doesn't say who is the salmon: alike
  positions look alike from both nests.
- **Tiles, slots, places and the bear** are counted from the observer's nest.
- **One-hot** pieces hold a 1 at the entry that is meant and 0 elsewhere.
- **Several things in one piece**, such as `clock`, lie in the order in which the meaning lists them.
- **Tokens** drift towards the salmon nest, but nothing depends on where they are except how far they have come, and
  `tokens` says that.
- **What is under way** (`token`, `to_come`, `purpose`, `steps`, `arrived`) is all 0 when a turn begins, but for the
  first entry of `purpose`."""

EVENT_NOTE = f"""\
`events` has a row for each of the last {MAX_EVENTS} events, the newest first; rows of zeros are left when fewer have
happened. In the sentences below A is the actor, P and Q the place and the second place, X the thing. A field that its
sentence doesn't name is 0. Bits of a load: {Load.DOUBLE.value} the pawn shows two fish, {Load.PILE.value} it carries a
rival pawn, {Load.STACKED.value} it came to stand on one."""

EVENT_COLUMNS = ("kind", "actor A", "place P", "second place Q", "thing X", "turn")

EVENT_CODES = {
    "kind": "kind of the event, 0 where there is none",
    "actor A": "1 the observer, 2 the rival, 0 nobody",
    "place P": f"1 + place from the observer's nest (the actor's nest for the first two), so 1 to {NUM_PLACES}; 0 none",
    "second place Q": "as place P",
    "thing X": "see the table of kinds",
    "turn": "turns begun when it happened, at most 127",
}

LETTERS_OF = {
    "actor": "A",
    "place": "P",
    "at": "at P",
    "second": "Q",
    "load": "load X",
    "onto": "",
    "station": "X",
    "face": "a face X",
    "token": "token X",
    "how": "way X",
}

THINGS = {
    "face": "2 × token + face that was up, in the pack's order",
    "load": "bits of a load",
    "station": f"steps from the observer's nest, 0 to {EEL_NEST}",
    "token": "token, from 0",
    "how": "; ".join(f"{way} {words}" for way, words in enumerate(HOW_WORDS)),
}

PURPOSE_WORDS = {
    Purpose.NONE: "no fish is moved yet in this turn",
    Purpose.FACE: "by the face of the token: the tile it comes to works",
    Purpose.DRIFT: "by a drift tile: the tile it comes to doesn't work",
    Purpose.ADVANCE: "by the double tile: the tile it comes to may be used",
}

TILES_OPTION = "the river from the salmon's side; `None`: the pack's small tiles, dealt by the seed (DR-1.1)"
FACES_OPTION = "which face of each token is up at first; `None`: tossed by the seed (DR-1.2)"
FIRST_OPTION = "who begins; `None`: drawn by the seed"
TURNS_OPTION = "the cap on turns that truncates a game (DR-4.2)"

FORCED_NOTE = """\
Everything is public here, so `"all"` takes the same decisions as `"public"`: a token, a fish, a pile, a pawn or a
token to tilt where there is one to choose. Turn or advance, and use or leave, always have two answers; where a tile
has nothing to work on they aren't asked at all, whatever `auto_forced` says (DR-3.1, DR-3.2)."""

END_NOTE = """\
The game ends as soon as the bear is in a nest, even in the middle of a turn: the other side wins. It ends too when
two of the three tokens are at the last tile at the end of a turn: the side from whose nest the bear is farther away
wins, and with the bear in the middle it is a draw (DR-4.1). Turns are counted for the cap (DR-4.2), since a token at
the end can be used again and again."""

RECONSTRUCTED_NOTE = """\
The numbers on the tokens, how many small tiles there are of each kind and how many slots a tile has exist only in
pictures. What they show is replaced by substitutes that agree with everything the rulebook's text says;
[the rules](../rules/deep_river.md#what-is-reconstructed-and-why) tell which and why. Results obtained with this pack
are results about this reconstruction."""


def card_sections(game: Game, pack: Pack) -> CardSections:
    """The game's parts of its card, for a content pack."""
    return CardSections(
        summary=SUMMARY,
        options=option_words(),
        players=(Section("Players and sides", f"{PLAYERS}\n\n{side_table(game)}"),),
        actions=f"{ACTIONS_NOTE}\n\n{mirror_table()}\n\n{question_table()}",
        observation=observation_body(),
        nobody_wins="",
        end=END_NOTE,
        forced=FORCED_NOTE,
        content=(
            Section("Current tokens", tokens_body(pack)),
            Section("River tiles", tiles_body(pack)),
            Section("What is reconstructed", origins_body(pack)),
        ),
        versions=VERSION_HISTORY,
        more_rewards=(("a draw (DR-4.1)", "0 to both"),),
    )


def option_words() -> dict[str, OptionWords]:
    """The options that only this game has, and those that mean something else here."""
    letters = ", ".join(f"{letter} {TILE_WORDS[tile]}" for letter, tile in LETTERS.items())
    firsts = ", ".join(literal(camp) for camp in CAMPS)
    return {
        "tiles": OptionWords(f'`None` or seven letters ({letters}; D in the middle), like `"bdsDtsb"`', TILES_OPTION),
        "faces": OptionWords('`None` or three digits 0 or 1, like `"010"`', FACES_OPTION),
        "first": OptionWords(f"`None`, {firsts}", FIRST_OPTION),
        "max_turns": OptionWords(f"1 to {MAX_MAX_TURNS:,}", TURNS_OPTION),
    }


def side_table(game: Game) -> str:
    """Who the two sides are and what each needs."""
    rows = [
        [
            seat,
            code(f"player_{seat}"),
            code(game.camps[seat]),
            "the bear goes into the other nest, or stays nearer to it",
        ]
        for seat in (Camp.SALMON.value, Camp.EEL.value)
    ]
    return table(["number", "agent", "role and camp", "wins when"], rows)


# --- actions and observation ------------------------------------------------------------------------------------------


def mirror_table() -> str:
    """The actions that mean another place to the other side."""
    moved = [action for action in range(ACTIONS.size) if MIRRORED_ACTION[action] != action]
    rows = ([action, " ".join(map(str, ACTIONS.split(action))), MIRRORED_ACTION[action]] for action in moved)
    return table(["action of one side", "block and argument", "is to the other side"], rows)


def question_table() -> str:
    """What is asked, and which actions can answer."""
    rows = (
        [
            question.value,
            question.name,
            QUESTION_WORDS[question],
            ASKED_WHEN[question],
            codes(ANSWERED_BY[question]) or "–",
        ]
        for question in Question
    )
    return table(["question", "name", "asked for", "when", "answered by"], rows)


def observation_body() -> str:
    """How to read the pieces, then every number that stands for something."""
    fields = event_field_table(OBSERVATION.start("events"), EVENT_COLUMNS, EVENT_CODES)
    parts = (
        Section("How to read it", OBSERVATION_NOTE),
        Section("Effects and purposes", codes_body()),
        Section(
            "Events",
            f"{EVENT_NOTE}\n\n{fields}\n\n{event_table()}",
        ),
    )
    return sections(parts, level=3)


def codes_body() -> str:
    """The numbers of effects and purposes; questions have a table of their own."""
    effects = table(
        ["entry of a tile", "effect"],
        ([tile.value - 1, TILE_WORDS[tile]] for tile in Tile if tile != Tile.NEST),
    )
    purposes = table(
        ["purpose", "name", "why the last fish is moved"],
        ([number, Purpose(number).name, PURPOSE_WORDS[Purpose(number)]] for number in range(NUM_PURPOSES)),
    )
    return f"The numbers of `question` are in the table under [Actions](#actions).\n\n{effects}\n\n{purposes}"


def event_table() -> str:
    """Every kind of event as a sentence, and what its thing is."""
    rows = [[Event.NONE.value, Event.NONE.name, "no event yet", "–"]]
    for event, words in EVENT_WORDS.items():
        named = placeholders(words)
        things = "; ".join(THINGS[name] for name in named if name in THINGS)
        rows.append([event.value, event.name, words.format(**LETTERS_OF), things or "–"])
    return table(["kind", "name", "what happens", "thing X"], rows)


# --- content ----------------------------------------------------------------------------------------------------------


def tokens_body(pack: Pack) -> str:
    """The tokens and their faces."""
    rows = (
        [number, token.name, *(code(face) for face in token.faces), token.source]
        for number, token in enumerate(pack.tokens)
    )
    note = (
        "The number is the argument of the actions `TOKEN` and `TILT` and the entry in `tokens`, `token_faces`, "
        "`tilted` and `token`. A number moves one fish so many tiles; *bear* moves one fish one tile, then the bear; "
        "*twice* moves a fish one tile, two times (DR-2.2)."
    )
    return f"{note}\n\n{table(['number', 'token', 'face 0', 'face 1', 'source'], rows)}"


def tiles_body(pack: Pack) -> str:
    """The small tiles, and the rules of slots."""
    rows = ([tile.effect, tile.copies, tile.source] for tile in pack.content.tile)
    rules = pack.rules
    choice = "may" if rules.single_may_choose_empty else "may not"
    note = (
        f"A small tile has {rules.small_slots} slot, the double tile in the middle {rules.double_slots}. A lone pawn "
        f"{choice} take an empty slot beside a lone rival (DR-2.3). Slots are counted from the own nest: the double "
        f"tile's are entries {span(3, 2)} of `pawns`."
    )
    return f"{note}\n\n{table(['small tile', 'copies', 'source'], rows)}"


def origins_body(pack: Pack) -> str:
    """How much of the pack is the rulebook's, and what is known of the rest."""
    kinds: Sequence[tuple[str, Sequence[Token | SmallTile]]] = (
        ("current tokens", pack.tokens),
        ("kinds of small tiles", pack.content.tile),
    )
    noted = "\n".join(f"- {entry_name(entry)}: {entry.note}" for _, kind in kinds for entry in kind if entry.note)
    return f"{RECONSTRUCTED_NOTE}\n\n{origin_table(kinds)}\n\nPartly known from the rulebook are:\n\n{noted}"


def entry_name(entry: Token | SmallTile) -> str:
    """What people call an entry of the pack."""
    return f"token {entry.name}" if isinstance(entry, Token) else f"{entry.effect} tiles"
