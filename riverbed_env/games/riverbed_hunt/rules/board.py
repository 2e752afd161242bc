"""RH-2, the board: the 4 x 4 grid, the river through it, and the tables derived from a layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .vocab import NUM_SPACES

SIDE = 4


def place_of(space: int) -> tuple[int, int]:
    """RH-2.2: (row, column) of a space: row 0 runs left to right, row 1 right to left, and so on."""
    row, along = divmod(space, SIDE)
    return row, along if row % 2 == 0 else SIDE - 1 - along


def _near(space: int, joined: Callable[[int, int], bool]) -> frozenset[int]:
    row, column = place_of(space)
    neighbours = set()
    for other in range(NUM_SPACES):
        other_row, other_column = place_of(other)
        if joined(abs(other_row - row), abs(other_column - column)):
            neighbours.add(other)
    return frozenset(neighbours)


ORTHOGONAL = tuple(_near(space, lambda rows, columns: rows + columns == 1) for space in range(NUM_SPACES))
DIAGONAL = tuple(_near(space, lambda rows, columns: rows == columns == 1) for space in range(NUM_SPACES))
# RH-2.1: water joins a space to the one before and the one after it.
WATER = tuple(frozenset({space - 1, space + 1} & set(range(NUM_SPACES))) for space in range(NUM_SPACES))
# RH-2.2: the other orthogonal neighbours are joined by land.
LAND = tuple(ORTHOGONAL[space] - WATER[space] for space in range(NUM_SPACES))


@dataclass(frozen=True)
class LayoutTables:
    """The tables of a layout: sets of spaces as bits. Each list has one set for each space."""

    spaces: int
    reach: list[int]
    steps: list[int]
    swims: list[int]
    land_steps: list[int]


def _bits(spaces: frozenset[int] | set[int]) -> int:
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


def layout_tables(empty: frozenset[int]) -> LayoutTables:
    """RH-2.6: the tables of a layout with these empty spaces."""
    spaces = range(NUM_SPACES)
    return LayoutTables(
        spaces=_bits(set(spaces) - empty),
        reach=[_bits(reach_of(space, empty)) for space in spaces],
        steps=[_bits(step_ends(space, empty)) for space in spaces],
        swims=[_bits(swim_ends(space, empty)) for space in spaces],
        land_steps=[_bits(land_ends(space, empty)) for space in spaces],
    )
