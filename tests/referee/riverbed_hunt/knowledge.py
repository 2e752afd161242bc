"""RH-8.3: what one observer knows about where the tiles lie."""

from collections.abc import Iterable


class Knowledge:
    """RH-8.3: a table of the possible spaces of each tile, one row per tile."""

    def __init__(self, tiles: Iterable[int], spaces: Iterable[int]) -> None:
        everywhere = set(spaces)
        self.rows: dict[int, set[int]] = {tile: set(everywhere) for tile in tiles}

    def possible(self) -> dict[int, set[int]]:
        """RH-8.3: a copy of the table."""
        return {tile: set(row) for tile, row in self.rows.items()}

    def fix(self, tile: int, space: int) -> None:
        """RH-8.3: a view or a reveal fixes a row."""
        if self.rows[tile] != {space}:
            self.rows[tile] = {space}
            self._propagate()

    def swap(self, first: int, second: int) -> None:
        """RH-8.3: a swap exchanges two columns."""
        for row in self.rows.values():
            if (first in row) != (second in row):
                row.symmetric_difference_update({first, second})

    def shuffle(self, spaces: set[int]) -> None:
        """RH-8.3: a shuffle over some spaces turns every row that touches them into the row with all of them."""
        for row in self.rows.values():
            if row & spaces:
                row.update(spaces)
        self._propagate()

    def _propagate(self) -> None:
        """RH-8.3: single-candidate rows and columns are propagated until stable."""
        while self._propagate_rows() or self._propagate_columns():
            pass

    def _propagate_rows(self) -> bool:
        """RH-8.3: where a tile can lie on one space only, no other tile lies there."""
        changed = False
        for tile, row in self.rows.items():
            if len(row) == 1:
                for other, other_row in self.rows.items():
                    if other != tile and not row.isdisjoint(other_row):
                        other_row.difference_update(row)
                        changed = True
        return changed

    def _propagate_columns(self) -> bool:
        """RH-8.3: where a space can hold one tile only, that tile lies nowhere else."""
        candidates: dict[int, list[int]] = {}
        for tile, row in self.rows.items():
            for space in row:
                candidates.setdefault(space, []).append(tile)
        changed = False
        for space, tiles in candidates.items():
            if len(tiles) == 1 and len(self.rows[tiles[0]]) > 1:
                self.rows[tiles[0]] = {space}
                changed = True
        return changed
