"""Riverbed Hunt as a scene: the river, the race, the players, and the viewer's actions and cards.

A seat's scene is drawn from its view alone: `shown` makes the only record that it reads.
"""

from __future__ import annotations

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel
from riverbed_env.kernels.compile import Records

from ..rules.state import GAME
from ..rules.vocab import PUBLIC, Talk
from ..words.text import seen_by, state_of_play
from .claims import claims
from .players import actions, hand, piles, players, race, tracks
from .river import river
from .rules import RULES, help_of, rule_of
from .unknown import unknown_tiles

__all__ = ["RULES", "clock", "draw", "headline", "help_of", "laid_out", "rule_of", "shown"]


def shown(games: Records, viewer: int | None) -> Records:
    """RH-8: a game with what a seat, or (None) everybody, may know; the rest is blank."""
    return laid_out(seen_by(games, viewer))


def laid_out(view: np.void) -> Records:
    """RH-8: the game as a view has it."""
    blank = np.zeros(1, GAME)
    blank["table"] = view["table"]
    blank["private"][0, PUBLIC] = view["public"]
    blank["private"][0, int(view["seat"])] = view["private"]
    return blank


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
