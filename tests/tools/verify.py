"""`make verify`: plays engine and referee in lock-step, for any number of games, and compares both after each decision.

    python tests/tools/verify.py --game river_rats --games 12000

The referees (`tests/referee`) are second implementations of the rules, written from the rules alone. --first continues
with later games. The exit code is 1 if engine and referee disagree.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.kernels.random import check_seed
from riverbed_env.registry import find_game
from riverbed_lab.cli.console import COMPILING, console, errors, numbers_of, plainly, use_threads

REFEREE = Path(__file__).resolve().parents[1] / "referee"
GAMES_IN_BLOCK = 250
MOST_SHOWN = 3  # disagreements of a block


@dataclass(frozen=True)
class Block:
    """Numbered games of one kind (of pack or deal), player count and variant (an index), played together."""

    game: str
    kind: str
    num_players: int
    variant: int
    seed: int
    first: int
    games: int


def kinds(game: Game) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Adapters and options by name: for the default pack, the referee's own packs, special deals and options."""
    if not (REFEREE / "adapters" / f"{game.name}.py").is_file():
        raise RiverbedError(f"there is no referee of {game.id} in {REFEREE}")
    if str(REFEREE.parent) not in sys.path:
        sys.path.insert(0, str(REFEREE.parent))
    adapters = importlib.import_module(f"referee.adapters.{game.name}")
    own_packs = sorted((REFEREE / "packs" / game.name).glob("*.toml"))
    return {
        "default": (adapters.ADAPTER, {}),
        **{path.stem: (adapters.ADAPTER, {"pack": path}) for path in own_packs},
        **{name: (adapter, {}) for name, adapter in getattr(adapters, "SPECIAL_DEALS", {}).items()},
        **{name: (adapters.ADAPTER, options) for name, options in getattr(adapters, "VARIANTS", {}).items()},
    }


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
    for number in range(-(-games // size)):
        later, place = divmod(number, len(cells))
        count, kind, variant = cells[place]
        planned.append(Block(game.id, kind, count, variant, seed, first + size * later, size))
    return planned


def play_block(block: Block) -> Any:
    """Play a block's games in lock-step; the driver's `Outcome`."""
    game = find_game(block.game)
    adapter, more = kinds(game)[block.kind]
    options = {"num_players": block.num_players, **game.variants[block.variant], **more}
    numbers = range(block.first, block.first + block.games)
    return importlib.import_module("referee.lockstep").Lockstep(adapter, block.seed, numbers, **options).play()


def in_words(disagreement: Any) -> str:
    """A disagreement in a sentence."""
    return (
        "{game} {options}, seed {seed}, game {number}, after {decision} decisions (… {last}): {fact}: "
        "the engine says {engine}, the referee {referee}"
    ).format(**vars(disagreement), last=", ".join(disagreement.actions[-6:]))


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="riverbed_hunt", help="(default: %(default)s)")
    parser.add_argument("--games", type=int, default=6000, help="of all packs and player counts (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first games (default: %(default)s)")
    parser.add_argument("--kinds", default="", help="only those with this in their names, like claims (default: all)")
    parser.add_argument("--players", help='player counts, like 7, "5,7,9" or 4-9 (default: all)')
    parser.add_argument("--seed", type=int, default=0, help="of the numbered games (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=0, help="processes; 0 is one per core (default: %(default)s)")
    return parser.parse_args(words)


def main() -> None:
    """Play the blocks; print a line for each and a sum."""
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
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(min(use_threads(chosen.workers), len(planned)), get_context("spawn")) as pool:
        for block, outcome in zip(planned, pool.map(play_block, planned), strict=True):
            wrong = outcome.disagreements
            total.update(games=outcome.games, decisions=outcome.decisions, disagreements=len(wrong))
            ended = ", ".join(f"{name} {count}" for name, count in sorted(outcome.endings.items()))
            where = f"{block.kind}, {block.num_players} players, variant {block.variant}, from game {block.first}"
            console.print(f"{where}: {outcome.decisions:,} decisions ({ended})", soft_wrap=True)
            for disagreement in wrong[:MOST_SHOWN]:
                errors.print(in_words(disagreement), style="red", soft_wrap=True)
    counted = f"{total['games']:,} games, {total['decisions']:,} decisions in lock-step"
    console.print(f"{counted}, {total['disagreements']:,} disagreements", soft_wrap=True)
    sys.exit(1 if total["disagreements"] else 0)


if __name__ == "__main__":
    plainly(main)
