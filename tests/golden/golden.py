"""Whole games of each kind, seven of them, told in words: the deal, every decision and event, a seat's sight, the end.

A person can check them against the rules, and a change of the rules shows as a difference.

    python tests/golden/golden.py

writes the files again. Read what changed.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.registry import find_game

FOLDER = Path(__file__).parent / "games"
WIDTH = 116


@dataclass(frozen=True)
class Golden:
    """A golden game: its environment, options and seed, and the seat whose knowledge is told halfway."""

    game_id: str
    seed: int
    seat: int
    halfway: int  # decisions
    options: tuple[tuple[str, Any], ...]

    @property
    def file(self) -> str:
        """The name of the file it is kept in."""
        return f"{self.game_id}-{'-'.join(str(value) for _, value in self.options)}.txt"


GOLDEN = (
    Golden("riverbed_hunt_v1", 8818, 1, 40, (("num_players", 4), ("layout", "random"))),
    Golden("riverbed_hunt_v1", 4769, 2, 40, (("num_players", 6), ("layout", "random"))),
    Golden("riverbed_hunt_v1", 4269, 3, 40, (("num_players", 9), ("layout", "random"))),
    Golden("river_rats_v0", 11, 1, 30, (("num_players", 3), ("mode", "standard"))),
    Golden("river_rats_v0", 5, 0, 20, (("num_players", 2), ("mode", "expert"))),
    Golden("deep_river_v0", 3, 1, 20, (("num_players", 2),)),
    Golden("riverside_v0", 8, 1, 60, (("num_players", 2),)),
)


def tell(golden: Golden) -> str:
    """The whole game, played by its own random players."""
    game = find_game(golden.game_id)
    batch = Batch(game, 1, seed=golden.seed, auto_reset=False, **dict(golden.options))
    options = ", ".join(f"{name} {value}" for name, value in golden.options)
    lines = [f"{game.title}, {options}, seed {golden.seed}, game 0, random play.", ""]
    lines += [*state(game, batch, None), ""]
    decision = 0
    while batch.acting[0]:
        decision += 1
        if decision == golden.halfway:
            lines += ["", f"What player_{golden.seat} knows now:", *state(game, batch, golden.seat), ""]
        lines += step(game, batch, decision)
    returns = ", ".join(f"player_{seat} {value:+.0f}" for seat, value in enumerate(batch.returns[0]))
    lines += ["", *state(game, batch, None), "", f"Returns: {returns}."]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def step(game: Game, batch: Batch, decision: int) -> list[str]:
    """One decision: the seat, its number of choices, and what all saw happen."""
    record, seat = batch.games[0], int(batch.seat[0])
    choices = int(batch.action_mask[0].sum())
    since = int(record["table"]["event_count"])
    action = batch.random_actions()
    words = game.words.describe_action(batch.pack, record, int(action[0]), seat)
    batch.step(action)
    seen = game.words.describe_events(batch.pack, batch.games[0], since)
    lines = wrap(f"{decision:>3} player_{seat}, of {choices}: {words}", WIDTH, subsequent_indent=" " * 8)
    return lines + (wrap("; ".join(seen), WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6) if seen else [])


def state(game: Game, batch: Batch, viewer: int | None) -> list[str]:
    """The table as a seat knows it, or all of it."""
    words = game.words.describe_state(batch.pack, batch.games, batch.params, viewer).splitlines()
    return [row for line in words for row in wrap(line, WIDTH, subsequent_indent=" " * 4)]


def write(folder: Path = FOLDER) -> None:
    """Write every game to its file."""
    folder.mkdir(exist_ok=True)
    for golden in GOLDEN:
        (folder / golden.file).write_text(tell(golden), encoding="utf-8")


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
