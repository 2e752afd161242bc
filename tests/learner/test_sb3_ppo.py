"""DirectPPO learns what MaskablePPO learns: the same weights and the same logs, whatever the options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from learner.learner_kit import TOY, Hashing
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv, VecMonitor

from riverbed_env.envs.learner_env import LearnerEnv
from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.envs.sb3_policies import MlpPolicy
from riverbed_env.envs.sb3_ppo import DirectPPO
from riverbed_env.errors import OptionError

ROLLOUT = 8 * 16  # environments by steps
OPTIONS: list[dict[str, Any]] = [
    {},
    {"ent_coef": 0.1, "vf_coef": 2.0, "max_grad_norm": 0.05},
    {"clip_range": 0.01, "clip_range_vf": 0.02, "normalize_advantage": False},
    {"target_kl": 1e-3, "learning_rate": 0.01},
    {"batch_size": 50},  # the last one is smaller
]


def toy() -> VecEnv:
    """The toy game."""
    return LearnerVecEnv(TOY, 8, seed=1, opponents=Hashing())


def truncated() -> VecEnv:
    """Games that end before anybody has won, watched by Stable-Baselines3's monitor."""
    return VecMonitor(LearnerVecEnv(TOY, 8, seed=1, opponents=Hashing(), max_decisions=5))


def one_by_one() -> VecEnv:
    """Environments of Gymnasium, which are asked for their masks one by one."""
    return DummyVecEnv([lambda: Monitor(LearnerEnv(TOY, opponents=Hashing()))] * 8)


def model(
    algorithm: type[MaskablePPO], policy: Any = MlpPolicy, games: Callable[[], VecEnv] = toy, **options: Any
) -> MaskablePPO:
    """A learner; the same seed draws the same first weights and actions."""
    env = games()
    settings = {"n_steps": 16, "batch_size": 32, "n_epochs": 4, "learning_rate": 1e-3, "seed": 3, **options}
    learner = algorithm(policy, env, device="cpu", **settings)
    learner.set_logger(Logger(None, []))
    return learner


@pytest.mark.filterwarnings("ignore:You have specified a mini-batch size")
@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: ", ".join(options) or "default")
def test_it_learns_what_maskable_ppo_learns(options: dict[str, Any], masked: bool) -> None:
    before = model(DirectPPO, **options).policy.state_dict()
    weights, logs = [], []
    for algorithm in (MaskablePPO, DirectPPO):
        learner = model(algorithm, **options)
        assert isinstance(learner.env, LearnerVecEnv)
        if not masked:
            learner.env.step_async = _any_action(learner.env)  # type: ignore[method-assign]
        learner.learn(ROLLOUT, use_masking=masked)
        weights.append(learner.policy.state_dict())
        logs.append({name: value for name, value in learner.logger.name_to_value.items() if name.startswith("train/")})
    assert any((each != before[name]).any() for name, each in weights[0].items())
    for name, each in weights[0].items():
        torch.testing.assert_close(weights[1][name], each, atol=1e-5, rtol=1e-4)
    assert len(logs[0]) >= 8
    assert logs[1] == pytest.approx(logs[0], abs=1e-5, rel=1e-4)


@pytest.mark.parametrize("games", [toy, truncated, one_by_one])
def test_it_collects_what_maskable_ppo_collects(games: Callable[[], VecEnv]) -> None:
    told: list[list[Any]] = []
    buffers, ended = [], []
    for algorithm in (MaskablePPO, DirectPPO):
        told.append([])
        learner = model(algorithm, games=games, gamma=0.5)
        learner.learn(ROLLOUT, callback=partial(_tell, told[-1]))
        buffers.append(learner.rollout_buffer)
        ended.append([(each["r"], each["l"]) for each in learner.ep_info_buffer])
    for name in ("observations", "actions", "rewards", "episode_starts", "values", "log_probs", "action_masks"):
        np.testing.assert_allclose(getattr(buffers[1], name), getattr(buffers[0], name), rtol=1e-6, err_msg=name)
    np.testing.assert_equal(told[1], told[0])
    assert ended[0]
    assert ended[1] == ended[0]
    cut = [info for infos, _ in told[0] for info in infos if info.get("TimeLimit.truncated")]
    assert bool(cut) is (games is truncated)


def _tell(told: list[Any], known: dict[str, Any], _: Any) -> bool:
    told.append(([{**info, "episode": None} for info in known["infos"]], known["dones"].copy()))
    return True


@pytest.mark.parametrize("algorithm", [MaskablePPO, DirectPPO])
def test_a_callback_ends_the_collection(algorithm: type[MaskablePPO]) -> None:
    learner = model(algorithm)
    learner.learn(ROLLOUT, callback=lambda known, _: False)
    assert learner.num_timesteps == 8


def test_environments_without_masks_are_refused() -> None:
    learner = model(DirectPPO, games=lambda: DummyVecEnv([lambda: gymnasium.make("CartPole-v1")]), n_steps=32)
    with pytest.raises(OptionError, match="have no action_masks: add them, or learn with use_masking=False"):
        learner.learn(ROLLOUT)
    learner.learn(ROLLOUT, use_masking=False)
    assert learner.num_timesteps == ROLLOUT


def _any_action(env: LearnerVecEnv) -> Any:
    """`step_async` that takes any action as the legal one that is next, so that no mask is needed to play."""
    take = env.step_async

    def step_async(actions: Any) -> None:
        masks = env.action_masks()
        behind = (np.arange(masks.shape[1]) - np.asarray(actions)[:, None]) % masks.shape[1]
        take(np.where(masks, behind, masks.shape[1]).argmin(axis=1))

    return step_async


@pytest.mark.filterwarnings("ignore:You have specified a mini-batch size")
def test_it_learns_from_a_minibatch_of_one() -> None:
    learner = model(DirectPPO, batch_size=ROLLOUT - 1)
    learner.learn(ROLLOUT)
    assert all(each.isfinite().all() for each in learner.policy.parameters())
    assert all(np.isfinite(value) for value in learner.logger.name_to_value.values())


def test_with_a_target_of_divergence_it_stops_early() -> None:
    near, far = (model(DirectPPO, target_kl=target, learning_rate=0.01) for target in (1e-3, None))
    for learner in (near, far):
        learner.learn(ROLLOUT)
    assert near._n_updates < far._n_updates == 4


def test_it_refuses_a_policy_that_isnt_direct() -> None:
    with pytest.raises(OptionError, match=r"learns with a DirectPolicy, such as (.*)MlpPolicy, not with Maskable"):
        model(DirectPPO, "MlpPolicy")
