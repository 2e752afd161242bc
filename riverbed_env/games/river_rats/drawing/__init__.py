"""River Rats as a scene: both hands and what is at stake, the rats, the market, the players and their cards.

A seat's scene is drawn from its view alone.
"""

from __future__ import annotations

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel

from ..words.text import state_of_play
from .panels import hand, hands, market, players, rats
from .rules import RULES, help_of, rule_of

__all__ = ["RULES", "clock", "draw", "headline", "help_of", "rule_of"]


def draw(table: Table) -> list[Panel]:
    """The two hands in the middle; beside them the rats, the market, the players, and the viewer's cards."""
    own = [hand(table)] if table.chooser is not None else []
    return [hands(table), *own, market(table), rats(table), players(table)]


def clock(table: Table) -> str:
    """The round and the turn."""
    game = table.game["table"]
    return f"Round {int(game['round'])}, turn {int(game['turn'])}"


def headline(table: Table) -> str:
    """Who has to choose what, or how the game ended."""
    return state_of_play(table.pack, table.games, table.params.reshape(1), table.viewer)
