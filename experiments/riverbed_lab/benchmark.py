"""The benchmark: win rates and scores at every player count, lineups of agents, intervals, the base lineup beside.

Every lineup plays the same numbered games of the same seed, so all meet the same deals.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.files import write_json, write_whole
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_known
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM, Agent
from riverbed_env.version import __version__

from .files import writable_folder
from .playing.play import Lineup, Played, focus, lineup, play
from .statistics import Rate, rate, spread

CHUNK = 2000  # games between two looks at the progress bar

Columns = dict[str, npt.NDArray[np.generic]]


@dataclass(frozen=True)
class Settings:
    """What a benchmark plays."""

    games: int  # of each lineup at each player count and variant
    players: tuple[int, ...]  # player counts
    agent: Agent  # the agent that is measured
    others: Agent = UNIFORM  # who sits beside it, and everywhere in the base lineup
    seed: int = 0
    threads: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)  # of the game: pack, layout, mode, …
    variants: tuple[Mapping[str, Any], ...] = ({},)  # options on top, each a table of its own

    @property
    def pool(self) -> tuple[Agent, ...]:
        """The agents of all lineups, and the random one of the warm-up: they share one compiled loop."""
        return (self.agent, self.others, UNIFORM)


@dataclass(frozen=True)
class Cell:
    """A lineup at a player count in a variant: its rows and what is told of them."""

    num_players: int
    variant: str
    lineup: Lineup
    columns: Columns
    seconds: float
    wins: dict[str, Rate]  # by camp, among the games that have it; where there is one camp, of the seat in focus
    events: dict[str, Rate]  # what happened, by the game's headings
    scores: npt.NDArray[np.float64]  # (n, seats told of) final scores: of the seat in focus or of all; empty without

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.columns["game"])

    @property
    def at(self) -> tuple[str, int]:
        """The variant and player count, which cells that are compared have in common."""
        return self.variant, self.num_players

    def mean(self, column: str) -> float:
        """The mean of a column over the games."""
        return float(np.mean(self.columns[column].astype(np.float64)))


def lineups(game: Game, settings: Settings, num_players: int) -> list[Lineup]:
    """The base lineup first, then the agent among the others: in one camp, or in one seat; then everywhere."""
    agent, others = settings.agent, settings.others
    base = lineup(game, f"all {others.name}", others)
    everywhere = lineup(game, f"all {agent.name}", agent)
    if len(game.camps) > 1:
        some = [lineup(game, f"{agent.name} {camp}", others, **{camp: agent}) for camp in game.camps]
    else:
        some = [replace(base, name=f"one {agent.name}", one=agent)] if num_players > 1 else []
    return [base, *some, everywhere] if agent.name != others.name else [base]


def check(game: Game, settings: Settings) -> None:
    """OptionError for what can't be played."""
    if settings.games < 1:
        raise OptionError(f"games must be at least 1, not {settings.games}")
    for count in settings.players:
        if not game.min_players <= count <= game.max_players:
            raise OptionError(f"players must be from {game.min_players} to {game.max_players}, not {count}")
    check_known(game, settings.options)


def total_games(game: Game, settings: Settings) -> int:
    """How many games `run` plays."""
    each = sum(len(lineups(game, settings, count)) for count in settings.players)
    return each * settings.games * len(settings.variants)


def run(game: Game, settings: Settings, progress: Callable[[int], None] = lambda games: None) -> Iterator[Cell]:
    """Play every lineup at every player count in every variant; `progress` is told of games as they are done."""
    check(game, settings)
    for variant in settings.variants:
        for count in settings.players:
            for who in lineups(game, settings, count):
                yield _play_cell(game, settings, variant, count, who, progress)


def warm_up(game: Game, settings: Settings) -> None:
    """Compile what the benchmark needs, so that its clock measures play."""
    everybody = lineup(game, "warm-up", UNIFORM)
    options = {"num_players": settings.players[0], **settings.options}
    play(game, everybody, [0], settings.seed, threads=settings.threads, pool=settings.pool, **options)


def name_variant(variant: Mapping[str, Any]) -> str:
    """The options that make a variant, in words; "" for none."""
    return ", ".join(f"{name} {value}" for name, value in variant.items())


def _play_cell(
    game: Game,
    settings: Settings,
    variant: Mapping[str, Any],
    count: int,
    who: Lineup,
    progress: Callable[[int], None],
) -> Cell:
    parts: list[Columns] = []
    won: list[dict[str, tuple[int, int]]] = []
    seconds = 0.0
    options = {"num_players": count, **settings.options, **variant}
    for first in range(0, settings.games, CHUNK):
        numbers = np.arange(first, min(first + CHUNK, settings.games))
        played = play(game, who, numbers, settings.seed, threads=settings.threads, pool=settings.pool, **options)
        seconds += played.seconds
        returns = game.returns(played.games, count)
        parts.append({**game.columns(played.games), **_seats(game, played, returns)})
        won.append(_camps_won(game, played.games, numbers, returns))
        progress(len(numbers))
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    wins = {camp: rate(*(sum(part[camp][which] for part in won) for which in (0, 1))) for camp in game.camps}
    scores = _scores(game, columns, who, count)
    return Cell(count, name_variant(variant), who, columns, seconds, wins, _events(game, columns), scores)


def _camps_won(
    game: Game, games: npt.NDArray[np.void], numbers: npt.NDArray[np.int64], returns: npt.NDArray[np.float32]
) -> dict[str, tuple[int, int]]:
    """How many games each camp won, of how many it was in; where there is but one, those the seat in focus won."""
    won = returns > 0
    if len(game.camps) == 1:
        in_focus = won[np.arange(len(games)), focus(numbers, won.shape[1])]
        return {game.camps[0]: (int(in_focus.sum()), len(games))}
    camp_numbers = np.array([game.camps.index(game.camp_of_role[role]) for role in game.roles])
    camps = camp_numbers[game.roles_of(games)]
    return {
        camp: (int((won & (camps == number)).any(axis=1).sum()), int((camps == number).any(axis=1).sum()))
        for number, camp in enumerate(game.camps)
    }


def _seats(game: Game, played: Played, returns: npt.NDArray[np.float32]) -> Columns:
    """Role, agent and return of each seat; "" and 0 past the players."""
    roles = np.array(game.roles)[game.roles_of(played.games)]
    agents = np.array(played.agents)[played.seats]
    columns: Columns = {}
    for seat in range(game.max_players):
        there = seat < roles.shape[1]
        empty = np.full(len(roles), "")
        columns[f"role_{seat}"] = roles[:, seat] if there else empty
        columns[f"agent_{seat}"] = agents[:, seat] if there else empty
        columns[f"payoff_{seat}"] = returns[:, seat] if there else np.zeros(len(roles), np.float32)
    return columns


def _events(game: Game, columns: Columns) -> dict[str, Rate]:
    """How often what the game tells of happened."""
    found = {}
    for heading, column in game.summary.happened.items():
        among = columns[game.summary.among[heading]] if heading in game.summary.among else np.ones(len(columns["game"]))
        counted = columns[column][among.astype(np.bool_)].astype(np.float64)
        found[heading] = rate(int(np.sum(counted > 0)), len(counted))
    return found


def _scores(game: Game, columns: Columns, who: Lineup, count: int) -> npt.NDArray[np.float64]:
    """The scores that are told of: of the seat in focus where one agent sits alone, else of every seat."""
    if not game.summary.score:
        return np.zeros((0, 0))
    scores = np.stack([columns[f"{game.summary.score}_{seat}"] for seat in range(count)], axis=1).astype(np.float64)
    if who.one is None:
        return scores
    numbers = columns["game"].astype(np.int64)
    return scores[np.arange(len(scores)), focus(numbers, count)][:, None]


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
    _, pack = game.make_params(num_players=settings.players[0], **{**settings.options, **settings.variants[0]})
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
            "variant": cell.variant,
            "lineup": cell.lineup.name,
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
        "others": settings.others.name,
        "options": {name: str(value) for name, value in settings.options.items()},
        "seed": settings.seed,
        "games_per_cell": settings.games,
        "threads": settings.threads,
        "written": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "cells": [_summarise_cell(game, cell) for cell in cells],
    }


def _summarise_cell(game: Game, cell: Cell) -> dict[str, Any]:
    def plain(rates: dict[str, Rate]) -> dict[str, dict[str, float]]:
        return {
            name: {"rate": found.value, "low": found.low, "high": found.high, "games": found.games}
            for name, found in rates.items()
            if found.games
        }

    return {
        "num_players": cell.num_players,
        "variant": cell.variant,
        "lineup": cell.lineup.name,
        "games": cell.games,
        "wins": plain(cell.wins),
        "events": plain(cell.events),
        "nobody_won": int(np.sum(cell.columns["nobody_won"])),
        "truncated": int(np.sum(cell.columns["truncated"])),
        **{column: cell.mean(column) for column in game.summary.means.values()},
        **({"scores": asdict(spread(cell.scores))} if cell.scores.size else {}),
        "games_per_second": cell.games / cell.seconds,
    }
