"""A league of five main policies and their past selves, matched by role."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib")
from cluster import ray_session
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig

from riverbed_env.integrations.rllib import configure
from riverbed_env.integrations.rllib.league import Matchmaker, RoleLeague
from riverbed_env.registry import find_game

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # Ray's own
    pytest.mark.filterwarnings("ignore:.*:UserWarning"),  # Gymnasium's of spaces that RLlib makes
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray leaves its log files open
]
ROLES = find_game("riverbed_hunt_v1").roles


def episode(number: int) -> Any:
    return SimpleNamespace(id_=f"game {number}")


def test_a_past_self_plays_only_its_own_role_and_all_its_seats():
    maker = Matchmaker({role: (f"{role}_past_1", f"{role}_past_2") for role in ROLES})
    for number in range(200):
        for role in ROLES:
            players = {maker(f"{role}_{seat}", episode(number)) for seat in range(9)}
            assert len(players) == 1
            assert players <= {role, f"{role}_past_1", f"{role}_past_2"}


def test_past_selves_are_met_by_their_weights():
    maker = Matchmaker({"chief": ("weak", "strong"), "leader": ("a",)}, {"weak": 1.0, "strong": 3.0}, past_share=1.0)
    met = [maker("chief_0", episode(number)) for number in range(4000)]
    counts = [met.count(name) / len(met) for name in ("chief", "weak", "strong")]
    assert counts == pytest.approx([1 / 2, 1 / 8, 3 / 8], abs=0.04)


def test_a_league_of_past_selves_plays_and_only_main_policies_learn():
    config = configure(PPOConfig(), "riverbed_hunt_v1", num_players=(4, 9), num_envs=12, seed=1, mapping=Matchmaker())
    config.rl_module(model_config=DefaultModelConfig(fcnet_hiddens=[16]))
    config.training(train_batch_size_per_learner=1500, minibatch_size=256, num_epochs=1)
    config.env_runners(num_env_runners=0).callbacks(partial(RoleLeague, every=1, most=2))
    with ray_session.nodes(2):
        algorithm = config.build_algo()
        try:
            first = algorithm.train()
            saved = algorithm.get_weights(["chief_past_1"])["chief_past_1"]
            main = algorithm.get_weights(["chief"])["chief"]
            assert all(np.array_equal(main[name], saved[name]) for name in main)
            algorithm.train()
            weights = algorithm.get_weights(["chief_past_1", "chief"])
            kept, learnt = weights["chief_past_1"], weights["chief"]
            assert all(np.array_equal(kept[name], saved[name]) for name in saved)
            assert not all(np.array_equal(learnt[name], saved[name]) for name in saved)
            for _ in range(2):
                result = algorithm.train()
            assert {*ROLES} <= {*first["learners"]}
            played = result["env_runners"]["num_module_steps_sampled"]
            assert {*ROLES} < {*played}
            assert not algorithm.get_module("chief_past_1")
        finally:
            algorithm.stop()
