"""Small corpora for tests, recorded by the command once a session."""

from pathlib import Path

import pyarrow as pa
from in_process import ran
from pyarrow import parquet

AGENTS = {
    "riverbed_hunt_v1": ("random", "simple"),
    "river_rats_v0": ("random", "simple"),
    "deep_river_v0": ("random", "greedy"),
    "riverside_v0": ("random", "greedy"),
}
PLAYERS = {"riverbed_hunt_v1": "4,7", "river_rats_v0": "1,3", "deep_river_v0": "2", "riverside_v0": "2,6"}
GAMES, PART = 20, 8


def record(folder: Path, game: str, *more: str, threads: int = 1) -> str:
    """Record GAMES games of a game to a folder; returns what the command says."""
    words = ("--players", PLAYERS[game], "--games", str(GAMES), "--part", str(PART), "--seed", "5")
    return ran("record", *AGENTS[game], "--game", game, *words, "--threads", str(threads), "--out", str(folder), *more)


def rewrite(path: Path, change: object) -> None:
    """Change the table of a Parquet file, keeping what the file says of itself. change: takes and returns a table."""
    table = parquet.read_table(path)
    changed: pa.Table = change(table)  # type: ignore[operator]
    parquet.write_table(changed.replace_schema_metadata(table.schema.metadata), path, write_page_checksum=True)
