"""The team win-rate benchmark: every player count, line-ups of agents, intervals, and the all-random base rate beside.

Every line-up plays the same numbered games of the same seed, so all meet the same deals.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.agents import UNIFORM, Agent
from riverbed_env.core.errors import OptionError
from riverbed_env.core.game import Game
from riverbed_env.version import __version__

from .files import writable_folder, write_json, write_whole
from .play import LineUp, Played, line_up, play
from .statistics import Rate, rate

BASE = "all random"
CHUNK = 2000  # games between two looks at the progress bar

Columns = dict[str, npt.NDArray[np.generic]]


@dataclass(frozen=True)
class Settings:
    """What a benchmark plays."""

    games: int  # of each line-up at each player count
    players: tuple[int, ...]  # player counts
    agent: Agent  # the agent that is measured
    seed: int = 0
    threads: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)  # of the game: pack, layout, roles, …


@dataclass(frozen=True)
class Cell:
    """A line-up at a player count: its rows and what is told of them."""

    num_players: int
    line_up: LineUp
    columns: Columns
    seconds: float
    wins: dict[str, Rate]  # by camp; the profiteer's among the games that have one
    events: dict[str, Rate]  # hunt, con (where there is a profiteer), penalty

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.columns["game"])

    def mean(self, column: str) -> float:
        """The mean of a column over the games."""
        return float(np.mean(self.columns[column].astype(np.float64)))


def line_ups(game: Game, agent: Agent) -> list[LineUp]:
    """All random first, then the agent in one camp among random ones, then everywhere."""
    camps = [line_up(game, f"{agent.name} {camp}", UNIFORM, **{camp: agent}) for camp in game.camps]
    return [line_up(game, BASE, UNIFORM), *camps, line_up(game, f"all {agent.name}", agent)]


def check(game: Game, settings: Settings) -> None:
    """OptionError for what can't be played."""
    if settings.games < 1:
        raise OptionError(f"games must be at least 1, not {settings.games}")
    for count in settings.players:
        if not game.min_players <= count <= game.max_players:
            raise OptionError(f"players must be from {game.min_players} to {game.max_players}, not {count}")


def run(game: Game, settings: Settings, progress: Callable[[int], None] = lambda games: None) -> Iterator[Cell]:
    """Play every line-up at every player count; `progress` is told of games as they are done."""
    check(game, settings)
    for count in settings.players:
        for who in line_ups(game, settings.agent):
            yield _play_cell(game, settings, count, who, progress)


def warm_up(game: Game, settings: Settings) -> None:
    """Compile what the benchmark needs, so that its clock measures play."""
    everybody = line_up(game, "warm-up", UNIFORM)
    first = settings.players[0]
    pool = (settings.agent, UNIFORM)
    play(
        game, everybody, [0], settings.seed, threads=settings.threads, pool=pool, num_players=first, **settings.options
    )


def _play_cell(game: Game, settings: Settings, count: int, who: LineUp, progress: Callable[[int], None]) -> Cell:
    parts: list[Columns] = []
    seconds = 0.0
    made, _ = game.make_setting(num_players=count, **settings.options)
    for first in range(0, settings.games, CHUNK):
        numbers = np.arange(first, min(first + CHUNK, settings.games))
        played = play(
            game, who, numbers, settings.seed, threads=settings.threads, settings=made, pool=(settings.agent, UNIFORM)
        )
        seconds += played.seconds
        parts.append({**game.columns(played.games), **_seats(game, played)})
        progress(len(numbers))
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return Cell(count, who, columns, seconds, *_rates(game, columns))


def _seats(game: Game, played: Played) -> Columns:
    """Role and agent of each seat, "" past the players."""
    roles = np.array(game.roles)[game.roles_of(played.games)]
    agents = np.array(played.agents)[played.seats]
    columns: Columns = {}
    for seat in range(game.max_players):
        there = seat < roles.shape[1]
        empty = np.full(len(roles), "")
        columns[f"role_{seat}"] = roles[:, seat] if there else empty
        columns[f"agent_{seat}"] = agents[:, seat] if there else empty
    return columns


def _rates(game: Game, columns: Columns) -> tuple[dict[str, Rate], dict[str, Rate]]:
    winner = columns["winner"]
    with_loner = columns["has_profiteer"].astype(np.bool_)
    wins = {}
    for number, camp in enumerate(game.camps):
        among = with_loner if camp == "profiteer" else np.ones(len(winner), np.bool_)
        wins[camp] = rate(int(np.sum((winner == number) & among)), int(np.sum(among)))
    events = {
        "hunt": rate(int(np.sum(columns["hunts"] > 0)), len(winner)),  # type: ignore[operator]  # numeric columns
        "con": rate(int(np.sum(columns["cons"][with_loner] > 0)), int(np.sum(with_loner))),  # type: ignore[operator]
        "penalty": rate(int(np.sum(columns["penalties"] > 0)), len(winner)),  # type: ignore[operator]
    }
    return wins, events


def code_version() -> str:
    """The library's version and, in a checkout, the commit."""
    try:
        commit = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parent,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return __version__
    return f"{__version__}+{commit}"


def write(game: Game, settings: Settings, cells: list[Cell], out: Path) -> list[Path]:
    """Write one Parquet row a game, a JSON summary and plots to the folder; returns the files written."""
    writable_folder(out)
    version = code_version()
    _, pack = game.make_setting(num_players=settings.players[0], **settings.options)
    rows = out / "games.parquet"
    write_whole(rows, lambda partial: _write_rows(game, settings, cells, pack.hash, version, partial))
    summary = out / "summary.json"
    write_json(summary, summarise(game, settings, cells, pack.hash, version))
    from .plots import write_plots

    return [rows, summary, *write_plots(game, cells, out)]


def _write_rows(game: Game, settings: Settings, cells: list[Cell], pack: str, version: str, path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    schema: pa.Schema | None = None
    writer: parquet.ParquetWriter | None = None
    for cell in cells:
        fixed = {
            "environment": game.id,
            "pack": pack,
            "code": version,
            "seed": settings.seed,
            "num_players": cell.num_players,
            "line_up": cell.line_up.name,
        }
        table = pa.table({**{name: [value] * cell.games for name, value in fixed.items()}, **cell.columns})
        if writer is None:
            schema = table.schema
            writer = parquet.ParquetWriter(path, schema, compression="zstd")
        writer.write_table(table.cast(schema))
    if writer is not None:
        writer.close()


def summarise(game: Game, settings: Settings, cells: list[Cell], pack: str, version: str) -> dict[str, Any]:
    """The benchmark as plain data: what was played, and each cell's rates, lengths and speed."""
    return {
        "environment": game.id,
        "pack": pack,
        "code": version,
        "agent": settings.agent.name,
        "seed": settings.seed,
        "games_per_cell": settings.games,
        "threads": settings.threads,
        "written": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "cells": [_summarise_cell(cell) for cell in cells],
    }


def _summarise_cell(cell: Cell) -> dict[str, Any]:
    def plain(rates: dict[str, Rate]) -> dict[str, dict[str, float]]:
        return {
            name: {"rate": found.value, "low": found.low, "high": found.high, "games": found.games}
            for name, found in rates.items()
            if found.games
        }

    return {
        "num_players": cell.num_players,
        "line_up": cell.line_up.name,
        "games": cell.games,
        "wins": plain(cell.wins),
        "events": plain(cell.events),
        "nobody_won": int(np.sum(cell.columns["nobody_won"])),
        "truncated": int(np.sum(cell.columns["truncated"])),
        "turns": cell.mean("turns"),
        "decisions": cell.mean("decisions"),
        "reveals": cell.mean("reveals"),
        "games_per_second": cell.games / cell.seconds,
    }
