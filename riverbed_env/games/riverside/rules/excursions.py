"""RS-2.4 and RS-3.1, phase 3: villages in range, their scores, and the powers used on excursions."""

from riverbed_env.kernels.compile import Record

from . import kernel
from . import vocab as v
from .boats import power_refusal, use_power


@kernel
def own_range(own: Record, fast: int) -> int:
    """RS-2.4: the seat's range this round with the +1 symbols crossed so far; `fast` 1 assumes Speed boat."""
    reach = v.RANGE
    if fast or own["speed"] > 0:
        reach = v.SPEED_RANGE
    return reach + int(own["extended"][0]) + int(own["extended"][1])


@kernel
def missing_range(table: Record, own: Record, place: int, fast: int) -> int:
    """RS-2.4: the +1 symbols a village still costs; RS-3.1: symbols crossed this round also count for a second one.

    `fast` 1 assumes Speed boat, called or not.
    """
    return max(0, int(table["distance"][place]) - own_range(own, fast))


@kernel
def excursion_points(own: Record, params: Record, tile: int, boat: int, prize: int) -> int:
    """RS-2.4: a village's value times the boat's tickets (a stave church: all tickets); RS-3.1: plus the prize ticket.

    `prize` 1 assumes that the seat calls the prize ticket for this boat now.
    """
    sheet = own["sheet"]
    tickets = 0
    if boat == v.CHURCH:
        for colour in range(v.NUM_COLOURS):
            tickets += int(sheet["tickets"][colour])
    else:
        tickets = int(sheet["tickets"][boat])
    if prize or own["prize"] == boat:
        tickets += 1
    return int(params["value"][tile, boat]) * tickets


@kernel
def worth_refusal(own: Record, params: Record, tile: int, boat: int, prize: int) -> int:
    """RS-2.4: a score must exceed the boat's last one and 0; RS-3.1: the prize ticket can be called once."""
    if params["value"][tile, boat] == 0:
        return v.Refusal.OTHER_COLOUR
    if prize:
        refused = power_refusal(own, v.Power.PRIZE_TICKET)
        if refused != v.Refusal.OK:
            return refused
    if excursion_points(own, params, tile, boat, prize) <= int(own["sheet"]["last"][boat]):
        return v.Refusal.NOT_HIGHER
    return v.Refusal.OK


@kernel
def can_score_at(own: Record, params: Record, tile: int) -> bool:
    """RS-2.4: whether any boat can score in a tile's village, with or without the prize ticket."""
    for boat in range(v.NUM_BOATS):
        for prize in range(2):
            if worth_refusal(own, params, tile, boat, prize) == v.Refusal.OK:
                return True
    return False


@kernel
def place_refusal(table: Record, own: Record, params: Record, place: int, fast: int) -> int:
    """RS-2.4: the village must be in range and let a boat score; RS-3.1: a second one must differ from the first."""
    tile = int(table["tile"][place])
    if tile == v.NO_TILE:
        return v.Refusal.NO_VILLAGE
    if place == int(own["place"][0]):
        return v.Refusal.SAME_VILLAGE
    if missing_range(table, own, place, fast) > int(own["sheet"]["plus"]):
        return v.Refusal.OUT_OF_REACH
    if not can_score_at(own, params, tile):
        return v.Refusal.NOTHING_TO_SCORE
    return v.Refusal.OK


@kernel
def stay_refusal(own: Record) -> int:
    """RS-2.4: an excursion is optional; RS-3.1: it is mandatory after Speed boat or Early birds."""
    question = int(own["question"])
    if question == v.Question.SECOND or question == v.Question.FAST:
        return v.Refusal.MUST_VISIT
    if question != v.Question.VILLAGE:
        return v.Refusal.WRONG_QUESTION
    return v.Refusal.OK


@kernel
def speed_refusal(table: Record, own: Record, params: Record) -> int:
    """RS-3.1: Speed boat is called before a visit, if it brings a village into range or saves a +1 symbol."""
    question = int(own["question"])
    if question != v.Question.VILLAGE and question != v.Question.SECOND:
        return v.Refusal.WRONG_QUESTION
    refused = power_refusal(own, v.Power.SPEED_BOAT)
    if refused != v.Refusal.OK:
        return refused
    for place in range(v.MAX_PLACES):
        if place_refusal(table, own, params, place, 1) == v.Refusal.OK:
            if missing_range(table, own, place, 0) > 0:
                return v.Refusal.OK
    return v.Refusal.SPEED_USELESS


@kernel
def call_speed(own: Record) -> None:
    """RS-3.1: set the range to 6 for the rest of this round and ask for a village."""
    use_power(own, v.Power.SPEED_BOAT)
    own["speed"] = 1 + int(own["visits"])
    own["question"] = v.Question.FAST


@kernel
def early_refusal(table: Record, own: Record, params: Record) -> int:
    """RS-3.1: Early birds is called after a first excursion, if a second village can be scored.

    An available Speed boat counts: the seat may use it to reach that village.
    """
    if own["question"] != v.Question.MORE:
        return v.Refusal.WRONG_QUESTION
    refused = power_refusal(own, v.Power.EARLY_BIRDS)
    if refused != v.Refusal.OK:
        return refused
    fast = int(power_refusal(own, v.Power.SPEED_BOAT) == v.Refusal.OK)
    for place in range(v.MAX_PLACES):
        if place_refusal(table, own, params, place, fast) == v.Refusal.OK:
            return v.Refusal.OK
    return v.Refusal.NO_SECOND_VILLAGE


@kernel
def call_early(own: Record) -> None:
    """RS-3.1: use Early birds and ask for a second village."""
    use_power(own, v.Power.EARLY_BIRDS)
    own["question"] = v.Question.SECOND


@kernel
def visit(table: Record, own: Record, place: int) -> None:
    """RS-2.4: visit a village, and cross as few +1 symbols as the distance requires."""
    visits = int(own["visits"])
    extended = missing_range(table, own, place, 0)
    own["sheet"]["plus"] = int(own["sheet"]["plus"]) - extended
    own["extended"][visits] = extended
    own["place"][visits] = place
    own["visits"] = visits + 1
    own["question"] = v.Question.SCORE


@kernel
def visited_place(own: Record) -> int:
    """RS-2.4: the place of the current visit, NO_PLACE before the first."""
    visits = int(own["visits"])
    if visits == 0:
        return v.NO_PLACE
    return int(own["place"][visits - 1])


@kernel
def score_refusal(table: Record, own: Record, params: Record, boat: int, prize: int) -> int:
    """RS-2.4: each boat may score once per visit, in any order; RS-3.1: with or without the prize ticket."""
    if own["question"] != v.Question.SCORE and own["question"] != v.Question.MORE:
        return v.Refusal.WRONG_QUESTION
    if own["points"][int(own["visits"]) - 1, boat] != 0:
        return v.Refusal.SCORED_HERE
    return worth_refusal(own, params, int(table["tile"][visited_place(own)]), boat, prize)


@kernel
def score(table: Record, own: Record, params: Record, boat: int, prize: int) -> None:
    """RS-2.4: write the score, then ask again if the seat has another choice."""
    sheet = own["sheet"]
    at = int(own["visits"]) - 1
    points = excursion_points(own, params, int(table["tile"][visited_place(own)]), boat, prize)
    if prize:
        use_power(own, v.Power.PRIZE_TICKET)
        own["prize"] = boat
        own["prize_visit"] = at
    own["points"][at, boat] = points
    sheet["last"][boat] = points
    sheet["total"][boat] += points
    own["question"] = v.Question.MORE
    if not has_more(table, own, params):
        own["question"] = v.Question.NONE


@kernel
def has_more(table: Record, own: Record, params: Record) -> bool:
    """RS-2.4, RS-3.1: whether the seat has another choice than DONE."""
    for boat in range(v.NUM_BOATS):
        for prize in range(2):
            if score_refusal(table, own, params, boat, prize) == v.Refusal.OK:
                return True
    return early_refusal(table, own, params) == v.Refusal.OK


@kernel
def finish_phase(own: Record) -> None:
    """RS-2.4: the seat makes no more choices in this phase."""
    own["question"] = v.Question.NONE
