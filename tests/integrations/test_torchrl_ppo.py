"""The PPO example learns, and the measurement of speed counts decisions."""

from __future__ import annotations

import pytest
import torch

from riverbed_env.integrations.torchrl import RiverbedEnv
from studies.doors import stepping, wrapped
from studies.torchrl_ppo import networks, train, wins


def test_a_step_of_ppo_changes_the_policy_and_leaves_it_finite() -> None:
    env = RiverbedEnv("deep_river_v0", 8, seed=0)
    torch.manual_seed(0)
    before, _ = networks(env)
    torch.manual_seed(0)
    policy = train(env, decisions=8 * 64).policy
    pairs = list(zip(before.parameters(), policy.parameters()))
    assert any(not torch.equal(old, new) for old, new in pairs)
    assert all(new.isfinite().all() for _, new in pairs)
    assert -1 <= wins(RiverbedEnv("deep_river_v0", 16), policy) <= 1


@pytest.mark.slow
def test_self_play_learns_to_beat_random_play() -> None:
    torch.manual_seed(0)
    policy = train(RiverbedEnv("deep_river_v0", 256, seed=0), decisions=150_000).policy
    assert wins(RiverbedEnv("deep_river_v0", 1000), policy) > 0.5


def test_every_way_of_playing_is_measured_in_whole_decisions() -> None:
    assert stepping(RiverbedEnv("deep_river_v0", 8))() == 8
    assert stepping(wrapped("deep_river_v0"))() == 1
