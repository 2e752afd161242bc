"""DR-3, river tiles: what a tile does when a fish stops on it."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .fish import move_bear, start_move
from .state import ask, count_deed, direction, record_act, shown_face
from .vocab import ALL_TOKENS, FIRST_SLOT, NO_PLACE, NUM_SLOTS, TILE_OF_SLOT, Deed, Event, Purpose, Question, Tile


@kernel
def piles(table: Record) -> int:
    """DR-3.1: bits of the places with a pile of either side."""
    places = 0
    for slot in range(NUM_SLOTS):
        places |= int(table["under"][slot] != 0) << (FIRST_SLOT + slot)
    return places


@kernel
def single_pawns(table: Record, seat: int) -> int:
    """DR-3.2: bits of the places, the nest included, where the seat has an uncovered pawn on its single face."""
    places = int(table["nest"][seat, 0] > 0)
    for slot in range(NUM_SLOTS):
        places |= int(shown_face(table, seat, slot) == 1) << (FIRST_SLOT + slot)
    return places


@kernel
def arrive(table: Record, place: int) -> None:
    """DR-3: handle a fish's arrival: what moved it decides whether the tile works, may be used or does nothing."""
    table["arrived"] = place
    if table["purpose"] == Purpose.FACE:
        work(table, place)
    elif table["purpose"] == Purpose.ADVANCE and has_target(table, place):
        ask(table, Question.USE, 0, 0)


@kernel
def tile_at(table: Record, place: int) -> int:
    """The Tile of a place on the river."""
    return int(table["tile"][int(TILE_OF_SLOT[place - FIRST_SLOT])])


@kernel
def has_target(table: Record, place: int) -> bool:
    """DR-3.1: whether the tile of a place has something to work on, given the pawn that came there."""
    tile = tile_at(table, place)
    if tile == Tile.BEAR:
        return abs(int(table["top"][place - FIRST_SLOT])) == 2
    elif tile == Tile.SWAP:
        return piles(table) != 0
    elif tile == Tile.TILT:  # one token must be left to the rival; two are tilted in a turn at most
        left = ALL_TOKENS & ~int(table["tilted"])
        return left & (left - 1) != 0
    return True


@kernel
def work(table: Record, place: int) -> None:
    """DR-3.1, DR-3.2: carry out the tile of a place for the pawn that came there; skip it without a target."""
    tile = tile_at(table, place)
    if not has_target(table, place):
        return
    elif tile == Tile.BEAR:
        move_bear(table, 1)
    elif tile == Tile.DRIFT:
        start_move(table, Purpose.DRIFT, 1)
    elif tile == Tile.SWAP:
        ask(table, Question.PILE, piles(table), 0)
    elif tile == Tile.TILT:
        ask(table, Question.TILT, 0, ALL_TOKENS & ~int(table["tilted"]))
    elif abs(int(table["top"][place - FIRST_SLOT])) == 1:  # DR-3.2: a single pawn turns a pawn
        ask(table, Question.PAWN, single_pawns(table, int(table["active"])), 0)
    elif single_pawns(table, int(table["active"])) != 0:  # a double one turns or advances one
        ask(table, Question.DOUBLE, 0, 0)
    else:
        start_move(table, Purpose.ADVANCE, 1)


@kernel
def turn_pawn(table: Record, place: int) -> None:
    """DR-3.2: turn the pawn of a place to its double face."""
    seat = int(table["active"])
    if place < FIRST_SLOT:
        table["nest"][seat, 0] = int(table["nest"][seat, 0]) - 1
        table["nest"][seat, 1] = int(table["nest"][seat, 1]) + 1
    else:
        table["top"][place - FIRST_SLOT] = 2 * direction(seat)
    count_deed(table, Deed.DOUBLED, 1)
    record_act(table, Event.DOUBLE, place, 0)


@kernel
def swap_pile(table: Record, place: int) -> None:
    """DR-3.1: exchange the pawns of a pile, so that it changes sides."""
    slot = place - FIRST_SLOT
    top = int(table["top"][slot])
    table["top"][slot] = table["under"][slot]
    table["under"][slot] = top
    count_deed(table, Deed.SWAPS, 1)
    record_act(table, Event.SWAP, place, 0)


@kernel
def tilt_token(table: Record, token: int) -> None:
    """DR-3.1: tilt a token, so that the rival can't choose it in the next turn."""
    table["tilted"] = int(table["tilted"]) | (1 << token)
    count_deed(table, Deed.TILTS, 1)
    record_act(table, Event.TILT, NO_PLACE, token)
