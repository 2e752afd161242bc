"""`make verify`: plays engine and referee in lock-step, for any number of games, and compares both after each decision.

    python tests/tools/verify.py --game river_rats_v0 --games 12000

The referees (`tests/referee`) are second implementations of the rules, written from the rules alone. Work is cut into
numbered blocks. Each finished block is one line of `lockstep.jsonl` in the output folder, so an interrupted run
continues where it stopped. The exit code is 1 if engine and referee disagree.
"""

from __future__ import annotations

import argparse
import importlib
import json
import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from riverbed_env.core.batch import Batch
from riverbed_env.core.files import cannot_write
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.kernels.random import check_seed
from riverbed_env.registry import find_game
from riverbed_lab.cli.console import COMPILING, console, errors, plainly, player_counts, progress_bar, use_threads
from riverbed_lab.cli.signals import again, goes_on
from riverbed_lab.files import digest
from riverbed_lab.locks import locked

TREE = Path(__file__).resolve().parents[2]
REFEREE = TREE / "tests" / "referee"
FILE = "lockstep.jsonl"
GAMES_IN_BLOCK = 250
MOST_SHOWN = 3  # disagreements of a block
PROGRAM = "python tests/tools/verify.py"


@dataclass(frozen=True)
class Block:
    """Numbered games of one kind, player count and variant, played together."""

    game: str
    kind: str  # of pack or deal
    num_players: int
    variant: int  # index in the game's variants
    seed: int
    first: int
    games: int


def key(row: dict[str, Any]) -> str:
    """What identifies a block in the file."""
    return " ".join(str(row[each.name]) for each in fields(Block))


def load_lockstep(game: Game) -> tuple[Any, Any]:
    """The lock-step driver and the game's adapters; RiverbedError if the game has no referee."""
    if not (REFEREE / "adapters" / f"{game.name}.py").is_file():
        raise RiverbedError(f"there is no referee of {game.id} in {REFEREE}")
    if str(REFEREE.parent) not in sys.path:
        sys.path.insert(0, str(REFEREE.parent))
    driver = importlib.import_module("referee.lockstep")
    return driver, importlib.import_module(f"referee.adapters.{game.name}")


def kinds(game: Game) -> dict[str, tuple[Any, dict[str, Path]]]:
    """Adapters and options by name: for the default pack, the referee's own packs, and special deals."""
    _, adapters = load_lockstep(game)
    own_packs = sorted((REFEREE / "packs" / game.name).glob("*.toml"))
    return {
        "default": (adapters.ADAPTER, {}),
        **{path.stem: (adapters.ADAPTER, {"pack": path}) for path in own_packs},
        **{name: (adapter, {}) for name, adapter in getattr(adapters, "SPECIAL_DEALS", {}).items()},
    }


def identity(game: Game) -> dict[str, str]:
    """The version and the sources that a block's outcome holds for: the engine's and the referee's."""
    engine = [path for folder in game.folders for path in sorted(folder.rglob("*.py"))]
    tables = sorted((TREE / "riverbed_env" / "packs" / game.name).glob("*.toml"))
    rules = [REFEREE / "asking.py", *sorted((REFEREE / game.name).glob("*.py"))]
    referee = [*rules, *sorted((REFEREE / "packs" / game.name).glob("*.toml"))]
    return {"environment": game.id, "engine": digest([*engine, *tables]), "referee": digest(referee)}


def blocks(game: Game, games: int, players: Sequence[int], seed: int, size: int = GAMES_IN_BLOCK) -> list[Block]:
    """Blocks that hold at least `games` games in all, cycling through player counts, kinds and variants."""
    cells = list(product(players, kinds(game), range(len(game.variants))))
    planned: list[Block] = []
    first = 0
    while len(planned) * size < games:
        for count, kind, variant in cells:
            if len(planned) * size < games:
                planned.append(Block(game.id, kind, count, variant, seed, first, size))
        first += size
    return planned


def play_block(block: Block) -> dict[str, Any]:
    """Play a block's games in lock-step; its row, as plain values."""
    game = find_game(block.game)
    driver, _ = load_lockstep(game)
    adapter, more = kinds(game)[block.kind]
    options = {"num_players": block.num_players, **more, **game.variants[block.variant]}
    numbers = range(block.first, block.first + block.games)
    outcome = driver.Lockstep(adapter, block.seed, numbers, **options).play().as_dict()
    for disagreement in outcome["disagreements"]:
        if "pack" in disagreement["options"]:
            disagreement["options"]["pack"] = block.kind  # by name: its path exists on this machine alone
    return {**asdict(block), **outcome}


def in_words(disagreement: dict[str, Any]) -> str:
    """A disagreement in a sentence."""
    last = ", ".join(disagreement["actions"][-6:])
    return (
        "{game} {options}, seed {seed}, game {number}, after {decision} decisions (… {last}): {fact}: "
        "the engine says {engine}, the referee {referee}"
    ).format(**disagreement, last=last)


class Ledger:
    """The finished blocks of a folder, one line each; rows of other sources are kept in the file and not counted."""

    def __init__(self, folder: Path, game: Game) -> None:
        self.path = folder / FILE
        self.identity = identity(game)
        self.rows: list[dict[str, Any]] = []
        self.finished: set[str] = set()
        self.older = 0
        for row in self._read():
            if any(row.get(name) != value for name, value in self.identity.items()):
                self.older += row.get("environment") == game.id
            elif key(row) not in self.finished:
                self.finished.add(key(row))
                self.rows.append(row)

    def _read(self) -> Iterator[dict[str, Any]]:
        """The complete lines; a killed run may have left half of the last one."""
        for line in self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else ():
            with suppress(json.JSONDecodeError):
                yield json.loads(line)

    def add(self, row: dict[str, Any]) -> None:
        """Append a finished block to the file at once."""
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
        return [disagreement for row in self.rows for disagreement in row["disagreements"]]


def settle_worker() -> None:
    """Set up a worker process: it ignores Ctrl-C, which is the parent's to handle, and ends if the parent is killed."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run(todo: Sequence[Block], workers: int) -> Generator[dict[str, Any], None, None]:
    """Play the blocks in `workers` processes; yields each block's row as it finishes. Closing it drops the rest.

    Raises RiverbedError if a worker process dies.
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
            raise RiverbedError("a worker process died, perhaps for lack of memory; try a smaller --workers") from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()


def summary(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A line for each pack or special deal and player count: games, decisions, disagreements, endings."""
    for kind, players in sorted({(row["kind"], row["num_players"]) for row in rows}):
        mine = [row for row in rows if (row["kind"], row["num_players"]) == (kind, players)]
        games, decisions = (sum(row[name] for row in mine) for name in ("games", "decisions"))
        wrong = sum(len(row["disagreements"]) for row in mine)
        endings = sum((Counter(row["endings"]) for row in mine), Counter())
        ended = ", ".join(f"{name} {count:,}" for name, count in sorted(endings.items()))
        yield f"{kind}, {players} players: {games:,} games, {decisions:,} decisions, {wrong:,} disagreements ({ended})"


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="riverbed_hunt_v0", help="(default: %(default)s)")
    parser.add_argument("--games", type=int, default=6000, help="of all packs and player counts (default: %(default)s)")
    parser.add_argument("--players", help='player counts, like 7, "5,7,9" or 4-9 (default: all)')
    parser.add_argument("--seed", type=int, default=0, help="of the numbered games (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=0, help="processes; 0 is one per core (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("results/verify"), help="(default: %(default)s)")
    return parser.parse_args(words)


def main() -> None:
    """Play the blocks that the folder's file lacks, and print the table of all of them."""
    chosen = options()
    game = find_game(chosen.game)
    counts = player_counts(chosen.players, game.min_players, game.max_players)
    if chosen.games < 1:
        raise OptionError(f"games must be at least 1, not {chosen.games}")
    planned = blocks(game, chosen.games, counts, check_seed(chosen.seed))
    with locked(chosen.out):
        _verify(game, planned, use_threads(chosen.workers), chosen.out)


def _verify(game: Game, planned: Sequence[Block], workers: int, out: Path) -> None:
    ledger = Ledger(out, game)
    goes_on(
        lambda: f"{len(ledger.rows)} finished blocks are kept in {ledger.path}; resume with: {again(program=PROGRAM)}"
    )
    if ledger.older:
        console.print(f"skipped {ledger.older} blocks in {ledger.path} from a different source version")
    todo = [block for block in planned if key(asdict(block)) not in ledger.finished]
    with errors.status(COMPILING):  # the workers then find the kernels in the cache
        batch = Batch(game, 2, seed=0, auto_reset=False)
        batch.step(batch.random_actions())
    rows = run(todo, min(workers, max(1, len(todo))))
    with progress_bar() as bar, closing(rows):
        task = bar.add_task("lock-step", total=GAMES_IN_BLOCK * len(planned))
        bar.advance(task, GAMES_IN_BLOCK * (len(planned) - len(todo)))
        for row in rows:
            ledger.add(row)
            bar.update(task, advance=row["games"], description=f"{ledger.total('decisions'):,} decisions")
            for disagreement in row["disagreements"][:MOST_SHOWN]:
                errors.print(in_words(disagreement), style="red", markup=False, highlight=False, soft_wrap=True)
    console.print("\n".join(summary(ledger.rows)), highlight=False, soft_wrap=True)
    console.print(
        f"{ledger.total('games'):,} games, {ledger.total('decisions'):,} decisions in lock-step, "
        f"{len(ledger.disagreements()):,} disagreements ({ledger.path})"
    )
    if ledger.disagreements():
        sys.exit(1)


if __name__ == "__main__":
    plainly(main)
