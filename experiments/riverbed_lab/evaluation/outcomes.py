"""What the rows of an evaluation tell: win rates and gains, read cell by cell."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM

from ..playing.plan import CAMP_MATRIX, DEVIATION, HELD_OUT, Cell, Plan, cells, held_out, mirror
from ..playing.rows import WON, read_table
from ..statistics import Difference, Rate, clustered_rate, paired_difference, rate
from .folder import Folder

if TYPE_CHECKING:
    import pyarrow as pa

KEPT_GAMES = 20_000_000  # in memory, at some 18 bytes a game: most evaluations whole, of the others the latest cells


@dataclass(frozen=True)
class Outcome:
    """The finished games of a cell: the deal of each (n,), how many decisions it took (n,), and whether each camp won
    (n, camps) or is there at all.
    """

    block: npt.NDArray[np.int64]
    decisions: npt.NDArray[np.int32]
    won: npt.NDArray[np.bool_]
    there: npt.NDArray[np.bool_]

    @property
    def nobody_won(self) -> int:
        """How many games no camp won."""
        return int((~self.won.any(axis=1)).sum())


@dataclass(frozen=True)
class Best:
    """The highest rate, and whose it is: several agents' where their intervals overlap, since those aren't ranked."""

    agents: tuple[str, ...]
    rate: Rate


class Outcomes:
    """The outcomes of an evaluation, from its folder; what was once asked is known the next time."""

    def __init__(self, game: Game, plan: Plan, folder: Folder) -> None:
        self.game = game
        self.plan = plan
        self.folder = folder
        self.rate = cache(self._rate)
        self.gain = cache(self._gain)
        self._read: OrderedDict[Cell, Outcome] = OrderedDict()

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells."""
        return cells(self.game, self.plan)

    def read(self, cell: Cell) -> Outcome:
        """The games of a cell."""
        if cell not in self._read:
            self._read[cell] = self._read_parts(cell, self.folder.parts_of(self._numbers[cell]))
            while len(self._read) > 1 and sum(len(found.block) for found in self._read.values()) > KEPT_GAMES:
                self._read.popitem(last=False)
        self._read.move_to_end(cell)
        return self._read[cell]

    @cached_property
    def _numbers(self) -> dict[Cell, int]:
        return {cell: number for number, cell in enumerate(self.cells)}

    def _read_parts(self, cell: Cell, parts: list[Path]) -> Outcome:
        import pyarrow as pa

        camps = [f"{WON}{camp}" for camp in self.game.camps]
        rows = pa.concat_tables([self._read_part(cell, path, ["game", "decisions", *camps]) for path in parts])
        won = [rows[name] for name in camps]
        return Outcome(
            rows["game"].to_numpy().astype(np.int64),
            rows["decisions"].to_numpy().astype(np.int32),
            np.stack([column.fill_null(False).to_numpy() for column in won], axis=1),
            np.stack([column.is_valid().to_numpy() for column in won], axis=1),
        )

    def _read_part(self, cell: Cell, path: Path, names: list[str]) -> pa.Table:
        """Columns of a part; OptionError where it is another one's."""
        rows = read_table(self.game, path, [*names, "cell"])
        chunk = int(path.stem.partition("-")[2])
        first, size = chunk * self.plan.chunk, self.plan.chunk
        numbers = rows["game"].to_numpy()
        there = set(rows["cell"].unique().to_pylist())
        if there - {cell.name} or ((numbers < first) | (numbers >= first + size)).any():
            raise OptionError(f"{path} holds rows of other games: it must be of {cell.name}, game {first:,} and on")
        return rows.drop_columns(["cell"])

    def wins(self, cell: Cell, camp: str) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
        """Whether the camp won, and the deal, of each game that has it."""
        outcome = self.read(cell)
        number = self.game.camps.index(camp)
        there = outcome.there[:, number]
        return outcome.won[there, number], outcome.block[there]

    def _rate(self, cell: Cell, camp: str) -> Rate:
        """How often the camp won: Wilson's interval, clustered by deal where a deal is played more than once."""
        won, block = self.wins(cell, camp)
        return clustered_rate(won, block) if cell.role else rate(int(won.sum()), len(won))

    def base_of(self, cell: Cell) -> Cell | None:
        """What a gain is measured against: one more of the others in the seat, or at a mixed table the reference."""
        if cell.table == DEVIATION:
            return mirror(self.game, cell.num_players, cell.camps[0])
        if cell.table == HELD_OUT and cell.focus != self.plan.reference:
            return held_out(cell.num_players, cell.role, self.plan.reference, cell.pool)
        return None

    def _gain(self, cell: Cell) -> Difference | None:
        """How much more often the camp of the role in focus won than in the base cell, on the deals that both have."""
        base = self.base_of(cell)
        if base is None:
            return None
        camp = self.game.camp_of_role[cell.role]
        return paired_difference(*self.wins(cell, camp), *self.wins(base, camp), seed=self.plan.seed)

    def replaced(self, cell: Cell) -> Rate:
        """The rate of the camp of the role in focus in the base cell, on the deals that both cells have."""
        base = self.base_of(cell)
        if base is None:
            return rate(0, 0)
        camp = self.game.camp_of_role[cell.role]
        won, block = self.wins(base, camp)
        shared = np.isin(block, self.wins(cell, camp)[1])
        return clustered_rate(won[shared], block[shared])

    def in_focus(self, cell: Cell) -> Rate:
        """The rate of the camp of the role in focus."""
        return self.rate(cell, self.game.camp_of_role[cell.role])

    def matrix(self, count: int) -> list[Cell]:
        """The cells of the camp matrix, row by row; where all camps are one agent's it is the mirror."""
        return [
            mirror(self.game, count, camps[0]) if len(set(camps)) == 1 else Cell(CAMP_MATRIX, count, camps)
            for camps in product(self.plan.compared, repeat=len(self.game.camps))
        ]

    def all_random(self, count: int, camp: str) -> Rate:
        """The camp's rate when everybody plays at random."""
        return self.rate(mirror(self.game, count, UNIFORM.name), camp)

    def best_rule_based(self, count: int, camp: str) -> Best | None:
        """The camp's highest rate among the rule-based agents, each against itself; None without such agents."""
        rates = {agent: self.rate(mirror(self.game, count, agent), camp) for agent in self.plan.rule_based}
        if not rates:
            return None
        highest = max(rates.values(), key=lambda found: found.value)
        return Best(tuple(agent for agent, found in rates.items() if not highest.is_above(found)), highest)
