"""River Rats as a scene: both hands and what is at stake, the rats, the market, the players and their cards.

A seat's scene is drawn from its view alone: `shown` makes the only record that it reads.
"""

from __future__ import annotations

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel
from riverbed_env.kernels.compile import Records

from ..rules.state import GAME
from ..words.text import seen_by, state_of_play
from .panels import hand, hands, market, players, rats
from .rules import RULES, help_of, rule_of

__all__ = ["RULES", "clock", "draw", "headline", "help_of", "laid_out", "rule_of", "shown"]


def shown(games: Records, viewer: int | None) -> Records:
    """RR-6.1: a game with what a seat, or (None) everybody, may know; the rest is blank."""
    return laid_out(seen_by(games, viewer))


def laid_out(view: np.void) -> Records:
    """RR-6.1: the game as a view has it."""
    blank = np.zeros(1, GAME)
    blank["table"] = view["table"]
    blank["private"][0, int(view["seat"])] = view["private"]
    return blank


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
