"""Golden games of the other games, in words: every decision as its player would say it, and what everybody saw then.

The games are written again, after a change of the rules or of the words that is meant, with

    python tests/golden/told.py

from the project's folder; look at the difference before you keep it. Riverbed Hunt's own are told at more length.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.envs.ansi import draw
from riverbed_env.registry import find_game

FOLDER = Path(__file__).parent / "told"
WIDTH = 116


@dataclass(frozen=True)
class Told:
    """A game that is kept: which one, its options and seed, and the seat whose picture is shown half-way."""

    game_id: str
    seed: int
    seat: int
    halfway: int  # decisions
    options: tuple[tuple[str, Any], ...]

    @property
    def file(self) -> str:
        """The name of the file it is kept in."""
        return f"{self.game_id}-{'-'.join(str(value) for _, value in self.options)}.txt"


TOLD = (
    Told("river_rats_v0", 11, 1, 30, (("num_players", 3), ("mode", "standard"))),
    Told("river_rats_v0", 5, 0, 20, (("num_players", 2), ("mode", "expert"))),
    Told("deep_river_v0", 3, 1, 20, (("num_players", 2),)),
    Told("riverside_v0", 8, 1, 60, (("num_players", 2),)),
)


def tell(told: Told) -> str:
    """The whole game, played by its own random players."""
    game = find_game(told.game_id)
    batch = Batch(game, 1, seed=told.seed, auto_reset=False, **dict(told.options))
    options = ", ".join(f"{name} {value}" for name, value in told.options)
    lines = [f"{game.title}, {options}, seed {told.seed}, game 0, random play.", ""]
    lines += [*picture(game, batch, None), ""]
    decision = 0
    while batch.acting[0]:
        decision += 1
        if decision == told.halfway:
            lines += ["", f"What player_{told.seat} sees now:", *picture(game, batch, told.seat), ""]
        lines += step(game, batch, decision)
    returns = ", ".join(f"player_{seat} {value:+.0f}" for seat, value in enumerate(batch.returns[0]))
    lines += ["", *picture(game, batch, None), "", f"Returns: {returns}."]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def step(game: Game, batch: Batch, decision: int) -> list[str]:
    """One decision: who takes it, out of how many, and what everybody saw happen then."""
    record, seat = batch.games[0], int(batch.seat[0])
    choices = int(batch.action_mask[0].sum())
    since = int(record["table"]["event_count"])
    action = batch.random_actions()
    words = game.words.describe_action(batch.pack, record, int(action[0]), seat)
    batch.step(action)
    seen = game.words.describe_events(batch.pack, batch.games[0], since)
    lines = wrap(f"{decision:>3} player_{seat}, of {choices}: {words}", WIDTH, subsequent_indent=" " * 8)
    return lines + (wrap("; ".join(seen), WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6) if seen else [])


def picture(game: Game, batch: Batch, viewer: int | None) -> list[str]:
    """The table as a seat sees it, or all of it."""
    return draw(game, batch.pack, batch.games, batch.params, viewer).splitlines()


def write(folder: Path = FOLDER) -> None:
    """Write every game to its file."""
    folder.mkdir(exist_ok=True)
    for told in TOLD:
        (folder / told.file).write_text(tell(told), encoding="utf-8")


if __name__ == "__main__":
    write()
