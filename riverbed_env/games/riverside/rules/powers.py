"""RS-3.1, royal powers: when each is available. What each does stands where it does it."""

from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .vocab import Charge, Refusal


@kernel
def power_refusal(own: Record, power: int) -> int:
    """RS-3.1: a power is available once its royal seats are crossed, and once only."""
    charge = int(own["sheet"]["power"][power])
    if charge == Charge.LOCKED:
        return Refusal.POWER_LOCKED
    if charge == Charge.USED:
        return Refusal.POWER_USED
    return Refusal.OK


@kernel
def use_power(own: Record, power: int) -> None:
    """RS-3.1: the power is crossed off."""
    own["sheet"]["power"][power] = Charge.USED


@kernel
def royal_seats(sheet: Record, params: Record, boat: int) -> int:
    """RS-2.3: how many royal seats of a boat are crossed."""
    found = 0
    for row in range(len(params["royal"][boat])):
        royal = int(params["royal"][boat, row])
        if royal > 0 and int(sheet["crossed"][boat, row]) >= royal:
            found += 1
    return found


@kernel
def unlock(sheet: Record, params: Record, boat: int) -> None:
    """RS-2.3: both royal seats of a boat make its royal power available."""
    power = int(params["power"][boat])
    if sheet["power"][power] == Charge.LOCKED and royal_seats(sheet, params, boat) == 2:
        sheet["power"][power] = Charge.READY
