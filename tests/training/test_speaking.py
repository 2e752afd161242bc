"""Training with claims, and the reward for what they do to beliefs: off by default, repeatable, never evaluated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from training.small_runs import ROLLOUT, small
from training.test_runs import assert_same_end, train

from riverbed_env.deduction import Deduction
from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.envs.sb3_policies import MlpPolicy as FastPolicy
from riverbed_env.envs.speaking import SpeakingVecEnv
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

pytestmark = pytest.mark.compiled

HUNT = find_game("riverbed_hunt_v1")
SILENT = HUNT.actions.id("SILENT")
CLAIMS = {"talk": "claims"}


def talking(**changed: Any) -> Any:
    return small(
        **{
            "game": HUNT.id,
            "players": (5,),
            "options": CLAIMS,
            "steps": 3 * ROLLOUT,
            "evaluate_every": 3 * ROLLOUT,
            "evaluation_games": 8,
            "checkpoint_every": 2 * ROLLOUT,
            **changed,
        }
    )


def rewards_of(env: Any, steps: int) -> tuple[list[np.ndarray], list[np.ndarray], list[bool]]:
    """Rewards of a learner that claims one role after the other; the game's own; whether it made a claim."""
    role = HUNT.actions.id("ROLE", 0)
    env.reset()
    paid, own, claimed = [], [], []
    for _ in range(steps):
        masks = env.action_masks()
        roles = masks[:, role : role + 4]
        actions = np.where(roles.any(axis=1), role + roles.argmax(axis=1), masks.argmax(axis=1))
        before = [part.tables.games["table"]["said_count"].copy() for part in env.parts]
        env.step_async(actions)
        paid.append(env.step_wait()[1])
        own.append(np.concatenate([part.reward for part in env.parts]).copy())
        after = [part.tables.games["table"]["said_count"] for part in env.parts]
        claimed.append(any((one != two).any() for one, two in zip(before, after)))
    return paid, own, claimed


def test_a_claim_earns_what_it_does_to_beliefs_and_without_the_wrapper_nothing() -> None:
    options: dict[str, Any] = {"num_players": 5, "seed": 3, "role": "leader", "opponents": "random", **CLAIMS}
    speaking = SpeakingVecEnv(HUNT.id, 4, speaking=2.0, **options)
    paid, own, claimed = rewards_of(speaking, 30)
    earned = np.array(paid) - np.array(own)
    assert np.abs(earned).max() > 1e-3
    assert not earned[[not each for each in claimed]].any()
    half = np.array(rewards_of(SpeakingVecEnv(HUNT.id, 4, speaking=1.0, **options), 30)[0]) - np.array(own)
    np.testing.assert_allclose(earned, 2 * half, atol=1e-6)
    plain, same, _ = rewards_of(LearnerVecEnv(HUNT.id, 4, **options), 30)
    np.testing.assert_array_equal(plain, own)
    np.testing.assert_array_equal(same, own)


@pytest.mark.parametrize(("role", "sign"), [("chief", 1), ("merchant", 1), ("leader", -1), ("profiteer", -1)])
def test_merchants_earn_what_helps_to_see_the_truth_and_the_others_what_hides_it(role: str, sign: int) -> None:
    env = SpeakingVecEnv(HUNT.id, 8, speaking=1.0, num_players=5, seed=3, role=role, opponents="random", **CLAIMS)
    env.reset()
    accuse, (part,) = HUNT.actions.id("CAMP", 1), env.parts
    while not (masks := env.action_masks())[:, accuse].all():
        env.step_async(np.where(masks[:, accuse], SILENT, masks.argmax(axis=1)))
        env.step_wait()
    env.step_async(np.full(8, accuse))
    env.step_wait()
    masks = env.action_masks()
    actions = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)  # of whom: not of oneself
    batch, deduction = part.tables.batch.clone(), Deduction.of(part.tables.batch.params)
    given: list[list[list[float]]] = []
    while len(given) < 2:
        if given:
            batch.step(actions)
        posteriors = deduction.roles(Deduction.public_views(batch.games))
        roles = HUNT.roles_of(batch.games)
        given.append([[np.log(max(1e-6, row[it])) for row, it in zip(*each)] for each in zip(posteriors, roles)])
    change = np.mean(given[1], axis=1) - np.mean(given[0], axis=1)
    assert np.abs(change).max() > 1e-3
    env.step_async(actions)
    np.testing.assert_allclose(env.step_wait()[1] - part.reward, sign * change, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["MlpPolicy", FastPolicy])
@pytest.mark.parametrize("kind", [LearnerVecEnv, SpeakingVecEnv])
def test_maskable_ppo_learns_with_claims_and_takes_legal_ones_alone(kind: Any, policy: Any) -> None:
    env = kind(HUNT.id, 8, num_players=5, seed=3, opponents="rule_based", view="now", talk="claims", talk_budget=2)
    model = MaskablePPO(policy, env, n_steps=16, batch_size=64, n_epochs=1, seed=0, device="cpu")
    model.learn(256)
    assert model.num_timesteps == 256
    assert sum(part.illegal for part in env.parts) == 0
    assert any(part.tables.games["table"]["said_count"].any() for part in env.parts)


@pytest.mark.slow
def test_a_run_with_claims_and_the_reward_repeats_and_resumes_bit_for_bit(tmp_path: Path) -> None:
    config = talking(speaking=0.5)
    whole = train(tmp_path / "whole", config).folder
    train(tmp_path / "broken", config, until=2 * ROLLOUT)
    assert_same_end(whole, train(tmp_path / "broken", None).folder)


def test_the_reward_is_refused_where_nothing_is_said() -> None:
    assert talking().speaking == 0
    for changed in ({"options": {}}, {"game": "ford_v0", "options": {}, "players": ()}):
        with pytest.raises(OptionError, match="speaking needs"):
            talking(speaking=0.5, **changed)
    with pytest.raises(OptionError, match="speaking"):
        talking(speaking=-1.0)
    with pytest.raises(OptionError, match="speaking needs"):
        SpeakingVecEnv(HUNT.id, 2, num_players=5)
