"""Invariants beyond the ranges of single fields: what holds in every state that the rules can reach."""

from riverbed_env.kernels.common import between, event_at, ring_is_sound
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import MAX_EVENTS, Worded

from .fish import first_place, movable, standing_places
from .kernels import kernel
from .record import event_field
from .river import direction, in_nest, shown_face
from .tiles import has_target, piles, single_pawns, tile_at
from .turn import tokens_at_end
from .vocab import (
    ALL_TOKENS,
    DOUBLE_TILE,
    EEL_NEST,
    FIRST_SLOT,
    NO_PLACE,
    NO_TOKEN,
    NOBODY,
    NOT_PINNED,
    NUM_DEEDS,
    NUM_EVENTS,
    NUM_FACES,
    NUM_FISH,
    NUM_PLACES,
    NUM_SEATS,
    NUM_SLOTS,
    NUM_TILES,
    NUM_TOKENS,
    SLOT_OF_TILE,
    TILE_OF_SLOT,
    Camp,
    Ending,
    Event,
    Face,
    Load,
    Purpose,
    Question,
    Tile,
)

# Bounds on what happens in one turn, so that no counter can overflow. Each use of the double tile moves a pawn on, so
# it can repeat at most five times for each of two fish.
DECISIONS_A_TURN = 64
EVENTS_A_TURN = 128
DEEDS_A_TURN = 32


class Violation(Worded):
    """Which invariant a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    EVENTS = 2, "the events don't fit together"
    PAWNS = 3, "a side doesn't have five pawns"
    PILES = 4, "a pile isn't one pawn of each side"
    TILES = 5, "the river's tiles aren't those of the pack"
    TOKENS = 6, "the tokens' progress doesn't match the number of turns"
    TURN = 7, "the active side or its token doesn't match the turn"
    ENDING = 8, "the ending doesn't match the bear and the tokens"
    ASKED = 9, "not exactly one seat is asked"
    UNDER_WAY = 10, "the fields of the action in progress don't fit together"
    CHOICES = 11, "the choices aren't those that the question allows"


@kernel
def violation(game: Record, params: Record) -> int:
    """The first invariant that a state breaks, as a Violation, or NONE. Every field must be in its own range."""
    table = game["table"]
    if not fields_agree(table):
        return Violation.RANGE
    if not events_fit(table):
        return Violation.EVENTS
    if not pawns_conserved(table):
        return Violation.PAWNS
    if not piles_mixed(table, params):
        return Violation.PILES
    if not tiles_laid(table, params):
        return Violation.TILES
    if not tokens_agree(table):
        return Violation.TOKENS
    if not turn_agrees(table, params):
        return Violation.TURN
    if not ending_agrees(table, params):
        return Violation.ENDING
    if not one_seat_asked(table):
        return Violation.ASKED
    if not under_way_fits(table, params):
        return Violation.UNDER_WAY
    if table["ending"] == Ending.PLAYING and not choices_right(table, params):
        return Violation.CHOICES
    return Violation.NONE


@kernel
def fields_agree(table: Record) -> bool:
    """Whether the fields whose range depends on another field are within it."""
    turn = int(table["turn"])
    if table["decisions"] > DECISIONS_A_TURN * turn or table["event_count"] > EVENTS_A_TURN * turn:
        return False
    if table["arrived"] != NO_PLACE and table["arrived"] < FIRST_SLOT:
        return False
    for seat in range(NUM_SEATS):
        for deed in range(NUM_DEEDS):
            if table["deeds"][seat, deed] > DEEDS_A_TURN * turn:
                return False
    return True


@kernel
def events_fit(table: Record) -> bool:
    """Whether the ring holds only the last events, in the order of their turns."""
    if not ring_is_sound(table):
        return False
    turn = int(table["turn"])
    for age in range(min(MAX_EVENTS, int(table["event_count"]))):
        event = event_at(table, age)
        if not event_fits(event) or not between(event_field(event, 5), 1, turn):
            return False
        turn = event_field(event, 5)
    return True


@kernel
def event_fits(event: int) -> bool:
    """Whether an event has the fields of its kind, within their ranges."""
    kind = event_field(event, 0)
    place = event_field(event, 2)
    if not between(event, 0, (1 << 29) - 1) or not between(kind, 1, NUM_EVENTS - 1):
        return False
    needs_place = kind == Event.MOVE or kind == Event.HOME or kind == Event.DOUBLE or kind == Event.SWAP
    needs_place = needs_place or kind == Event.LEAVE
    if not between(place, 0, NUM_PLACES) or (place > 0) != needs_place:
        return False
    second = event_field(event, 3)
    if kind == Event.MOVE and not between(second, 1 + FIRST_SLOT, NUM_PLACES):
        return False
    if kind != Event.MOVE and second != 0:
        return False
    needs_actor = kind != Event.DRAW and kind != Event.TRUNCATE
    actor = event_field(event, 1)
    return between(actor, int(needs_actor), 2 * int(needs_actor)) and event_field(event, 4) <= most_of(kind)


@kernel
def most_of(kind: int) -> int:
    """The highest value of the field `thing` for a kind of event."""
    if kind == Event.TOKEN:
        return NUM_FACES * NUM_TOKENS - 1
    elif kind == Event.MOVE or kind == Event.HOME:
        return Load.DOUBLE | Load.PILE | Load.STACKED
    elif kind == Event.BEAR:
        return EEL_NEST
    elif kind == Event.TILT:
        return NUM_TOKENS - 1
    return int(kind == Event.WIN)


@kernel
def pawns_conserved(table: Record) -> bool:
    """DR-1.2: whether each side has five pawns in all: in its nest, on the river and in the hand."""
    for seat in range(NUM_SEATS):
        total = int(table["nest"][seat, 0]) + int(table["nest"][seat, 1])
        total += int(int(table["moving"]) * direction(seat) > 0)
        for slot in range(NUM_SLOTS):
            total += int(int(table["top"][slot]) * direction(seat) > 0)
            total += int(int(table["under"][slot]) * direction(seat) > 0)
        if total != NUM_FISH:
            return False
    return True


@kernel
def piles_mixed(table: Record, params: Record) -> bool:
    """DR-2.3: whether only rival pawns are under pawns, and all pawns stand in slots that their tile has."""
    for slot in range(NUM_SLOTS):
        top = int(table["top"][slot])
        under = int(table["under"][slot])
        if under != 0 and top * under >= 0:
            return False
        tile = int(TILE_OF_SLOT[slot])
        if slot - int(SLOT_OF_TILE[tile]) >= params["slots"][tile] and top != 0:
            return False
    return True


@kernel
def tiles_laid(table: Record, params: Record) -> bool:
    """DR-1.1: whether the double tile is in the middle, and the others are the pack's or the pinned ones."""
    laid = 0  # four bits count the copies of each Tile
    wanted = 0
    for station in range(1, NUM_TILES + 1):
        tile = int(table["tile"][station])
        if (tile == Tile.DOUBLE) != (station == DOUBLE_TILE):
            return False
        if params["pinned_tile"][station] != NOT_PINNED:
            if tile != params["pinned_tile"][station]:
                return False
        elif station != DOUBLE_TILE:
            laid += 1 << (4 * tile)
    if params["pinned_tile"][DOUBLE_TILE] == NOT_PINNED:
        for place in range(NUM_TILES - 1):
            wanted += 1 << (4 * int(params["small_tiles"][place]))
    return laid == wanted


@kernel
def tokens_agree(table: Record) -> bool:
    """DR-2.1: whether a token moved in each finished turn, except in turns that used one at the last tile."""
    moved = 0
    for token in range(NUM_TOKENS):
        moved += int(table["progress"][token])
    turns = int(table["turn"]) - int(in_mid_turn(table))
    return moved == turns or (moved < turns and tokens_at_end(table) > 0)


@kernel
def in_mid_turn(table: Record) -> bool:
    """DR-2.1: whether this turn's token hasn't moved yet: while playing, and after the bear ended the game."""
    return bool(table["ending"] == Ending.PLAYING) or in_nest(int(table["bear"]))


@kernel
def turn_agrees(table: Record, params: Record) -> bool:
    """DR-2.1: whether it is the active side's turn, and a token is in use unless the question is which one."""
    if int(table["active"]) != (int(table["first"]) + int(table["turn"]) - 1) % NUM_SEATS:
        return False
    under_way = table["question"] != Question.TOKEN
    if table["ending"] != Ending.PLAYING:
        under_way = in_nest(int(table["bear"]))
    return bool((table["token"] != NO_TOKEN) == under_way)


@kernel
def ending_agrees(table: Record, params: Record) -> bool:
    """DR-4.1, DR-4.2: whether ending and winner match the bear, the tokens and the cap on turns."""
    camp = Camp.NONE
    if table["bear"] > DOUBLE_TILE:
        camp = Camp.SALMON
    elif table["bear"] < DOUBLE_TILE:
        camp = Camp.EEL
    over = in_nest(int(table["bear"])) or tokens_at_end(table) >= 2
    if over:
        return bool(table["ending"] == Ending.OVER and table["winner"] == camp)
    truncated = table["ending"] == Ending.TRUNCATED and table["turn"] == params["max_turns"]
    return bool(table["winner"] == Camp.NONE and (table["ending"] == Ending.PLAYING or truncated))


@kernel
def one_seat_asked(table: Record) -> bool:
    """Whether the active side is asked while playing, and nobody afterwards."""
    if table["ending"] == Ending.PLAYING:
        return bool(table["asked"] == table["active"] and table["question"] != Question.NONE)
    no_question = table["question"] == Question.NONE and table["places"] == 0 and table["tokens"] == 0
    return bool(table["asked"] == NOBODY and no_question)


@kernel
def under_way_fits(table: Record, params: Record) -> bool:
    """DR-2.2: whether the token's remaining effects are those of its face, and a pawn is in the hand only for STAND."""
    question = int(table["question"])
    token = int(table["token"])
    purpose = int(table["purpose"])
    if (table["moving"] != 0) != (question == Question.STAND):
        return False
    if (table["lifted"] != NO_PLACE) != (question == Question.STAND):
        return False
    if token == NO_TOKEN:
        idle = table["moves_left"] == 0 and table["bear_due"] == 0 and purpose == Purpose.NONE and table["steps"] == 0
        over = table["ending"] != Ending.PLAYING
        return bool(idle and table["arrived"] == NO_PLACE and (over or table["tilted"] == 0))
    face = int(table["face"][token])
    if table["moves_left"] > 0 and params["kind"][token, face] != Face.TWICE:
        return False
    if table["ending"] == Ending.PLAYING and not tilted_fits(table, params):
        return False
    if table["bear_due"] and params["kind"][token, face] != Face.BEAR:
        return False
    steps = 1
    if purpose == Purpose.FACE:
        steps = int(params["steps"][token, face])
    return bool(purpose != Purpose.NONE and table["steps"] == steps)


@kernel
def tilted_fits(table: Record, params: Record) -> bool:
    """DR-3.1: whether each fish that the token moved before the current one led to at most one tilt."""
    token = int(table["token"])
    tilted = int(table["tilted"])
    moved = int(params["kind"][token, int(table["face"][token])] == Face.TWICE) - int(table["moves_left"])
    return tilted == 0 or (moved > 0 and tilted & (tilted - 1) == 0)


@kernel
def choices_right(table: Record, params: Record) -> bool:
    """Whether the choices are those that the question allows in this position, and there are some."""
    question = int(table["question"])
    places = int(table["places"])
    tokens = int(table["tokens"])
    if question == Question.TOKEN:
        return places == 0 and tokens == ALL_TOKENS & ~int(table["barred"])
    elif question == Question.TILT:
        return bool(places == 0 and tokens == ALL_TOKENS & ~int(table["tilted"]) and came_to(table, Tile.TILT))
    elif tokens != 0:
        return False
    elif question == Question.FISH:
        return bool(places != 0 and places == movable(table, int(table["active"])) and moves_from_there(table))
    elif question == Question.STAND:
        return stands_right(table, params)
    elif question == Question.PILE:
        return bool(places != 0 and places == piles(table) and came_to(table, Tile.SWAP))
    singles = single_pawns(table, int(table["active"]))
    if question == Question.PAWN:
        return bool(places != 0 and places == singles and came_to(table, Tile.DOUBLE))
    elif question == Question.DOUBLE:
        return bool(places == 0 and singles != 0 and came_to(table, Tile.DOUBLE) and shown_there(table) == 2)
    usable = table["purpose"] == Purpose.ADVANCE and shown_there(table) > 0
    return bool(places == 0 and usable and has_target(table, int(table["arrived"])))


@kernel
def shown_there(table: Record) -> int:
    """DR-2.3: the fish on the mover's pawn at the place of arrival; 0 or less if there is none."""
    if table["arrived"] == NO_PLACE:
        return 0
    return shown_face(table, int(table["active"]), int(table["arrived"]) - FIRST_SLOT)


@kernel
def came_to(table: Record, tile: int) -> bool:
    """DR-3: whether the last fish came to a tile of this kind and stands there."""
    return bool(shown_there(table) > 0 and tile_at(table, int(table["arrived"])) == tile)


@kernel
def moves_from_there(table: Record) -> bool:
    """DR-2.2, DR-3: whether the move has a cause: the token, or the tile to which the last fish came."""
    if table["purpose"] == Purpose.FACE:
        return bool(table["arrived"] == NO_PLACE)
    elif table["purpose"] == Purpose.DRIFT:
        return came_to(table, Tile.DRIFT)
    return bool(came_to(table, Tile.DOUBLE) and shown_there(table) == 2)


@kernel
def stands_right(table: Record, params: Record) -> bool:
    """DR-2.3: whether the pawn in the hand is the mover's and may stand in several places of one tile."""
    places = int(table["places"])
    if int(table["moving"]) * direction(int(table["active"])) <= 0 or places & (places - 1) == 0:
        return False
    slot = first_place(places) - FIRST_SLOT
    if slot < 0:
        return False
    tile = int(TILE_OF_SLOT[slot])
    return places == standing_places(table, params, int(table["active"]), tile, False)
