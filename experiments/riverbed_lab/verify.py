"""Engine and referee in lock-step, for as many games as one likes: `riverbed verify`.

The referees are second implementations of the rules, written from the rules alone. They belong to the tests and come
with the source tree. Work is cut into numbered blocks; every finished block is a line in a file, so that a run that is
broken off goes on where it was.
"""

from __future__ import annotations

import importlib
import json
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from riverbed_env.core.batch import Batch
from riverbed_env.core.files import cannot_write, parse_json, read_text
from riverbed_env.core.game import Game
from riverbed_env.core.schema import Count, of_kind
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.registry import find_game

from .files import digest

TREE = Path(__file__).resolve().parents[2]
REFEREE = TREE / "tests" / "referee"
FILE = "lockstep.jsonl"
GAMES_IN_BLOCK = 250


@dataclass(frozen=True)
class Block:
    """Numbered games of one kind, player count and variant, played together."""

    game: str
    kind: str  # of pack or deal
    num_players: int
    variant: int  # which of the game's variants
    seed: int
    first: int
    games: int

    @property
    def key(self) -> str:
        """What tells it from other blocks in the file."""
        return " ".join(str(getattr(self, each.name)) for each in fields(Block))


@dataclass(frozen=True)
class Disagreement:
    """Where engine and referee said different things, and what; see the lock-step driver."""

    game: str
    options: dict[str, Any]
    seed: int
    number: int
    decision: int
    actions: list[str]
    fact: str
    engine: str
    referee: str


@dataclass(frozen=True)
class Outcome(Block):
    """What is counted of a finished block."""

    games: Count
    decisions: Count
    endings: dict[str, Count]
    disagreements: list[Disagreement]


def load_lockstep(game: Game) -> tuple[Any, Any]:
    """The lock-step driver and the game's adapters from the tests; RiverbedError where they aren't there."""
    if not (REFEREE / "adapters" / f"{game.name}.py").is_file():
        raise RiverbedError(
            f"there is no referee of {game.id} in {REFEREE}; referees come with the source tree, not with the "
            "installed package: clone the repository and run 'riverbed verify' there"
        )
    if str(REFEREE.parent) not in sys.path:
        sys.path.insert(0, str(REFEREE.parent))
    driver = importlib.import_module("referee.lockstep")
    return driver, importlib.import_module(f"referee.adapters.{game.name}")


def kinds(game: Game) -> dict[str, tuple[Any, dict[str, Path]]]:
    """What is played, by name: adapters and options for the default pack, the referee's own, and special deals."""
    _, adapters = load_lockstep(game)
    own = sorted((REFEREE / "packs" / game.name).glob("*.toml"))
    return {
        "default": (adapters.ADAPTER, {}),
        **{path.stem: (adapters.ADAPTER, {"pack": path}) for path in own},
        **{name: (adapter, {}) for name, adapter in getattr(adapters, "SPECIAL_DEALS", {}).items()},
    }


def identity(game: Game) -> dict[str, str]:
    """The version and the sources that a block's outcome holds for: the engine's, the referee's."""
    engine = [path for folder in game.folders for path in sorted(folder.rglob("*.py"))]
    tables = sorted((TREE / "riverbed_env" / "packs" / game.name).glob("*.toml"))
    referee = [*sorted((REFEREE / game.name).glob("*.py")), *sorted((REFEREE / "packs" / game.name).glob("*.toml"))]
    return {"environment": game.id, "engine": digest([*engine, *tables]), "referee": digest(referee)}


def blocks(game: Game, games: int, players: Sequence[int], seed: int, size: int = GAMES_IN_BLOCK) -> list[Block]:
    """Blocks that hold at least `games` games in all, the kinds, player counts and variants in turn."""
    cells = list(product(players, kinds(game), range(len(game.variants))))
    found: list[Block] = []
    first = 0
    while len(found) * size < games:
        for count, kind, variant in cells:
            if len(found) * size < games:
                found.append(Block(game.id, kind, count, variant, seed, first, size))
        first += size
    return found


def play_block(block: Block) -> dict[str, Any]:
    """Play a block's games in lock-step; what came of it, as plain values."""
    game = find_game(block.game)
    driver, _ = load_lockstep(game)
    adapter, more = kinds(game)[block.kind]
    options = {"num_players": block.num_players, **more, **game.variants[block.variant]}
    numbers = range(block.first, block.first + block.games)
    outcome = driver.Lockstep(adapter, block.seed, numbers, **options).play().as_dict()
    for found in outcome["disagreements"]:
        if "pack" in found["options"]:
            found["options"]["pack"] = block.kind  # by name: its path is this machine's alone
    return {**asdict(block), **outcome}


def warm_up(game: Game) -> None:
    """Compile in this process what the others will then find in the cache."""
    batch = Batch(game, 2, seed=0, auto_reset=False)
    batch.step(batch.random_actions())


def in_words(found: dict[str, Any]) -> str:
    """A disagreement in a sentence."""
    last = ", ".join(found["actions"][-6:])
    return (
        f"{found['game']} {found['options']}, seed {found['seed']}, game {found['number']}, after {found['decision']} "
        f"decisions (… {last}): {found['fact']}: {found['engine']} says the engine, {found['referee']} the referee"
    )


class Ledger:
    """The finished blocks of a folder, a line each; what is of other sources is kept and not counted."""

    def __init__(self, folder: Path, game: Game) -> None:
        self.path = folder / FILE
        self.identity = identity(game)
        self.rows: list[dict[str, Any]] = []
        self.finished: set[str] = set()
        self.older = 0
        for row in self._read():
            if any(row.get(name) != value for name, value in self.identity.items()):
                self.older += row.get("environment") == game.id
                continue
            key = of_kind(Outcome, row, f"a block in {self.path}").key
            if key not in self.finished:
                self.finished.add(key)
                self.rows.append(row)

    def _read(self) -> Iterator[dict[str, Any]]:
        """The lines that are whole; the last one may have been broken off."""
        if not self.path.exists():
            return
        for line in read_text(self.path, f"blocks {self.path}").splitlines():
            try:
                yield parse_json(line, str(self.path))
            except OptionError:
                continue

    def add(self, row: dict[str, Any]) -> None:
        """Write a finished block down at once."""
        row = {**row, **self.identity, "day": datetime.now(UTC).date().isoformat()}
        whole = not self.path.exists() or self.path.read_bytes()[-1:] in (b"", b"\n")
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(("" if whole else "\n") + json.dumps(row) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise cannot_write(self.path, error) from error
        self.rows.append(row)

    def total(self, name: str) -> int:
        """The sum of a column: "games" or "decisions"."""
        return sum(int(row[name]) for row in self.rows)

    def disagreements(self) -> list[dict[str, Any]]:
        """All disagreements of the rows."""
        return [found for row in self.rows for found in row["disagreements"]]


def end_with_parent() -> None:
    """Let a worker process end when the process that began it is killed, instead of waiting for ever."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def settle_worker() -> None:
    """What a worker process is set to: it ends with its parent, to which it leaves what a Ctrl-C means."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run(todo: Sequence[Block], workers: int) -> Generator[dict[str, Any], None, None]:
    """Play the blocks in so many processes; yields each as it is finished. Closing it drops what isn't.

    RiverbedError where a worker process ends before its time.
    """
    if workers == 1:
        yield from map(play_block, todo)
        return
    context = multiprocessing.get_context("spawn")
    before = set(multiprocessing.active_children())
    with ProcessPoolExecutor(workers, mp_context=context, initializer=settle_worker) as pool:
        waiting: list[Future[dict[str, Any]]] = [pool.submit(play_block, block) for block in todo]
        try:
            for done in as_completed(waiting):
                yield done.result()
        except BrokenProcessPool as error:
            raise RiverbedError(
                "a worker process has ended before its time, for want of memory perhaps: fewer --workers need less"
            ) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()
