"""Recorded games as Parquet files, one row a game; any tool that reads Parquet can read them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.files import check_plain, parse_json, write_whole
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError, RiverbedError

from .games import NOBODY, Games
from .manifest import FORMAT, MOST_IN_PART, Manifest

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import parquet

KEY = b"riverbed"  # of our entry in a file's metadata
ROWS = 10_000  # games in a row group


def write_part(path: Path, game: Game, manifest: Manifest, part: int, games: Games) -> str:
    """Write a part's file, whole or not at all; returns the hash of its contents."""
    from pyarrow import parquet

    digest = games.digest()
    label = {name: getattr(manifest, name) for name in ("environment", "seed", "pack", "version")}
    label |= {"format": FORMAT, "options": dict(manifest.options), "part": part, "digest": digest}
    table = table_of(game, manifest, games).replace_schema_metadata({KEY: json.dumps(label)})

    def write(partial: Path) -> None:
        parquet.write_table(
            *(table, partial), compression="zstd", row_group_size=ROWS, write_statistics=False, write_page_checksum=True
        )

    write_whole(path, write)
    return digest


def table_of(game: Game, manifest: Manifest, games: Games) -> pa.Table:
    """The rows of games; docs/guides/corpus.md describes the columns."""
    import pyarrow as pa

    narrow = np.uint8 if game.actions.size <= 2**8 else np.uint16
    actions = pa.ListArray.from_arrays(pa.array(games.starts.astype(np.int32)), pa.array(games.actions.astype(narrow)))
    columns: dict[str, Any] = {
        "game": games.number,
        "seed": np.full(len(games), manifest.seed, np.int64),
        "num_players": games.num_players,
    }
    for seat in range(game.max_players):
        columns[f"agent_{seat}"] = _named(games.agents[:, seat], manifest.agents)
        columns[f"role_{seat}"] = _named(games.roles[:, seat], game.roles)
        columns[f"return_{seat}"] = pa.array(games.returns[:, seat], mask=games.roles[:, seat] == NOBODY)
    columns["winner"] = _named(games.winner, game.camps)
    columns["truncated"] = games.truncated
    columns["decisions"] = games.lengths
    columns["actions"] = actions
    return pa.table(columns)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[parquet.ParquetFile, dict[str, Any]]]:
    """The open file of a part, and what it says of itself. Raises OptionError for any error while it is open."""
    from pyarrow import parquet

    check_plain(path, f"part {path}")
    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            text = (file.schema_arrow.metadata or {}).get(KEY)
            if text is None:
                raise OptionError(f"{path} isn't a part of a corpus: it has no entry {KEY.decode()!r}")
            yield file, parse_json(text.decode(), f"the label of {path}", FORMAT)
    except RiverbedError:
        raise
    except Exception as error:  # a damaged file can cause any error
        why = " ".join(str(error).split()) or type(error).__name__
        raise OptionError(f"part {path} can't be read, it is cut short or damaged: {why[:200]}") from error


def read_digest(path: Path) -> str:
    """The hash of a part, as its file says; reads no rows. Raises OptionError if it isn't the file of a part."""
    with _opened(path) as (_, label):
        return str(label["digest"])


def read_part(path: Path, game: Game, manifest: Manifest) -> tuple[dict[str, Any], Games]:
    """The label and the games of a part's file. Columns that aren't known are left alone.

    Raises OptionError, in one line with the file's name, if it can't be read, is cut short or damaged, was written by a
    version with another format, lacks columns, holds other values than it may, or differs from its own hash.
    """
    with _opened(path) as (file, label):
        if file.metadata.num_rows > MOST_IN_PART:
            raise OptionError(f"part {path} has more than {MOST_IN_PART:,} games")
        table = file.read(columns=_columns(game), use_threads=False)
        table.validate(full=True)
        games = _games(table, game, manifest)
        if games.digest() != label["digest"]:
            raise OptionError(f"part {path} isn't what was written: its contents differ from its own hash")
        return label, games


def _columns(game: Game) -> list[str]:
    by_seat = [f"{name}_{seat}" for name in ("agent", "role", "return") for seat in range(game.max_players)]
    return ["game", "num_players", *by_seat, "winner", "truncated", "decisions", "actions"]


def _named(numbers: npt.NDArray[np.int8], names: Sequence[str]) -> pa.DictionaryArray:
    """Names by their numbers; null for NOBODY."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(numbers, mask=numbers == NOBODY), pa.array(list(names)))


def _numbered(column: pa.ChunkedArray, names: Sequence[str]) -> npt.NDArray[np.int8]:
    """Numbers by their names; NOBODY for null. Raises ValueError for a name that isn't among `names`."""
    import pyarrow as pa
    from pyarrow import compute

    places = compute.index_in(column.cast(pa.string()), pa.array(list(names)))
    if places.null_count != column.null_count:
        raise ValueError(f"a name isn't one of {', '.join(names)}")
    return np.asarray(places.fill_null(NOBODY).to_numpy()).astype(np.int8)


def _games(table: pa.Table, game: Game, manifest: Manifest) -> Games:
    actions = table["actions"].combine_chunks()
    lengths = np.diff(actions.offsets.to_numpy()).astype(np.int32)
    seats = range(game.max_players)
    return Games(
        number=table["game"].to_numpy().astype(np.int64),
        num_players=table["num_players"].to_numpy().astype(np.int8),
        agents=np.stack([_numbered(table[f"agent_{seat}"], manifest.agents) for seat in seats], axis=1),
        roles=np.stack([_numbered(table[f"role_{seat}"], game.roles) for seat in seats], axis=1),
        returns=np.stack([table[f"return_{seat}"].fill_null(0).to_numpy() for seat in seats], axis=1),
        winner=_numbered(table["winner"], game.camps),
        truncated=table["truncated"].to_numpy(),
        lengths=lengths,
        actions=actions.flatten().to_numpy().astype(np.uint16),
    )
