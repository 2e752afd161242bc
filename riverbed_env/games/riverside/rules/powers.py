"""RS-3.1, royal powers: when each is available. Their effects are in `boats.py` and `excursions.py`."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .vocab import Charge, Refusal


@kernel
def power_refusal(own: Record, power: int) -> int:
    """RS-3.1: a power can be used once, after both its royal seats are crossed."""
    charge = int(own["sheet"]["power"][power])
    if charge == Charge.LOCKED:
        return Refusal.POWER_LOCKED
    if charge == Charge.USED:
        return Refusal.POWER_USED
    return Refusal.OK


@kernel
def use_power(own: Record, power: int) -> None:
    """RS-3.1: cross off the power."""
    own["sheet"]["power"][power] = Charge.USED


@kernel
def royal_seats(sheet: Record, params: Record, boat: int) -> int:
    """RS-2.3: the number of crossed royal seats of a boat."""
    crossed = 0
    for row in range(len(params["royal"][boat])):
        royal = int(params["royal"][boat, row])
        if royal > 0 and int(sheet["crossed"][boat, row]) >= royal:
            crossed += 1
    return crossed


@kernel
def unlock(sheet: Record, params: Record, boat: int) -> None:
    """RS-2.3: make a boat's royal power available if both its royal seats are crossed."""
    power = int(params["power"][boat])
    if royal_seats(sheet, params, boat) == 2:
        sheet["power"][power] = Charge.READY
