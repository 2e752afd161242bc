"""RS-2.1, phase 1: roll the dice, determine the temperature, move the ship."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below

from . import kernel
from .state import record_event
from .vocab import NO_BOAT, NO_PLACE, NOBODY, NUM_COLOURS, NUM_DICE, PIPS, Event


@kernel
def roll(table: Record, stream: Record) -> None:
    """RS-2.1: roll the five base dice and the green die."""
    for die in range(NUM_DICE):
        table["dice"][die] = 1 + below(stream, PIPS)
    table["temperature"] = median(table)
    table["heated"] = heated(table)


@kernel
def median(table: Record) -> int:
    """RS-2.1: the temperature, the median pips of the five base dice."""
    for pips in range(1, PIPS):
        lower = 0
        for colour in range(NUM_COLOURS):
            lower += int(table["dice"][colour] <= pips)
        if 2 * lower > NUM_COLOURS:
            return pips
    return PIPS


@kernel
def heated(table: Record) -> int:
    """RS-2.1: the base dice above the temperature, as bits; the green die is always heated."""
    heated_dice = 0
    for colour in range(NUM_COLOURS):
        if table["dice"][colour] > table["temperature"]:
            heated_dice |= 1 << colour
    return heated_dice


@kernel
def sail(table: Record, params: Record) -> None:
    """RS-2.1: move the ship by the temperature, at most to the anchor."""
    table["ship"] = min(int(params["anchor"]), int(table["ship"]) + int(table["temperature"]))
    record_event(table, Event.ROLL, NOBODY, NO_BOAT, NO_PLACE, int(table["temperature"]), int(table["ship"]))


@kernel
def has_arrived(table: Record, params: Record) -> bool:
    """RS-2.1: whether the ship has reached or passed the anchor."""
    return int(table["ship"]) >= int(params["anchor"])
