"""Learning to listen: the target is the posterior, the trunk learns from it, and nothing needs it afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from training.small_runs import ROLLOUT
from training.test_runs import assert_same_end, train
from training.test_speaking import CLAIMS, HUNT, talking

from riverbed_agents.riverbed_hunt.beliefs import believe
from riverbed_env.envs.listening import TARGETS, ListeningPolicy, ListeningVecEnv
from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.envs.sb3_policies import MlpPolicy
from riverbed_env.errors import OptionError
from riverbed_env.players.policies import load_policy
from riverbed_lab.training.run import Training

pytestmark = pytest.mark.compiled

OPTIONS: dict[str, Any] = {"seed": 3, "opponents": "random", "view": "now", **CLAIMS}
SMALL: dict[str, Any] = {"n_steps": 16, "batch_size": 64, "n_epochs": 1, "seed": 0, "device": "cpu"}


def hearing(**changed: Any) -> Any:
    return talking(listening=1.0, features=(), view="now", **changed)


def learner(kind: Any, policy: Any, games: int = 8, **more: Any) -> MaskablePPO:
    return MaskablePPO(policy, kind(HUNT.id, games, num_players=5, **OPTIONS), **{**SMALL, **more})


def moved(env: LearnerVecEnv, steps: int) -> np.ndarray:
    """Observations after so many steps of the first or the last legal action in turn."""
    seen = env.reset()
    for step in range(steps):
        masks = env.action_masks()
        env.step_async(masks.argmax(axis=1) if step % 2 else masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))
        seen = env.step_wait()[0]
    return seen


def test_observations_end_with_what_the_seat_can_conclude() -> None:
    options = {"num_players": (5, 7), **OPTIONS}
    env = ListeningVecEnv(HUNT.id, 6, **options)
    seen = moved(env, 40)
    assert all(row in env.observation_space for row in seen)
    np.testing.assert_array_equal(seen[:, :-TARGETS], moved(LearnerVecEnv(HUNT.id, 6, **options), 40))
    batch = env.learner.tables.batch
    assert batch.games["table"]["said_count"].any(axis=0).all()
    views = list(zip(batch.look(batch.seat), batch.params[batch.which]))
    for (view, params), target in zip(views, seen[:, -TARGETS:].reshape(6, 9, 5), strict=True):
        beliefs = np.zeros(target.shape)
        believe(view, params, beliefs)
        np.testing.assert_allclose(target, 100 * beliefs, atol=0.51)
    state, after = env.get_state(), moved(env, 3)
    np.testing.assert_array_equal(env.set_state(state), seen)
    assert (after[:, -TARGETS:] != seen[:, -TARGETS:]).any()


def test_what_is_seen_last_is_as_long_as_the_rest() -> None:
    env = ListeningVecEnv(HUNT.id, 4, num_players=5, max_decisions=20, **OPTIONS)
    ends = []
    env.reset()
    while not ends:
        env.step_async(env.action_masks().argmax(axis=1))
        ends = [info["terminal_observation"] for info in env.step_wait()[3] if info]
    assert ends[0].shape == env.observation_space.shape
    assert not ends[0][-TARGETS:].any()


def gradients(policy: Any, env: ListeningVecEnv, seen: np.ndarray) -> dict[str, torch.Tensor]:
    """Of a loss of PPO's kind, by parameter."""
    policy.set_training_mode(True)
    masks = env.action_masks()
    values, logs, entropy = policy.evaluate_actions(
        torch.from_numpy(seen), torch.from_numpy(masks.argmax(axis=1)), torch.from_numpy(masks)
    )
    policy.optimizer.zero_grad()
    (logs.mean() + 0.3 * entropy.mean() + 0.5 * values.square().mean()).backward()
    found = {name: each.grad.clone() for name, each in policy.named_parameters() if each.grad is not None}
    policy.set_training_mode(False)
    return found


@pytest.mark.parametrize("kind", ["own", "riverbed train"])
def test_the_trunk_gets_the_gradient_of_the_divergence_beside_the_rest(kind: str, tmp_path: Path) -> None:
    if kind == "own":
        model = learner(ListeningVecEnv, ListeningPolicy)
        trunk = "mlp_extractor.policy_net.0.weight"
    else:
        model = Training(tmp_path, hearing()).model
        trunk = "actor.rest.weight"
    env: Any = model.get_env()
    policy: Any = model.policy
    seen = moved(env, 20)
    found = {}
    for policy.ears.weight in (0.0, 1.0, 3.0):
        found[policy.ears.weight] = gradients(policy, env, seen)
    for name, plain in found[0.0].items():
        torch.testing.assert_close(found[3.0][name] - plain, 3 * (found[1.0][name] - plain), atol=1e-5, rtol=1e-3)
    assert (found[1.0][trunk] - found[0.0][trunk]).abs().max() > 1e-4
    assert (found[1.0]["ears.layer.weight"]).abs().max() > 1e-4
    before = policy.ears.heard
    with torch.no_grad():  # a step down the divergence alone
        for name, plain in found[0.0].items():
            policy.get_parameter(name).sub_(0.01 * (found[1.0][name] - plain))
    gradients(policy, env, seen)
    assert policy.ears.heard < before


@pytest.mark.slow
def test_the_divergence_falls_while_the_policy_learns() -> None:
    untrained, model = (
        learner(ListeningVecEnv, ListeningPolicy, games=64, n_epochs=4, learning_rate=3e-3) for _ in range(2)
    )
    model.learn(8192)
    heard = []
    for each in (untrained, model):
        policy: Any = each.policy
        gradients(policy, model.get_env(), model._last_obs)  # type: ignore[arg-type]  # states not learnt from
        heard.append(policy.ears.heard)
    assert heard[1] < 0.7 * heard[0]


@pytest.mark.slow
def test_with_weight_0_training_is_training_without() -> None:
    plain = learner(LearnerVecEnv, MlpPolicy).learn(256)
    silent = learner(ListeningVecEnv, ListeningPolicy, policy_kwargs={"listening": 0}).learn(256)
    listening = learner(ListeningVecEnv, ListeningPolicy, policy_kwargs={"listening": 0.5}).learn(256)
    states = [each.policy.state_dict() for each in (plain, silent, listening)]
    assert states[0].keys() == states[1].keys()
    for name, value in states[0].items():
        assert torch.equal(value, states[1][name])
    assert any(not torch.equal(value, states[2][name]) for name, value in states[0].items())


def test_a_saved_policy_plays_without_targets(tmp_path: Path) -> None:
    model = learner(ListeningVecEnv, ListeningPolicy)
    env: Any = model.get_env()
    seen, masks = moved(env, 20), env.action_masks()
    chosen = model.predict(seen, action_masks=masks, deterministic=True)[0]
    model.save(tmp_path / "model")
    model.policy.save(str(tmp_path / "policy"))
    for again in (MaskablePPO.load(tmp_path / "model"), ListeningPolicy.load(str(tmp_path / "policy"))):
        for rows in (seen, seen[:, :-TARGETS]):
            np.testing.assert_array_equal(again.predict(rows, action_masks=masks, deterministic=True)[0], chosen)


@pytest.mark.slow
@pytest.mark.parametrize("speaking", [0.0, 0.5])
def test_a_run_that_listens_repeats_and_resumes_and_its_policy_needs_no_ears(speaking: float, tmp_path: Path) -> None:
    config = hearing(speaking=speaking)
    whole = train(tmp_path / "whole", config)
    train(tmp_path / "broken", config, until=2 * ROLLOUT)
    assert_same_end(whole.folder, train(tmp_path / "broken", None).folder)
    policy: Any = whole.model.policy
    assert 0 < policy.ears.heard < 2
    saved = load_policy(whole.folder / "policy.npz", HUNT)
    seen = moved(LearnerVecEnv(HUNT.id, 4, num_players=5, **OPTIONS), 20)
    wanted = policy.logits_of(torch.from_numpy(seen[:, policy._inputs.columns])).detach()
    np.testing.assert_allclose(saved.network.logits(seen), wanted, rtol=1e-4, atol=1e-5)


def test_the_target_is_refused_where_it_makes_no_sense() -> None:
    assert talking().listening == 0
    for changed, why in (
        ({"game": "ford_v0", "options": {}, "players": ()}, "listening target needs riverbed_hunt_v1"),
        ({"features": ("outlook",)}, "features outlook give"),
        ({"pieces": ("question",)}, "pieces that describe seats"),
        ({"listening": -1.0}, "listening"),
    ):
        with pytest.raises(OptionError, match=why):
            talking(**{"listening": 0.5, **changed})
    with pytest.raises(OptionError, match="needs riverbed_hunt_v1"):
        ListeningVecEnv("ford_v0", 2)
