"""Book-keeping invariants beyond the ranges of fields: what holds in every state that the rules can reach."""

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

# Bounds on what happens in one turn, so that no counter can run over: every use of the double tile moves a pawn on, so
# it can come again five times at most for each of two fish.
DECISIONS_A_TURN = 64
EVENTS_A_TURN = 128
DEEDS_A_TURN = 32


class Violation(Worded):
    """Which invariant a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    EVENTS = 2, "the events don't fit together"
    PAWNS = 3, "a side hasn't five pawns"
    PILES = 4, "a pile isn't one pawn of each side"
    TILES = 5, "the tiles of the river aren't those of the pack"
    TOKENS = 6, "the tokens don't stand where so many turns bring them"
    TURN = 7, "it isn't that side's turn"
    ENDING = 8, "the end doesn't agree with the bear and the tokens"
    ASKED = 9, "not exactly one seat is asked"
    UNDER_WAY = 10, "what is under way doesn't fit together"
    CHOICES = 11, "what may be chosen isn't what the question allows"


@kernel
def violation(game: Record, params: Record) -> int:
    """The first invariant a state with all fields in range breaks, as a Violation; NONE if the rules can reach it."""
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
    """Fields whose range depends on another field are within it."""
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
    """The ring holds the last events and nothing else, in the order of their turns."""
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
    """An event has the fields of its kind, within their ranges."""
    kind = event_field(event, 0)
    place = event_field(event, 2)
    if not between(event, 0, (1 << 29) - 1) or not between(kind, 1, NUM_EVENTS - 1):
        return False
    placed = kind == Event.MOVE or kind == Event.HOME or kind == Event.DOUBLE or kind == Event.SWAP
    placed = placed or kind == Event.LEAVE
    if not between(place, 0, NUM_PLACES) or (place > 0) != placed:
        return False
    second = event_field(event, 3)
    if kind == Event.MOVE and not between(second, 1 + FIRST_SLOT, NUM_PLACES):
        return False
    if kind != Event.MOVE and second != 0:
        return False
    acted = kind != Event.DRAW and kind != Event.TRUNCATE
    actor = event_field(event, 1)
    return between(actor, int(acted), 2 * int(acted)) and event_field(event, 4) <= most_of(kind)


@kernel
def most_of(kind: int) -> int:
    """The highest number that the thing of a kind of event can be."""
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
    """DR-1.2: each side has five pawns: in its nest, on the river and in the hand."""
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
    """DR-2.3: under a pawn lies a rival one or none, and no pawn stands in a slot that the tile doesn't have."""
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
    """DR-1.1: the double tile in the middle, else the pack's small tiles or those that are pinned."""
    laid = 0
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
    """DR-2.1: a token has moved for each turn that is over, but those that were spent on one at the last tile."""
    moved = 0
    for token in range(NUM_TOKENS):
        moved += int(table["progress"][token])
    turns = int(table["turn"]) - int(in_mid_turn(table))
    return moved == turns or (moved < turns and tokens_at_end(table) > 0)


@kernel
def in_mid_turn(table: Record) -> bool:
    """DR-2.1: whether the token of the turn hasn't moved yet: while playing, and for ever where the bear ended it."""
    return bool(table["ending"] == Ending.PLAYING) or in_nest(int(table["bear"]))


@kernel
def turn_agrees(table: Record, params: Record) -> bool:
    """DR-2.1: the sides take turns; a token is carried out whenever anything but a token is asked."""
    if int(table["active"]) != (int(table["first"]) + int(table["turn"]) - 1) % NUM_SEATS:
        return False
    under_way = table["question"] != Question.TOKEN
    if table["ending"] != Ending.PLAYING:
        under_way = in_nest(int(table["bear"]))
    return bool((table["token"] != NO_TOKEN) == under_way)


@kernel
def ending_agrees(table: Record, params: Record) -> bool:
    """DR-4.1, DR-4.2: the game is over exactly when the bear is in a nest or two tokens are at the last tile."""
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
    """While the game is on the side whose turn it is is asked something; afterwards nobody is."""
    if table["ending"] == Ending.PLAYING:
        return bool(table["asked"] == table["active"] and table["question"] != Question.NONE)
    nothing = table["question"] == Question.NONE and table["places"] == 0 and table["tokens"] == 0
    return bool(table["asked"] == NOBODY and nothing)


@kernel
def under_way_fits(table: Record, params: Record) -> bool:
    """DR-2.2: what the token still does is what its face grants, and a pawn is in the hand only to be put somewhere."""
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
    """DR-3.1: each fish that the token has moved before the one under way led to one tilt at most."""
    token = int(table["token"])
    tilted = int(table["tilted"])
    moved = int(params["kind"][token, int(table["face"][token])] == Face.TWICE) - int(table["moves_left"])
    return tilted == 0 or (moved > 0 and tilted & (tilted - 1) == 0)


@kernel
def choices_right(table: Record, params: Record) -> bool:
    """What may be chosen is what the question allows in this position, and there is something."""
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
    """DR-2.3: the fish on the mover's pawn where the last fish came to, 0 or less where there is none."""
    if table["arrived"] == NO_PLACE:
        return 0
    return shown_face(table, int(table["active"]), int(table["arrived"]) - FIRST_SLOT)


@kernel
def came_to(table: Record, tile: int) -> bool:
    """DR-3: whether the last fish came to such a tile and stands there."""
    return bool(shown_there(table) > 0 and tile_at(table, int(table["arrived"])) == tile)


@kernel
def moves_from_there(table: Record) -> bool:
    """DR-2.2, DR-3: a fish is moved by the token, or by the tile to which the last one came."""
    if table["purpose"] == Purpose.FACE:
        return bool(table["arrived"] == NO_PLACE)
    elif table["purpose"] == Purpose.DRIFT:
        return came_to(table, Tile.DRIFT)
    return bool(came_to(table, Tile.DOUBLE) and shown_there(table) == 2)


@kernel
def stands_right(table: Record, params: Record) -> bool:
    """DR-2.3: the pawn in the hand is the mover's and has several places to stand on one tile."""
    places = int(table["places"])
    if int(table["moving"]) * direction(int(table["active"])) <= 0 or places & (places - 1) == 0:
        return False
    slot = first_place(places) - FIRST_SLOT
    if slot < 0:
        return False
    tile = int(TILE_OF_SLOT[slot])
    return places == standing_places(table, params, int(table["active"]), tile, False)
