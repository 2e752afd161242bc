"""Riverbed Hunt as a scene: the river, the race, the players, and the viewer's actions and cards.

A seat's scene is drawn from its view alone.
"""

from __future__ import annotations

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel
from riverbed_env.kernels.compile import Records

from ..rules.vocab import PUBLIC, Talk
from ..words.text import state_of_play
from .claims import claims
from .players import actions, hand, piles, players, race, tracks
from .river import river
from .rules import RULES, help_of, rule_of
from .unknown import unknown_tiles

__all__ = ["RULES", "clock", "draw", "headline", "help_of", "lay_open", "rule_of"]


def lay_open(blank: Records, view: np.void) -> None:
    """RH-8: what everybody knows."""
    blank["private"][0, PUBLIC] = view["public"]


def draw(table: Table) -> list[Panel]:
    """The board in the middle; beside it what all can see, and what the viewer can do."""
    own = [actions(table), hand(table)] if table.chooser is not None else []
    spoken = [claims(table)] if table.params["talk"] != Talk.NONE else []
    unknown = [] if table.truth else unknown_tiles(table)
    return [river(table), tracks(table), *own, players(table), *spoken, *unknown, piles(table)]


def clock(table: Table) -> str:
    """The turn, and how far the race is."""
    turn = int(table.game["table"]["turn"])
    return f"{f'Turn {turn}' if turn else 'Before the first turn'} · {race(table)}"


def headline(table: Table) -> str:
    """Who has to choose what, or how the game ended."""
    return state_of_play(table.pack, table.games, table.params.reshape(1), table.viewer)
