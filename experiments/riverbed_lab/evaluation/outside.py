"""What the rows say of agents from outside: failures, forfeits, repairs and costs, apart from their strength."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.seats import FIGURES

from ..config_files import read_as
from ..playing.plan import Setup
from ..playing.rows import OUTSIDE, WON
from ..statistics import rate
from .outcomes import Outcomes
from .results import OutsideRow

Counted = dict[str, npt.NDArray[np.int64]]
WINS = "won"


def outside_rows(outcomes: Outcomes, setup: Setup) -> Iterator[OutsideRow]:
    """A row for each agent that counted something in the finished games of a setup."""
    paths = [
        path
        for number, cell in enumerate(outcomes.cells)
        if cell.setup == setup
        for path in outcomes.folder.parts_of(number)
    ]
    by_agent: dict[str, list[Counted]] = {}
    for path in paths:
        for agent, counted in _of_part(outcomes.game, path, setup.num_players):
            by_agent.setdefault(agent, []).append(counted)
    for agent, parts in by_agent.items():
        seats = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        yield _row(setup, outcomes.label(agent), seats)


def _row(setup: Setup, agent: str, seats: Counted) -> OutsideRow:
    """The row of an agent. seats: its figures in each seat of each game that it sat in."""
    figures = {name: int(seats[name].sum()) for name in FIGURES}
    forfeited = seats["forfeited"] > 0
    row = OutsideRow(setup, agent, figures, rate(int(forfeited.sum()), len(forfeited)))
    if WINS not in seats:
        return row
    won, untouched = seats[WINS] > 0, ~forfeited & (seats["repaired"] == 0)
    wins = rate(int(won.sum()), len(won))
    return OutsideRow(setup, agent, figures, row.forfeits, wins, rate(int(won[untouched].sum()), int(untouched.sum())))


def _of_part(game: Game, path: Path, num_players: int) -> Iterator[tuple[str, Counted]]:
    """Each agent of a part that counted something, with its figures by seat and game, and whether the seat won."""
    from pyarrow import parquet

    with read_as(path, "rows of an evaluation"):
        names = set(parquet.read_schema(path).names)
        figures = {name: f"{OUTSIDE}{name}" for name in FIGURES if f"{OUTSIDE}{name}" in names}
        if not figures:
            return
        seats = [f"{kind}_{seat}" for kind in ("agent", "role") for seat in range(num_players)]
        rows = parquet.read_table(path, columns=[*figures.values(), *seats, *(f"{WON}{camp}" for camp in game.camps)])
    counted = dict.fromkeys(FIGURES, np.zeros((len(rows), num_players), np.int64))  # an older file has fewer figures
    for name, column in figures.items():
        counted[name] = np.array(rows[column].to_pylist(), np.int64).reshape(-1, num_players)
    won = {camp: np.array(rows[f"{WON}{camp}"].fill_null(False).to_pylist(), np.bool_) for camp in game.camps}
    agents = np.array([rows[f"agent_{seat}"].to_pylist() for seat in range(num_players)]).T
    roles = np.array([rows[f"role_{seat}"].to_pylist() for seat in range(num_players)]).T
    for agent in dict.fromkeys(agents.ravel().tolist()):
        mine = agents == agent
        seated = {name: array[mine] for name, array in counted.items()}
        if seated["decisions"].any():
            if len(game.camps) > 1:
                seated[WINS] = _won(game, roles, won)[mine]
            yield agent, seated


def _won(game: Game, roles: npt.NDArray[np.str_], won: dict[str, npt.NDArray[np.bool_]]) -> npt.NDArray[np.int64]:
    """Whether the camp of each seat won, (n, seats)."""
    out = np.zeros(roles.shape, np.int64)
    for role, camp in game.camp_of_role.items():
        out[(roles == role) & won[camp][:, None]] = 1
    return out
