"""What a state must fulfil beyond the ranges of its fields, so that it can be played to its end."""

from riverbed_env.kernels.common import events_are_sound
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import Worded

from . import kernel
from . import vocab as v
from .engine import lowest_seat
from .legality import answer_refusal, first_answer, past_answers
from .river import open_columns, steps_to_village


class Violation(Worded):
    """Which law a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    EVENTS = 2, "the public events don't add up"
    TILES = 3, "the river's tiles aren't those in play, or its passages or distances don't match them"
    SHEETS = 4, "a sheet's tickets don't match its completed rows"
    CHOICES = 5, "a seat's choices of this round contradict each other or its question"
    ASKED = 6, "the waiting seats and the asked seat don't agree"
    MASK = 7, "a seat with a question has no legal action"


LIMITS = v.EVENTS.limits()


@kernel
def violation(game: Record, params: Record) -> int:
    """The first law that a state breaks, as a Violation; NONE if it breaks none. All fields must be in range."""
    table = game["table"]
    if not events_are_sound(table, int(params["num_players"]), 1, LIMITS):
        return Violation.EVENTS
    if not tiles_laid(table, params):
        return Violation.TILES
    for seat in range(v.MAX_SEATS):
        private = game["private"][seat]
        if not tickets_add_up(game["sheets"][seat], params) or not tickets_add_up(private["sheet"], params):
            return Violation.SHEETS
        if not rows_queued(private) or not visits_fit(private) or not question_fits(table, private):
            return Violation.CHOICES
    if not timing_fits(game, params):
        return Violation.ASKED
    if table["ending"] == v.Ending.PLAYING and not all_can_answer(game, params):
        return Violation.MASK
    return Violation.NONE


@kernel
def tiles_laid(table: Record, params: Record) -> bool:
    """RS-1.1: each tile in play lies at one place; RS-2.4: passages and distances match the tiles."""
    places = int(params["num_places"])
    laid = 0
    for place in range(v.MAX_PLACES):
        tile = int(table["tile"][place])
        if (place < places) != (tile != v.NO_TILE):
            return False
        if tile != v.NO_TILE:
            laid |= 1 << tile
    if laid != (1 << places) - 1 or int(table["open_columns"]) != open_columns(table, params):
        return False
    for place in range(places):
        if int(table["distance"][place]) != steps_to_village(table, params, place):
            return False
    return True


@kernel
def tickets_add_up(sheet: Record, params: Record) -> bool:
    """RS-2.3: the tickets and their points are those of the completed rows."""
    for boat in range(v.NUM_COLOURS):
        complete = 0
        points = 0
        for row in range(v.ROWS):
            if sheet["crossed"][boat, row] == params["seats"][boat, row]:
                complete += 1
                points += int(params["points"][boat, row])
        if complete != int(sheet["tickets"][boat]) or points != int(sheet["ticket_points"][boat]):
            return False
    return True


@kernel
def rows_queued(own: Record) -> bool:
    """RS-2.3: the queue holds rows up to its size, no more than are completed, and none was paid beyond them."""
    tickets = 0
    for boat in range(v.NUM_COLOURS):
        tickets += int(own["sheet"]["tickets"][boat])
    for position in range(v.NUM_ROWS):
        if (own["queue"][position] != v.NO_ROW) != (position < own["queued"]):
            return False
    return bool(own["paid"] <= own["queued"] <= tickets)


@kernel
def visits_fit(own: Record) -> bool:
    """RS-2.4: exactly the visits have a place, and no others points; RS-3.1: two need Early birds."""
    for visit in range(v.MAX_VISITS):
        visited = visit < own["visits"]
        if (own["place"][visit] != v.NO_PLACE) != visited:
            return False
        for boat in range(v.NUM_BOATS):
            if own["points"][visit, boat] > 0 and not visited:
                return False
    return bool(own["visits"] < v.MAX_VISITS or own["sheet"]["power"][v.Power.EARLY_BIRDS] == v.Charge.USED)


@kernel
def question_fits(table: Record, own: Record) -> bool:
    """RS-2.2, RS-2.4, RS-3.1: a question belongs to the phase and to the choices before it."""
    question = int(own["question"])
    visits = int(own["visits"])
    if question == v.Question.NONE:
        return bool(table["phase"] != v.Phase.DICE or table["ending"] != v.Ending.PLAYING or visits == 0)
    elif question == v.Question.DIE:
        return bool(table["phase"] == v.Phase.DICE and visits == 0)
    elif question == v.Question.SEAT:
        seating = own["die"] != v.NO_DIE and own["boat"] != v.NO_BOAT and own["left"] > 0
        return bool(table["phase"] == v.Phase.DICE and visits == 0 and seating)
    elif table["phase"] != v.Phase.EXCURSIONS:
        return False
    elif question == v.Question.VILLAGE:
        return visits == 0
    elif question == v.Question.SECOND:
        return visits == 1
    elif question == v.Question.FAST:
        return visits < v.MAX_VISITS
    return visits > 0


@kernel
def timing_fits(game: Record, params: Record) -> bool:
    """RS-5.1: waiting seats have a question, the lowest one is asked, and a seat waits exactly until the end."""
    table = game["table"]
    waiting = int(game["timing"]["waiting"])
    playing = table["ending"] == v.Ending.PLAYING
    if (table["phase"] == v.Phase.OVER) == playing or (waiting != 0) != playing:
        return False
    if not playing:
        return bool(game["timing"]["asked"] == lowest_seat(0))
    for seat in range(int(params["num_players"])):
        private = game["private"][seat]
        if (waiting >> seat) & 1 and private["question"] == v.Question.NONE:
            return False
        if table["phase"] == v.Phase.DICE and private["question"] == v.Question.NONE and private["die"] == v.NO_DIE:
            return False
    asked = game["timing"]["asked"] == lowest_seat(waiting) and table["winners"] == 0
    return bool(asked and game["timing"]["steps"] < params["max_steps"])


@kernel
def all_can_answer(game: Record, params: Record) -> bool:
    """RS-2.2, RS-2.4: every seat with a question has a legal action."""
    for seat in range(int(params["num_players"])):
        private = game["private"][seat]
        able = private["question"] == v.Question.NONE
        for action in range(first_answer(private), past_answers(private)):
            able = able or answer_refusal(game["table"], private, params, action) == v.Refusal.OK
        if not able:
            return False
    return True
