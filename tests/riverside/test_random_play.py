"""Random games with all options never break an invariant, come to an end, and give the figures expected.

Whatever others choose in a phase, a seat's observation and mask stay the same (RS-5.1).
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest
import random_games
from random_games import check_all, check_forced_decisions, play_out
from repetitions import repetitions

from riverbed_env.core.batch import Batch
from riverbed_env.games.riverside.game import RIVERSIDE
from riverbed_env.games.riverside.rules import engine
from riverbed_env.games.riverside.rules.vocab import Ending
from riverbed_env.kernels.compile import compiled

OTHERWISE = Path(__file__).parents[1] / "referee" / "packs" / "riverside" / "otherwise.toml"
PACKS = {"default": "default", "otherwise": OTHERWISE}
COUNTS = range(1, 7) if compiled() else (1, 3)
NUM_ENVS = repetitions(8, uncompiled=1)


batch_of = partial(random_games.batch_of, RIVERSIDE)
AUTO_FORCED = ("public", "all", "none")


# A game of each number of players, and each option in some of them.
CELLS = [
    (count, count % 2 == 0, "otherwise" if count in (2, 3, 5) else "default", AUTO_FORCED[count % 3])
    for count in COUNTS
]


@pytest.mark.parametrize(("num_players", "extension", "pack", "auto_forced"), CELLS)
def test_random_games_are_sound_as_they_go(num_players: int, extension: bool, pack: str, auto_forced: str) -> None:
    batch = batch_of(NUM_ENVS, num_players=num_players, auto_forced=auto_forced, extension=extension, pack=PACKS[pack])
    for step in play_out(batch, 1000 + num_players):
        if step % repetitions(3, uncompiled=10) == 0:
            check_all(batch)
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.FINISHED}


@pytest.mark.parametrize(
    ("num_players", "pack", "auto_forced"),
    [(1, "default", "all"), (2, "otherwise", "public"), (2, "default", "all"), (5, "otherwise", "all")],
)
def test_decisions_taken_for_the_players_change_nothing(num_players: int, pack: str, auto_forced: str) -> None:
    quick, slow = (
        batch_of(1, num_players=num_players, auto_forced=forced, pack=PACKS[pack]) for forced in (auto_forced, "none")
    )
    for seed in range(repetitions(10, uncompiled=1)):
        check_forced_decisions(quick, slow, seed)


# --- figures ------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_solo_games_are_as_long_as_measured_and_random_play_as_bad() -> None:
    batch = Batch(RIVERSIDE, 4000, seed=9, num_players=1, auto_reset=False)
    while batch.acting.any():
        batch.step(batch.random_actions())
    columns = RIVERSIDE.columns(batch.games)
    rolls = columns["turns"]
    assert abs(float(rolls.mean()) - 9.8) < 0.1
    assert 0.92 < float(((rolls >= 8) & (rolls <= 11)).mean()) < 0.96
    assert 30 < float(columns["final_0"].mean()) < 42
    assert (batch.returns == -1).all()


# --- what others choose is unseen -----------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 4])
def test_nothing_others_choose_in_a_phase_shows_before_it_is_over(num_players: int) -> None:
    batch = batch_of(1, num_players=num_players, auto_forced="none")
    twin = batch_of(1, num_players=num_players, auto_forced="all")  # a batch of its own; its params are made equal
    twin.params = batch.params
    draw = Random(num_players)
    for seed in range(repetitions(12, uncompiled=3)):
        batch.reset(seed=seed)
        twin.reset(seed=seed)
        for _ in range(draw.randrange(200)):
            if batch.acting.all() and not batch.done.any():
                batch.step(batch.random_actions())
        if not batch.acting.all():
            continue
        twin.set_state(batch.get_state())
        play_differently(batch, twin, draw, keep=draw.randrange(num_players))


def play_differently(one: Batch, other: Batch, draw: Random, keep: int) -> None:
    """Play on to the end of the phase: seat `keep` the same in both, everybody else at random in each by itself."""
    now = phase_of(one)
    while phase_of(one) == now and phase_of(other) == now:
        # The seat that is kept plays alike in both, as soon as each of them asks it.
        for batch in (one, other):
            while phase_of(batch) == now and batch.seat[0] != keep:
                batch.step(np.array([draw.choice(np.flatnonzero(batch.action_mask[0]).tolist())]))
        if phase_of(one) != now or phase_of(other) != now:
            return
        assert np.array_equal(one.observation, other.observation)
        assert np.array_equal(one.action_mask, other.action_mask)
        action = np.array([draw.choice(np.flatnonzero(one.action_mask[0]).tolist())])
        one.step(action)
        other.step(action)
        if phase_of(one) == now and phase_of(other) == now:
            assert np.array_equal(one.observe(keep)[0], other.observe(keep)[0])


def phase_of(batch: Batch) -> tuple[int, int]:
    return int(batch.games["table"]["round"][0]), int(batch.games["table"]["phase"][0])


def test_pending_seats_are_asked_in_turn() -> None:
    batch = batch_of(1, num_players=5)
    batch.reset(seed=3)
    while batch.acting.all():
        bits = engine.pending(batch.games[0], batch.params[0])
        steps = int(batch.games["timing"]["steps"][0])
        for seat in [seat for seat in range(5) if bits >> seat & 1]:
            assert batch.seat.tolist() == [seat]
            assert int(batch.games["timing"]["steps"][0]) == steps
            batch.step(batch.random_actions())
        assert int(batch.games["timing"]["steps"][0]) > steps
    assert engine.pending(batch.games[0], batch.params[0]) == 0
