"""What the rows of an evaluation say: win rates, gains, scores and events, as a frame of its cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.seats import FIGURES, Failure

from ..config_files import read_as
from ..playing.plan import DEVIATION, HELD_OUT, Cell, Plan, cells, held_out, mirror
from ..playing.rows import OUTSIDE, WON, read_table
from ..statistics import Difference, Rate, clustered_rate, columns, paired_difference, rate, spread
from .folder import Folder

if TYPE_CHECKING:
    import pandas as pd
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


class Outcomes:
    """The outcomes of an evaluation, read from its folder. Results are cached."""

    def __init__(self, game: Game, plan: Plan, folder: Folder) -> None:
        self.game = game
        self.plan = plan
        self.folder = folder
        self.rate = cache(self._rate)
        self.read = lru_cache(KEPT_CELLS)(self._read)

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells."""
        return cells(self.game, self.plan)

    def label(self, agent: str) -> str:
        """The name of an agent in tables and figures: its label, or else its spec."""
        return self.plan.labels.get(agent, agent)

    def wins(self, cell: Cell, camp: str) -> tuple[Flags, Whole]:
        """Whether the camp won, and the deal, of each game that has it."""
        games = self.read(cell)
        number = self.game.camps.index(camp)
        there = games.there[:, number]
        return games.won[there, number], games.block[there]

    def gain(self, cell: Cell) -> Difference | None:
        """How much more often the camp of the role in focus won than in the base cell, on the deals that both have."""
        base = self.base_of(cell)
        if base is None:
            return None
        camp = self.game.camp_of_role[cell.role]
        return paired_difference(*self.wins(cell, camp), *self.wins(base, camp), seed=self.plan.seed)

    def base_of(self, cell: Cell) -> Cell | None:
        """The cell that a gain is measured against: the mirror of the others, or at held_out the reference's cell."""
        if cell.table == DEVIATION:
            return mirror(self.game, cell.setup, cell.camps[0])
        if cell.table == HELD_OUT and cell.focus != self.plan.reference:
            return held_out(cell.setup, cell.role, self.plan.reference, cell.pool)
        return None

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One line a cell; docs/guides/evaluation.md describes the columns."""
        import pandas as pd

        return pd.DataFrame.from_records([self._line(cell) for cell in self.cells])

    def _line(self, cell: Cell) -> dict[str, Any]:
        games, label = self.read(cell), self.label
        line = {
            "cell": cell.name,
            "table": cell.table,
            "setup": str(cell.setup),
            "num_players": cell.num_players,
            "variant": cell.variant,
            "role": cell.role,
            "camp": self.game.camp_of_role.get(cell.role, ""),
            "agent": label(cell.focus or cell.camps[0]),
            "among": ", ".join(dict.fromkeys(map(label, cell.camps or cell.pool))),
            **{f"agent_{camp}": label(agent) for camp, agent in zip(self.game.camps, cell.camps)},
            "games": len(games.block),
            "nobody_won": int((~games.won.any(axis=1)).sum()),
        }
        for camp in self.game.camps:
            won = self.rate(cell, camp)
            line |= {**columns(f"{WON}{camp}", won), f"{WON}{camp}_games": won.games}
        if games.scores.size:
            line |= spread(games.scores).columns("score")
        return line | self._swapped(cell) | ({} if cell.role else self._summary(games))

    def _swapped(self, cell: Cell) -> dict[str, Any]:
        """What changed with the agent in focus: the rates of its camp here and in the base cell, and the gain."""
        base, gain = self.base_of(cell), self.gain(cell)
        if base is None or gain is None:
            return {}
        camp = self.game.camp_of_role[cell.role]
        won, block = self.wins(base, camp)
        shared = np.isin(block, self.wins(cell, camp)[1])
        return {
            "over": base.name,
            "replaced": self.label(base.focus or base.camps[0]),
            **columns("won", self.rate(cell, camp)),
            **columns("instead", clustered_rate(won[shared], block[shared])),
            **columns("gain", gain),
            "deals": gain.blocks,
        }

    def _summary(self, games: CellGames) -> dict[str, Any]:
        """The length of the games, the shares of games with an event, and means, by the headings of the summary."""
        summary = self.game.summary
        told = spread(games.columns["decisions"].astype(np.float64)[:, None]).columns("decisions")
        for head, column in summary.happened.items():
            happened = games.columns[column].astype(np.float64) > 0
            if head in summary.among:
                happened = happened[games.columns[summary.among[head]].astype(np.bool_)]
            name = f"share_{head}"
            told |= {**columns(name, rate(int(happened.sum()), len(happened))), f"{name}_games": len(happened)}
        means = {head: games.columns[name].astype(np.float64) for head, name in summary.means.items()}
        return told | {f"mean_{head}": float(column.mean()) for head, column in means.items()}

    def _rate(self, cell: Cell, camp: str) -> Rate:
        """How often the camp won: Wilson's interval, clustered by deal where a deal is played more than once."""
        won, block = self.wins(cell, camp)
        return clustered_rate(won, block) if cell.role else rate(int(won.sum()), len(won))

    # --- reading ------------------------------------------------------------------------------------------------------

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
        first, size = int(path.stem.partition("-")[2]) * self.plan.chunk, self.plan.chunk
        numbers = rows["game"].to_numpy()
        names_there = set(rows["cell"].unique().to_pylist())
        if names_there - {cell.name} or ((numbers < first) | (numbers >= first + size)).any():
            raise OptionError(f"{path} holds rows of other games: expected {cell.name}, from game {first:,}")
        return rows.drop_columns(["cell"])


def _scores(cell: Cell, rows: pa.Table, names: list[str]) -> npt.NDArray[np.float64]:
    """The scores in the columns of these names: of all seats, or of the seat in focus if the cell has a role."""
    if not names:
        return np.zeros((rows.num_rows, 0))
    scores: npt.NDArray[np.float64] = np.stack([rows[name].to_numpy() for name in names], axis=1).astype(np.float64)
    focus = rows["focus"].to_numpy().astype(np.int64)
    return np.take_along_axis(scores, focus[:, None], axis=1) if cell.role else scores


# --- frames of rows ---------------------------------------------------------------------------------------------------


def rows_frame(game: Game, folder: Folder) -> pd.DataFrame:
    """All rows, with role, agent and win of the seat in focus (`focus_role`, `focus_agent`, `focus_won`).

    They are missing where no seat is in focus. Raises OptionError if a file can't be read.
    """
    import pandas as pd

    parts = [_part_frame(path) for path in sorted(folder.parts.glob("*.parquet"))]
    rows = pd.concat(parts, ignore_index=True)
    focus = {name: pd.Series(pd.NA, rows.index, "object") for name in ("focus_role", "focus_agent", "focus_won")}
    for seat in range(game.max_players):
        mine = rows["focus"] == seat
        for kind in ("role", "agent"):
            focus[f"focus_{kind}"][mine] = rows.loc[mine, f"{kind}_{seat}"].astype("object")
    for role, camp in game.camp_of_role.items():
        mine = focus["focus_role"] == role
        focus["focus_won"][mine] = rows.loc[mine, f"{WON}{camp}"]
    return rows.assign(**{**focus, "focus_won": focus["focus_won"].astype("boolean")})


def _part_frame(path: Path) -> pd.DataFrame:
    from pyarrow import parquet

    with read_as(path, "rows of an evaluation"):
        return parquet.read_table(path, page_checksum_verification=True).to_pandas(strings_to_categorical=False)


def outside_frame(outcomes: Outcomes) -> pd.DataFrame:
    """What went wrong with agents from outside in each setup, and what it cost, apart from their strength.

    Beside the sums of what was counted (`riverbed_env.seats.FIGURES`): `answers`, how often it was asked, again after
    failures included; `forfeits`, among its seats' games; `wins` of its seats' camps, in all games and in those without
    a repaired or forfeited choice, in games of several camps.
    """
    import pandas as pd

    parts = [
        _seats(outcomes.game, _part_frame(path), cell)
        for number, cell in enumerate(outcomes.cells)
        for path in outcomes.folder.parts_of(number)
    ]
    seats = [part for part in parts if part is not None]
    if not seats:
        return pd.DataFrame()
    groups = pd.concat(seats).groupby(["setup", "agent"], sort=False)
    return pd.DataFrame.from_records(list(_outside_lines(outcomes, groups)))


def _seats(game: Game, rows: pd.DataFrame, cell: Cell) -> pd.DataFrame | None:
    """One line for each seat of each game: who sat there, whether its camp won, and what was counted."""
    import pandas as pd

    there = [name for name in FIGURES if f"{OUTSIDE}{name}" in rows]
    if not there:
        return None
    seats = []
    for seat in range(cell.num_players):
        camps = rows[f"role_{seat}"].astype("object").map(game.camp_of_role)
        won = np.zeros(len(rows), np.bool_)
        for camp in game.camps:
            won |= (camps == camp).to_numpy() & (rows[f"{WON}{camp}"] == True).to_numpy()  # noqa: E712 (null is neither)
        counted = {name: rows[f"{OUTSIDE}{name}"].str[seat] if name in there else 0 for name in FIGURES}
        seats.append(pd.DataFrame({"setup": str(cell.setup), "agent": rows[f"agent_{seat}"], "won": won, **counted}))
    return pd.concat(seats).astype({"agent": "object"})


def _outside_lines(outcomes: Outcomes, groups: Any) -> Iterator[dict[str, Any]]:
    for (setup, agent), seats in groups:
        sums = {name: int(seats[name].sum()) for name in FIGURES}
        if not sums["decisions"]:
            continue
        forfeited, untouched = seats["forfeited"] > 0, (seats["forfeited"] == 0) & (seats["repaired"] == 0)
        failures = sum(sums[kind] for kind in Failure)
        yield {
            "setup": setup,
            "agent": outcomes.label(agent),
            "games": len(seats),
            **sums,
            "answers": sums["decisions"] - sums["repaired"] - sums["forfeited"] + failures,
            **columns("forfeits", rate(int(forfeited.sum()), len(seats))),
            **(_wins(seats["won"], untouched) if len(outcomes.game.camps) > 1 else {}),
        }


def _wins(won: Any, untouched: Any) -> dict[str, float]:
    return {
        **columns("wins", rate(int(won.sum()), len(won))),
        **columns("wins_untouched", rate(int(won[untouched].sum()), int(untouched.sum()))),
    }
