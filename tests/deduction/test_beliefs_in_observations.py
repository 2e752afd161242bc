"""Role posteriors as agents compute them."""

from __future__ import annotations

import numpy as np
import pytest

from riverbed_agents.riverbed_hunt.beliefs import believe
from riverbed_env import riverbed_hunt_v1
from riverbed_env.core.batch import Batch
from riverbed_env.deduction.service import Deduction
from riverbed_env.errors import EpisodeOverError, OptionError
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_ROLES
from riverbed_env.registry import find_game

pytestmark = pytest.mark.compiled

GAME = find_game("riverbed_hunt_v1")


@pytest.mark.parametrize("num_players", [4, 7, 9])
def test_agents_have_the_same_posterior_counted_clockwise_from_their_seat(num_players: int) -> None:
    batch = Batch(GAME, 64, num_players=num_players, seed=num_players)
    deduction = Deduction.of(batch.params)
    rng = np.random.default_rng(1)
    beliefs = np.zeros((MAX_SEATS, NUM_ROLES))
    for _ in range(40):
        batch.step(batch.random_actions())
        seats = rng.integers(num_players, size=batch.num_envs)
        views = batch.look(seats)
        posteriors = deduction.roles(views)
        for index in range(batch.num_envs):
            believe(views[index], batch.params[0], beliefs)
            turned = np.roll(beliefs[:num_players], seats[index], axis=0)
            np.testing.assert_allclose(turned, posteriors[index], atol=1e-12)
            assert not beliefs[num_players:].any()


def test_a_look_before_the_reset_or_of_nobody_is_refused() -> None:
    env = riverbed_hunt_v1.raw_env(num_players=7)
    with pytest.raises(EpisodeOverError, match="before reset"):
        env.look("player_0")
    env.reset(seed=1)
    with pytest.raises(OptionError, match="no agent 'player_7'"):
        env.look("player_7")
