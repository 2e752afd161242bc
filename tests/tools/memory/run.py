"""`make memory`: a million games, and memory stays as it is.

    python tests/tools/memory/run.py --games 1000000

Every round plays random games of every game in a batch, and visits everything else that holds a game: environments that
are made, dealt, copied, pickled, saved, put back, drawn and asked for what they refuse (doors.py). After each round the
process's resident memory and the number of its Python objects are taken. It fails where they grow after the warm-up.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # helpers are imported by their folder, as in pytest
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import toy_game  # noqa: F401  # registers its game
from memory.doors import Doors
from memory.flat import Growth, growth, measure

from riverbed_env import Batch, make_batch
from riverbed_env.registry import game_ids

NUM_ENVS = 256
GAMES_A_VISIT = 250  # a visit takes as long as some hundreds of games in a batch


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000, help="of all games together (default a million)")
    parser.add_argument("--rounds", type=int, default=50, help="after so many memory is measured (default 50)")
    parser.add_argument("--game", nargs="+", choices=game_ids(), default=list(game_ids()), help="only these games")
    return parser.parse_args(words)


class Table:
    """A game in a batch, and its other doors."""

    def __init__(self, game_id: str) -> None:
        self.batch: Batch = make_batch(game_id, NUM_ENVS, seed=1)
        self.doors = Doors(game_id)
        self.visits = 0

    def play(self, games: int) -> int:
        """At least so many games in the batch, and the visits that go with them; how many games ended."""
        ended = 0
        while ended < games:
            self.batch.step(self.batch.random_actions())
            ended += int(self.batch.done.sum())
        for _ in range(max(1, games // GAMES_A_VISIT)):
            self.doors.visit(self.visits)
            self.visits += 1
        return ended


def play_rounds(tables: Sequence[Table], games: int, rounds: int, told: Callable[[str], None]) -> Growth:
    """So many games in so many rounds, and by how much memory grew. told: is told of every round."""
    samples = np.zeros((rounds, 3), np.int64)  # there from the beginning: what is measured isn't what measuring takes
    played = 0
    for number in range(rounds):
        for table in tables:
            played += table.play(max(1, games // rounds // len(tables)))
        resident, blocks = measure()
        samples[number] = played, resident, blocks
        told(f"{played:>9,} games  {resident / 2**20:8.2f} MiB  {blocks:>9,} blocks")
    return growth(samples)


def main(words: Sequence[str] | None = None) -> int:
    """Play, measure, say how it went; 1 where memory grew."""
    chosen = options(words)
    began = time.monotonic()

    def told(line: str) -> None:
        print(f"{line}  {time.monotonic() - began:5.0f} s", flush=True)

    found = play_rounds([Table(game_id) for game_id in chosen.game], chosen.games, chosen.rounds, told)
    print(found)
    return int(not found.is_flat)


if __name__ == "__main__":
    sys.exit(main())
