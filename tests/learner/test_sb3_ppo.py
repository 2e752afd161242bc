"""DirectPPO learns what MaskablePPO learns: the same weights and the same logs, whatever the options."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from learner.learner_kit import TOY, Hashing
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

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


def model(algorithm: type[MaskablePPO], policy: Any = MlpPolicy, **options: Any) -> MaskablePPO:
    """A learner of the toy game; the same seed draws the same first weights and actions."""
    env = LearnerVecEnv(TOY, 8, seed=1, opponents=Hashing())
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
