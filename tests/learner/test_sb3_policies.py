"""The policy that draws straight from the logits: the network, chances and steps of Stable-Baselines3's "MlpPolicy"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from learner.learner_kit import TOY, Hashing
from sb3_contrib import MaskablePPO

from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.envs.sb3_policies import MlpPolicy
from riverbed_env.errors import OptionError

NUM_ENVS = 6
OPTIONS: list[dict[str, Any]] = [
    {},
    {"net_arch": [16], "activation_fn": torch.nn.ReLU},
    {"share_features_extractor": False, "optimizer_kwargs": {"weight_decay": 0.1, "eps": 1e-4}},
    {"optimizer_class": torch.optim.SGD, "ortho_init": False},
]
every_option = pytest.mark.parametrize("options", OPTIONS, ids=lambda options: ", ".join(options) or "default")


def model(policy: Any, options: dict[str, Any]) -> MaskablePPO:
    """A learner of the toy game; the same seed draws the same first weights."""
    env = LearnerVecEnv(TOY, NUM_ENVS, seed=1, opponents=Hashing())
    return MaskablePPO(
        policy, env, n_steps=8, batch_size=16, n_epochs=2, seed=3, device="cpu", policy_kwargs=dict(options)
    )


@pytest.fixture
def seen() -> tuple[torch.Tensor, torch.Tensor]:
    """Observations (n, D) and masks (n, A) of games under way; some masks leave one action."""
    env = LearnerVecEnv(TOY, 64, seed=5, opponents=Hashing())
    observations = env.reset()
    random = np.random.default_rng(0)
    for _ in range(3):
        masks = env.action_masks()
        observations = env.step((random.random(masks.shape) * masks).argmax(axis=1))[0]
    masks = env.action_masks()
    masks[0] = 0
    masks[0, 1] = 1
    return torch.from_numpy(observations), torch.from_numpy(masks)


@every_option
@pytest.mark.parametrize("masked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_it_judges_actions_alike(seen: Any, options: dict[str, Any], masked: bool) -> None:
    ours, theirs = (model(policy, options).policy for policy in (MlpPolicy, "MlpPolicy"))
    observations, masks = seen[0], seen[1] if masked else None
    actions = seen[1].float().argmax(dim=1)
    for mine, other in zip(
        ours.evaluate_actions(observations, actions, masks), theirs.evaluate_actions(observations, actions, masks)
    ):
        torch.testing.assert_close(mine, other, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(ours.predict_values(observations), theirs.predict_values(observations))
    greedy = {"deterministic": True, "action_masks": masks}
    torch.testing.assert_close(ours(observations, **greedy), theirs(observations, **greedy))
    told, known = (each.get_distribution(observations, masks).distribution.probs for each in (ours, theirs))
    torch.testing.assert_close(told, known)


def test_it_draws_by_its_chances_and_nothing_illegal(seen: Any) -> None:
    policy = model(MlpPolicy, {"ortho_init": False}).policy
    observation, mask = seen[0][1:2], seen[1][1:2]
    assert int(mask.sum()) > 1
    draws = 20_000
    torch.manual_seed(0)
    actions, values, log_chances = policy(
        observation.expand(draws, -1), action_masks=mask.expand(draws, -1).numpy().astype(bool)
    )
    chances = policy.get_distribution(observation, mask).distribution.probs[0].detach().numpy()
    counts = np.bincount(actions.numpy(), minlength=len(chances))
    assert not counts[mask[0].numpy() == 0].any()
    deviation = np.sqrt(draws * chances * (1 - chances))
    assert (np.abs(counts - draws * chances) <= 4 * deviation + 1e-6).all()
    np.testing.assert_allclose(log_chances.detach().exp().numpy(), chances[actions.numpy()], rtol=1e-4)
    assert values.shape == (draws, 1)


@every_option
def test_it_learns_by_the_same_steps(seen: Any, options: dict[str, Any]) -> None:
    observations, masks = seen
    actions = masks.float().argmax(dim=1)
    after = []
    for policy in (MlpPolicy, "MlpPolicy"):
        learner = model(policy, options).policy
        for _ in range(3):
            values, log_chances, entropy = learner.evaluate_actions(observations, actions, masks)
            assert entropy is not None
            loss = (values - 1).square().mean() - log_chances.mean() - 0.1 * entropy.mean()
            learner.optimizer.zero_grad()
            loss.backward()
            learner.optimizer.step()
        after.append(learner.state_dict())
    assert after[0].keys() == after[1].keys()
    for name, weights in after[0].items():
        torch.testing.assert_close(weights, after[1][name], atol=1e-5, rtol=1e-4)


BY_BYTES = {"in_bfloat16": True}


def test_in_bfloat16_it_computes_and_learns_nearly_alike(seen: Any) -> None:
    observations, masks = seen
    actions = masks.float().argmax(dim=1)
    found = []
    for options in ({}, BY_BYTES):
        policy = model(MlpPolicy, options).policy
        values, log_chances, _ = policy.evaluate_actions(observations, actions, masks)
        (values.square().mean() + log_chances.mean()).backward()
        gradients = [each.grad.ravel() for each in policy.parameters() if each.grad is not None]
        found.append([values, log_chances, policy.predict_values(observations), torch.cat(gradients)])
    for exact, short in zip(*found):
        assert short.shape == exact.shape
        assert 0 < (short - exact).norm() < 0.02 * exact.norm()


def test_in_bfloat16_is_refused_where_bytes_dont_go_straight_to_hidden_layers() -> None:
    for options in ({"net_arch": []}, {"net_arch": {"pi": [8], "vf": []}}, {"share_features_extractor": False}):
        with pytest.raises(OptionError, match="for vectors of bytes that go straight to hidden layers of both"):
            model(MlpPolicy, {**options, **BY_BYTES})


@pytest.mark.parametrize(
    "space",
    [Box(0, 255, (36, 36, 3), np.uint8), Box(0, 1, (4,), np.float32), MultiDiscrete([3, 4], dtype=np.int8)],
    ids=str,
)
def test_in_bfloat16_is_refused_for_anything_but_vectors_of_bytes(space: Any) -> None:
    with pytest.raises(OptionError, match="for vectors of bytes"):
        MlpPolicy(space, Discrete(3), lambda left: 1e-3, in_bfloat16=True)


@pytest.mark.parametrize("options", [{}, BY_BYTES], ids=lambda options: ", ".join(options) or "default")
def test_a_model_that_learns_by_it_is_saved_and_loaded(tmp_path: Path, seen: Any, options: dict[str, Any]) -> None:
    learner = model(MlpPolicy, options)
    before = {name: each.clone() for name, each in learner.policy.state_dict().items()}
    learner.learn(96)
    assert any((each != before[name]).any() for name, each in learner.policy.state_dict().items())
    learner.save(tmp_path / "model.zip")
    again = MaskablePPO.load(tmp_path / "model.zip", device="cpu")
    assert isinstance(again.policy, MlpPolicy)
    assert again.policy.in_bfloat16 == learner.policy.in_bfloat16
    told, known = (
        each.predict(seen[0].numpy(), action_masks=seen[1].numpy(), deterministic=True)[0] for each in (again, learner)
    )
    np.testing.assert_array_equal(told, known)
