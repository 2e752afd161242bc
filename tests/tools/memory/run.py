"""`make memory`: a million games, and memory stays as it is.

    python tests/tools/memory/run.py --games 1000000

Every round plays random games of every game in a batch and visits all its other interfaces (soak/doors.py). After each
round the process's resident memory and the blocks of memory of its Python objects are measured; the exit code is 1 if
they grow after the warm-up.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))  # helpers are imported by their folder, as in pytest
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import psutil
import toy_game  # noqa: F401  # registers its game
from soak.doors import Doors

from riverbed_env import make_batch
from riverbed_env.registry import game_ids

NUM_ENVS = 256
GAMES_A_VISIT = 250  # a visit takes as long as some hundreds of games in a batch
WARM_UP = 0.3  # the share of rounds in which caches fill and the allocator takes what it wants
MOST_BYTES = 2 * 2**20  # what the allocator takes and gives back
MOST_BLOCKS = 50  # next to nothing comes and goes among Python's objects


class Table:
    """A game in a batch, and its other interfaces."""

    def __init__(self, game_id: str) -> None:
        self.batch = make_batch(game_id, NUM_ENVS, seed=1)
        self.doors = Doors(game_id)
        self.visits = 0

    def play(self, games: int) -> int:
        """Play at least this many games in the batch, and the visits that go with them; returns how many ended."""
        ended = 0
        while ended < games:
            self.batch.step(self.batch.random_actions())
            ended += int(self.batch.done.sum())
        for _ in range(max(1, games // GAMES_A_VISIT)):
            self.doors.visit(self.visits)
            self.visits += 1
        return ended


def measure() -> tuple[int, int]:
    """Resident bytes and blocks of this process, without garbage."""
    gc.collect()
    # Names of attributes that were looked up, up to four thousand; a pickle's are new strings each time.
    getattr(sys, "_clear_internal_caches", sys._clear_type_cache)()
    return psutil.Process().memory_info().rss, sys.getallocatedblocks()


def play_rounds(tables: Sequence[Table], games: int, rounds: int) -> Any:
    """Play and measure after each round; (rounds, 3): games so far, resident bytes, blocks."""
    samples = np.zeros((rounds, 3), np.int64)  # made first, so that it isn't measured as growth
    began, played = time.monotonic(), 0
    for number in range(rounds):
        for table in tables:
            played += table.play(max(1, games // rounds // len(tables)))
        samples[number] = played, *measure()
        _, resident, blocks = samples[number].tolist()
        print(
            f"{played:>9,} games  {resident / 2**20:8.2f} MiB  {blocks:>9,} blocks  {time.monotonic() - began:5.0f} s",
            flush=True,
        )
    return samples


def main(words: Sequence[str] | None = None) -> int:
    """Play, measure, and compare the first quarter of the rounds after the warm-up with the last, by their medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000, help="of all games together (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=50, help="after each memory is measured (default: %(default)s)")
    parser.add_argument("--game", nargs="+", choices=game_ids(), default=list(game_ids()), help="only these games")
    chosen = parser.parse_args(words)
    samples = play_rounds([Table(game_id) for game_id in chosen.game], chosen.games, chosen.rounds)
    warm = samples[int(len(samples) * WARM_UP) :]
    quarter = max(1, len(warm) // 4)
    difference = np.median(warm[-quarter:], axis=0) - np.median(warm[:quarter], axis=0)
    games, resident, blocks = difference.astype(np.int64).tolist()
    flat = resident <= MOST_BYTES and blocks <= MOST_BLOCKS
    grew = f"{resident / 2**20:+.2f} MiB resident and {blocks:+,} blocks in {games:,} games"
    print(f"flat: {grew}" if flat else f"NOT FLAT: {grew}, {resident / games:.0f} bytes a game")
    return int(not flat)


if __name__ == "__main__":
    sys.exit(main())
