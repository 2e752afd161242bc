"""After many shuffles of overlapping sets of tiles, placements stay allowed and nearly even."""

from math import factorial, prod

import numpy as np
import pytest

from deduction.enumeration import count_placements, tile_shares
from deduction.happenings import down, look_at, stir, swap
from deduction.positions import drawn_games, games_of, opened, picked
from riverbed_env.games.riverbed_hunt.deduction.resample import TRIES
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_SPACES, NUM_TILES

pytestmark = pytest.mark.compiled

NUM_PLAYERS = 7  # a tile on every space
FARTHEST = 0.04  # of a share from the exact one; chance alone gives 0.025 at most of so many draws
SPREAD = 5  # standard errors


def stirred(seed: int, happenings: int) -> np.ndarray:
    """A game after views, swaps and shuffles of overlapping sets of tiles."""
    state = opened(NUM_PLAYERS, seed)
    game, rng = state[0], np.random.default_rng(seed)
    for space in rng.permutation(down(game))[: int(rng.integers(10, 16))].tolist():
        look_at(game, 0, space)
    for _ in range(happenings):
        kind = rng.random()
        if kind < 0.6:
            stir(game, rng.choice(down(game), int(rng.integers(2, 4)), replace=False).tolist(), rng)
        elif kind < 0.8:
            swap(game, *rng.choice(down(game), 2, replace=False).tolist())
        else:
            look_at(game, int(rng.integers(0, NUM_PLAYERS)), int(rng.choice(down(game))))
    return state


def lain(states: np.ndarray) -> np.ndarray:
    """The share of states in which each tile lies on each space, (NUM_TILES, NUM_SPACES)."""
    return np.stack([(states["tile_at"] == tile + 1).mean(axis=0) for tile in range(NUM_TILES)])


@pytest.mark.parametrize("happenings", [3, 6, 12])
def test_every_placement_is_allowed_after_many_happenings(happenings: int) -> None:
    """The seat's own table holds in every drawn state; `set_state` checks all the others'."""
    for seed in range(40):
        state = stirred(seed, happenings)
        views = picked(games_of(state, num_players=NUM_PLAYERS).look(seed % NUM_PLAYERS), np.zeros(40, int))
        drawn = drawn_games(views, seed, num_players=NUM_PLAYERS)
        assert games_of(drawn, num_players=NUM_PLAYERS).look(seed % NUM_PLAYERS).tobytes() == views.tobytes()
        possible = views["private"]["possible"][0]
        for placed in drawn["tile_at"]:
            assert sorted(placed.tolist()) == sorted(state["tile_at"][0].tolist())
            assert all(int(possible[tile - 1]) >> space & 1 for space, tile in enumerate(placed.tolist()))


def in_sets(*sets: tuple[int, ...]) -> np.ndarray:
    """A game in which seat 0 knows some tiles, which are then shuffled in sets of spaces, one after the other."""
    state = opened(NUM_PLAYERS, 11)
    game, rng = state[0], np.random.default_rng(4)
    for space in sorted(set().union(*sets)):
        look_at(game, 0, space)
    for spaces in sets:
        stir(game, spaces, rng)
    return state


CROWDED = (
    [(0, 1, 2, 3, 4)],  # eleven unknown tiles, and apart from them five known as a set
    [(0, 1, 2, 3, 4, 5, 6, 7)],
    [(0, 1, 2, 3, 4, 5), (5, 6, 7, 8)],
    [(0, 1, 2, 3), (4, 5, 6, 7), (3, 4, 8)],
    [(0, 1, 2, 3), (2, 3, 4, 5), (4, 5, 6, 7), (6, 7, 8, 9)],
)


@pytest.mark.slow
@pytest.mark.parametrize("sets", CROWDED)
def test_sets_too_crowded_for_rejection_are_still_drawn_nearly_evenly(sets: list[tuple[int, ...]]) -> None:
    """Placements drawn tile by tile nearly always collide; the fallback is compared with all placements."""
    state = in_sets(*sets)
    rows = [int(row) for row in state["private"]["possible"][0, 0] if int(row).bit_count() > 1]
    free = 0
    for row in rows:
        free |= row
    constrained = [row for row in rows if row != free]
    collisions_spared = count_placements(rows) / factorial(len(rows) - len(constrained))
    assert TRIES * collisions_spared / prod(row.bit_count() for row in constrained) < 0.1
    compare(state, exact=False)


@pytest.mark.parametrize("seed", range(6))
def test_few_overlapping_sets_are_drawn_exactly(seed: int) -> None:
    compare(stirred(100 + seed, 3), exact=True)


def compare(state: np.ndarray, *, exact: bool) -> None:
    """Drawn shares of each tile on each space beside those of all placements."""
    draws = 6000 if exact else 2000
    views = picked(games_of(state, num_players=NUM_PLAYERS).look(0), np.zeros(draws, int))
    shares = tile_shares([int(row) for row in views["private"]["possible"][0]])
    assert shares.shape == (NUM_TILES, NUM_SPACES)
    drawn = lain(drawn_games(views, 3, num_players=NUM_PLAYERS))
    off = abs(drawn - shares)
    assert not drawn[shares == 0].any()
    if exact:
        assert (off <= SPREAD * np.sqrt(shares * (1 - shares) / draws) + 1e-9).all()
    else:
        assert off.max() < FARTHEST
