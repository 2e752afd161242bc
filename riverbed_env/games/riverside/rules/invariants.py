"""Invariants beyond the ranges of fields. They hold in every state that the rules can reach."""

from riverbed_env.kernels.common import between, byte_of, event_at, ring_is_sound, tally_is_sound
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import MAX_EVENTS, Worded

from .actions import NUM_ACTIONS
from .boats import dice_value, fire_cost, is_full
from .engine import lowest_seat
from .kernels import kernel
from .legality import answer_refusal
from .powers import royal_seats
from .river import open_columns, steps_to_village
from .scoring import captain_points, captain_reward, subtotal, winners
from .vocab import (
    MAX_PLACES,
    MAX_SEATS,
    MAX_VISITS,
    NO_BOAT,
    NO_DIE,
    NO_PLACE,
    NO_ROW,
    NO_TILE,
    NUM_BOATS,
    NUM_COLOURS,
    NUM_EVENTS,
    NUM_POWERS,
    NUM_ROWS,
    PIPS,
    ROWS,
    Charge,
    Ending,
    Event,
    Green,
    Phase,
    Power,
    Question,
    Refusal,
)
from .voyage import has_arrived, heated, median

BYTE = 127  # the largest byte of an event


class Violation(Worded):
    """Which invariant a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    TILES = 2, "the river's tiles aren't those in play, or its passages or distances don't match them"
    DICE = 3, "the temperature or the heated dice don't match the roll"
    SHIP = 4, "the rolls can't have brought the ship to its space"
    EVENTS = 5, "the public events don't add up"
    ROWS = 6, "a sheet's seats, tickets or symbols don't fit together"
    POWERS = 7, "a royal power and its royal seats don't agree"
    SCORES = 8, "a boat's scores don't fit together"
    SEEN = 9, "a seat's choices don't explain how its sheet changed since the phase began"
    ROUND = 10, "a seat's choices of this round contradict each other"
    QUESTIONS = 11, "a seat's question doesn't follow from its choices"
    ASKED = 12, "the waiting seats and the asked seat don't agree"
    ENDING = 13, "the end of the game and the scores don't agree"
    MASK = 14, "a seat with a question has no legal action"


@kernel
def violation(game: Record, params: Record) -> int:
    """The first invariant that a state breaks, as a Violation, or NONE. The caller has checked the fields' ranges."""
    table = game["table"]
    if not fields_agree(game):
        return Violation.RANGE
    if not tiles_laid(table, params):
        return Violation.TILES
    if int(table["temperature"]) != median(table) or int(table["heated"]) != heated(table):
        return Violation.DICE
    if not ship_sailed(table, params):
        return Violation.SHIP
    if not events_add_up(table, params):
        return Violation.EVENTS
    broken = sheets_violation(game, params)
    if broken == Violation.NONE:
        broken = choices_violation(game, params)
    if broken != Violation.NONE:
        return broken
    if not timing_fits(game, params):
        return Violation.ASKED
    if not ending_agrees(game, params):
        return Violation.ENDING
    if table["ending"] == Ending.PLAYING and not all_can_answer(game, params):
        return Violation.MASK
    return Violation.NONE


@kernel
def fields_agree(game: Record) -> bool:
    """Fields whose range depends on another field are within that range."""
    if game["timing"]["decisions"] < game["timing"]["steps"]:
        return False
    for seat in range(MAX_SEATS):
        if not choices_agree(game["private"][seat]):
            return False
    return True


@kernel
def choices_agree(own: Record) -> bool:
    """A seat's queue holds exactly `queued` rows, and only its visits have a place and points."""
    if own["paid"] > own["queued"]:
        return False
    for position in range(NUM_ROWS):
        if (own["queue"][position] != NO_ROW) != (position < own["queued"]):
            return False
    for visit in range(MAX_VISITS):
        visited = visit < own["visits"]
        if (own["place"][visit] != NO_PLACE) != visited or (own["extended"][visit] > 0 and not visited):
            return False
        for boat in range(NUM_BOATS):
            if own["points"][visit, boat] > 0 and not visited:
                return False
    return True


@kernel
def tiles_laid(table: Record, params: Record) -> bool:
    """RS-1.1: each tile in play lies at one place, and passages and distances match the tiles."""
    places = int(params["num_places"])
    laid = 0
    for place in range(MAX_PLACES):
        tile = int(table["tile"][place])
        if (place < places) != (tile != NO_TILE):
            return False
        if tile != NO_TILE:
            laid |= 1 << tile
    if laid != (1 << places) - 1 or int(table["open_columns"]) != open_columns(table, params):
        return False
    for place in range(MAX_PLACES):
        steps = 0
        if place < places:
            steps = steps_to_village(table, params, place)
        if int(table["distance"][place]) != steps:
            return False
    return True


@kernel
def ship_sailed(table: Record, params: Record) -> bool:
    """RS-2.1: the ship has sailed 1 to 6 spaces a round, and is at the anchor only when the game is over."""
    rounds = int(table["round"])
    ship = int(table["ship"])
    if rounds < 1 or ship > PIPS * rounds or has_arrived(table, params) != (table["ending"] == Ending.FINISHED):
        return False
    return rounds <= ship or has_arrived(table, params)


@kernel
def events_add_up(table: Record, params: Record) -> bool:
    """RS-5.1: the ring holds exactly the last events, and the tally counts all events."""
    if table["event_count"] < 1 or not ring_is_sound(table) or not tally_is_sound(table):
        return False
    for age in range(min(MAX_EVENTS, int(table["event_count"]))):
        if not event_in_range(event_at(table, age), params):
            return False
    return True


@kernel
def event_in_range(event: int, params: Record) -> bool:
    """RS-5.1: the fields of an event are within their ranges."""
    kind = byte_of(event, 0)
    if not between(kind, 1, NUM_EVENTS - 1):
        return False
    if kind == Event.CHOOSE and byte_of(event, 2) == 0:  # a base die has a colour
        return False
    if kind == Event.UNLOCK and not between(byte_of(event, 6), 1, NUM_POWERS):
        return False
    if byte_of(event, 1) > params["num_players"] or byte_of(event, 2) > NUM_BOATS:
        return False
    if byte_of(event, 3) > params["num_places"] or byte_of(event, 4) > BYTE or byte_of(event, 5) > 99:
        return False
    return byte_of(event, 6) <= BYTE and byte_of(event, 7) <= BYTE


@kernel
def sheets_violation(game: Record, params: Record) -> int:
    """RS-2.3, RS-2.4: the first violation within a single sheet, current or public."""
    for seat in range(MAX_SEATS):
        seated = int(seat < int(params["num_players"]))
        broken = sheet_violation(game["private"][seat]["sheet"], params, seated)
        if broken == Violation.NONE:
            broken = sheet_violation(game["sheets"][seat], params, seated)
        if broken != Violation.NONE:
            return broken
    return Violation.NONE


@kernel
def sheet_violation(sheet: Record, params: Record, seated: int) -> int:
    """RS-2.3, RS-2.4: tickets match completed rows, powers match royal seats, and scores rise."""
    crosses = 0
    for boat in range(NUM_COLOURS):
        complete = 0
        points = 0
        for row in range(ROWS):
            crosses += int(sheet["crossed"][boat, row])
            if sheet["crossed"][boat, row] == params["seats"][boat, row]:
                complete += 1
                points += int(params["points"][boat, row])
        if complete != int(sheet["tickets"][boat]) or points != int(sheet["ticket_points"][boat]):
            return Violation.ROWS
        locked = sheet["power"][int(params["power"][boat])] == Charge.LOCKED
        if locked != (royal_seats(sheet, params, boat) < 2):
            return Violation.POWERS
    points = 0
    for boat in range(NUM_BOATS):
        last = int(sheet["last"][boat])
        points += int(sheet["total"][boat])
        # Scores of a boat rise, so their sum is at most 1 + 2 + … + the last.
        if int(sheet["total"][boat]) < last or int(sheet["total"][boat]) > last * (last + 1) // 2:
            return Violation.SCORES
    if not seated and (crosses > 0 or points > 0 or sheet["fire"] > 0 or sheet["plus"] > 0):
        return Violation.ROWS
    return Violation.NONE


@kernel
def choices_violation(game: Record, params: Record) -> int:
    """RS-5.1: the first violation in a seat's choices, its question, or the changes of its sheet."""
    table = game["table"]
    for seat in range(MAX_SEATS):
        private = game["private"][seat]
        seated = seat < int(params["num_players"])
        if not powers_called(private) or not visits_fit(table, private, params) or not rows_queued(private, params):
            return Violation.ROUND
        if not seated or table["ending"] == Ending.FINISHED:
            if not is_untouched(private) or not same_sheets(private["sheet"], game["sheets"][seat]):
                return Violation.ROUND
        elif table["ending"] == Ending.TRUNCATED:
            if private["question"] != Question.NONE:
                return Violation.QUESTIONS
        elif table["phase"] == Phase.DICE:
            if not dice_question_fits(table, private, params):
                return Violation.QUESTIONS
            if not dice_made(table, private, game["sheets"][seat]):
                return Violation.SEEN
        elif not excursion_question_fits(private):
            return Violation.QUESTIONS
        elif not excursions_made(private, game["sheets"][seat]):
            return Violation.SEEN
        if not is_ahead(private["sheet"], game["sheets"][seat]):
            return Violation.SEEN
    return Violation.NONE


@kernel
def powers_called(own: Record) -> bool:
    """RS-3.1: powers called this round are used up, and the choices they allow were made."""
    power = own["sheet"]["power"]
    if own["fan"] and power[Power.FAN_BASE] != Charge.USED:
        return False
    if own["green"] == Green.WARM and power[Power.WARM_NIGHT] != Charge.USED:
        return False
    if own["die"] == NO_DIE and (own["fan"] or own["green"] != Green.WITHOUT):
        return False
    if own["speed"] > 0 and power[Power.SPEED_BOAT] != Charge.USED:
        return False
    if own["speed"] > own["visits"] + 1:
        return False
    if own["visits"] == MAX_VISITS and power[Power.EARLY_BIRDS] != Charge.USED:
        return False
    if own["prize"] == NO_BOAT:
        return bool(own["prize_visit"] == 0)
    called = own["points"][int(own["prize_visit"]), int(own["prize"])] > 0
    return bool(called and power[Power.PRIZE_TICKET] == Charge.USED)


@kernel
def visits_fit(table: Record, own: Record, params: Record) -> bool:
    """RS-2.4, RS-3.1: two visits go to different villages, and each scores only boats of its village."""
    if own["visits"] == MAX_VISITS and own["place"][0] == own["place"][1]:
        return False
    for at in range(int(own["visits"])):
        tile = int(table["tile"][int(own["place"][at])])
        for boat in range(NUM_BOATS):
            if own["points"][at, boat] > 0 and params["value"][tile, boat] == 0:
                return False
    return True


@kernel
def rows_queued(own: Record, params: Record) -> bool:
    """RS-2.3: the queued rows are complete and distinct."""
    rows = 0
    for position in range(int(own["queued"])):
        code = int(own["queue"][position])
        if (rows >> code) & 1:
            return False
        rows |= 1 << code
        if own["sheet"]["crossed"][code // ROWS, code % ROWS] != params["seats"][code // ROWS, code % ROWS]:
            return False
    return True


@kernel
def is_untouched(own: Record) -> bool:
    """RS-5.1: the seat has no choices and no question, as before a round and after the game."""
    if own["question"] != Question.NONE or own["die"] != NO_DIE or own["visits"] != 0:
        return False
    return bool(own["queued"] == 0 and own["boat"] == NO_BOAT and own["left"] == 0 and own["speed"] == 0)


@kernel
def dice_question_fits(table: Record, own: Record, params: Record) -> bool:
    """RS-2.2: the question asks for dice, then for seats of a boat that isn't full, then for nothing."""
    if own["visits"] > 0 or own["speed"] > 0:
        return False
    if own["die"] == NO_DIE:
        return bool(own["question"] == Question.DIE and own["queued"] == 0 and own["boat"] == NO_BOAT)
    if own["question"] == Question.NONE:
        return bool(own["boat"] == NO_BOAT and own["left"] == 0 and own["paid"] == own["queued"])
    if own["question"] != Question.SEAT or own["boat"] == NO_BOAT or own["left"] == 0:
        return False
    boat = int(own["die"])
    most = dice_value(table, boat, int(own["green"]), int(own["fan"]))
    if own["paid"] > 0:
        row = int(own["queue"][int(own["paid"]) - 1])
        boat = int(params["bonus_boat"][row // ROWS, row % ROWS])
        most = int(params["bonus"][row // ROWS, row % ROWS])
    return bool(own["boat"] == boat and own["left"] <= most and not is_full(own["sheet"], boat))


@kernel
def excursion_question_fits(own: Record) -> bool:
    """RS-2.4, RS-3.1: the question fits the visits, scores and powers so far."""
    if own["die"] == NO_DIE or own["boat"] != NO_BOAT or own["left"] != 0 or own["paid"] != own["queued"]:
        return False
    visits = int(own["visits"])
    question = int(own["question"])
    early = own["sheet"]["power"][Power.EARLY_BIRDS] == Charge.USED
    scored = False
    for boat in range(NUM_BOATS):
        scored = scored or (visits > 0 and own["points"][visits - 1, boat] > 0)
    if question == Question.VILLAGE:
        return bool(visits == 0 and own["speed"] == 0)
    elif question == Question.SECOND:
        return bool(visits == 1 and scored and early and own["speed"] <= 1)
    elif question == Question.FAST:
        return bool(visits < MAX_VISITS and own["speed"] == visits + 1 and (visits == 0 or (scored and early)))
    elif question == Question.SCORE:
        return bool(visits > 0 and not scored and own["speed"] <= visits)
    elif question == Question.MORE:
        return bool(visits > 0 and scored and own["speed"] <= visits)
    return question == Question.NONE and (visits == 0 or scored) and int(own["speed"]) <= visits


@kernel
def same_sheets(one: Record, other: Record) -> bool:
    """Whether two sheets are equal in all fields that `is_ahead` compares."""
    return is_ahead(one, other) and is_ahead(other, one)


@kernel
def is_ahead(sheet: Record, seen: Record) -> bool:
    """RS-5.1: a sheet includes everything on its public version; crosses and scores are never undone."""
    if sheet["fire"] > seen["fire"] or sheet["plus"] > seen["plus"]:
        return False
    for boat in range(NUM_COLOURS):
        for row in range(ROWS):
            if sheet["crossed"][boat, row] < seen["crossed"][boat, row]:
                return False
    for power in range(NUM_POWERS):
        if sheet["power"][power] < seen["power"][power]:
            return False
    for boat in range(NUM_BOATS):
        if sheet["total"][boat] < seen["total"][boat] or sheet["last"][boat] < seen["last"][boat]:
            return False
    return True


@kernel
def dice_made(table: Record, own: Record, seen: Record) -> bool:
    """RS-2.2, RS-2.3: in the dice phase the chosen dice and completed rows explain the sheet's changes."""
    sheet = own["sheet"]
    cost = 0
    value = 0
    if own["die"] != NO_DIE:
        cost = fire_cost(table, int(own["die"]), int(own["green"]))
        value = dice_value(table, int(own["die"]), int(own["green"]), int(own["fan"]))
    tickets = 0
    crosses = 0
    for boat in range(NUM_COLOURS):
        tickets += int(sheet["tickets"][boat]) - int(seen["tickets"][boat])
        for row in range(ROWS):
            crosses += int(sheet["crossed"][boat, row]) - int(seen["crossed"][boat, row])
    if int(seen["fire"]) - int(sheet["fire"]) != cost or sheet["plus"] != seen["plus"]:
        return False
    if tickets != int(own["queued"]) or crosses + int(own["left"]) > value + 2 * int(own["paid"]):
        return False
    for boat in range(NUM_BOATS):
        if sheet["total"][boat] != seen["total"][boat] or sheet["last"][boat] != seen["last"][boat]:
            return False
    return True


@kernel
def excursions_made(own: Record, seen: Record) -> bool:
    """RS-2.4: in the excursion phase this round's visits explain the sheet's changes."""
    sheet = own["sheet"]
    if sheet["fire"] != seen["fire"]:
        return False
    if int(seen["plus"]) - int(sheet["plus"]) != int(own["extended"][0]) + int(own["extended"][1]):
        return False
    for boat in range(NUM_COLOURS):
        if sheet["tickets"][boat] != seen["tickets"][boat]:
            return False
        for row in range(ROWS):
            if sheet["crossed"][boat, row] != seen["crossed"][boat, row]:
                return False
    for boat in range(NUM_BOATS):
        first = int(own["points"][0, boat])
        second = int(own["points"][1, boat])
        last = max(int(seen["last"][boat]), first, second)
        if int(sheet["total"][boat]) - int(seen["total"][boat]) != first + second or int(sheet["last"][boat]) != last:
            return False
        if (first > 0 and first <= int(seen["last"][boat])) or (second > 0 and second != last) or second == first > 0:
            return False
    return True


@kernel
def timing_fits(game: Record, params: Record) -> bool:
    """RS-5.1: waiting seats have a question, the lowest one is asked, and a seat waits exactly until the end."""
    waiting = int(game["timing"]["waiting"])
    playing = game["table"]["ending"] == Ending.PLAYING
    if (game["table"]["phase"] == Phase.OVER) == playing or (waiting != 0) != playing:
        return False
    if int(game["timing"]["asked"]) != lowest_seat(waiting):
        return False
    for seat in range(int(params["num_players"])):
        if (waiting >> seat) & 1 and game["private"][seat]["question"] == Question.NONE:
            return False
    return bool((game["timing"]["steps"] < params["max_steps"]) or not playing)


@kernel
def ending_agrees(game: Record, params: Record) -> bool:
    """RS-4.1: final scores follow from the sheets and winners from the scores; before the end all are 0."""
    table = game["table"]
    finished = table["ending"] == Ending.FINISHED
    if table["ending"] == Ending.TRUNCATED and game["timing"]["steps"] != params["max_steps"]:
        return False
    for seat in range(MAX_SEATS):
        captain = 0
        if finished and seat < int(params["num_players"]):
            captain = captain_points(game["private"][seat]["sheet"])
        if int(table["captain"][seat]) != captain:
            return False
    for seat in range(MAX_SEATS):
        final = 0
        if finished and seat < int(params["num_players"]):
            final = subtotal(game["private"][seat]["sheet"]) + captain_reward(table, params, seat)
        if int(table["final"][seat]) != final:
            return False
    return int(table["winners"]) == (winners(table, params) if finished else 0)


@kernel
def all_can_answer(game: Record, params: Record) -> bool:
    """RS-2.2, RS-2.4: every seat with a question has a legal action."""
    for seat in range(int(params["num_players"])):
        private = game["private"][seat]
        if private["question"] != Question.NONE:
            action = 1
            while action < NUM_ACTIONS and answer_refusal(game["table"], private, params, action) != Refusal.OK:
                action += 1
            if action == NUM_ACTIONS:
                return False
    return True
