"""What a state must fulfil beyond the ranges of its fields, so that it can be played to its end."""

import numpy as np

from riverbed_env.kernels.common import ring_is_sound
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import Worded

from . import kernel
from . import vocab as v
from .fish import first_place, movable, standing_places
from .state import direction, shown_face
from .tiles import has_target, piles, single_pawns


class Violation(Worded):
    """Which law a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    EVENTS = 2, "the events don't fit together"
    PAWNS = 3, "a side doesn't have five pawns, or a pile isn't one pawn of each side"
    TILES = 4, "the river's tiles aren't those of the pack"
    ASKED = 5, "what is asked doesn't fit the turn under way"
    CHOICES = 6, "the choices aren't those that the question allows"


LIMITS = v.EVENTS.limits()


@kernel
def violation(game: Record, params: Record) -> int:
    """The first law that a state breaks, as a Violation; NONE if it breaks none. All fields must be in range."""
    table = game["table"]
    if not ring_is_sound(table, v.NUM_SEATS, 1, LIMITS):
        return Violation.EVENTS
    if not pawns_conserved(table, params):
        return Violation.PAWNS
    if not tiles_laid(table, params):
        return Violation.TILES
    if not question_fits(table):
        return Violation.ASKED
    if table["ending"] == v.Ending.PLAYING and not choices_right(table, params):
        return Violation.CHOICES
    return Violation.NONE


@kernel
def pawns_conserved(table: Record, params: Record) -> bool:
    """DR-1.2: each side has five pawns; DR-2.3: they stand in slots of tiles, and only rivals under pawns."""
    for slot in range(v.NUM_SLOTS):
        top = int(table["top"][slot])
        under = int(table["under"][slot])
        tile = int(v.TILE_OF_SLOT[slot])
        if under != 0 and top * under >= 0:
            return False
        if top != 0 and slot - int(v.SLOT_OF_TILE[tile]) >= params["slots"][tile]:
            return False
    for seat in range(v.NUM_SEATS):
        total = int(table["nest"][seat, 0]) + int(table["nest"][seat, 1])
        total += int(int(table["moving"]) * direction(seat) > 0)
        for slot in range(v.NUM_SLOTS):
            total += int(int(table["top"][slot]) * direction(seat) > 0)
            total += int(int(table["under"][slot]) * direction(seat) > 0)
        if total != v.NUM_FISH:
            return False
    return True


@kernel
def tiles_laid(table: Record, params: Record) -> bool:
    """DR-1.1: the double tile is in the middle, and the others are the pack's or the pinned ones."""
    left = np.zeros(1 + v.NUM_TILES, np.int64)  # of each Tile
    for place in range(v.NUM_TILES - 1):
        left[int(params["small_tiles"][place])] += 1
    for station in range(1, v.NUM_TILES + 1):
        tile = int(table["tile"][station])
        pinned = int(params["pinned_tile"][station])
        if (tile == v.Tile.DOUBLE) != (station == v.DOUBLE_TILE) or (pinned != v.NOT_PINNED and tile != pinned):
            return False
        left[tile] -= 1
        if pinned == v.NOT_PINNED and station != v.DOUBLE_TILE and left[tile] < 0:
            return False
    return True


@kernel
def question_fits(table: Record) -> bool:
    """DR-2: the active side is asked while playing, nobody afterwards; a token and a pawn are in use or not."""
    question = int(table["question"])
    if table["ending"] != v.Ending.PLAYING:
        closed = question == v.Question.NONE and table["places"] == 0 and table["tokens"] == 0
        return bool(closed and table["asked"] == v.NOBODY and table["moving"] == 0)
    if question == v.Question.NONE or table["asked"] != table["active"] or table["winner"] != v.Camp.NONE:
        return False
    standing = question == v.Question.STAND
    if (table["moving"] != 0) != standing or (table["lifted"] != v.NO_PLACE) != standing:
        return False
    return bool((table["token"] != v.NO_TOKEN) == (question != v.Question.TOKEN))


@kernel
def choices_right(table: Record, params: Record) -> bool:
    """Whether the choices are those that the question allows in this position, and there are some."""
    question = int(table["question"])
    places = int(table["places"])
    tokens = int(table["tokens"])
    singles = single_pawns(table, int(table["active"]))
    if question == v.Question.TOKEN:
        return places == 0 and tokens == v.ALL_TOKENS & ~int(table["barred"])
    elif question == v.Question.TILT:
        left = v.ALL_TOKENS & ~int(table["tilted"])
        return places == 0 and tokens == left and left & (left - 1) != 0
    elif tokens != 0:
        return False
    elif question == v.Question.FISH:
        return places != 0 and places == movable(table, int(table["active"]))
    elif question == v.Question.STAND:
        return stands_right(table, params)
    elif question == v.Question.PILE:
        return places != 0 and places == piles(table)
    elif question == v.Question.PAWN:
        return places != 0 and places == singles
    elif question == v.Question.DOUBLE:
        return places == 0 and singles != 0
    arrived = int(table["arrived"])
    if places != 0 or arrived < v.FIRST_SLOT or shown_face(table, int(table["active"]), arrived - v.FIRST_SLOT) <= 0:
        return False
    return has_target(table, arrived)


@kernel
def stands_right(table: Record, params: Record) -> bool:
    """DR-2.3: whether the pawn in the hand is the mover's and may stand in several places of one tile."""
    places = int(table["places"])
    if int(table["moving"]) * direction(int(table["active"])) <= 0 or places & (places - 1) == 0:
        return False
    slot = first_place(places) - v.FIRST_SLOT
    if slot < 0:
        return False
    return places == standing_places(table, params, int(table["active"]), int(v.TILE_OF_SLOT[slot]), False)
