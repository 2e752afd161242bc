"""The line of stations from nest to nest, which all chapters use."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .vocab import EEL_NEST, SALMON_NEST


@kernel
def direction(seat: int) -> int:
    """DR-2.2: the step towards the rival nest: 1 for the salmon, -1 for the eels."""
    return 1 - 2 * seat


@kernel
def in_nest(station: int) -> bool:
    """DR-1.2: whether a station is a nest."""
    return not SALMON_NEST < station < EEL_NEST


@kernel
def clipped(station: int) -> int:
    """DR-2.4: the station, or the nest that lies before it: moves stop in a nest."""
    return max(SALMON_NEST, min(EEL_NEST, station))


@kernel
def shown_face(table: Record, seat: int, slot: int) -> int:
    """DR-2.3: the fish on the seat's uncovered pawn in a slot, 1 or 2; 0 or less if it has none there."""
    return int(table["top"][slot]) * direction(seat)
