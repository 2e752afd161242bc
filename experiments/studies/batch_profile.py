"""Where the time of a batch goes: nanoseconds of processor time in each part of a decision, on one thread.

    python experiments/studies batch_profile --lanes 1024

plays one game at random with each view. Observations and masks are measured by writing them again for the same states;
"rules" is what is left of a step: the rules themselves, new deals, checks, and waiting for memory. For games with talk
(RH-9) there is a column with claims, and, "of it talk", what it costs to clear and write the pieces of talk once more:
where talk is off, that is all there is of it but a question whether it is on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import typer

from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.observe import write_floor
from riverbed_env.kernels.loops import NUM_ACTIONS, show_seat, write_mask  # replaced by the game's
from riverbed_env.kernels.memory import borrowed
from riverbed_env.registry import find_game, make_batch
from riverbed_lab.speed.ours import PAST_THE_BEGINNING

from .kit import Seed, print_table

PARTS = ("action drawn", "rules", "observation", "of it talk", "mask", "all", "decisions a second")
TALK = ("claim_verb", "talk", "own_words", "tile_words", "seat_words", "said")
BEGIN = END = np.zeros(0, np.int64)  # of the pieces of talk in a view, replaced


def write_observations(games: Any, params: Any, views: Any, seats: Any, rows: Any, size: int) -> None:
    """Write the observation of each game's current seat."""
    rows = borrowed(rows)
    for index in range(len(games)):
        show_seat(games[index], params[0], max(seats[index], 0), views[0], rows[index, :size])


def write_talk(games: Any, params: Any, views: Any, seats: Any, rows: Any, size: int) -> None:
    """Clear the pieces of talk and write those that are written whether anybody talks or not."""
    rows = borrowed(rows)
    for index in range(len(games)):
        for begin, end in zip(BEGIN, END):
            rows[index, begin:end] = 0
        write_floor(games[index]["table"], params[0], rows[index, :size])


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
    slices = [batch.game.observation.slices[name] for name in TALK if name in batch.game.observation.slices]
    begin, end = (np.array([getattr(each, name) for each in slices], np.int64) for name in ("start", "stop"))
    there = end <= batch.size
    kernels = {
        "NUM_ACTIONS": batch.game.actions.size, "BEGIN": begin[there], "END": end[there], "write_floor": write_floor,
        **batch.game.kernels.names(),
    }  # fmt: skip
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
    talk = write(write_talk) if slices else 0.0
    spent = np.array([drawn, together - drawn - seen - legal, seen, talk, legal, together])
    return [*(1e9 * spent / batch.num_envs).tolist(), batch.num_envs / together]


def main(
    game: Annotated[str, typer.Option(help="The game, like riverbed_hunt_v1.")] = "riverbed_hunt_v1",
    lanes: Annotated[int, typer.Option(min=1, help="Games at once.")] = 1024,
    repeats: Annotated[int, typer.Option(min=1, help="Steps in each of five rounds.")] = 200,
    seed: Seed = 1,
) -> None:
    """Print the nanoseconds of each part by view."""
    talks: list[dict[str, Any]] = [{}, {"talk": "claims"}] if find_game(game) is RIVERBED_HUNT else [{}]
    kinds = [(view, talk) for talk in talks for view in find_game(game).views]
    columns = [profile(make_batch(game, lanes, seed=seed, view=view, **talk), repeats) for view, talk in kinds]
    rows = [(part, *(f"{column[place]:,.0f}" for column in columns)) for place, part in enumerate(PARTS)]
    headings = [", ".join([view, *talk.values()]) for view, talk in kinds]
    print_table(f"{game}, {lanes:,} games at once, ns a decision", ["part", *headings], rows)
