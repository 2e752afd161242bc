"""Saved states with one byte or one field changed: each must be refused, or be playable to its end."""

from collections import defaultdict
from typing import Any

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Flags, Records, Vector, compiled
from riverbed_env.kernels.pieces import PieceTable
from riverbed_env.worlds import resample

from .kit import leaves

MOST_STEPS = 50_000  # no game's cap on decisions is higher
AT_ONCE = 1000 if compiled() else 20
TOLD = 20  # one state in so many is told in words
EXTREMES = (-128, -100, -1, 0, 1, 2, 5, 16, 100, 127, 255, 2**15 - 1, 2**31 - 1, 2**62, -(2**63))


def forge(records: Records, rng: np.random.Generator) -> tuple[Records, list[str]]:
    """Copies of records with one random byte, or one number of a random field, changed; and what was changed."""
    raw = records.view(np.uint8).reshape(len(records), -1).copy()
    fields = defaultdict[str, list[tuple[int, np.dtype[Any]]]](list)
    for name, _, at, kind in leaves(records.dtype):
        fields[name].append((at, kind))
    names, changes = list(fields), []
    for row in raw:
        if rng.random() < 0.3:
            byte = int(rng.integers(len(row)))
            row[byte] = rng.integers(256)
            changes.append(f"byte {byte}")
            continue
        places = fields[name := names[rng.integers(len(names))]]
        at, whole = places[rng.integers(len(places))]
        kind = whole.base
        at += kind.itemsize * int(rng.integers(whole.itemsize // kind.itemsize))
        number = row[at : at + kind.itemsize].view(kind)
        before = int(number[0])
        tried = (int(rng.choice(EXTREMES)), before + int(rng.integers(-3, 4)), before ^ (1 << int(rng.integers(16))))
        number[0] = np.array(tried[rng.integers(3)], object).astype(np.int64).astype(kind)
        changes.append(f"{name} at byte {at}: {before} made {int(number[0])}")
    return raw.reshape(-1).view(records.dtype), changes


def play_forged(game: Game, options: dict[str, Any], states: int, seed: int) -> int:
    """Forge at least so many states of one table's games in mid-play; returns how many were taken.

    Those are looked at by every seat, drawn again from every seat's view, told in words, and played at random. Raises
    AssertionError, saying what was changed, if one doesn't end.
    """
    rng, taken = np.random.default_rng(seed), 0
    source = Batch(game, min(AT_ONCE, states), seed=seed, **options)
    for _ in range(0, states, source.num_envs):
        for _ in range(int(rng.integers(1, 30))):
            source.step(source.random_actions())
        records, changes = forge(source.get_state(), rng)
        sound = np.flatnonzero(game.violations(records, source.params) == 0)
        taken += len(sound)
        if len(sound):
            batch = Batch(game, len(sound), seed=0, auto_reset=False, **options)
            batch.set_state(records[sound])
            look_around(batch, seed)
            tell(batch)
            ended = play_to_the_end(batch)
            tell(batch)
            assert ended.all(), f"taken, and doesn't end: {[changes[place] for place in sound[~ended]]}"
    return taken


def look_around(batch: Batch, seed: int) -> None:
    """Observe the games of a batch and draw them again, from every seat."""
    assert_in_space(batch.game.state, batch.states())
    for seat in range(batch.num_players):
        assert_in_space(batch.game.observation, batch.observe(seat)[0])
        try:
            worlds = resample(batch.game, batch.look(seat), batch.params, seed)
        except OptionError:
            continue
        batch.game.violations(worlds, batch.params)


def assert_in_space(pieces: PieceTable, vectors: Vector) -> None:
    """All vectors have the values that their pieces declare."""
    low, high = (bound[: vectors.shape[1]] for bound in (pieces.low(), pieces.high()))  # of the view
    wrong = np.any((vectors < low) | (vectors > high), axis=0)
    assert not [name for name, part in pieces.slices.items() if wrong[part].any()]


def tell(batch: Batch) -> None:
    """Put some games of a batch into words."""
    words = batch.game.words
    for index in range(0, batch.num_envs, TOLD):
        words.describe_state(batch.pack, batch.games[index : index + 1], batch.params, None)
        words.describe_events(batch.pack, batch.games[index], 0, None)


def play_to_the_end(batch: Batch) -> Flags:
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
