"""`make verify`: plays engine and referee in lock-step, for any number of games, and compares both after each decision.

    python tests/tools/verify.py --game river_rats_v0 --games 12000

The referees (`tests/referee`) are second implementations of the rules, written from the rules alone. Work is cut into
numbered blocks. Each finished block is appended to `lockstep.jsonl` in the output folder, with hashes of the sources it
holds for; --first continues with later games. The exit code is 1 if engine and referee disagree.
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
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.kernels.random import check_seed
from riverbed_env.registry import find_game
from riverbed_lab.cli.console import COMPILING, console, errors, numbers_of, plainly, progress_bar, use_threads
from riverbed_lab.files import digest

TREE = Path(__file__).resolve().parents[2]
REFEREE = TREE / "tests" / "referee"
FILE = "lockstep.jsonl"
GAMES_IN_BLOCK = 250
MOST_SHOWN = 3  # disagreements of a block


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


def load_lockstep(game: Game) -> tuple[Any, Any]:
    """The lock-step driver and the game's adapters; RiverbedError if the game has no referee."""
    if not (REFEREE / "adapters" / f"{game.name}.py").is_file():
        raise RiverbedError(f"there is no referee of {game.id} in {REFEREE}")
    if str(REFEREE.parent) not in sys.path:
        sys.path.insert(0, str(REFEREE.parent))
    driver = importlib.import_module("referee.lockstep")
    return driver, importlib.import_module(f"referee.adapters.{game.name}")


def kinds(game: Game) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Adapters and options by name: for the default pack, the referee's own packs, special deals and options."""
    _, adapters = load_lockstep(game)
    own_packs = sorted((REFEREE / "packs" / game.name).glob("*.toml"))
    return {
        "default": (adapters.ADAPTER, {}),
        **{path.stem: (adapters.ADAPTER, {"pack": path}) for path in own_packs},
        **{name: (adapter, {}) for name, adapter in getattr(adapters, "SPECIAL_DEALS", {}).items()},
        **{name: (adapters.ADAPTER, options) for name, options in getattr(adapters, "VARIANTS", {}).items()},
    }


def identity(game: Game) -> dict[str, str]:
    """The version and the sources that a block's outcome holds for: the engine's and the referee's."""
    engine = [path for folder in game.folders for path in sorted(folder.rglob("*.py"))]
    tables = sorted((TREE / "riverbed_env" / "packs" / game.name).glob("*.toml"))
    rules = [REFEREE / "asking.py", *sorted((REFEREE / game.name).glob("*.py"))]
    referee = [*rules, *sorted((REFEREE / "packs" / game.name).glob("*.toml"))]
    return {"environment": game.id, "engine": digest([*engine, *tables]), "referee": digest(referee)}


def blocks(
    game: Game, games: int, players: Sequence[int], seed: int, first: int = 0, size: int = GAMES_IN_BLOCK, of: str = ""
) -> list[Block]:
    """Blocks of at least `games` games in all from number `first` on, cycling through players, kinds and variants.

    of: a part of the names of the kinds to play.
    """
    named = [name for name in kinds(game) if of in name]
    if not named:
        raise OptionError(f"no kind of {game.id} has {of!r} in its name; there are {', '.join(kinds(game))}")
    cells = list(product(players, named, range(len(game.variants))))
    planned: list[Block] = []
    while len(planned) * size < games:
        for count, kind, variant in cells:
            if len(planned) * size < games:
                planned.append(Block(game.id, kind, count, variant, seed, first, size))
        first += size
    return planned


def play_block(block: Block) -> dict[str, Any]:
    """Play a block's games in lock-step; its row of the file, as plain values."""
    game = find_game(block.game)
    driver, _ = load_lockstep(game)
    adapter, more = kinds(game)[block.kind]
    options = {"num_players": block.num_players, **game.variants[block.variant], **more}
    numbers = range(block.first, block.first + block.games)
    outcome = driver.Lockstep(adapter, block.seed, numbers, **options).play().as_dict()
    for disagreement in outcome["disagreements"]:
        if "pack" in disagreement["options"]:
            disagreement["options"]["pack"] = block.kind  # by name: its path exists on this machine alone
    return {**asdict(block), **outcome, **identity(game), "day": datetime.now(UTC).date().isoformat()}


def in_words(disagreement: dict[str, Any]) -> str:
    """A disagreement in a sentence."""
    last = ", ".join(disagreement["actions"][-6:])
    return (
        "{game} {options}, seed {seed}, game {number}, after {decision} decisions (… {last}): {fact}: "
        "the engine says {engine}, the referee {referee}"
    ).format(**disagreement, last=last)


def settle_worker() -> None:
    """Set up a worker process: it ignores Ctrl-C, which is the parent's to handle, and ends if the parent is killed."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run(todo: Sequence[Block], workers: int) -> Iterator[dict[str, Any]]:
    """Play the blocks in `workers` processes; yields each block's row as it finishes.

    Raises RiverbedError if a worker process dies.
    """
    if workers == 1:
        yield from map(play_block, todo)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=settle_worker)
    try:
        yield from (done.result() for done in as_completed([pool.submit(play_block, block) for block in todo]))
    except BrokenProcessPool as error:
        raise RiverbedError("a worker process died, perhaps for lack of memory; try a smaller --workers") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


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
    parser.add_argument("--game", default="riverbed_hunt_v1", help="(default: %(default)s)")
    parser.add_argument("--games", type=int, default=6000, help="of all packs and player counts (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first games (default: %(default)s)")
    parser.add_argument("--kinds", default="", help="only those with this in their names, like claims (default: all)")
    parser.add_argument("--players", help='player counts, like 7, "5,7,9" or 4-9 (default: all)')
    parser.add_argument("--seed", type=int, default=0, help="of the numbered games (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=0, help="processes; 0 is one per core (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("results/verify"), help="(default: %(default)s)")
    return parser.parse_args(words)


def main() -> None:
    """Play the blocks, and print a table of them."""
    chosen = options()
    game = find_game(chosen.game)
    counts = numbers_of(chosen.players, game.min_players, game.max_players)
    if chosen.games < 1:
        raise OptionError(f"games must be at least 1, not {chosen.games}")
    size = min(GAMES_IN_BLOCK, chosen.games)
    planned = blocks(game, chosen.games, counts, check_seed(chosen.seed), chosen.first, size, chosen.kinds)
    with errors.status(COMPILING):  # the workers then find the kernels in the cache
        batch = Batch(game, 2, seed=0, auto_reset=False)
        batch.step(batch.random_actions())
    rows = []
    chosen.out.mkdir(parents=True, exist_ok=True)
    with (chosen.out / FILE).open("a", encoding="utf-8") as file, progress_bar() as bar:
        task = bar.add_task("lock-step", total=size * len(planned))
        for row in run(planned, min(use_threads(chosen.workers), len(planned))):
            rows.append(row)
            print(json.dumps(row), file=file, flush=True)
            bar.update(task, advance=row["games"])
            for disagreement in row["disagreements"][:MOST_SHOWN]:
                errors.print(in_words(disagreement), style="red", soft_wrap=True)
    console.print("\n".join(summary(rows)), soft_wrap=True)
    games, decisions = (sum(row[name] for row in rows) for name in ("games", "decisions"))
    wrong = sum(len(row["disagreements"]) for row in rows)
    console.print(
        f"{games:,} games, {decisions:,} decisions in lock-step, {wrong:,} disagreements ({chosen.out / FILE})"
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    plainly(main)
