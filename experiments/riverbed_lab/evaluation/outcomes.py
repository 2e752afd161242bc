"""What the rows of an evaluation say: win rates, gains, scores and events, as a frame of its cells."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Flags, Floats, Whole
from riverbed_env.seats import FIGURES, Failure

from ..config_files import read_as
from ..playing.plan import DEVIATION, HELD_OUT, MATRIX, Cell, Plan, cells, held_out, mirror
from ..playing.rows import OUTSIDE, WON, read_table, repaired
from ..statistics import (
    Difference,
    Mean,
    Rate,
    block_differences,
    clustered_mean,
    clustered_rate,
    columns,
    games_for,
    paired_difference,
    rate,
    spread,
)
from .folder import Folder

if TYPE_CHECKING:
    import pandas as pd

KEPT_CELLS = 64  # in memory, at about 30 bytes a game: those read last


class Outcomes:
    """The outcomes of an evaluation, read from its folder. Results are cached.

    unrepaired: leave out games in which chance chose for an agent from outside.
    """

    def __init__(self, game: Game, plan: Plan, folder: Folder, *, unrepaired: bool = False) -> None:
        self.game = game
        self.plan = plan
        self.folder = folder
        self.unrepaired = unrepaired
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
        there = games[games[f"{WON}{camp}"].notna()]
        return there[f"{WON}{camp}"].to_numpy(bool), there["game"].to_numpy(np.int64)

    def rate(self, cell: Cell, camp: str) -> Rate:
        """How often the camp won: Wilson's interval, clustered by deal where a deal is played more than once."""
        won, block = self.wins(cell, camp)
        return clustered_rate(won, block) if cell.role else rate(int(won.sum()), len(won))

    def gain(self, cell: Cell) -> Difference | None:
        """How much more often the camp in focus won than in the base cell, on the deals that both have."""
        base, camp = self.base_of(cell), self.camp_of(cell)
        if base is None:
            return None
        return paired_difference(*self.wins(cell, camp), *self.wins(base, camp), seed=self.plan.seed)

    def gain_of(self, agent: str, setup: str) -> Mean:
        """How much more often an agent's camp won in all its cells of a setup than in their base cells, by deal."""
        gains, deals = [np.zeros(0)], [np.zeros(0, np.int64)]
        for cell in self.cells:
            base, camp = self.base_of(cell), self.camp_of(cell)
            if cell.focus == agent and str(cell.setup) == setup and base is not None:
                differences, both, _ = block_differences(*self.wins(cell, camp), *self.wins(base, camp))
                gains.append(differences)
                deals.append(both)
        return clustered_mean(np.concatenate(gains), np.concatenate(deals))

    def base_of(self, cell: Cell) -> Cell | None:
        """The cell that a gain is measured against: the mirror of the others, or at held_out the reference's cell.

        In the matrix only of one camp among references.
        """
        if cell.table == DEVIATION:
            return mirror(self.game, cell.setup, cell.camps[0])
        if cell.table == HELD_OUT and cell.focus != self.plan.reference:
            return held_out(cell.setup, cell.role, self.plan.reference, cell.pool)
        return mirror(self.game, cell.setup, self.plan.reference) if self.camp_of(cell) and not cell.role else None

    def camp_of(self, cell: Cell) -> str:
        """The camp in focus: the role's, or in the matrix the only one that the reference doesn't play; "" for none."""
        if cell.role:
            return self.game.camp_of_role[cell.role]
        others = [camp for camp, agent in zip(self.game.camps, cell.camps) if agent != self.plan.reference]
        return others[0] if cell.table == MATRIX and len(others) == 1 else ""

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One line a cell; docs/guides/evaluation.md describes the columns."""
        import pandas as pd

        return pd.DataFrame.from_records([self._line(cell) for cell in self.cells])

    def _line(self, cell: Cell) -> dict[str, Any]:
        games, label, camp = self.read(cell), self.label, self.camp_of(cell)
        seated = dict(zip(self.game.camps, cell.camps))
        others = [self.plan.reference] if camp and not cell.role else cell.camps or cell.pool
        won = games[[f"{WON}{camp}" for camp in self.game.camps]]
        line = {
            "cell": cell.name,
            "table": cell.table,
            "setup": str(cell.setup),
            "num_players": cell.num_players,
            "variant": cell.variant,
            "role": cell.role,
            "camp": camp,
            "agent": label(cell.focus or seated.get(camp) or cell.camps[0]),
            "among": ", ".join(dict.fromkeys(map(label, others))),
            **{f"agent_{camp}": label(agent) for camp, agent in seated.items()},
            "games": len(games),
            "nobody_won": int((~won.fillna(False).any(axis=1)).sum()),
        }
        for camp in self.game.camps:
            found = self.rate(cell, camp)
            line |= {**columns(f"{WON}{camp}", found), f"{WON}{camp}_games": found.games}
        if self.game.summary.score:
            line |= spread("score", self.scores(cell))
        return line | self._swapped(cell) | ({} if cell.role else self._summary(games))

    def scores(self, cell: Cell) -> Floats:
        """The final scores of all seats, (n, seats), or of the seat in focus, (n, 1), if the cell has a role."""
        games = self.read(cell)
        names = [f"{self.game.summary.score}_{seat}" for seat in range(cell.num_players)]
        scores = games[names].to_numpy(np.float64)
        focus = games["focus"].to_numpy(np.int64)[:, None]
        return np.take_along_axis(scores, focus, axis=1) if cell.role else scores

    def _swapped(self, cell: Cell) -> dict[str, Any]:
        """What changed with the agent in focus: the rates of its camp here and in the base cell, and the gain."""
        base, gain, camp = self.base_of(cell), self.gain(cell), self.camp_of(cell)
        if base is None or gain is None:
            return {}
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

    def _summary(self, games: pd.DataFrame) -> dict[str, Any]:
        """The length of the games, the shares of games with an event, and means, by the headings of the summary."""
        summary = self.game.summary
        told = spread("decisions", games[["decisions"]].to_numpy(np.float64))
        for head, column in summary.happened.items():
            among = games[games[summary.among[head]].astype(bool)] if head in summary.among else games
            share = rate(int((among[column] > 0).sum()), len(among))
            told |= {**columns(f"share_{head}", share), f"share_{head}_games": share.games}
        return told | {f"mean_{head}": float(games[column].mean()) for head, column in summary.means.items()}

    def _read(self, cell: Cell) -> pd.DataFrame:
        """The games of a cell, with the columns that its line is made of."""
        import pandas as pd
        import pyarrow as pa

        summary = self.game.summary
        scores = [f"{summary.score}_{seat}" for seat in range(cell.num_players)] if summary.score else []
        told = ["decisions", *summary.happened.values(), *summary.among.values(), *summary.means.values()]
        wanted = [] if cell.role else told  # the summary is of mirrors only
        names = list(dict.fromkeys(["game", "focus", *(f"{WON}{camp}" for camp in self.game.camps), *wanted, *scores]))
        parts = [self._read_part(cell, path, names) for path in self.folder.parts_of(self.cells.index(cell))]
        games: pd.DataFrame = pa.concat_tables(parts).to_pandas(types_mapper={pa.bool_(): pd.BooleanDtype()}.get)
        return games

    def _read_part(self, cell: Cell, path: Path, names: list[str]) -> Any:
        """Columns of a part; OptionError if it belongs to another cell or chunk."""
        rows = read_table(self.game, path, [*names, "cell"])
        first, size = int(path.stem.partition("-")[2]) * self.plan.chunk, self.plan.chunk
        numbers = rows["game"].to_numpy()
        names_there = set(rows["cell"].unique().to_pylist())
        if names_there - {cell.name} or ((numbers < first) | (numbers >= first + size)).any():
            raise OptionError(f"{path} holds rows of other games: expected {cell.name}, from game {first:,}")
        rows = rows.drop_columns(["cell"])
        return rows.filter(~repaired(path, rows.num_rows)) if self.unrepaired else rows


# --- frames of rows ---------------------------------------------------------------------------------------------------


def rows_frame(game: Game, folder: Folder) -> pd.DataFrame:
    """All rows, with role, agent and win of the seat in focus (`focus_role`, `focus_agent`, `focus_won`).

    They are missing where no seat is in focus. Raises OptionError if a file can't be read.
    """
    import pandas as pd

    rows = pd.concat([_part_frame(path) for path in sorted(folder.parts.glob("*.parquet"))], ignore_index=True)
    focus = {name: pd.Series(pd.NA, rows.index, "object") for name in ("focus_role", "focus_agent")}
    for seat in range(game.max_players):
        mine = rows["focus"] == seat
        for kind in ("role", "agent"):
            focus[f"focus_{kind}"][mine] = rows.loc[mine, f"{kind}_{seat}"].astype("object")
    return rows.assign(**focus, focus_won=_won_as(game, rows, focus["focus_role"]))


def _part_frame(path: Path) -> pd.DataFrame:
    from pyarrow import parquet

    with read_as(path, "rows of an evaluation"):
        return parquet.read_table(path, page_checksum_verification=True).to_pandas(strings_to_categorical=False)


def _won_as(game: Game, rows: pd.DataFrame, roles: pd.Series) -> pd.Series:
    """Whether the camp of a role won, for the role given for each row; missing where there is none."""
    import pandas as pd

    won = pd.Series(pd.NA, rows.index, "boolean")
    for role, camp in game.camp_of_role.items():
        won[roles == role] = rows.loc[roles == role, f"{WON}{camp}"]
    return won


def outside_frame(outcomes: Outcomes) -> pd.DataFrame:
    """What went wrong with agents from outside in each setup, and what it cost, apart from their strength.

    Beside the sums of what was counted (`riverbed_env.seats.FIGURES`): `answers`, how often it was asked, again after
    failures included; `share_<class>` of these, and `share_repaired` of its decisions; `cost`; `forfeits`, among its
    seats' games; `wins` of its seats' camps, in games of several camps. `gain` is over all its roles, `needed` and
    `cost_needed` are the games and the cost that would narrow its interval to +-WITHIN.
    """
    import pandas as pd
    from pyarrow import parquet

    game = outcomes.game
    rows = [
        _part_frame(path).assign(setup=str(cell.setup))
        for number, cell in enumerate(outcomes.cells)
        for path in outcomes.folder.parts_of(number)
        if f"{OUTSIDE}decisions" in parquet.read_schema(path).names
    ]
    seats = [
        pd.DataFrame({
            "setup": part["setup"],
            "agent": part[f"agent_{seat}"].astype("object"),
            "won": _won_as(game, part, part[f"role_{seat}"].astype("object")),
            **{name: part[f"{OUTSIDE}{name}"].str[seat] for name in FIGURES},
        })
        for part in rows
        for seat in range(int(part["num_players"].iloc[0]))
    ]  # fmt: skip
    return pd.DataFrame.from_records(list(_outside_lines(outcomes, pd.concat(seats)))) if seats else pd.DataFrame()


def _outside_lines(outcomes: Outcomes, seats: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for (setup, agent), mine in seats.groupby(["setup", "agent"], sort=False):
        sums = {name: int(mine[name].sum()) for name in FIGURES}
        if sums["decisions"]:  # others sat there too
            failures = sum(sums[kind] for kind in Failure)
            answers = sums["decisions"] - sums["repaired"] - sums["forfeited"] + failures
            gain, cost = outcomes.gain_of(str(agent), str(setup)), sums["micros"] / 1e6 / len(mine)
            needed = games_for(gain)
            yield {
                "setup": setup,
                "agent": outcomes.label(str(agent)),
                "games": len(mine),
                **sums,
                "answers": answers,
                **{f"share_{kind}": sums[kind] / max(1, answers) for kind in Failure},
                "share_repaired": sums["repaired"] / sums["decisions"],
                "cost": sums["micros"] / 1e6,
                "tokens_a_game": round((sums["tokens_in"] + sums["tokens_out"]) / len(mine)),
                "cost_a_game": cost,
                **columns("gain", gain),
                "needed": needed,
                "cost_needed": needed * cost,
                **columns("forfeits", rate(int((mine["forfeited"] > 0).sum()), len(mine))),
                **(columns("wins", rate(int(mine["won"].sum()), len(mine))) if len(outcomes.game.camps) > 1 else {}),
            }
