"""Riverside as a scene: the river with its villages, the dice, what was chosen in this round, every sheet.

A seat's scene is drawn from its view alone: `shown` makes the only record that it reads.
"""

from __future__ import annotations

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel
from riverbed_env.kernels.compile import Records

from ..rules.state import GAME
from ..rules.vocab import Ending, Question
from ..words import text
from .river import dice, river
from .rules import RULES, help_of, rule_of
from .sheets import round_panel, sheets

__all__ = ["RULES", "clock", "draw", "headline", "help_of", "laid_out", "rule_of", "shown"]


def shown(games: Records, viewer: int | None) -> Records:
    """RS-5.1: a game with what a seat, or (None) everybody, may know; the rest is blank."""
    if viewer is not None:
        return laid_out(text.seen_by(games, viewer))
    return _open(text.seen_by(games, 0))


def laid_out(view: np.void) -> Records:
    """RS-5.1: the game as a seat's view has it."""
    blank = _open(view)
    blank["private"][0, int(view["seat"])] = view["private"]
    return blank


def _open(view: np.void) -> Records:
    """RS-5.1: a game with what lies open before everybody."""
    blank = np.zeros(1, GAME)
    blank["table"], blank["sheets"] = view["table"], view["sheets"]
    blank["private"]["sheet"] = view["sheets"]
    return blank


def draw(table: Table) -> list[Panel]:
    """The river and the dice in the middle; beside them this round and the sheets."""
    told = [round_panel(table)] if table.truth or table.viewer is not None else []
    return [river(table), dice(table), *told, *sheets(table)]


def clock(table: Table) -> str:
    """The round and its phase."""
    game = table.game["table"]
    return f"Round {int(game['round'])}, space {int(game['ship'])} of {int(table.params['anchor'])}"


def headline(table: Table) -> str:
    """What the viewer has to choose, what phase it is, or how the game ended."""
    game = table.game["table"]
    if game["ending"] != Ending.PLAYING or table.viewer is None:
        return text.headline(table.pack, table.games, table.params.reshape(1), table.viewer)
    if table.asked != table.viewer:
        return "Waiting for the others: all choose at the same time"
    question = Question(int(table.game["private"][table.viewer]["question"]))
    return f"Your turn: {question.task}"
