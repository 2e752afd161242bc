"""DR-3, river tiles: what happens where a fish has come to rest."""

from riverbed_env.kernels.compile import Record

from .end import move_bear
from .fish import start_move
from .kernels import kernel
from .record import ask, count_deed, record_act
from .river import direction, shown_face
from .vocab import ALL_TOKENS, FIRST_SLOT, NO_PLACE, NUM_SLOTS, TILE_OF_SLOT, Deed, Event, Purpose, Question, Tile


@kernel
def piles(table: Record) -> int:
    """DR-3.1: bits of the places where a pile stands, of either side."""
    places = 0
    for slot in range(NUM_SLOTS):
        places |= int(table["under"][slot] != 0) << (FIRST_SLOT + slot)
    return places


@kernel
def single_pawns(table: Record, seat: int) -> int:
    """DR-3.2: bits of the places with a pawn of the seat on its single face that isn't covered, the nest too."""
    places = int(table["nest"][seat, 0] > 0)
    for slot in range(NUM_SLOTS):
        places |= int(shown_face(table, seat, slot) == 1) << (FIRST_SLOT + slot)
    return places


@kernel
def arrive(table: Record, place: int) -> None:
    """DR-3: a fish has come to a place: its tile works, may be used or rests, by what moved the fish."""
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
    """DR-3.1: whether the tile of a place has something to work on for the pawn that came there."""
    tile = tile_at(table, place)
    if tile == Tile.BEAR:
        return abs(int(table["top"][place - FIRST_SLOT])) == 2
    elif tile == Tile.SWAP:
        return piles(table) != 0
    return True


@kernel
def work(table: Record, place: int) -> None:
    """DR-3.1, DR-3.2: the tile of a place works for the pawn that came there; without a target it is skipped."""
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
    else:
        work_double(table, place)


@kernel
def work_double(table: Record, place: int) -> None:
    """DR-3.2: a single pawn turns a pawn; a double one has the choice, where there is one to turn."""
    singles = single_pawns(table, int(table["active"]))
    if abs(int(table["top"][place - FIRST_SLOT])) == 1:
        ask(table, Question.PAWN, singles, 0)
    elif singles != 0:
        ask(table, Question.DOUBLE, 0, 0)
    else:
        advance(table)


@kernel
def advance(table: Record) -> None:
    """DR-3.2: one fish goes one tile; its tile may then be used."""
    start_move(table, Purpose.ADVANCE, 1)


@kernel
def ask_pawn(table: Record) -> None:
    """DR-3.2: which pawn to turn."""
    ask(table, Question.PAWN, single_pawns(table, int(table["active"])), 0)


@kernel
def turn_pawn(table: Record, place: int) -> None:
    """DR-3.2: the pawn of a place shows two fish from now on."""
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
    """DR-3.1: the pawns of a pile change places, and the pile its side."""
    slot = place - FIRST_SLOT
    top = int(table["top"][slot])
    table["top"][slot] = table["under"][slot]
    table["under"][slot] = top
    count_deed(table, Deed.SWAPS, 1)
    record_act(table, Event.SWAP, place, 0)


@kernel
def tilt_token(table: Record, token: int) -> None:
    """DR-3.1: the rival can't choose the token in the next turn."""
    table["tilted"] = int(table["tilted"]) | (1 << token)
    count_deed(table, Deed.TILTS, 1)
    record_act(table, Event.TILT, NO_PLACE, token)


@kernel
def leave_tile(table: Record) -> None:
    """DR-3.2: the tile to which a fish was advanced isn't used."""
    record_act(table, Event.LEAVE, int(table["arrived"]), 0)
