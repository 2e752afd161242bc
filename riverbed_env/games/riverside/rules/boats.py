"""RS-2.2 and RS-2.3, phase 2: dice are chosen, seats crossed, rows completed and their bonuses crossed in turn."""

from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .powers import power_refusal, unlock, use_power
from .vocab import FAN_SEATS, GREEN, NO_BOAT, ROWS, Power, Question, Refusal
from .vocab import Green as Added


@kernel
def fire_cost(table: Record, colour: int, green: int) -> int:
    """RS-2.2: the pips of each heated die chosen; RS-3.1: on Warm night the green die costs nothing."""
    cost = 0
    if (int(table["heated"]) >> colour) & 1:
        cost += int(table["dice"][colour])
    if green == Added.WITH:
        cost += int(table["dice"][GREEN])
    return cost


@kernel
def dice_value(table: Record, colour: int, green: int, fan: int) -> int:
    """RS-2.2: the pips of the chosen dice; RS-3.1: and 3 more on Fan base."""
    value = int(table["dice"][colour]) + FAN_SEATS * fan
    if green != Added.WITHOUT:
        value += int(table["dice"][GREEN])
    return value


@kernel
def die_refusal(table: Record, own: Record, colour: int, green: int, fan: int) -> int:
    """RS-2.2: a base die, with or without the green one, whose fire can be paid; RS-3.1: on powers at hand."""
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
    """RS-2.2: the fire is paid in full, and the boat of the base die's colour is to be filled."""
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
    """RS-2.2: any row of the boat being filled that has a seat left."""
    if own["question"] != Question.SEAT:
        return Refusal.WRONG_QUESTION
    if boat != int(own["boat"]):
        return Refusal.OTHER_BOAT
    if own["sheet"]["crossed"][boat, row] >= params["seats"][boat, row]:
        return Refusal.ROW_FULL
    return Refusal.OK


@kernel
def cross_seat(own: Record, params: Record, boat: int, row: int) -> None:
    """RS-2.2: the next seat of a row is crossed; RS-2.3: a royal seat may make a power available."""
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
    """RS-2.3: the row's ticket is crossed, and its bonus waits behind those of the rows completed before."""
    sheet = own["sheet"]
    sheet["tickets"][boat] = int(sheet["tickets"][boat]) + 1
    sheet["ticket_points"][boat] = int(sheet["ticket_points"][boat]) + int(params["points"][boat, row])
    own["queue"][int(own["queued"])] = boat * ROWS + row
    own["queued"] = int(own["queued"]) + 1


@kernel
def is_full(sheet: Record, boat: int) -> bool:
    """RS-2.2: whether all rows of a boat are completed."""
    return int(sheet["tickets"][boat]) == ROWS


@kernel
def ask_for_seat(own: Record, params: Record) -> None:
    """RS-2.2, RS-2.3: ask for the next seat, of the dice first, then of each bonus; a full boat loses the rest."""
    while own["left"] == 0 or is_full(own["sheet"], int(own["boat"])):
        if own["paid"] == own["queued"]:
            own["boat"] = NO_BOAT
            own["left"] = 0
            own["question"] = Question.NONE
            return
        row = int(own["queue"][int(own["paid"])])
        own["paid"] = int(own["paid"]) + 1
        own["boat"] = params["bonus_boat"][row // ROWS, row % ROWS]
        own["left"] = params["bonus"][row // ROWS, row % ROWS]
    own["question"] = Question.SEAT
