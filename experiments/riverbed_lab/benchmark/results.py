"""Result files: one for each agent, with the cells of every track it has played; scores follow from the cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.options import check_choice
from riverbed_env.core.schema import NOTHING_ELSE, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from ..config_files import read_as
from .score import Cell, Score, score
from .tracks import ITSELF, benchmark, frozen, seed_of

FORMAT = 1
ROUNDED = 1e-4  # of rates, whose differences are rounded one by one
resampled_once = cache(score)  # a board asks for the same score several times


@dataclass(frozen=True)
class Played:
    """A track that an agent has played.

    Args:
        hash: of the agent that played it.
        seed: of the deals.
        games: deals of each cell.
        code: the version of the library.
        rows: the hash of the rows.
        seconds: that playing took, over all runs.
        cells: of the track.
        trained: the same cells on packs for training.
        seeds: cells among other seeds of the same method.
        exact: rows of `riverbed_lab.exact.exact_rows`.
        refused: why the agent can't play it.
    """

    __pydantic_config__ = NOTHING_ELSE

    hash: str
    seed: int = 0
    games: int = 0
    code: str = ""
    rows: str = ""
    seconds: float = 0.0
    cells: tuple[Cell, ...] = ()
    trained: tuple[Cell, ...] = ()
    seeds: tuple[Cell, ...] = ()
    exact: tuple[dict[str, Any], ...] = ()
    refused: str = ""


@dataclass(frozen=True)
class Result:
    """What an agent reached: its label and spec, the class of its training budget, and the tracks it has played."""

    __pydantic_config__ = NOTHING_ELSE

    benchmark: str
    agent: str
    spec: str
    budget: str
    frozen: Mapping[str, str]
    tracks: Mapping[str, Played] = field(default_factory=dict)

    def score(self, track: str, *, trained: bool = False) -> Score | None:
        """The score of a track; None if it has no cells. trained: on the packs for training."""
        played = self.tracks.get(track)
        cells = () if played is None else played.trained if trained else played.cells
        return resampled_once(cells, best_of(track, cells)) if cells else None

    @property
    def nash_conv(self) -> float | None:
        """The mean NashConv of the small games; None if they weren't solved."""
        rows = [row for played in self.tracks.values() for row in played.exact]
        return sum(row["nash_conv"] for row in rows) / len(rows) if rows else None


def best_of(track: str, cells: Sequence[Cell]) -> tuple[float, ...]:
    """The best known gain of each cell; 0 where none is known."""
    known = frozen().best.get(track, {})
    return tuple(known.get(cell.name, (0.0, ""))[0] for cell in cells)


def fixed() -> dict[str, str]:
    """The frozen hashes that a result file carries."""
    return {**frozen().agents, **{f"packs {name}": value for name, value in frozen().packs.items()}}


def open_result(path: Path, result: Result) -> Result:
    """The result in a file, or this one if there is no file.

    Raises OptionError if the file is of another agent, or not of this benchmark.
    """
    there = read_result(path, whole=False) if path.exists() else result
    for name in ("agent", "spec", "budget"):
        was, now = getattr(there, name), getattr(result, name)
        if was != now:
            raise OptionError(f"{path} has the {name} {was!r}, not {now!r}: choose another folder with --out")
    return there


def add_tracks(path: Path, result: Result, played: Mapping[str, Mapping[str, Any]]) -> Result:
    """Add tracks to the file of an agent, new or there already, and write it.

    Raises OptionError if the file is of another agent, or not of this benchmark.
    """
    there = open_result(path, result)
    hashes = {each["hash"] for each in played.values()}
    kept = {name: each for name, each in there.tracks.items() if each.hash in hashes}  # of the agent as it was before
    plain = {**_plain(result), "tracks": {**{name: _plain(each) for name, each in kept.items()}, **played}}
    write_json(path, {"format": FORMAT, **plain})
    return read_result(path, whole=False)


def _plain(value: Any) -> dict[str, Any]:
    return {name: each for name, each in asdict(value).items() if each not in ((), "", {}, 0, 0.0) or name == "hash"}


def read_result(path: Path, *, whole: bool = True) -> Result:
    """A result file.

    Args:
        path: of the file.
        whole: whether every track must have all its cells with as many deals as the benchmark wants.

    Returns:
        The result.

    Raises:
        OptionError: it can't be read, is of another benchmark, its hashes don't fit, or a track isn't whole.
    """
    content = read_json(path, "result", FORMAT)
    with read_as(path, "result of the benchmark"):
        result = of_kind(Result, content, str(path))
    if result.benchmark != benchmark().name:
        raise OptionError(f"{path} is a result of {result.benchmark!r}; this is {benchmark().name!r}")
    for name, value in fixed().items():
        if result.frozen.get(name) != value:
            raise OptionError(f"{path} was played with other {name}: {result.frozen.get(name)} there, {value} here")
    check_choice(f"{path}: budget", result.budget, benchmark().budgets)
    if whole and not result.tracks:
        raise OptionError(f"{path} has no track")
    for name, played in result.tracks.items() if whole else ():
        _check_track(path, name, played)
    return result


def _check_track(path: Path, name: str, played: Played) -> None:
    """Raises OptionError unless a track was played as the benchmark wants, and its figures fit one another."""
    track = benchmark().track(name)
    if played.refused:
        return
    if track.seats == "exact":
        if tuple(row.get("game") for row in played.exact) != track.small:
            raise OptionError(f"{path}: {name} needs the games {', '.join(track.small)}, in this order")
        return
    if played.games != track.games:
        raise OptionError(f"{path}: {name} was played with {played.games:,} deals, a trial; it needs {track.games:,}")
    if played.seed != seed_of(name, played.hash):
        raise OptionError(f"{path}: {name} was played on other deals than those of its agent")
    game = find_game(benchmark().game)
    seats = game.camps if track.seats == "camp" else game.roles
    places = sorted(product(track.lineups or (ITSELF,), track.players, seats))
    for cells, options in ((played.cells, track.options), (played.trained, track.trained)):
        found = sorted((cell.lineup, cell.players, cell.seat) for cell in cells)
        if found != places and (options or cells is played.cells):
            raise OptionError(f"{path}: {name} lacks cells, or has others than the track's; play it again")
        blocks = len(game.splits.get(str(options.get("pack")), ())) or track.games
        for cell in cells:
            _check_cell(f"{path}: {name}, {cell.name}", cell, min(blocks, track.games))


def _check_cell(where: str, cell: Cell, blocks: int) -> None:
    """Raises OptionError if a cell's differences are no games', or not those of its rates. blocks: that it needs."""
    if any(not -1 <= value <= 1 or count < 1 for value, count in cell.differences):
        raise OptionError(f"{where} has differences that no games give")
    count = int(sum(count for _, count in cell.differences))
    if count != blocks:
        raise OptionError(f"{where} has differences of {count:,} deals or packs, not of {blocks:,}")
    if abs(cell.gain - (cell.won - cell.instead)) > ROUNDED:
        raise OptionError(f"{where} has differences that don't fit how often was won")
