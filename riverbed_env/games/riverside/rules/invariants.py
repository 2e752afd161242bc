"""What a state must fulfil beyond the ranges of its fields, so that it can be played to its end."""

import numpy as np

from riverbed_env.kernels.common import events_are_sound
from riverbed_env.kernels.compile import Record, Records
from riverbed_env.kernels.records import Bools
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
# How often a seat has gone to a village when it is asked this, by Question, in the phase of excursions.
LEAST_VISITS = (0, 1, 1, 0, 1, 0, 1, 1)
MOST_VISITS = (2, 0, 0, 0, 1, 1, 2, 2)


def tickets_add_up(games: Records, params: Records) -> Bools:
    """RS-2.3: the tickets and their points are those of the completed rows."""
    sheets = np.concatenate([games["sheets"], games["private"]["sheet"]], axis=1)
    complete = sheets["crossed"] == params["seats"]
    tickets = complete.sum(axis=3) == sheets["tickets"]
    points = (complete * params["points"]).sum(axis=3) == sheets["ticket_points"]
    return np.asarray((tickets & points).all(axis=(1, 2)))


LAWS = ((Violation.SHEETS, tickets_add_up),)


@kernel
def violation(game: Record, params: Record) -> int:
    """What else a state breaks, as a Violation; NONE if it breaks nothing. It keeps all LAWS."""
    table = game["table"]
    if not events_are_sound(table, int(params["num_players"]), 1, LIMITS):
        return Violation.EVENTS
    if not tiles_laid(table, params):
        return Violation.TILES
    for seat in range(v.MAX_SEATS):
        own = game["private"][seat]
        if seat >= int(params["num_players"]) and own["question"] != v.Question.NONE:
            return Violation.CHOICES
        if seat < int(params["num_players"]) and table["ending"] == v.Ending.PLAYING:
            if not choices_fit(table, own):
                return Violation.CHOICES
            if own["question"] != v.Question.NONE and not can_answer(table, own, params):
                return Violation.MASK
    if not timing_fits(game):
        return Violation.ASKED
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
def choices_fit(table: Record, own: Record) -> bool:
    """RS-2.2, RS-2.4, RS-3.1: a question belongs to the phase and to the choices before it, which leave room for more.

    RS-2.3: no more rows are queued than are completed.
    """
    question = int(own["question"])
    visits = int(own["visits"])
    tickets = 0
    for boat in range(v.NUM_COLOURS):
        tickets += int(own["sheet"]["tickets"][boat])
    if int(own["queued"]) > tickets:
        return False
    for visit in range(visits, v.MAX_VISITS):
        for boat in range(v.NUM_BOATS):
            if own["points"][visit, boat] > 0:
                return False
    if table["phase"] == v.Phase.DICE:
        chosen = own["die"] != v.NO_DIE and (question == v.Question.NONE or question == v.Question.SEAT)
        seating = question != v.Question.SEAT or (own["boat"] != v.NO_BOAT and own["left"] > 0)
        return bool(visits == 0 and seating and (chosen or question == v.Question.DIE))
    if visits == v.MAX_VISITS and own["sheet"]["power"][v.Power.EARLY_BIRDS] != v.Charge.USED:
        return False
    return LEAST_VISITS[question] <= visits <= MOST_VISITS[question]


@kernel
def can_answer(table: Record, own: Record, params: Record) -> bool:
    """RS-2.2, RS-2.4: a seat with a question has a legal action."""
    for action in range(first_answer(own), past_answers(own)):
        if answer_refusal(table, own, params, action) == v.Refusal.OK:
            return True
    return False


@kernel
def timing_fits(game: Record) -> bool:
    """RS-5.1: waiting seats have a question, the lowest one is asked, and a seat waits exactly until the end."""
    table = game["table"]
    waiting = int(game["timing"]["waiting"])
    playing = table["ending"] == v.Ending.PLAYING
    if (table["phase"] == v.Phase.OVER) == playing or (waiting != 0) != playing:
        return False
    for seat in range(v.MAX_SEATS):
        if (waiting >> seat) & 1 and game["private"][seat]["question"] == v.Question.NONE:
            return False
    return bool(game["timing"]["asked"] == lowest_seat(waiting) and (table["winners"] == 0 or not playing))
