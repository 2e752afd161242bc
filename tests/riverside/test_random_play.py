"""RS-5.1: whatever others choose in a phase, a seat's observation and mask stay the same in random games."""

from random import Random

import numpy as np
import pytest
from random_games import batch_of
from repetitions import repetitions

from riverbed_env.core.batch import Batch


@pytest.mark.parametrize("num_players", [2, 4])
def test_nothing_others_choose_in_a_phase_shows_before_it_is_over(num_players: int) -> None:
    batch = batch_of("riverside", 1, num_players=num_players, auto_forced="none")
    twin = batch_of("riverside", 1, num_players=num_players, auto_forced="all")  # a batch of its own
    twin.params = batch.params  # but of equal params
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
