"""Packs that a game draws by number: the table of those accepted, their names, and the splits they are divided into."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from riverbed_env.errors import PackError

from .files import Arrays, read_arrays

PREFIX = "generated"
_NUMBERED = re.compile(rf"{PREFIX}:([1-9][0-9]*)", re.ASCII)


class GeneratedPacks:
    """The packs of a game's generator, by name: `generated:1` is the first of its table.

    Args:
        path: the table, an .npz file with one row a pack. `draw` (n,) is the generator's number of a pack, `endpoints`
            (n, counts, 3) what was chosen beside it, and `hash` (n,) the pack's hash. `splits` and `sizes`, (splits,),
            name ranges of the rows in order. Whatever else it holds is measured.
        draw: the content of a pack by its number, its name and its endpoints.
    """

    def __init__(self, path: Path, draw: Callable[[int, str, Sequence[Sequence[int]]], dict[str, Any]]) -> None:
        self.path = path
        self._draw = draw

    @cached_property
    def table(self) -> Arrays:
        """The table's arrays by name, read when they are first asked for."""
        return read_arrays(self.path, "table of generated packs")

    @cached_property
    def splits(self) -> dict[str, tuple[str, ...]]:
        """The names of each split's packs."""
        ends = self.table["sizes"].cumsum().tolist()
        return {
            str(name): tuple(f"{PREFIX}:{number}" for number in range(first + 1, last + 1))
            for name, first, last in zip(self.table["splits"], [0, *ends], ends)
        }

    def __contains__(self, name: object) -> bool:
        """Whether a name is a split's, or has the form of a generated pack's, which may not exist."""
        return str(name).partition(":")[0] == PREFIX or name in self.splits

    def content(self, name: str) -> dict[str, Any]:
        """The content of a pack by its name. Raises PackError if there is no such pack, or if this is a split."""
        split, found = self.splits.get(name), _NUMBERED.fullmatch(name)
        if split:
            raise PackError(f"{name!r} is {len(split):,} packs, for batches, training and evaluate; here give one of "
                            f"them, {split[0]} to {split[-1]}")  # fmt: skip
        most = len(self.table["draw"])
        if found is None or len(name) > len(f"{PREFIX}:{most}") or int(found[1]) > most:
            raise PackError(f"no pack {name!r}: there are {PREFIX}:1 to {PREFIX}:{most}")
        row = int(found[1]) - 1
        return self._draw(int(self.table["draw"][row]), name, self.table["endpoints"][row].tolist())
