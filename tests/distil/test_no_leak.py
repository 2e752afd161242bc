"""Worlds that a seat can't tell apart: the student thinks the same in both, and targets from drawn worlds are equal."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch
from leaks.hidden import HIDDEN

from riverbed_env.core.game import copy_records
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.kernels.random import STREAM
from riverbed_env.players.arena import Arena
from riverbed_env.players.features import find_feature_sets
from riverbed_env.players.policies import SavedPolicy, load_policy
from riverbed_env.rollouts.action_values import ActionValues
from riverbed_env.testing.hidden import Channels, compare_worlds
from riverbed_env.testing.hidden.worlds import make, moments_of, random_moments, twin_env
from riverbed_lab.distil.config import DistilConfig, build_distillation
from riverbed_lab.distil.student import Student

pytestmark = pytest.mark.compiled

GAMES = [pytest.param("riverbed_hunt_v1", marks=pytest.mark.slow), "ford_v0"]  # the first compiles its agents


def thinking(folder: Path, config: DistilConfig) -> SavedPolicy:
    """A student with random weights, none of them zero, from its file."""
    student = Student(config)
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in student.parameters():
            parameter.add_(0.2 * torch.randn(parameter.shape, generator=generator))
    student.save(folder / "policy.npz", (), 0)
    return load_policy(folder / "policy.npz", config.known_game())


@pytest.mark.parametrize("game", GAMES)
def test_a_student_thinks_the_same_in_worlds_its_seat_cannot_tell_apart(tmp_path: Path, game: str) -> None:
    worlds, config = HIDDEN[game], build_distillation({"game": game}, "the test")
    policy = thinking(tmp_path, config)

    def thoughts(env: TurnEnv, agent: str) -> np.ndarray:
        seen = env.observe(agent)
        assert seen is not None
        mask = seen["action_mask"][None]
        rest = np.zeros(1, STREAM), env.look(agent), env.params
        # With a mask of ones it also thinks of what is illegal, and in seats that aren't asked.
        return np.array([policy.logits(seen["observation"][None], each, *rest) for each in (mask, np.ones_like(mask))])

    env = make(worlds.game, worlds.game.default_players, view="history")
    compared = 0
    for rng in moments_of(worlds, env):
        for agent in env.possible_agents:
            compare_worlds(env.clone(), twin_env(worlds, env, agent, rng), agent, Channels({"student": thoughts}))
            compared += 1
    assert compared > 5


@pytest.mark.slow
def test_drawn_targets_are_equal_in_worlds_the_seat_cannot_tell_apart() -> None:
    worlds = HIDDEN["riverbed_hunt_v1"]
    config = build_distillation({"worlds": 2}, "the test")
    tables = Arena(worlds.game, [config.rollouts().own], 2, seed=0, num_players=7)
    tables.seat_agents(np.arange(2), np.zeros((2, 7), np.int64))
    estimator = ActionValues(tables, config.rollouts(), "history", find_feature_sets(config.features, worlds.game))
    env, rng = make(worlds.game, 7), np.random.default_rng(1)
    env.reset(seed=1)
    compared = 0
    for _ in islice(random_moments(env, rng), 12):
        twin = twin_env(worlds, env, env.agent_selection, rng)
        tables.batch.set_state(np.concatenate([copy_records(each._games) for each in (env, twin)]))
        both = [estimator.estimate(np.array([place]), None, 5, 0)[0] for place in range(2)]
        np.testing.assert_array_equal(*both)
        compared += int((tables.batch.action_mask[0] == 1).sum() > 1)
    assert compared > 2
