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

from riverbed_env.errors import OptionError
from riverbed_env.integrations.rllib import configure
from riverbed_env.integrations.rllib.league import Matchmaker, RoleLeague
from riverbed_env.registry import find_game
from studies.rllib.league import league_config, report, train

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


def test_a_killed_runner_of_the_examples_league_is_restarted_and_knows_the_past_selves():
    config = league_config(
        "riverbed_hunt_v1", 2, every=1, most=1, batch=300, hidden=[8], num_players=(4, 9), num_envs=4, seed=1
    )
    config.reporting(min_time_s_per_iteration=0)
    with ray_session.nodes(4):
        algorithm = config.build_algo()
        group = algorithm.env_runner_group
        try:
            for result in train(algorithm, 200, kill_at=1):
                line = report(result, ROLES, algorithm)
                if group.num_remote_worker_restarts() and group.num_healthy_remote_env_runners() == 2:
                    break
            assert group.num_remote_worker_restarts() == 1
            assert line.endswith("5 past selves, 1 runners restarted")
            today = algorithm.config.policy_mapping_fn
            known = group.foreach_env_runner(
                lambda runner: (runner.config.policy_mapping_fn, {*runner.module.keys()}), local_env_runner=False
            )
            wanted = {*ROLES, *(name for names in today.past.values() for name in names)}
            assert known == [(today, wanted)] * 2
        finally:
            algorithm.stop()


def test_a_league_without_a_matchmaker_is_refused():
    config = configure(PPOConfig(), "riverbed_hunt_v1", num_players=4, num_envs=2)
    config.rl_module(model_config=DefaultModelConfig(fcnet_hiddens=[8])).env_runners(num_env_runners=0)
    with ray_session.nodes(2), pytest.raises(OptionError, match="a league needs configure"):
        config.callbacks(RoleLeague).build_algo()
