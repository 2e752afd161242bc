"""RH-2, the river: what is within reach, and where a move can end."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .vocab import ALL_SPACES, MAX_SEATS, Scope


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
def seats_with_cards(table: Record) -> int:
    """Bits of the seats that hold a card."""
    seats = 0
    for seat in range(MAX_SEATS):
        if table["hand_size"][seat] > 0:
            seats |= 1 << seat
    return seats
