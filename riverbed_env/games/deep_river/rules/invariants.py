"""What a state must fulfil beyond the ranges of its fields, so that it can be played to its end."""

import numpy as np

from riverbed_env.kernels.common import ring_is_sound
from riverbed_env.kernels.compile import Record, Records
from riverbed_env.kernels.records import Bools
from riverbed_env.kernels.vocab import Worded

from . import kernel
from . import vocab as v
from .fish import first_place, movable, standing_places
from .state import LIMITS, direction, shown_face
from .tiles import has_target, piles, single_pawns


class Violation(Worded):
    """Which law a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    EVENTS = 2, "the events don't fit together"
    PAWNS = 3, "a side doesn't have five pawns, or a pile isn't one pawn of each side"
    ASKED = 4, "what is asked doesn't fit the turn under way"
    CHOICES = 5, "the choices aren't those that the question allows"


def pawns_conserved(games: Records, params: Records) -> Bools:
    """DR-1.2: each side has five pawns; DR-2.3: they stand in slots of tiles, and only rivals under pawns."""
    table, top, under = games["table"], games["table"]["top"], games["table"]["under"]
    place = np.arange(v.NUM_SLOTS) - v.SLOT_OF_TILE[v.TILE_OF_SLOT]
    inside = (top == 0) | (place < params["slots"][0, v.TILE_OF_SLOT])
    fits = (inside & ((under == 0) | (top * under < 0))).all(axis=1)
    pawns = np.column_stack([table["moving"], top, under])
    for seat, own in enumerate((pawns > 0, pawns < 0)):
        fits &= own.sum(axis=1) + table["nest"][:, seat].sum(axis=1) == v.NUM_FISH
    return np.asarray(fits)


LAWS = ((Violation.PAWNS, pawns_conserved),)


@kernel
def violation(game: Record, params: Record) -> int:
    """What else a state breaks, as a Violation; NONE if it breaks nothing. It keeps all LAWS."""
    table = game["table"]
    if not ring_is_sound(table, v.NUM_SEATS, 1, LIMITS):
        return Violation.EVENTS
    if not question_fits(table):
        return Violation.ASKED
    if table["ending"] == v.Ending.PLAYING and not choices_right(table, params):
        return Violation.CHOICES
    return Violation.NONE


@kernel
def question_fits(table: Record) -> bool:
    """DR-2: the active side is asked while playing, nobody afterwards; a token and a pawn are in use or not."""
    question = int(table["question"])
    if table["ending"] != v.Ending.PLAYING:
        return bool(question == v.Question.NONE and table["asked"] == v.NOBODY)
    if question == v.Question.NONE or table["asked"] != table["active"] or table["winner"] != v.Camp.NONE:
        return False
    standing = (table["moving"] != 0) == (question == v.Question.STAND)
    return bool(standing and (table["token"] != v.NO_TOKEN) == (question != v.Question.TOKEN))


@kernel
def choices_right(table: Record, params: Record) -> bool:
    """Whether the choices are those that the question allows in this position, and there are some."""
    question = int(table["question"])
    seat = int(table["active"])
    places = 0
    tokens = 0
    if question == v.Question.TOKEN:
        tokens = v.ALL_TOKENS & ~int(table["barred"])
    elif question == v.Question.TILT:
        tokens = v.ALL_TOKENS & ~int(table["tilted"])
        if tokens & (tokens - 1) == 0:  # DR-3.1: one is left to the rival
            return False
    elif question == v.Question.FISH:
        places = movable(table, seat)
    elif question == v.Question.STAND:
        slot = first_place(int(table["places"])) - v.FIRST_SLOT
        if int(table["moving"]) * direction(seat) <= 0 or slot < 0:
            return False
        places = standing_places(table, params, seat, int(v.TILE_OF_SLOT[slot]), False)
    elif question == v.Question.PILE:
        places = piles(table)
    elif question == v.Question.PAWN:
        places = single_pawns(table, seat)
    elif question == v.Question.DOUBLE:
        return table["places"] == 0 and table["tokens"] == 0 and single_pawns(table, seat) != 0
    else:
        slot = int(table["arrived"]) - v.FIRST_SLOT
        if table["places"] != 0 or table["tokens"] != 0 or slot < 0 or shown_face(table, seat, slot) <= 0:
            return False
        return has_target(table, slot + v.FIRST_SLOT)
    return bool(table["places"] == places and table["tokens"] == tokens and places | tokens != 0)
