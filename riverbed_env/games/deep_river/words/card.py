"""What Deep River adds to its card: `card.md`, with the values and tables that it names."""

from __future__ import annotations

from pathlib import Path

from riverbed_env.core.card import (
    CardSections,
    code,
    code_table,
    event_section,
    literals,
    origins,
    question_table,
    read_sections,
    table,
)
from riverbed_env.core.game import Game

from ..content.pack import CAMPS, LETTERS, Pack, SmallTile, Token
from ..rules.actions import ACTIONS, MIRRORED_ACTION
from ..rules.pieces import OBSERVATION
from ..rules.vocab import MAX_MAX_TURNS, NUM_SEATS, Event, Load, Purpose
from .text import EFFECT_WORDS, EVENTS, QUESTIONS, TILE_WORDS

PURPOSE_WORDS = {
    Purpose.NONE: "no fish is moved yet in this turn",
    Purpose.FACE: "by the face of the token: the tile it comes to works",
    Purpose.DRIFT: "by a drift tile: the tile it comes to doesn't work",
    Purpose.ADVANCE: "by the double tile: the tile it comes to may be used",
}
GOAL = "the bear goes into the other nest, or stays nearer to it"


def card_sections(game: Game, pack: Pack) -> CardSections:
    """The game's parts of its card, for a content pack."""
    effects = ([tile.value - 1, TILE_WORDS[tile], words] for tile, words in EFFECT_WORDS.items())
    tokens = (
        [number, token.name, *(code(face) for face in token.faces), token.source]
        for number, token in enumerate(pack.tokens)
    )
    tiles = ([tile.effect, tile.copies, tile.source] for tile in pack.content.tile)
    sides = ([seat, code(f"player_{seat}"), code(game.camps[seat]), GOAL] for seat in range(NUM_SEATS))
    rules = pack.rules
    return read_sections(
        Path(__file__).with_name("card.md"),
        letters=", ".join(f"{letter} {TILE_WORDS[tile]}" for letter, tile in LETTERS.items()),
        camps=literals(CAMPS),
        max_turns=f"{MAX_MAX_TURNS:,}",
        sides=table(["number", "agent", "role and camp", "wins when"], sides),
        questions=question_table(QUESTIONS),
        mirrored=mirror_table(),
        effects=table(["entry of a tile", "effect", "what it does"], effects),
        purposes=code_table("purpose", PURPOSE_WORDS, "why the last fish is moved", PURPOSE_WORDS),
        events=event_section(EVENTS, Event, OBSERVATION),
        **{load.name: load.value for load in Load},
        tokens=table(["number", "token", "face 0", "face 1", "source"], tokens),
        small_slots=rules.small_slots,
        double_slots=rules.double_slots,
        may="may" if rules.single_may_choose_empty else "may not",
        tiles=table(["small tile", "copies", "source"], tiles),
        reconstructed=origins(
            game.name, {"current tokens": pack.tokens, "kinds of small tiles": pack.content.tile}, entry_name
        ),
    )


def mirror_table() -> str:
    """The actions that mean another place to the other side."""
    moved = [action for action in range(ACTIONS.size) if MIRRORED_ACTION[action] != action]
    rows = ([action, " ".join(map(str, ACTIONS.split(action))), MIRRORED_ACTION[action]] for action in moved)
    return table(["action of one side", "block and argument", "is to the other side"], rows)


def entry_name(entry: Token | SmallTile) -> str:
    """What people call an entry of the pack."""
    return f"token {entry.name}" if isinstance(entry, Token) else f"{entry.effect} tiles"
