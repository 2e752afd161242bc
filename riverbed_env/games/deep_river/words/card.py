"""What Deep River adds to its card: sides, codes, content and origins, written from the tables of the game."""

from __future__ import annotations

from collections.abc import Sequence

from riverbed_env.core.card import (
    CardSections,
    Sourced,
    code,
    code_table,
    event_section,
    literals,
    origins,
    question_table,
    span,
    table,
)
from riverbed_env.core.game import Game

from ..content.pack import CAMPS, LETTERS, Pack, SmallTile, Token
from ..rules.actions import ACTIONS, MIRRORED_ACTION
from ..rules.pieces import OBSERVATION
from ..rules.vocab import MAX_MAX_TURNS, NUM_SEATS, Event, Load, Purpose
from .text import EFFECT_WORDS, EVENTS, QUESTIONS, TILE_WORDS

SUMMARY = """\
A game of perfect information for two. Salmon and eels pass each other in a river of seven tiles; each fish that comes
into the rival nest drives a bear towards it. Whoever brings the bear into the rival nest wins at once; else the side
from whose nest the bear is farther away when the current has run out. A turn carries out one of three current tokens,
which turn over and drift down the river. Every rule is stated, with its id (DR-…), in
[the rules](../rules/deep_river.md)."""

MIRROR = """\
Only the side whose turn it is is asked.

**Places are counted from the own nest**, so that one policy serves both sides. The eels' river is mirrored: their
tile 1 is the tile beside the eel nest. The two slots of the double tile are alike and keep their order for both sides;
where an empty one is taken, it is the first. So an action of the eels means this to the salmon, and the other way
round (`MIRRORED_ACTION` in `riverbed_env.games.deep_river.rules.actions`); all others mean the same to both:"""

READING = """\
- **Sides**: entry 0 is the observer's, entry 1 the rival's. An observation doesn't say who is the salmon: alike
  positions look alike from both nests.
- **Tiles, slots, places and the bear** are counted from the observer's nest.
- **Tokens** drift towards the salmon nest, but nothing depends on where they are except how far they have come, and
  `tokens` says that.
- **What is under way** (`token`, `to_come`, `purpose`, `steps`, `arrived`) is all 0 when a turn begins, but for the
  first entry of `purpose`."""

EVENT_NOTE = f"""\
A field that its sentence doesn't name is 0. Bits of a load: {Load.DOUBLE.value} the pawn shows two fish,
{Load.PILE.value} it carries a rival pawn, {Load.STACKED.value} it came to stand on one."""

PURPOSE_WORDS = {
    Purpose.NONE: "no fish is moved yet in this turn",
    Purpose.FACE: "by the face of the token: the tile it comes to works",
    Purpose.DRIFT: "by a drift tile: the tile it comes to doesn't work",
    Purpose.ADVANCE: "by the double tile: the tile it comes to may be used",
}

FORCED = """\
Everything is public here, so `"all"` takes the same decisions as `"public"`: a token, a fish, a pile, a pawn or a
token to tilt where there is one to choose. Turn or advance, and use or leave, always have two answers; where a tile
has nothing to work on they aren't asked at all, whatever `auto_forced` says (DR-3.1, DR-3.2)."""

END = """\
The game ends as soon as the bear is in a nest, even in the middle of a turn: the other side wins. It ends too when
two of the three tokens are at the last tile at the end of a turn: the side from whose nest the bear is farther away
wins, and with the bear in the middle it is a draw (DR-4.1). Turns are counted for the cap (DR-4.2), since a token at
the end can be used again and again."""

RECONSTRUCTED = """\
The numbers on the tokens, how many small tiles there are of each kind and how many slots a tile has exist only in
pictures."""


def card_sections(game: Game, pack: Pack) -> CardSections:
    """The game's parts of its card, for a content pack."""
    letters = ", ".join(f"{letter} {TILE_WORDS[tile]}" for letter, tile in LETTERS.items())
    return CardSections(
        summary=SUMMARY,
        options={
            "tiles": (
                f'`None` or seven letters ({letters}; D in the middle), like `"bdsDtsb"`',
                "the river from the salmon's side; `None`: the pack's small tiles, dealt by the seed (DR-1.1)",
            ),
            "faces": (
                '`None` or three digits 0 or 1, like `"010"`',
                "which face of each token is up at first; `None`: tossed by the seed (DR-1.2)",
            ),
            "first": (f"`None`, {literals(CAMPS)}", "who begins; `None`: drawn by the seed"),
            "max_turns": (f"1 to {MAX_MAX_TURNS:,}", "the cap on turns that truncates a game (DR-4.2)"),
        },
        players=sides_section(game),
        actions=f"{question_table(QUESTIONS)}\n\n{MIRROR}\n\n{mirror_table()}",
        reading=READING,
        codes=f"{codes_section()}\n\n{event_section(EVENTS, Event, OBSERVATION, EVENT_NOTE)}",
        end=END,
        forced=FORCED,
        content="\n\n".join([tokens_section(pack), tiles_section(pack), origins_section(pack)]),
        more_rewards=(("a draw (DR-4.1)", "0 to both"),),
    )


def sides_section(game: Game) -> str:
    """Who the two sides are and what each needs."""
    goal = "the bear goes into the other nest, or stays nearer to it"
    sides = ([seat, code(f"player_{seat}"), code(game.camps[seat]), goal] for seat in range(NUM_SEATS))
    return f"""\
## Players and sides

`player_0` is the salmon, `player_1` the eels. Both see everything. Chance only lays the river, tosses the tokens and
draws who begins.

{table(["number", "agent", "role and camp", "wins when"], sides)}"""


def mirror_table() -> str:
    """The actions that mean another place to the other side."""
    moved = [action for action in range(ACTIONS.size) if MIRRORED_ACTION[action] != action]
    rows = ([action, " ".join(map(str, ACTIONS.split(action))), MIRRORED_ACTION[action]] for action in moved)
    return table(["action of one side", "block and argument", "is to the other side"], rows)


def codes_section() -> str:
    """The numbers of effects and purposes."""
    effects = ([tile.value - 1, TILE_WORDS[tile], words] for tile, words in EFFECT_WORDS.items())
    return f"""\
### Effects and purposes

{table(["entry of a tile", "effect", "what it does"], effects)}

{code_table("purpose", PURPOSE_WORDS, "why the last fish is moved", PURPOSE_WORDS)}"""


# --- content ----------------------------------------------------------------------------------------------------------


def tokens_section(pack: Pack) -> str:
    """The tokens and their faces."""
    rows = (
        [number, token.name, *(code(face) for face in token.faces), token.source]
        for number, token in enumerate(pack.tokens)
    )
    return f"""\
## Current tokens

The number is the argument of the actions `TOKEN` and `TILT` and the entry in `tokens`, `token_faces`, `tilted` and
`token`. A number moves one fish so many tiles; *bear* moves one fish one tile, then the bear; *twice* moves a fish one
tile, two times (DR-2.2).

{table(["number", "token", "face 0", "face 1", "source"], rows)}"""


def tiles_section(pack: Pack) -> str:
    """The small tiles, and the rules of slots."""
    rules = pack.rules
    rows = ([tile.effect, tile.copies, tile.source] for tile in pack.content.tile)
    return f"""\
## River tiles

A small tile has {rules.small_slots} slot, the double tile in the middle {rules.double_slots}. A lone pawn
{"may" if rules.single_may_choose_empty else "may not"} take an empty slot beside a lone rival (DR-2.3). Slots are
counted from the own nest: the double tile's are entries {span(3, 2)} of `pawns`.

{table(["small tile", "copies", "source"], rows)}"""


def origins_section(pack: Pack) -> str:
    """How much of the pack is the rulebook's, and what is known about the rest."""
    kinds: dict[str, Sequence[Sourced]] = {"current tokens": pack.tokens, "kinds of small tiles": pack.content.tile}
    return origins("deep_river", RECONSTRUCTED, kinds, entry_name)


def entry_name(entry: Token | SmallTile) -> str:
    """What people call an entry of the pack."""
    return f"token {entry.name}" if isinstance(entry, Token) else f"{entry.effect} tiles"
