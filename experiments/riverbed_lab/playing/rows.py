"""Finished games as columns: one row per game, with all that is needed to play it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.files import check_plain
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError

from ..config_files import read_as
from .plan import Cell
from .play import Played
from .seating import Seating

if TYPE_CHECKING:
    import pyarrow as pa


WON = "won_"
ACTIONS = "actions"  # the column of all decisions in order, where somebody sat who can't be asked again for nothing
OUTSIDE = "outside_"  # columns with a list of numbers by seat: what agents from outside have counted


def table_of(game: Game, origin: Mapping[str, str | int], cell: Cell, seating: Seating, played: Played) -> pa.Table:
    """The rows of a cell's games; docs/guides/evaluation.md describes the columns.

    origin: the columns that all rows of a run share. `seconds`, the mean over the games played in one go, is the only
    column that differs when games are played again.
    """
    import pyarrow as pa

    count = len(seating.numbers)
    columns: dict[str, Any] = {
        name: _named(np.zeros(count, np.int32), [value]) if isinstance(value, str) else np.full(count, value, np.int64)
        for name, value in {**origin, "table": cell.table, "cell": cell.name}.items()
    }
    columns["num_players"] = np.full(count, cell.num_players, np.int8)
    columns["focus"] = seating.focus.astype(np.int8)
    columns |= _by_seat(game, seating, played.agents)
    columns |= {f"{WON}{camp}": column for camp, column in _won(game, seating, played).items()}
    games = played.games if count else np.zeros(1, game.dtype)  # `columns` needs at least one game
    columns |= {name: pa.array(column[:count]) for name, column in game.columns(games).items()}
    counted = played.figures.items()
    columns |= {f"{OUTSIDE}{name}": pa.array(by_seat.tolist(), pa.list_(pa.int64())) for name, by_seat in counted}
    if len(played.actions):
        ends = np.concatenate([[0], played.lengths.cumsum()]).astype(np.int32)
        columns[ACTIONS] = pa.ListArray.from_arrays(pa.array(ends), pa.array(played.actions))
    columns["seconds"] = np.full(count, played.seconds / max(1, count), np.float32)
    return pa.table(columns)


def write_table(table: pa.Table, path: Path) -> None:
    """Write rows as Parquet."""
    from pyarrow import parquet

    parquet.write_table(table, path, compression="zstd", write_statistics=False, write_page_checksum=True)


def read_table(game: Game, path: Path, names: Sequence[str]) -> pa.Table:
    """These columns of a file of rows.

    Raises OptionError if the file can't be read, fails its checksums, has other columns, or lacks values.
    """
    from pyarrow import parquet

    check_plain(path, f"rows {path}")
    with read_as(path, "rows of an evaluation"):
        how: dict[str, Any] = {"page_checksum_verification": True, "use_threads": False, "partitioning": None}
        table = parquet.read_table(path, columns=list(names), **how)
        wanted = columns_of(game)
        for name in names:
            if name not in table.schema.names or table.schema.field(name).type != wanted.field(name).type:
                raise OptionError(f"the column {name} is missing, or isn't {wanted.field(name).type}")
        table.validate(full=True)
        empty = [name for name in names if table[name].null_count and not name.startswith(WON)]
        if empty:
            raise OptionError(f"values are missing in {', '.join(empty)}")
        return table


def repaired(path: Path, count: int) -> npt.NDArray[np.bool_]:
    """In which of the `count` games in a file of rows chance chose for an agent from outside, after a failure.

    Raises OptionError if they can't be read.
    """
    from pyarrow import parquet

    with read_as(path, "rows of an evaluation"):
        there = parquet.read_schema(path).names
        names = [name for name in (f"{OUTSIDE}repaired", f"{OUTSIDE}forfeited") if name in there]
        rows = parquet.read_table(path, columns=names).to_pylist() if names else [{}] * count
    return np.array([any(map(sum, row.values())) for row in rows], np.bool_)


def read_actions(path: Path, count: int) -> list[tuple[int, ...]] | None:
    """The decisions of each of the `count` games in a file of rows; None where they weren't kept.

    Raises OptionError if they can't be read.
    """
    from pyarrow import parquet

    with read_as(path, "rows of an evaluation"):
        if ACTIONS not in parquet.read_schema(path).names:
            return None
        lists = parquet.read_table(path, columns=[ACTIONS], page_checksum_verification=True)[ACTIONS].to_pylist()
        if len(lists) != count or not all(lists):
            raise OptionError("decisions are missing")
        return [tuple(actions) for actions in lists]


def columns_of(game: Game) -> pa.Schema:
    """The columns of rows and their types."""
    nobody, no_seats = np.zeros(0, np.int64), np.zeros((0, game.max_players), np.int64)
    seating = Seating(nobody, no_seats, nobody, no_seats.astype(np.int8))
    played = Played(np.zeros(0, game.dtype), [], no_seats, 0.0)
    return table_of(
        game, {"environment": "", "pack": "", "code": "", "seed": 0}, Cell("", game.max_players), seating, played
    ).schema


def _named(numbers: npt.NDArray[np.int32], names: Sequence[str]) -> Any:
    """Strings as indices into a list of names, so that Python touches no row."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(numbers), pa.array(list(names)))


def _by_seat(game: Game, seating: Seating, agents: Sequence[str]) -> dict[str, Any]:
    columns = {}
    nobody = np.zeros(len(seating.numbers), np.int32)
    for seat in range(game.max_players):
        there = seat < seating.seats.shape[1]
        roles = seating.roles[:, seat].astype(np.int32) + 1 if there else nobody
        seated = seating.seats[:, seat].astype(np.int32) + 1 if there else nobody
        columns[f"role_{seat}"] = _named(roles, ["", *game.roles])
        columns[f"agent_{seat}"] = _named(seated, ["", *agents])
    return columns


def _won(game: Game, seating: Seating, played: Played) -> dict[str, Any]:
    """Whether each camp won, by returns, null where it doesn't play; with one camp, whether the seat in focus won."""
    import pyarrow as pa

    paid = game.returns(played.games, seating.seats.shape[1]) > 0
    if len(game.camps) == 1:
        return {game.camps[0]: pa.array(paid[np.arange(len(paid)), seating.focus])}
    camps = game.camps_of(seating.roles)
    return {
        camp: pa.array((paid & (camps == number)).any(axis=1), mask=~(camps == number).any(axis=1))
        for number, camp in enumerate(game.camps)
    }
