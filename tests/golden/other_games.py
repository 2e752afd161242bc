"""Golden games of the other games, in words: every decision as its player would say it, and what all saw happen.

After an intended change of the rules or words, write the games again with

    python tests/golden/other_games.py

from the project's folder; look at the difference before you keep it. Riverbed Hunt's golden games have more detail.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.registry import find_game

FOLDER = Path(__file__).parent / "others"
WIDTH = 116


@dataclass(frozen=True)
class OtherGame:
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


OTHERS = (
    OtherGame("river_rats_v0", 11, 1, 30, (("num_players", 3), ("mode", "standard"))),
    OtherGame("river_rats_v0", 5, 0, 20, (("num_players", 2), ("mode", "expert"))),
    OtherGame("deep_river_v0", 3, 1, 20, (("num_players", 2),)),
    OtherGame("riverside_v0", 8, 1, 60, (("num_players", 2),)),
)


def tell(other: OtherGame) -> str:
    """The whole game, played by its own random players."""
    game = find_game(other.game_id)
    batch = Batch(game, 1, seed=other.seed, auto_reset=False, **dict(other.options))
    options = ", ".join(f"{name} {value}" for name, value in other.options)
    lines = [f"{game.title}, {options}, seed {other.seed}, game 0, random play.", ""]
    lines += [*state(game, batch, None), ""]
    decision = 0
    while batch.acting[0]:
        decision += 1
        if decision == other.halfway:
            lines += ["", f"What player_{other.seat} knows now:", *state(game, batch, other.seat), ""]
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
    for other in OTHERS:
        (folder / other.file).write_text(tell(other), encoding="utf-8")


if __name__ == "__main__":
    write()
