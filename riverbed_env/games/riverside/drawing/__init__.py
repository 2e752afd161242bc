"""Riverside as a scene: the river with its villages, the dice, what was chosen in this round, every sheet.

A seat's scene is drawn from its view alone.
"""

from __future__ import annotations

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel
from riverbed_env.kernels.compile import Records

from ..rules.vocab import Ending, Question
from ..words import text
from .river import dice, river
from .rules import RULES, help_of, rule_of
from .sheets import round_panel, sheets

__all__ = ["RULES", "clock", "draw", "headline", "help_of", "lay_open", "rule_of"]


def lay_open(blank: Records, view: np.void) -> None:
    """RS-5.1: the sheets of all, as they lay open when the phase began."""
    blank["private"]["sheet"] = view["sheets"]


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
