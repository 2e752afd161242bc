"""Where the time of a batch goes: nanoseconds of processor time in each part of a decision, on one thread.

    python experiments/studies batch_profile --lanes 1024

plays one game at random with each view. Observations and masks are measured by writing them again for the same states;
"rules" is what is left of a step: the rules themselves, new deals, checks, and waiting for memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import typer

from riverbed_env.core.batch import Batch
from riverbed_env.kernels.borrowed import borrowed
from riverbed_env.kernels.loops import NUM_ACTIONS, show_seat, write_mask  # replaced by the game's
from riverbed_env.registry import find_game, make_batch
from riverbed_lab.speed.ours import PAST_THE_BEGINNING

from .kit import Seed, print_table

PARTS = ("action drawn", "rules", "observation", "mask", "all")


def write_observations(games: Any, params: Any, views: Any, seats: Any, rows: Any, size: int) -> None:
    """Write the observation of each game's current seat."""
    rows = borrowed(rows)
    for index in range(len(games)):
        show_seat(games[index], params[0], max(seats[index], 0), views[0], rows[index, :size])


def write_masks(games: Any, params: Any, views: Any, seats: Any, rows: Any, size: int) -> None:
    """Write the action mask of each game's current seat."""
    rows = borrowed(rows)
    for index in range(len(games)):
        write_mask(games[index], params[0], max(seats[index], 0), rows[index, size : size + NUM_ACTIONS])


def seconds(call: Callable[[], Any], repeats: int) -> float:
    """Processor time of a call: the least of five rounds."""
    rounds = []
    for _ in range(5):
        begun = time.process_time()
        for _ in range(repeats):
            call()
        rounds.append((time.process_time() - begun) / repeats)
    return min(rounds)


def profile(batch: Batch, repeats: int) -> list[float]:
    """Nanoseconds a decision in each of PARTS."""
    kernels = {"NUM_ACTIONS": batch.game.actions.size, **batch.game.kernels.names()}
    parts = (batch.games, batch.params, batch.views, batch.seat, batch.rows, batch.size)

    def write(loop: Callable[..., None]) -> float:
        linked = batch.game.family.link(loop, f"{batch.game.name}_{loop.__name__}", kernels)
        linked(*parts)  # compiles
        return seconds(lambda: linked(*parts), repeats)

    for _ in range(PAST_THE_BEGINNING):
        batch.step(batch.random_actions())
    together = seconds(lambda: batch.step(batch.random_actions()), repeats)
    drawn = seconds(batch.random_actions, repeats)
    seen, legal = write(write_observations), write(write_masks)
    spent = np.array([drawn, together - drawn - seen - legal, seen, legal, together])
    return [float(each) for each in 1e9 * spent / batch.num_envs]


def main(
    game: Annotated[str, typer.Option(help="The game, like riverbed_hunt_v1.")] = "riverbed_hunt_v1",
    lanes: Annotated[int, typer.Option(min=1, help="Games at once.")] = 1024,
    repeats: Annotated[int, typer.Option(min=1, help="Steps in each of five rounds.")] = 200,
    seed: Seed = 1,
) -> None:
    """Print the nanoseconds of each part by view."""
    views = list(find_game(game).views)
    columns = [profile(make_batch(game, lanes, seed=seed, view=view), repeats) for view in views]
    rows = [(part, *(f"{column[place]:.0f}" for column in columns)) for place, part in enumerate(PARTS)]
    print_table(f"{game}, {lanes:,} games at once, ns a decision", ["part", *views], rows)
