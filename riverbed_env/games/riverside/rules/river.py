"""RS-1, the river: places, columns with and without a passage, and the distance from the ship to each village."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .vocab import MAX_PLACES, NO_TILE


@kernel
def open_columns(table: Record, params: Record) -> int:
    """RS-1.1: the columns in which both tiles have a passage, as bits."""
    columns = int(params["columns"])
    open_bits = 0
    for column in range(columns):
        north = int(table["tile"][column])
        south = int(table["tile"][columns + column])
        if params["passage"][north] and params["passage"][south]:
            open_bits |= 1 << column
    return open_bits


@kernel
def steps_to_middle(table: Record, params: Record, row: int, column: int) -> int:
    """RS-2.4: steps from the ship to the middle space of a tile, along the route or through one passage.

    A path through two passages ends in the row in which it began, where the route is never longer.
    """
    ship = int(table["ship"])
    middle = int(params["middle"][row, column])
    best = abs(ship - middle)
    for other in range(int(params["columns"])):
        if (int(table["open_columns"]) >> other) & 1:
            here = int(params["middle"][row, other])
            across = int(params["middle"][1 - row, other])
            best = min(best, abs(ship - across) + int(params["crossing"]) + abs(here - middle))
    return best


@kernel
def steps_to_village(table: Record, params: Record, place: int) -> int:
    """RS-2.4: steps from the ship to a village; in an open column both middle spaces lead to it."""
    columns = int(params["columns"])
    row = place // columns
    column = place % columns
    steps = steps_to_middle(table, params, row, column)
    if (int(table["open_columns"]) >> column) & 1:
        steps = min(steps, steps_to_middle(table, params, 1 - row, column))
    return steps + int(params["aside"])


@kernel
def measure(table: Record, params: Record) -> None:
    """RS-2.4: write the distance of each village from the ship; it is the same for every player."""
    for place in range(MAX_PLACES):
        table["distance"][place] = 0
        if table["tile"][place] != NO_TILE:
            table["distance"][place] = steps_to_village(table, params, place)
