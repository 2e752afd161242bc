"""DR-2.2 to DR-2.4, fish: how they move, where they stand, what the rival nest does; DR-4: how a game ends."""

from riverbed_env.kernels.compile import Record

from . import kernel
from . import vocab as v
from .state import ask, clipped, count_deed, direction, in_nest, record_act, record_event, shown_face
from .vocab import DOUBLE_TILE, NO_PLACE, NOBODY, Camp, Deed, Ending, Event


@kernel
def movable(table: Record, seat: int) -> int:
    """DR-2.2: bits of the places where the seat has an uncovered pawn."""
    places = int(table["nest"][seat, 0] > 0) | (int(table["nest"][seat, 1] > 0) << 1)
    for slot in range(v.NUM_SLOTS):
        places |= int(shown_face(table, seat, slot) > 0) << (v.FIRST_SLOT + slot)
    return places


@kernel
def standing_places(table: Record, params: Record, seat: int, tile: int, pile: bool) -> int:
    """DR-2.3: bits of the places on a tile where the seat's moving pawn or pile may stand; 0 if there is none.

    Empty slots are equivalent, so only the lowest is offered. A pile needs an empty slot. A lone pawn must stand on a
    lone rival if there is one, unless the pack lets it choose.
    """
    rivals = 0
    empty = 0
    first = int(v.SLOT_OF_TILE[tile])
    for slot in range(first, first + int(params["slots"][tile])):
        fish = shown_face(table, seat, slot)
        if fish == 0 and empty == 0:
            empty = 1 << (v.FIRST_SLOT + slot)
        elif fish < 0 and table["under"][slot] == 0:
            rivals |= 1 << (v.FIRST_SLOT + slot)
    if pile:
        return empty
    if rivals != 0 and not params["may_choose_empty"]:
        return rivals
    return rivals | empty


@kernel
def landing(table: Record, params: Record, seat: int, origin: int, steps: int, pile: bool) -> int:
    """DR-2.2, DR-2.3: the station where a move ends.

    Every tile on the way counts as a step. If the last one can't take the pawn, the move continues to the first tile
    that can, or to the nest.
    """
    forward = direction(seat)
    station = clipped(origin + steps * forward)
    while not in_nest(station) and standing_places(table, params, seat, station, pile) == 0:
        station += forward
    return station


@kernel
def start_move(table: Record, purpose: int, steps: int) -> None:
    """DR-2.2: ask which fish to move; skip the move if none can."""
    table["purpose"] = purpose
    table["steps"] = steps
    places = movable(table, int(table["active"]))
    if places != 0:
        ask(table, v.Question.FISH, places, 0)
    else:
        record_act(table, v.Event.STUCK, v.NO_PLACE, 0)


@kernel
def move_fish(table: Record, params: Record, place: int) -> int:
    """DR-2.2, DR-2.3: move the pawn or pile of a place by the table's `steps`.

    Returns its new place, or NO_PLACE if it went into the rival nest or the player must choose the place.
    """
    seat = int(table["active"])
    pawn, under, station = lift(table, seat, place)
    count_deed(table, v.Deed.MOVES, 1)
    station = landing(table, params, seat, station, int(table["steps"]), under != 0)
    if in_nest(station):
        come_home(table, seat, place, pawn, under)
        return v.NO_PLACE
    places = standing_places(table, params, seat, station, under != 0)
    if places & (places - 1):
        table["moving"] = pawn
        table["lifted"] = place
        ask(table, v.Question.STAND, places, 0)
        return v.NO_PLACE
    return set_down(table, place, first_place(places), pawn, under)


@kernel
def lift(table: Record, seat: int, place: int) -> tuple[int, int, int]:
    """DR-2.3: lift a pawn or a whole pile; return the pawn, the pawn under it and the station that they leave."""
    if place < v.FIRST_SLOT:
        table["nest"][seat, place] = int(table["nest"][seat, place]) - 1
        return (place + 1) * direction(seat), 0, seat * v.EEL_NEST
    slot = place - v.FIRST_SLOT
    pawn = int(table["top"][slot])
    under = int(table["under"][slot])
    table["top"][slot] = 0
    table["under"][slot] = 0
    return pawn, under, int(v.TILE_OF_SLOT[slot])


@kernel
def first_place(places: int) -> int:
    """The lowest place whose bit is set."""
    for place in range(v.NUM_PLACES):
        if (places >> place) & 1:
            return place
    return v.NO_PLACE


@kernel
def set_down(table: Record, origin: int, place: int, pawn: int, under: int) -> int:
    """DR-2.3: put a pawn or pile into a slot, a lone pawn on the rival if one is there; return the place."""
    slot = place - v.FIRST_SLOT
    load = load_of(pawn, under)
    if table["top"][slot] != 0:
        under = int(table["top"][slot])
        load |= v.Load.STACKED
    table["top"][slot] = pawn
    table["under"][slot] = under
    record_event(table, v.Event.MOVE, int(table["active"]), origin, place, load)
    return place


@kernel
def stand(table: Record, place: int) -> int:
    """DR-2.3: put the pawn in the hand on the place that the player chose; return the place."""
    pawn = int(table["moving"])
    origin = int(table["lifted"])
    table["moving"] = 0
    table["lifted"] = v.NO_PLACE
    return set_down(table, origin, place, pawn, 0)


@kernel
def come_home(table: Record, seat: int, origin: int, pawn: int, under: int) -> None:
    """DR-2.4: return the pawn, and a rival under it, to their own nests; move the bear by the fish that arrived."""
    face = abs(pawn)
    table["nest"][seat, face - 1] = int(table["nest"][seat, face - 1]) + 1
    if under != 0:
        table["nest"][1 - seat, abs(under) - 1] = int(table["nest"][1 - seat, abs(under) - 1]) + 1
    count_deed(table, v.Deed.HOMES, 1)
    record_act(table, v.Event.HOME, origin, load_of(pawn, under))
    move_bear(table, face)


@kernel
def load_of(pawn: int, under: int) -> int:
    """The Load of a move, as bits."""
    load = 0
    if abs(pawn) == 2:
        load |= v.Load.DOUBLE
    if under != 0:
        load |= v.Load.PILE
    return load


@kernel
def move_bear(table: Record, steps: int) -> None:
    """DR-2.4, DR-4.1: move the bear towards the rival nest; if it gets there it stops, and the mover wins at once."""
    seat = int(table["active"])
    before = int(table["bear"])
    bear = clipped(before + steps * direction(seat))
    table["bear"] = bear
    count_deed(table, Deed.BEAR_STEPS, abs(bear - before))
    record_act(table, Event.BEAR, NO_PLACE, bear)
    if in_nest(bear):
        win(table, seat, 0)


@kernel
def end_by_tokens(table: Record) -> None:
    """DR-4.1: end the game by tokens: the side whose nest is farther from the bear wins; in the middle it is a draw."""
    bear = int(table["bear"])
    if bear > DOUBLE_TILE:
        win(table, Camp.SALMON, 1)
    elif bear < DOUBLE_TILE:
        win(table, Camp.EEL, 1)
    else:
        record_event(table, Event.DRAW, NOBODY, NO_PLACE, NO_PLACE, 0)
        table["ending"] = Ending.OVER


@kernel
def win(table: Record, camp: int, how: int) -> None:
    """DR-4.1: end the game with a winner; `how` is 0 by the bear, 1 by the tokens."""
    table["winner"] = camp
    record_event(table, Event.WIN, camp, NO_PLACE, NO_PLACE, how)
    table["ending"] = Ending.OVER
