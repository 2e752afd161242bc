"""RLlib's own checks and algorithms on Riverbed's environment, modules and runner; nothing is switched off."""

from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib")
import torch
from cluster import ray_session
from ray.rllib.algorithms.appo import APPOConfig
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.sac import SACConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from riverbed_env.errors import IllegalActionError, OptionError, RiverbedError
from riverbed_env.integrations.rllib import (
    BatchEnvRunner,
    MaskedAPPOModule,
    MaskedPPOModule,
    RiverbedMultiAgentEnv,
    configure,
)
from riverbed_env.registry import find_game, game_ids

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # Ray's own
    pytest.mark.filterwarnings("ignore:.*:UserWarning"),  # Gymnasium's of spaces that RLlib makes
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray leaves its log files open
]
HUNT, ALL_COUNTS = "riverbed_hunt", (4, 5, 6, 7, 8, 9)
SMALL = DefaultModelConfig(fcnet_hiddens=[16])


@pytest.fixture(scope="module")
def ray():
    with ray_session.nodes(4):
        yield


def small(config: Any, num_envs: int = 12, **options: Any) -> Any:
    configured = configure(config, HUNT, **{"num_players": ALL_COUNTS, "num_envs": num_envs, "seed": 1, **options})
    configured.rl_module(model_config=SMALL)
    configured.reporting(min_time_s_per_iteration=0, min_sample_timesteps_per_iteration=1)
    return configured


@pytest.mark.parametrize("game", ["riverbed_hunt_v1", "river_rats_v0", "deep_river_v0", "riverside_v0"])
def test_rllibs_own_check_passes_with_every_player_count(game):
    known = find_game(game)
    counts = range(known.min_players, known.max_players + 1)
    for seed in range(10):
        env = RiverbedMultiAgentEnv({"game": game, "num_players": list(counts), "seed": seed})
        for _ in counts:
            check_multiagent_environments(env)
    assert game in game_ids()


def test_an_environment_asks_one_agent_at_a_time_and_pays_all_at_the_end():
    env = RiverbedMultiAgentEnv({"game": HUNT, "num_players": (4, 9), "seed": 3})
    for players in (4, 9, 4):
        observations, infos = env.reset()
        assert len(env.agents) == players
        over = False
        while not over:
            (agent,) = observations
            assert env.agents[infos[agent]["seat"]] == agent
            assert env.get_observation_space(agent).contains(observations[agent])
            observations, rewards, terminated, truncated, infos = env.step(
                {agent: env.get_action_space(agent).sample()}
            )
            over = terminated["__all__"] or truncated["__all__"]
        assert set(observations) == set(rewards) == set(env.agents)
        assert {abs(reward) for reward in rewards.values()} <= {0.0, 1.0}


def test_an_action_of_another_agent_is_refused():
    env = RiverbedMultiAgentEnv({"game": HUNT, "num_players": 4, "seed": 3})
    (agent,), _ = env.reset()
    other = next(name for name in env.agents if name != agent)
    with pytest.raises(OptionError, match=f"{agent} has to act, and nobody else; actions came from {other}"):
        env.step({other: 0})


def test_the_runners_chunks_are_rllibs_episodes(ray):
    runner = BatchEnvRunner(small(PPOConfig()), worker_index=1)
    chunks = runner.sample(num_timesteps=4000)  # games of every size end, whatever is drawn
    assert runner.get_metrics()["num_env_steps_sampled"].peek() == sum(len(chunk) for chunk in chunks)
    game, players = find_game(HUNT), set()
    assert {chunk.module_id for chunk in chunks} == {*game.roles}
    for chunk in chunks:
        role, _, seat = chunk.agent_id.rpartition("_")
        assert chunk.module_id == role
        chunk.validate()
        masks = chunk.get_observations(slice(0, len(chunk)))["action_mask"]
        assert (masks[np.arange(len(chunk)), chunk.get_actions()] == 1).all()
        told = chunk.get_infos(-1).get("columns")
        assert (told is not None) == chunk.is_done
        if told is not None:
            assert game.roles[told[f"role_{seat}"]] == role
            won = game.camps.index(game.camp_of_role[role]) == told["winner"]
            assert (chunk.get_return() > 0) == won
            players.add(sum(told[f"role_{seat}"] >= 0 for seat in range(game.max_players)))
    assert {4, 9} <= players


def module_and_batch(kind: type[Any], **more: Any) -> tuple[Any, dict[str, Any]]:
    """A module, and five observations in which action 3 alone is legal."""
    env = RiverbedMultiAgentEnv({"game": HUNT})
    space = env.get_observation_space("chief_0")
    mask = torch.zeros((5, env.game.actions.size), dtype=torch.int8)
    mask[:, 3] = 1
    seen = torch.ones((5, *space["observation"].shape), dtype=torch.int8)
    module = kind(
        observation_space=space, action_space=env.get_action_space("chief_0"), inference_only=False,
        model_config={**asdict(SMALL), **more},
    )  # fmt: skip
    return module, {Columns.OBS: {"observation": seen, "action_mask": mask}}


@pytest.mark.parametrize("kind", [MaskedPPOModule, MaskedAPPOModule])
def test_masks_hold_in_every_pass_of_a_policy(kind):
    module, batch = module_and_batch(kind)
    module.make_target_networks() if kind is MaskedAPPOModule else None
    passes = [module.forward_train, module.forward_exploration, module.forward_inference]
    passes += [module.forward_target] if kind is MaskedAPPOModule else []
    for forward in passes:
        (logits,) = [value for key, value in forward(batch).items() if key.endswith(Columns.ACTION_DIST_INPUTS)]
        assert torch.softmax(logits, dim=-1)[:, 3].allclose(torch.ones(5))
        assert torch.isfinite(logits).all()
    assert module.compute_values(batch).shape == (5,)
    assert batch[Columns.OBS]["observation"].dtype == torch.int8


@pytest.mark.parametrize("batched", [True, False])
def test_ppo_trains_a_policy_for_each_role_with_4_to_9_seats_in_one_run(ray, batched):
    config = small(PPOConfig(), 12 if batched else 2, batched=batched)
    config.training(train_batch_size_per_learner=1500, minibatch_size=128, num_epochs=1)
    algorithm = config.env_runners(num_env_runners=0).build_algo()
    try:
        before = algorithm.get_weights()["chief"]
        result = algorithm.train()
        after = algorithm.get_weights()["chief"]
        assert {*find_game(HUNT).roles} <= {*result["learners"]}
        assert result["env_runners"]["num_episodes"] > 0
        assert any(not np.array_equal(before[name], after[name]) for name in before)
    finally:
        algorithm.stop()


def test_appo_trains_with_two_runners(ray):
    config = small(APPOConfig())
    config.training(train_batch_size_per_learner=500)
    algorithm = config.env_runners(num_env_runners=2, rollout_fragment_length=50).build_algo()
    try:
        trained = {}
        for _ in range(50):  # a learner tells of itself when its first batch has come
            trained = algorithm.train().get("learners", {})
            if {*find_game(HUNT).roles} <= {*trained}:
                break
        assert {*find_game(HUNT).roles} <= {*trained}
    finally:
        algorithm.stop()


@pytest.mark.parametrize(("batched", "num_envs"), [(True, 256), (False, 1)])
def test_games_are_played_one_by_one_where_they_are_not_batched(batched, num_envs):
    config = configure(PPOConfig(), HUNT, batched=batched)
    assert config.num_envs_per_env_runner == num_envs
    assert configure(config, HUNT, batched=batched, num_envs=3).num_envs_per_env_runner == 3


def test_a_batch_that_is_cut_off_is_not_terminated():
    runner = BatchEnvRunner(small(PPOConfig(), max_decisions=12), worker_index=1)
    ended = [chunk for chunk in runner.sample(num_timesteps=500, random_actions=True) if chunk.is_done]
    assert ended
    assert all(chunk.is_truncated and not chunk.is_terminated for chunk in ended)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": (4, 99)}, "num_players must be"),
        ({"seed": -1}, "seed must be"),
        ({"view": "all"}, "view must be"),
        ({"pack": "no_such_pack"}, "no pack"),
        ({"nonsense": 1}, "has no option 'nonsense'"),
        ({"mask_in": "info"}, "has no option 'mask_in'"),
    ],
)
def test_a_config_is_refused_before_runners_start(options, message):
    config = PPOConfig()
    with pytest.raises(RiverbedError, match=message):
        configure(config, HUNT, **options)
    assert config.env is None


def test_what_the_batched_runner_leaves_out_is_refused_in_words():
    with pytest.raises(OptionError, match="no module with masks for SAC; there are modules for PPO, APPO"):
        configure(SACConfig(), HUNT)
    config = small(PPOConfig()).env_runners(env_to_module_connector=lambda env, spaces, device: None)
    with pytest.raises(OptionError, match="calls no env_to_module_connector"):
        BatchEnvRunner(config, worker_index=1)
    with pytest.raises(OptionError, match="calls no on_episode_end"):
        BatchEnvRunner(small(PPOConfig()).callbacks(on_episode_end=lambda **given: None), worker_index=1)


def test_an_illegal_action_of_a_module_is_refused(ray, monkeypatch):
    runner = BatchEnvRunner(small(PPOConfig()), worker_index=1)
    monkeypatch.setattr(runner, "_decide", lambda *given: {"actions": runner._batch.action_mask.argmin(axis=1)})
    with pytest.raises(IllegalActionError, match=r"can't take action \d+"):
        runner.sample(num_timesteps=100)
