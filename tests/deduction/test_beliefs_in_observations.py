"""Role posteriors as a feature of observations, and as agents compute them."""

from __future__ import annotations

import warnings
from copy import deepcopy

import numpy as np
import pytest
from pettingzoo.utils import BaseWrapper

from riverbed_agents.riverbed_hunt.beliefs import believe
from riverbed_env import deep_river_v0, riverbed_hunt_v1
from riverbed_env.core.batch import Batch
from riverbed_env.deduction.service import Deduction
from riverbed_env.envs.beliefs import RoleBeliefs
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


def test_the_wrapper_adds_them_to_every_observation_of_a_whole_game() -> None:
    env = RoleBeliefs(riverbed_hunt_v1.env(num_players=5))
    env.reset(seed=3)
    rng = np.random.default_rng(0)
    steps = 0
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        assert observation is not None
        assert env.observation_space(agent).contains(observation)
        np.testing.assert_allclose(observation["beliefs"][:5].sum(axis=1), 1, atol=1e-6)
        assert not observation["beliefs"][5:].any()
        over = terminated or truncated
        env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        steps += 1
    assert steps > 20
    assert observation["beliefs"][:5].max(axis=1).min() == 1  # RH-8.5: at the end all roles are public


def test_it_wraps_other_wrappers_and_can_be_copied() -> None:
    env = RoleBeliefs(BaseWrapper(riverbed_hunt_v1.raw_env(num_players=7)), model="uniform")
    env.reset(seed=1)
    twin = deepcopy(env)
    agent = env.agent_selection
    np.testing.assert_array_equal(env.observe(agent)["beliefs"], twin.observe(agent)["beliefs"])


def test_it_refuses_another_game() -> None:
    with warnings.catch_warnings(), pytest.raises(OptionError, match="wraps an environment of riverbed_hunt_v1"):
        RoleBeliefs(deep_river_v0.env())


def test_a_look_before_the_reset_or_of_nobody_is_refused() -> None:
    env = riverbed_hunt_v1.raw_env(num_players=7)
    with pytest.raises(EpisodeOverError, match="before reset"):
        env.look("player_0")
    env.reset(seed=1)
    with pytest.raises(OptionError, match="no agent 'player_7'"):
        env.look("player_7")
