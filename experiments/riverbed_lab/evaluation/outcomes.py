"""What the rows of an evaluation say: win rates, gains, scores and events, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM

from ..playing.plan import DEVIATION, HELD_OUT, Cell, Plan, Setup, cells, held_out, matrix, mirror
from ..playing.rows import WON, read_table
from ..statistics import Difference, Rate, clustered_rate, paired_difference, rate
from .folder import Folder

if TYPE_CHECKING:
    import pyarrow as pa

KEPT_CELLS = 64  # in memory, at about 18 bytes a game: those read last

Flags = npt.NDArray[np.bool_]
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class CellGames:
    """The finished games of a cell, all arrays (n, …): the deal, whether each camp won (n, camps) and whether it plays.

    `columns` are those of the game's summary, by name, and "decisions"; `scores` (n, seats) are the final scores of
    the seat in focus or of all seats, (n, 0) in games without.
    """

    block: Whole
    won: Flags
    there: Flags
    columns: Mapping[str, npt.NDArray[np.generic]]
    scores: npt.NDArray[np.float64]

    @property
    def nobody_won(self) -> int:
        """The number of games that no camp won."""
        return int((~self.won.any(axis=1)).sum())


@dataclass(frozen=True)
class Best:
    """The highest rate and its agents: several where intervals overlap, since those aren't ranked."""

    agents: tuple[str, ...]
    rate: Rate


class Outcomes:
    """The outcomes of an evaluation, read from its folder. Results are cached."""

    def __init__(self, game: Game, plan: Plan, folder: Folder) -> None:
        self.game = game
        self.plan = plan
        self.folder = folder
        self.rate = cache(self._rate)
        self.gain = cache(self._gain)
        self.read = lru_cache(KEPT_CELLS)(self._read)

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells."""
        return cells(self.game, self.plan)

    def label(self, agent: str) -> str:
        """The name of an agent in tables and figures: its label, or else its spec."""
        return self.plan.labels.get(agent, agent)

    def _read(self, cell: Cell) -> CellGames:
        """The games of a cell."""
        import pyarrow as pa

        summary = self.game.summary
        camps = [f"{WON}{camp}" for camp in self.game.camps]
        scores = [f"{summary.score}_{seat}" for seat in range(cell.num_players)] if summary.score else []
        wanted = ["decisions", *summary.happened.values(), *summary.among.values(), *summary.means.values()]
        wanted = [] if cell.role else wanted  # the summary is of mirrors only
        names = list(dict.fromkeys(["game", "focus", *camps, *wanted, *scores]))
        parts = self.folder.parts_of(self.cells.index(cell))
        rows = pa.concat_tables([self._read_part(cell, path, names) for path in parts])
        won = [rows[name] for name in camps]
        return CellGames(
            rows["game"].to_numpy().astype(np.int64),
            np.stack([column.fill_null(False).to_numpy() for column in won], axis=1),
            np.stack([column.is_valid().to_numpy() for column in won], axis=1),
            {name: rows[name].to_numpy() for name in wanted},
            _scores(cell, rows, scores),
        )

    def _read_part(self, cell: Cell, path: Path, names: list[str]) -> pa.Table:
        """Columns of a part; OptionError if it belongs to another cell or chunk."""
        rows = read_table(self.game, path, [*names, "cell"])
        chunk = int(path.stem.partition("-")[2])
        first, size = chunk * self.plan.chunk, self.plan.chunk
        numbers = rows["game"].to_numpy()
        names_there = set(rows["cell"].unique().to_pylist())
        if names_there - {cell.name} or ((numbers < first) | (numbers >= first + size)).any():
            raise OptionError(f"{path} holds rows of other games: expected {cell.name}, from game {first:,}")
        return rows.drop_columns(["cell"])

    def wins(self, cell: Cell, camp: str) -> tuple[Flags, Whole]:
        """Whether the camp won, and the deal, of each game that has it."""
        games = self.read(cell)
        number = self.game.camps.index(camp)
        there = games.there[:, number]
        return games.won[there, number], games.block[there]

    def _rate(self, cell: Cell, camp: str) -> Rate:
        """How often the camp won: Wilson's interval, clustered by deal where a deal is played more than once."""
        won, block = self.wins(cell, camp)
        return clustered_rate(won, block) if cell.role else rate(int(won.sum()), len(won))

    def base_of(self, cell: Cell) -> Cell | None:
        """The cell that a gain is measured against: the mirror of the others, or at held_out the reference's cell."""
        if cell.table == DEVIATION:
            return mirror(self.game, cell.setup, cell.camps[0])
        if cell.table == HELD_OUT and cell.focus != self.plan.reference:
            return held_out(cell.setup, cell.role, self.plan.reference, cell.pool)
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

    def matrix(self, setup: Setup | int) -> list[Cell]:
        """The cells of the matrix, row by row, mirrors among them."""
        return matrix(self.game, setup, self.plan.compared)

    def all_random(self, setup: Setup | int, camp: str) -> Rate:
        """The camp's rate with random play in every seat."""
        return self.rate(mirror(self.game, setup, UNIFORM.name), camp)

    def best_rule_based(self, setup: Setup | int, camp: str) -> Best | None:
        """The camp's highest rate among the mirrors of the rule-based agents; None without such agents."""
        rates = {agent: self.rate(mirror(self.game, setup, agent), camp) for agent in self.plan.rule_based}
        if not rates:
            return None
        highest = max(rates.values(), key=lambda each: each.value)
        return Best(tuple(agent for agent, each in rates.items() if not highest.is_above(each)), highest)


def _scores(cell: Cell, rows: pa.Table, names: list[str]) -> npt.NDArray[np.float64]:
    """The scores in the columns of these names: of all seats, or of the seat in focus if the cell has a role."""
    if not names:
        return np.zeros((rows.num_rows, 0))
    scores: npt.NDArray[np.float64] = np.stack([rows[name].to_numpy() for name in names], axis=1).astype(np.float64)
    focus = rows["focus"].to_numpy().astype(np.int64)
    return np.take_along_axis(scores, focus[:, None], axis=1) if cell.role else scores
