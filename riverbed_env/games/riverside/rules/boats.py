"""RS-2.2, RS-2.3, phase 2: choose dice, cross seats, complete rows and cross their bonus seats; RS-3.1: powers."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .vocab import FAN_SEATS, GREEN, NO_BOAT, ROWS, Charge, Power, Question, Refusal
from .vocab import Green as Added


@kernel
def fire_cost(table: Record, colour: int, green: int) -> int:
    """RS-2.2: the pips of the chosen heated dice; RS-3.1: with Warm night the green die is free."""
    cost = 0
    if (int(table["heated"]) >> colour) & 1:
        cost += int(table["dice"][colour])
    if green == Added.WITH:
        cost += int(table["dice"][GREEN])
    return cost


@kernel
def dice_value(table: Record, colour: int, green: int, fan: int) -> int:
    """RS-2.2: the pips of the chosen dice; RS-3.1: Fan base adds 3."""
    value = int(table["dice"][colour]) + FAN_SEATS * fan
    if green != Added.WITHOUT:
        value += int(table["dice"][GREEN])
    return value


@kernel
def die_refusal(table: Record, own: Record, colour: int, green: int, fan: int) -> int:
    """RS-2.2: the seat must be able to pay the fire for its dice; RS-3.1: it needs the powers it calls."""
    if own["question"] != Question.DIE:
        return Refusal.WRONG_QUESTION
    if green == Added.WARM and power_refusal(own, Power.WARM_NIGHT) != Refusal.OK:
        return power_refusal(own, Power.WARM_NIGHT)
    if fan and power_refusal(own, Power.FAN_BASE) != Refusal.OK:
        return power_refusal(own, Power.FAN_BASE)
    if fire_cost(table, colour, green) > int(own["sheet"]["fire"]):
        return Refusal.FIRE_MISSING
    return Refusal.OK


@kernel
def choose_dice(table: Record, own: Record, params: Record, colour: int, green: int, fan: int) -> None:
    """RS-2.2: pay the fire in full and begin to fill the boat of the base die's colour."""
    if green == Added.WARM:
        use_power(own, Power.WARM_NIGHT)
    if fan:
        use_power(own, Power.FAN_BASE)
    own["sheet"]["fire"] = int(own["sheet"]["fire"]) - fire_cost(table, colour, green)
    own["die"] = colour
    own["green"] = green
    own["fan"] = fan
    own["boat"] = colour
    own["left"] = dice_value(table, colour, green, fan)
    ask_for_seat(own, params)


@kernel
def seat_refusal(own: Record, params: Record, boat: int, row: int) -> int:
    """RS-2.2: the row must belong to the boat being filled and have a free seat."""
    if own["question"] != Question.SEAT:
        return Refusal.WRONG_QUESTION
    if boat != int(own["boat"]):
        return Refusal.OTHER_BOAT
    if own["sheet"]["crossed"][boat, row] >= params["seats"][boat, row]:
        return Refusal.ROW_FULL
    return Refusal.OK


@kernel
def cross_seat(own: Record, params: Record, boat: int, row: int) -> None:
    """RS-2.2: cross the next seat of a row; RS-2.3: a royal seat may unlock a power."""
    sheet = own["sheet"]
    crossed = int(sheet["crossed"][boat, row]) + 1
    sheet["crossed"][boat, row] = crossed
    own["left"] = int(own["left"]) - 1
    if crossed == int(params["royal"][boat, row]):
        unlock(sheet, params, boat)
    if crossed == int(params["seats"][boat, row]):
        complete_row(own, params, boat, row)
    ask_for_seat(own, params)


@kernel
def complete_row(own: Record, params: Record, boat: int, row: int) -> None:
    """RS-2.3: cross the row's ticket and put its bonus at the end of the queue."""
    sheet = own["sheet"]
    sheet["tickets"][boat] = int(sheet["tickets"][boat]) + 1
    sheet["ticket_points"][boat] = int(sheet["ticket_points"][boat]) + int(params["points"][boat, row])
    own["queue"][int(own["queued"])] = boat * ROWS + row
    own["queued"] = int(own["queued"]) + 1


@kernel
def ask_for_seat(own: Record, params: Record) -> None:
    """RS-2.2, RS-2.3: ask for the next seat: dice first, then each bonus; seats beyond a full boat are lost."""
    while own["left"] == 0 or int(own["sheet"]["tickets"][int(own["boat"])]) == ROWS:
        if own["paid"] >= own["queued"]:
            own["boat"] = NO_BOAT
            own["left"] = 0
            own["question"] = Question.NONE
            return
        row = int(own["queue"][int(own["paid"])])
        own["paid"] = int(own["paid"]) + 1
        own["boat"] = params["bonus_boat"][row // ROWS, row % ROWS]
        own["left"] = params["bonus"][row // ROWS, row % ROWS]
    own["question"] = Question.SEAT


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
def unlock(sheet: Record, params: Record, boat: int) -> None:
    """RS-2.3: make a boat's royal power available if both its royal seats are crossed."""
    crossed = 0
    for row in range(ROWS):
        royal = int(params["royal"][boat, row])
        crossed += int(royal > 0 and int(sheet["crossed"][boat, row]) >= royal)
    if crossed == 2:
        sheet["power"][int(params["power"][boat])] = Charge.READY
