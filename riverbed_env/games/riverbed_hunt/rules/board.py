"""RH-2, the board: the 4 x 4 grid, the river through it, and the tables derived from a layout."""

from collections.abc import Callable, Iterable

from riverbed_env.kernels.compile import Record

from . import kernel
from .vocab import ALL_SPACES, NUM_SPACES, Role, Scope

SIDE = 4


def place_of(space: int) -> tuple[int, int]:
    """RH-2.2: (row, column) of a space: row 0 runs left to right, row 1 right to left, and so on."""
    row, along = divmod(space, SIDE)
    return row, along if row % 2 == 0 else SIDE - 1 - along


def _near(space: int, joined: Callable[[int, int], bool]) -> frozenset[int]:
    row, column = place_of(space)
    places = enumerate(map(place_of, range(NUM_SPACES)))
    return frozenset(other for other, (r, c) in places if joined(abs(r - row), abs(c - column)))


ORTHOGONAL = tuple(_near(space, lambda rows, columns: rows + columns == 1) for space in range(NUM_SPACES))
DIAGONAL = tuple(_near(space, lambda rows, columns: rows == columns == 1) for space in range(NUM_SPACES))
# RH-2.1: water joins a space to the one before and the one after it.
WATER = tuple(frozenset({space - 1, space + 1} & set(range(NUM_SPACES))) for space in range(NUM_SPACES))
# RH-2.2: the other orthogonal neighbours are joined by land.
LAND = tuple(ORTHOGONAL[space] - WATER[space] for space in range(NUM_SPACES))


def bits(spaces: Iterable[int]) -> int:
    """A set of spaces as bits."""
    return sum(1 << space for space in spaces)


def reach_of(space: int, empty: frozenset[int]) -> frozenset[int]:
    """RH-2.4: the space itself and the next tile along the river on either side, empty spaces skipped."""
    within_reach = {space} - empty
    for step in (-1, 1):
        place = space + step
        while place in empty:
            place += step
        if 0 <= place < NUM_SPACES:
            within_reach.add(place)
    return frozenset(within_reach)


def _carried_on(start: int, ends: set[int], empty: frozenset[int]) -> frozenset[int]:
    """RH-2.6: continue moves that end on an empty space, one crossing at a time, to a tile other than the start's."""
    on_tiles, visited, waiting = set(), set(ends), list(ends)
    while waiting:
        space = waiting.pop()
        if space not in empty:
            on_tiles.add(space)
            continue
        for near in ORTHOGONAL[space] - visited:
            visited.add(near)
            waiting.append(near)
    return frozenset(on_tiles - {start})


def step_ends(space: int, empty: frozenset[int]) -> frozenset[int]:
    """RH-2.6: where one step, a water crossing, can end."""
    return _carried_on(space, set(WATER[space]), empty)


def land_ends(space: int, empty: frozenset[int]) -> frozenset[int]:
    """RH-7, Slip Away: where crossing one land link can end."""
    return _carried_on(space, set(LAND[space]), empty)


def swim_ends(space: int, empty: frozenset[int]) -> frozenset[int]:
    """RH-2.6: where a swim can end: one water crossing, two of them, or one land crossing."""
    twice = {second for first in WATER[space] for second in WATER[first]}
    return _carried_on(space, set(WATER[space]) | twice | set(LAND[space]), empty)


def layout_tables(empty: frozenset[int]) -> dict[str, list[int]]:
    """RH-2.4, RH-2.6: by name in the params, the tables of a layout with these empty spaces: bits for each space."""
    ends = {"reach": reach_of, "steps": step_ends, "swims": swim_ends, "land_steps": land_ends}
    return {name: [bits(of(space, empty)) for space in range(NUM_SPACES)] for name, of in ends.items()}


@kernel
def within_reach(table: Record, params: Record, seat: int) -> int:
    """RH-2.4: bits of the spaces whose tiles are within reach of the seat's meeple."""
    return int(params["reach"][int(table["layout"]), int(table["position"][seat])])


@kernel
def spaces_in_scope(table: Record, params: Record, scope: int, seat: int, place: int) -> int:
    """RH-2.5: bits of the spaces an instruction reaches when `seat` carries it out.

    Adjacency is relative to `place`: the space of the tile whose text it is, else the seat's space.
    """
    if scope == Scope.WITHIN_REACH:
        return within_reach(table, params, seat)
    elif scope == Scope.ANY:
        return ALL_SPACES
    elif scope == Scope.ORTHOGONAL:
        return int(params["orthogonal"][place])
    elif scope == Scope.DIAGONAL:
        return int(params["diagonal"][place])
    return 1 << int(table["position"][seat])


@kernel
def face_down_within_reach(table: Record, params: Record, seat: int) -> int:
    """RH-2.4: bits of the face-down tiles within reach of the seat."""
    return within_reach(table, params, seat) & int(table["face_down"])


@kernel
def face_up(table: Record) -> int:
    """Bits of the spaces with a face-up tile."""
    return int(table["occupied"]) & ~int(table["face_down"])


@kernel
def destinations(table: Record, params: Record, scope: int, seat: int) -> int:
    """RH-2.6: bits of the spaces the seat's meeple can end a move on."""
    layout = int(table["layout"])
    place = int(table["position"][seat])
    if scope == Scope.STEP:
        return int(params["steps"][layout, place])
    elif scope == Scope.LAND:
        return int(params["land_steps"][layout, place])
    return int(params["swims"][layout, place])


@kernel
def others(table: Record, seat: int) -> int:
    """Bits of all seats but this one."""
    return ((1 << int(table["num_players"])) - 1) & ~(1 << seat)


@kernel
def chief_seat(table: Record) -> int:
    """RH-1.3: the seat of the chief merchant, public from the start."""
    for seat in range(int(table["num_players"])):
        if table["role"][seat] == Role.CHIEF:
            return seat
    return -1
