"""PPO learns as it is defined: advantages, the loss and its gradient, steps like those of MaskablePPO."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from stable_baselines3.common.logger import Logger
from torch.nn.utils import parameters_to_vector
from training.small_runs import small

from riverbed_lab.ppo import Learner, Minibatch, Rollout

pytestmark = pytest.mark.compiled

GAMMA, LAMBDA = 0.9, 0.8


def rollout_of(chains: np.ndarray, ended: np.ndarray, seed: int = 1) -> tuple[Rollout, np.ndarray]:
    """A rollout of random rewards and values, and what comes after it. chains, ended: (steps, width)."""
    steps, width = chains.shape
    rng = np.random.default_rng(seed)
    rollout = Rollout(steps, width, [(1,), (1,), (0, 0)], int(chains.max()) + 1, "cpu")
    for row, over in zip(chains, ended):
        rollout.add(row, values=rng.normal(size=width).astype(np.float32))
        rollout.pay(row, rng.normal(size=width).astype(np.float32), over)
    return rollout, rng.normal(size=chains.max() + 1).astype(np.float32)


def test_advantages_are_those_of_stable_baselines() -> None:
    chains = np.tile(np.arange(4), (9, 1))
    ended = np.random.default_rng(2).random(chains.shape) < 0.2
    rollout, ahead = rollout_of(chains, ended)
    rollout.finish(ahead, GAMMA, LAMBDA)
    theirs: Any = SimpleNamespace(
        gamma=GAMMA,
        gae_lambda=LAMBDA,
        buffer_size=9,
        values=rollout.values.reshape(9, 4),
        rewards=rollout.rewards.reshape(9, 4),
        episode_starts=np.vstack([np.zeros(4), ended[:-1]]),
        advantages=np.zeros((9, 4), np.float32),
    )
    MaskableRolloutBuffer.compute_returns_and_advantage(theirs, torch.from_numpy(ahead), ended[-1])
    np.testing.assert_allclose(rollout.advantages, theirs.advantages.ravel(), rtol=1e-5)
    np.testing.assert_allclose(rollout.returns, theirs.returns.ravel(), rtol=1e-5)


def test_decisions_of_all_seats_have_the_advantages_of_each_seat_alone() -> None:
    """Two games of three seats: each step asks one seat of each, and a seat is paid in other seats' turns too."""
    rng = np.random.default_rng(3)
    chains = np.stack([rng.integers(3, size=40), 3 + rng.integers(3, size=40)], axis=1)
    ended = rng.random(chains.shape) < 0.1
    rollout, ahead = rollout_of(chains, ended)
    rollout.pay(np.arange(6), np.ones(6, np.float32), np.zeros(6, np.bool_))
    rollout.finish(ahead, GAMMA, LAMBDA)
    for chain in range(6):
        rows = np.flatnonzero(rollout.chain == chain)
        alone = Rollout(len(rows), 1, [(1,), (1,), (0, 0)], 1, "cpu")
        for row in rows:
            alone.add(np.zeros(1, np.int64), values=rollout.values[row : row + 1])
            alone.pay(np.zeros(1, np.int64), rollout.rewards[row : row + 1], rollout.ended[row : row + 1])
        alone.finish(ahead[chain : chain + 1], GAMMA, LAMBDA)
        np.testing.assert_allclose(rollout.advantages[rows], alone.advantages, rtol=1e-5)


@pytest.mark.parametrize(
    "changed",
    [{}, {"ent_coef": 0.1, "vf_coef": 2.0, "max_grad_norm": 0.05}, {"clip_range": 0.01, "gae_lambda": 0.5}],
)
def test_a_step_is_that_of_maskable_ppo(changed: dict[str, Any]) -> None:
    """MaskablePPO's own `train`, on the same network and decisions; one minibatch has no order."""
    config = small(batch_size=64, n_epochs=3, learning_rate=0.01, **changed)
    ours, twin = Learner(config), Learner(config)
    rollout = ours.collect(config.rollout_steps)
    figures = ours.update(rollout, 0.01)
    theirs: Any = SimpleNamespace(
        policy=SimpleNamespace(
            set_training_mode=lambda training: None,
            optimizer=twin.optimizer,
            parameters=twin.network.parameters,
            evaluate_actions=lambda inputs, actions, action_masks: evaluated(twin, inputs, actions, action_masks),
        ),
        **{name: getattr(config, name) for name in ("n_epochs", "batch_size", "ent_coef", "vf_coef", "max_grad_norm")},
        _update_learning_rate=lambda optimizer: optimizer.param_groups[0].update(lr=0.01),
        clip_range=lambda left: config.clip_range,
        clip_range_vf=None,
        target_kl=None,
        normalize_advantage=True,
        _current_progress_remaining=1.0,
        action_space=None,
        rollout_buffer=Theirs(rollout),
        verbose=0,
        _n_updates=0,
        logger=Logger(None, []),
    )
    MaskablePPO.train(theirs)
    for name, each in twin.network.state_dict().items():
        torch.testing.assert_close(ours.network.state_dict()[name], each, atol=1e-5, rtol=1e-4)
    told = {name.removeprefix("train/"): value for name, value in theirs.logger.name_to_value.items()}
    for name in ("entropy_loss", "policy_gradient_loss", "value_loss", "clip_fraction", "explained_variance"):
        assert figures[name] == pytest.approx(told[name], abs=1e-5, rel=1e-3), name


class Theirs:
    """A rollout as MaskablePPO reads it."""

    def __init__(self, rollout: Rollout) -> None:
        self.values, self.returns = rollout.values, rollout.returns
        self._rollout = rollout

    def get(self, size: int) -> Any:
        for batch in self._rollout.minibatches(size, np.random.default_rng(0)):
            fields = {"observations": batch.inputs, "action_masks": batch.masks, "old_log_prob": batch.log_probs}
            named = {name: getattr(batch, name) for name in ("actions", "advantages", "returns")}
            yield SimpleNamespace(**fields, **named, old_values=batch.values)


def evaluated(learner: Learner, inputs: torch.Tensor, actions: torch.Tensor, masks: torch.Tensor) -> Any:
    """Values, log probabilities and entropies, by their distribution."""
    distribution = MaskableCategorical(logits=learner.network(inputs), masks=masks.numpy())
    return learner.network.values(inputs), distribution.log_prob(actions), distribution.entropy()


def test_with_half_the_precision_a_step_goes_nearly_the_same_way_and_all_that_is_kept_stays_whole() -> None:
    exact, rough = (Learner(small(precision=precision)) for precision in ("float32", "bfloat16"))
    before = parameters_to_vector(exact.network.parameters()).detach().clone()
    rollout = exact.collect(8)
    logs = [learner.act(rollout.inputs, rollout.masks)["log_probs"] for learner in (exact, rough)]
    assert all(each.dtype == np.float32 for each in logs)
    for learner in (exact, rough):
        learner.update(rollout, 0.01)
    moves = [parameters_to_vector(learner.network.parameters()).detach() - before for learner in (exact, rough)]
    assert 0.9 < torch.cosine_similarity(*moves, dim=0) < 1  # rounded, or nothing was learned at half the precision
    assert all(each.dtype == torch.float32 for each in rough.network.parameters())


def test_a_minibatch_of_one_decision_leaves_numbers() -> None:
    learner = Learner(small(batch_size=63, n_epochs=1))
    assert all(np.isfinite(value) for value in learner.update(learner.collect(8), 1e-3).values())
    assert all(each.isfinite().all() for each in learner.network.parameters())


def test_a_game_that_is_cut_off_earns_what_its_last_position_is_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = Learner(small(options={"max_decisions": 5}, gamma=0.5, opponents=({"everybody": ["random"]},)))
    part, step = learner.batch, learner.step
    seen: list[np.ndarray] = []

    def noted(actions: np.ndarray) -> np.ndarray:
        rewards = step(actions)
        worth = learner.values(learner.seen("final_observation"))
        seen.append(part.reward + np.where(part.truncated, 0.5 * worth, 0))
        seen[-1][~(part.truncated | part.terminated)] = 0
        return rewards

    monkeypatch.setattr(learner, "step", noted)
    rollout = learner.collect(8)
    assert rollout.ended.any()
    assert (rollout.rewards[rollout.ended] != 0).all()
    np.testing.assert_allclose(rollout.rewards.reshape(8, -1), seen, atol=1e-6)


def test_minibatches_are_all_decisions_once() -> None:
    learner = Learner(small())
    rollout = learner.collect(8)
    batches = list(rollout.minibatches(30, np.random.default_rng(1)))
    assert [len(batch.actions) for batch in batches] == [30, 30, 4]
    order = np.random.default_rng(1).permutation(64)
    for name in Minibatch._fields:
        together = np.concatenate([getattr(batch, name).numpy() for batch in batches])
        np.testing.assert_array_equal(together, getattr(rollout, name)[order])
