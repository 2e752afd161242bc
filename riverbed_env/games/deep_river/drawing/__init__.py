"""Deep River as a scene: the river, the two sides, the tokens. Nothing is hidden, so all see the same."""

from __future__ import annotations

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel
from riverbed_env.kernels.compile import Records

from ..rules.state import GAME
from ..words.text import seen_by, state_of_play
from .beside import sides, tokens
from .river import river
from .rules import RULES, help_of, rule_of

__all__ = ["RULES", "clock", "draw", "headline", "help_of", "laid_out", "rule_of", "shown"]


def shown(games: Records, viewer: int | None) -> Records:
    """A game with its table; the chance to come, which nobody knows, is blank."""
    return laid_out(seen_by(games, viewer))


def laid_out(view: np.void) -> Records:
    """The game as a view has it."""
    blank = np.zeros(1, GAME)
    blank["table"] = view["table"]
    return blank


def draw(table: Table) -> list[Panel]:
    """The river in the middle; beside it the sides and the tokens."""
    return [river(table), sides(table), tokens(table)]


def clock(table: Table) -> str:
    """The turn."""
    return f"Turn {int(table.game['table']['turn'])}"


def headline(table: Table) -> str:
    """Who has to choose what, or how the game ended."""
    return state_of_play(table.pack, table.games, table.params.reshape(1), table.viewer)
