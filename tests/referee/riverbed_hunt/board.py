"""RH-2: the river, its water and land, reach and destinations."""

from functools import cache

SPACES = range(1, 17)
SIDE = 4


def row_and_column(space: int) -> tuple[int, int]:
    """RH-2.2: the path snakes through a 4 x 4 grid: row 0 left to right, row 1 right to left, and so on."""
    row, along = divmod(space - 1, SIDE)
    column = along if row % 2 == 0 else SIDE - 1 - along
    return row, column


def water_neighbours(space: int) -> set[int]:
    """RH-2.1: the space before and the one after along the river."""
    return {space - 1, space + 1} & set(SPACES)


def orthogonal_neighbours(space: int) -> set[int]:
    """RH-2.2: the neighbours in the grid that share a side."""
    row, column = row_and_column(space)
    return {other for other in SPACES if _distances(other, row, column) in {(0, 1), (1, 0)}}


def diagonal_neighbours(space: int) -> set[int]:
    """RH-2.2: the neighbours in the grid that share a corner only."""
    row, column = row_and_column(space)
    return {other for other in SPACES if _distances(other, row, column) == (1, 1)}


def land_neighbours(space: int) -> set[int]:
    """RH-2.2: orthogonal grid neighbours that the path does not join."""
    return orthogonal_neighbours(space) - water_neighbours(space)


def _distances(other: int, row: int, column: int) -> tuple[int, int]:
    other_row, other_column = row_and_column(other)
    return abs(other_row - row), abs(other_column - column)


class Board:
    """RH-2: the river with the empty spaces of a layout; everything is computed once."""

    def __init__(self, empty: frozenset[int]) -> None:
        self.empty = empty
        self.tile_spaces = [space for space in SPACES if space not in empty]
        self.reach = {space: self._reach(space) for space in self.tile_spaces}
        self.orthogonal = {space: self._with_tile(orthogonal_neighbours(space)) for space in self.tile_spaces}
        self.diagonal = {space: self._with_tile(diagonal_neighbours(space)) for space in self.tile_spaces}
        self.destinations = {
            "step": {space: self._step(space) for space in self.tile_spaces},
            "land": {space: self._land(space) for space in self.tile_spaces},
            "swim": {space: self._swim(space) for space in self.tile_spaces},
        }

    def _with_tile(self, spaces: set[int]) -> list[int]:
        return sorted(spaces - self.empty)

    def _reach(self, space: int) -> list[int]:
        """RH-2.4: the space itself and the next tile along the river on either side, empty spaces skipped."""
        before = [other for other in self.tile_spaces if other < space][-1:]
        after = [other for other in self.tile_spaces if other > space][:1]
        return [*before, space, *after]

    def _step(self, start: int) -> list[int]:
        """RH-2.6: one crossing by water."""
        return self._ends(start, water_neighbours(start))

    def _land(self, start: int) -> list[int]:
        """RH-2.6: one crossing by land."""
        return self._ends(start, land_neighbours(start))

    def _swim(self, start: int) -> list[int]:
        """RH-2.6: one water crossing, two water crossings, or one land crossing."""
        once = water_neighbours(start)
        twice = {last for first in once for last in water_neighbours(first)}
        return self._ends(start, once | twice | land_neighbours(start))

    def _ends(self, start: int, landings: set[int]) -> list[int]:
        """RH-2.6: a move that would end on an empty space continues, crossing by crossing, to a space with a tile.

        READING: a move that continues never passes its start (a space with a tile ends it) and may not end there.
        """
        ends: set[int] = set()
        passed: set[int] = set()
        unfinished = list(landings)
        while unfinished:
            space = unfinished.pop()
            if space not in self.empty:
                ends.add(space)
            elif space not in passed:
                passed.add(space)
                unfinished.extend(water_neighbours(space) | land_neighbours(space))
        return sorted(ends - {start})


@cache
def board_with_empty(empty: frozenset[int]) -> Board:
    """RH-2.6: the board of a layout, cached."""
    return Board(empty)
