"""Golden hashes: whole games of every environment, frozen per version, so that no change of behaviour slips through.

What is hashed of a game is all that anybody could notice of it: at every decision the seat asked, its observation and
mask, and the action; at the end every seat's observation and return. A change of behaviour is a new version (and
`versions` in the game's `words/card.py` says what changed): then write the new version's file with

    python tests/golden/hashes.py

It writes the missing files only; `--again` after it also writes those of versions that nobody has used yet.
"""

import hashlib
import json
import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.registry import find_game, game_ids

FOLDER = Path(__file__).parent / "hashes"
SEED = 20221
GAMES = 4  # of every cell
FORCED = ("public", "all", "none")
TALKING = {"riverbed_hunt": {"layout": "random", "talk": "claims", "talk_budget": 2}}  # beside a game's variants


@dataclass(frozen=True)
class Cell:
    """Games that are hashed together: one environment, player count, variant and way of taking forced decisions."""

    game: str
    num_players: int
    auto_forced: str
    variant: tuple[tuple[str, object], ...]  # the other options, as pairs

    @property
    def name(self) -> str:
        """What the file calls it."""
        words = [f"{self.num_players} players", f"auto_forced {self.auto_forced}"]
        return ", ".join([*words, *(f"{name} {value}" for name, value in self.variant)])


def cells(game_id: str) -> list[Cell]:
    """All cells of an environment."""
    game = find_game(game_id)
    counts = range(game.min_players, game.max_players + 1)
    more = [TALKING[game.name]] if game.name in TALKING else []
    variants = [tuple(variant.items()) for variant in (*game.variants, *more)]
    return [Cell(game_id, *each) for each in product(counts, FORCED, variants)]


def hashes(cell: Cell, numbers: range = range(GAMES), *, threads: int = 1) -> list[str]:
    """The hash of each numbered game, played by random players out of the games' own streams."""
    options = {"num_players": cell.num_players, "auto_forced": cell.auto_forced, **dict(cell.variant)}
    game = find_game(cell.game)
    batch = Batch(game, len(numbers), seed=SEED, first_game=numbers[0], threads=threads, auto_reset=False, **options)
    totals = [hashlib.sha256() for _ in numbers]
    while batch.acting.any():
        acting = np.flatnonzero(batch.acting)
        actions = batch.random_actions()
        for index in acting:
            totals[index].update(f"{batch.seat[index]} {actions[index]} ".encode())
            totals[index].update(batch.observation[index].tobytes() + batch.action_mask[index].tobytes())
        batch.step(actions)
        for index in acting[batch.done[acting]]:
            totals[index].update(batch.returns[index].astype("<f4").tobytes() + bytes([int(batch.truncated[index])]))
    for seat in range(cell.num_players):
        observations, masks = batch.observe(seat)
        for index, total in enumerate(totals):
            total.update(observations[index].tobytes() + masks[index].tobytes())
    return [total.hexdigest()[:16] for total in totals]


def file_of(game_id: str, folder: Path = FOLDER) -> Path:
    """Where the hashes of an environment are kept."""
    return folder / f"{game_id}.json"


def write(game_id: str, folder: Path = FOLDER) -> Path:
    """Play all cells and write them down; returns the file."""
    kept = {"environment": game_id, "seed": SEED, "games": {cell.name: hashes(cell) for cell in cells(game_id)}}
    path = file_of(game_id, folder)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return path


def read(game_id: str, folder: Path = FOLDER) -> dict[str, list[str]]:
    """The frozen hashes of an environment, by cell."""
    frozen: dict[str, list[str]] = json.loads(file_of(game_id, folder).read_text(encoding="utf-8"))["games"]
    return frozen


if __name__ == "__main__":
    for each in game_ids():
        if "--again" in sys.argv or not file_of(each).exists():
            sys.stdout.write(f"wrote {write(each)}\n")
