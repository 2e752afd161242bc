"""Riverside as a scene: the river with its villages, the dice, what was chosen in this round, every sheet.

A seat's scene is drawn from its view alone.
"""

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel
from riverbed_env.kernels.compile import Records

from ..rules.actions import ACTIONS, DIE_WAYS
from ..rules.vocab import Ending, Green, Power, Question
from ..words import text
from .river import dice, river
from .sheets import round_panel, sheets

RULES = text.WORDS["rules"]


def lay_open(blank: Records, view: np.void) -> None:
    """RS-5.1: the sheets of all, as they lay open when the phase began."""
    blank["private"]["sheet"] = view["sheets"]


def draw(table: Table) -> list[Panel]:
    """The river and the dice in the middle; beside them this round and the sheets."""
    told = [round_panel(table)] if table.truth or table.viewer is not None else []
    return [river(table), dice(table), *told, *sheets(table)]


def clock(table: Table) -> str:
    """The round and its phase."""
    return f"Round {int(table['round'])}, space {int(table['ship'])} of {int(table.params['anchor'])}"


def headline(table: Table) -> str:
    """What the viewer has to choose, what phase it is, or how the game ended."""
    if table["ending"] != Ending.PLAYING or table.viewer is None:
        return text.headline(table.pack, table.games, table.params.reshape(1), table.viewer)
    if table.asked != table.viewer:
        return "Waiting for the others: all choose at the same time"
    question = Question(int(table.game["private"][table.viewer]["question"]))
    return f"Your turn: {question.task}"


def rule_of(table: Table, action: int) -> str:
    """The rule behind a choice: that of its verb."""
    return text.WORDS["rule_of_verb"].get(ACTIONS.split(action)[0], "")


def help_of(table: Table, action: int) -> str:
    """What the royal powers of a choice do."""
    name, argument = ACTIONS.split(action)
    green, fan = divmod(argument % DIE_WAYS, 2) if name == "DIE" else (Green.WITHOUT, 0)
    used = {
        Power.WARM_NIGHT: green == Green.WARM,
        Power.FAN_BASE: fan == 1,
        Power.SPEED_BOAT: name == "SPEED",
        Power.EARLY_BIRDS: name == "EARLY",
        Power.PRIZE_TICKET: name == "PRIZE",
    }
    return "; ".join(text.power_effect(power) for power in used if used[power])
