"""What Deep River adds to its card: `card.md`, with the values and tables that it names."""

from pathlib import Path

from riverbed_env.core import card
from riverbed_env.core.game import Game

from ..content.pack import CAMPS, LETTERS, Pack
from ..rules import vocab as v
from ..rules.pieces import OBSERVATION
from .text import EVENTS, effect_of

GOAL = "the bear goes into the other nest, or stays nearer to it"


def card_sections(game: Game, pack: Pack) -> card.CardSections:
    """The game's parts of its card, for a content pack."""
    effects = ([tile.value - 1, tile.words, effect_of(tile)] for tile in v.Tile if tile)
    tokens = (
        [number, token.name, *(card.code(face) for face in token.faces), token.source]
        for number, token in enumerate(pack.tokens)
    )
    tiles = ([tile.effect, tile.copies, tile.source] for tile in pack.content.tile)
    sides = ([seat, card.code(f"player_{seat}"), card.code(game.camps[seat]), GOAL] for seat in range(v.NUM_SEATS))
    rules = pack.rules
    return card.read_sections(
        Path(__file__).with_name("card.md"),
        letters=", ".join(f"{letter} {tile.words}" for letter, tile in LETTERS.items()),
        camps=card.literals(CAMPS),
        max_turns=f"{v.MAX_MAX_TURNS:,}",
        sides=card.table(["number", "agent", "role and camp", "wins when"], sides),
        questions=card.question_table(v.Question),
        effects=card.table(["entry of a tile", "effect", "what it does"], effects),
        purposes=card.code_table("purpose", v.Purpose, "why the last fish is moved"),
        events=card.event_section(EVENTS, OBSERVATION),
        **{load.name: load.value for load in v.Load},
        tokens=card.table(["number", "token", "face 0", "face 1", "source"], tokens),
        small_slots=rules.small_slots,
        double_slots=rules.double_slots,
        may="may" if rules.single_may_choose_empty else "may not",
        tiles=card.table(["small tile", "copies", "source"], tiles),
        reconstructed=card.origins(
            game.name, {"current tokens": pack.tokens, "kinds of small tiles": pack.content.tile}
        ),
    )
