"""Deep River as a scene: the river, the two sides, the tokens. Nothing is hidden, so all see the same."""

from __future__ import annotations

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel

from ..words.text import state_of_play
from .beside import sides, tokens
from .river import river
from .rules import RULES, help_of, rule_of

__all__ = ["RULES", "clock", "draw", "headline", "help_of", "rule_of"]


def draw(table: Table) -> list[Panel]:
    """The river in the middle; beside it the sides and the tokens."""
    return [river(table), sides(table), tokens(table)]


def clock(table: Table) -> str:
    """The turn."""
    return f"Turn {int(table.game['table']['turn'])}"


def headline(table: Table) -> str:
    """Who has to choose what, or how the game ended."""
    return state_of_play(table.pack, table.games, table.params.reshape(1), table.viewer)
