"""The rule of Riverside behind each choice, with a sentence of its rules page; a test compares the two."""

from __future__ import annotations

from riverbed_env.core.frame import Table

from ..rules.actions import ACTIONS, DIE_WAYS
from ..rules.vocab import Green, Power
from ..words.text import POWER_EFFECTS

RULES = {
    "RS-2.2": "Everybody chooses one base die and may add the green die.",
    "RS-2.2/seat": "A row is filled from the left, but any number of rows may be begun, so each seat can go to any row "
    "that has one left.",
    "RS-2.4": "Everybody may go to one village within range of the ship.",
    "RS-2.4/score": "It can be written down only if it is above the score that was written last for this boat.",
    "RS-3.1": "Each royal power can be used once in the game, in any later phase than the crossing of its second royal "
    "seat.",
}
_OF_VERB = {
    "DIE": "RS-2.2",
    "SEAT": "RS-2.2/seat",
    "STAY": "RS-2.4",
    "VILLAGE": "RS-2.4",
    "DONE": "RS-2.4/score",
    "SCORE": "RS-2.4/score",
    "SPEED": "RS-3.1",
    "EARLY": "RS-3.1",
    "PRIZE": "RS-3.1",
}


def rule_of(table: Table, action: int) -> str:
    """The rule behind a choice: that of its verb."""
    return _OF_VERB.get(ACTIONS.split(action)[0], "")


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
    return "; ".join(f"{power.words}: {POWER_EFFECTS[power]}" for power in used if used[power])
