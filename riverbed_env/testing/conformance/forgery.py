"""A script: saved states with one byte or one field changed. Each must be refused, or be playable to its end.

    python -m riverbed_env.testing.conformance.forgery pebbles.game pebbles_v0 --states 100000

The first argument is a module to import, which registers the game. What a game takes is looked at by every seat, drawn
again from every seat's view, told in words, and played at random until it ends. Prints a line of figures for each table
and for all; exits with 1 if a state was taken that can't be played. Compiled code that loops can't be interrupted: kill
the process. With `NUMBA_BOUNDSCHECK=1` compiled code raises an error for an index out of bounds.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Records, Vector, compiled
from riverbed_env.kernels.pieces import PieceTable
from riverbed_env.kernels.vocab import FORCED_NAMES
from riverbed_env.registry import find_game
from riverbed_env.worlds import resample

from .kit import Leaf, leaves

MOST_STEPS = 50_000  # no game's cap on decisions is higher
AT_ONCE = 1000 if compiled() else 20
MOST_SHOWN = 10
TOLD = 20  # one state in so many is told in words
EXTREMES = (-128, -100, -1, 0, 1, 2, 5, 16, 100, 127, 255, 2**15 - 1, 2**31 - 1, 2**62, -(2**63))


def forge(records: Records, rng: np.random.Generator) -> tuple[Records, list[str]]:
    """Copies of records with one random byte, or one number of a random field, changed; and what was changed."""
    raw = records.view(np.uint8).reshape(len(records), -1).copy()
    fields: dict[str, list[Leaf]] = {}
    for leaf in leaves(records.dtype):
        fields.setdefault(leaf[0], []).append(leaf)
    names = list(fields)
    changes = []
    for row in raw:
        name, at, kind = (places := fields[names[rng.integers(len(names))]])[rng.integers(len(places))]
        number = row[at : at + kind.itemsize].view(kind)
        before = int(number[0])
        if rng.random() < 0.3:
            byte = int(rng.integers(len(row)))
            row[byte] = rng.integers(256)
            changes.append(f"byte {byte}")
            continue
        tried = (int(rng.choice(EXTREMES)), before + int(rng.integers(-3, 4)), before ^ (1 << int(rng.integers(16))))
        number[0] = np.array(tried[rng.integers(3)], object).astype(np.int64).astype(kind)
        changes.append(f"{name} at byte {at}: {before} made {int(number[0])}")
    return raw.reshape(-1).view(records.dtype), changes


def tables(game: Game, more: Sequence[dict[str, Any]] = ()) -> list[dict[str, Any]]:
    """Options of tables: every player count, with the variants and the kinds of forced decisions in turn."""
    variants = list({str(variant): dict(variant) for variant in ({}, *game.variants, *more)}.values())
    counts = range(game.min_players, game.max_players + 1)
    number = max(len(variants), len(counts), len(FORCED_NAMES))
    number += number % len(FORCED_NAMES) == 0  # so that kinds and counts pair anew
    return [
        {
            **variants[place % len(variants)],
            "num_players": counts[place % len(counts)],
            "auto_forced": FORCED_NAMES[place % len(FORCED_NAMES)],
        }
        for place in range(number)
    ]


class Figures:
    """How many forged states were refused, taken and played to their end, and what went wrong."""

    def __init__(self) -> None:
        self.forged = self.refused = self.taken = self.ended = 0
        self.wrong: list[str] = []

    def add(self, other: Figures) -> None:
        """Count those of another table too."""
        self.forged += other.forged
        self.refused += other.refused
        self.taken += other.taken
        self.ended += other.ended
        self.wrong += other.wrong

    def line(self) -> str:
        """The figures in a line."""
        return f"{self.forged} forged, {self.refused} refused, {self.taken} taken, {self.ended} ended"


def look_around(batch: Batch, seed: int) -> None:
    """Observe the games of a batch and draw them again, from every seat."""
    in_space(batch.game.state, batch.states())
    for seat in range(batch.num_players):
        in_space(batch.game.observation, batch.observe(seat)[0])
        views = batch.look(seat)
        try:
            worlds = resample(batch.game, views, batch.params, seed)
        except OptionError:
            continue
        batch.game.violations(worlds, batch.params)


def in_space(pieces: PieceTable, vectors: Vector) -> None:
    """Raise ValueError unless all vectors have the values that their pieces declare."""
    wrong = np.any((vectors < pieces.low()) | (vectors > pieces.high()), axis=0)
    for name, part in pieces.slices.items():
        if wrong[part].any():
            raise ValueError(f"piece {name} is outside its space")


def tell(batch: Batch, index: int) -> None:
    """Put a game of a batch into words."""
    words, one = batch.game.words, slice(index, index + 1)
    words.describe_state(batch.pack, batch.games[one], batch.params, None)
    words.describe_events(batch.pack, batch.games[index], 0, None)
    words.describe_observation(batch.pack, batch.observation[index])


def play_to_the_end(batch: Batch) -> npt.NDArray[np.bool_]:
    """Play at random; returns which games have ended, (n,) bool. Where nothing is legal another game is dealt."""
    stuck = np.zeros(batch.num_envs, np.bool_)
    for _ in range(MOST_STEPS):
        if not batch.acting.any():
            break
        empty = np.flatnonzero(batch.acting & ~batch.action_mask.any(axis=1))
        stuck[empty] = True
        if len(empty):
            batch.deal(np.zeros(len(empty), np.int64), empty)
        batch.step(batch.random_actions())
    return ~batch.acting & ~stuck


def attempt(source: Batch, records: Records, changes: Sequence[str], seed: int, figures: Figures) -> None:
    """Set forged states, and do with those that are taken what can be done with a state."""
    sound = source.game.violations(records, source.params) == 0
    taken = records[sound]
    figures.forged += len(records)
    figures.refused += len(records) - len(taken)
    figures.taken += len(taken)
    if not len(taken):
        return
    batch = Batch(source.game, len(taken), seed=0, auto_reset=False, **source.options)
    batch.set_state(taken)
    look_around(batch, seed)
    for index in range(0, len(taken), TOLD):
        tell(batch, index)
    ended = play_to_the_end(batch)
    for index in range(0, len(taken), TOLD):
        tell(batch, index)
    figures.ended += int(ended.sum())
    what = [change for change, inside in zip(changes, sound, strict=True) if inside]
    figures.wrong += [f"{what[index]}: taken, and doesn't end" for index in np.flatnonzero(~ended)]


def try_table(game_id: str, options: dict[str, Any], states: int, seed: int) -> Figures:
    """Forge states of games of one table, in mid-play."""
    game = find_game(game_id)
    rng = np.random.default_rng(seed)
    figures = Figures()
    source = Batch(game, min(AT_ONCE, states), seed=seed, **options)
    for _ in range(int(rng.integers(30))):
        source.step(source.random_actions())
    while figures.forged < states:
        for _ in range(int(rng.integers(1, 12))):
            source.step(source.random_actions())
        records, changes = forge(source.get_state(), rng)
        try:
            attempt(source, records, changes, seed, figures)
        except Exception as error:  # any error is a finding; which state it was is found one by one
            figures.wrong.append(f"{type(error).__name__}: {error}")
            figures.wrong += blame(source, records, changes, seed)
    return figures


def blame(source: Batch, records: Records, changes: Sequence[str], seed: int) -> Iterator[str]:
    """Which of some forged states raise an error."""
    for index, change in enumerate(changes):
        try:
            attempt(source, records[index : index + 1], [change], seed, Figures())
        except Exception as error:  # as above
            yield f"{change}: {type(error).__name__}: {error}"


def main() -> int:
    """Try every table of a game in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module")
    parser.add_argument("game_id")
    parser.add_argument("--states", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--more", type=json.loads, default=[], help="a JSON list of options of more tables")
    given = parser.parse_args()
    import_module(given.module)
    played = tables(find_game(given.game_id), given.more)
    total = Figures()
    for place, options in enumerate(played):
        sys.stdout.write(f"{given.game_id} {json.dumps(options)}: ")
        sys.stdout.flush()
        figures = try_table(given.game_id, options, -(-given.states // len(played)), given.seed + place)
        sys.stdout.write("\n".join([figures.line(), *figures.wrong[:MOST_SHOWN], ""]))
        total.add(figures)
    sys.stdout.write(f"{given.game_id}: {total.line()}\n")
    return bool(total.wrong)


if __name__ == "__main__":
    sys.exit(main())
