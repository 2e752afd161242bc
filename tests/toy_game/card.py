"""What Ford adds to its card."""

from riverbed_env.core.card import CardSections, codes, literals
from riverbed_env.core.game import Game

from .game import Stones
from .tables import STONES, Forced

FORCED = literals(forced.name.lower() for forced in Forced)


def card_sections(game: Game, pack: Stones) -> CardSections:
    """The game's parts of its card."""
    return CardSections(
        summary="A bluffing game with hidden stones that shows what a game of one's own needs.",
        options={"auto_forced": (FORCED, "whether forced decisions are taken for the player")},
        players=f"## Players\n\n2 or 3 play, each alone, in the one role {codes(game.roles)}.",
        actions="`CALL` needs water that was raised.",
        reading="- **Numbers** lie in the order of their seats.",
        codes="",
        end="The game ends after five rounds.",
        forced="Calling is forced where the stones can't be higher than the water.",
        content=f"## Stones\n\nThe bag holds stones of 1 to {STONES}.",
    )
