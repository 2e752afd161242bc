"""The network: a saved policy plays as it does, secrets stay with the critic, seats that look alike score alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from training.small_runs import small

from riverbed_env.players.policies import SavedPolicy, load_policy
from riverbed_env.registry import find_game
from riverbed_lab.training.run import Training

pytestmark = pytest.mark.compiled

HUNT = find_game("riverbed_hunt_v1")
FEATURES = ("outlook", "advice:simple")


def untrained(folder: Path, **changed: Any) -> Training:
    """A run of Riverbed Hunt with random weights, none of them zero."""
    options: dict[str, Any] = {
        "game": HUNT.id,
        "role": "separatist",
        "features": FEATURES,
        "num_envs": 16,
        "view": "now",
    }
    training = Training(folder, small(**{**options, **changed}))
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in training.model.policy.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=generator))
    return training


def saved(training: Training, folder: Path) -> SavedPolicy:
    training.save_policy(folder / "policy.npz")
    return load_policy(folder / "policy.npz", HUNT)


def given(training: Training, vectors: np.ndarray) -> torch.Tensor:
    """What the network is given of whole vectors."""
    policy: Any = training.model.policy
    return torch.from_numpy(vectors[:, policy._inputs.columns])


def logits_of(training: Training, observations: np.ndarray) -> np.ndarray:
    with torch.no_grad():
        policy: Any = training.model.policy
        return np.asarray(policy.logits_of(given(training, observations)).numpy())


@pytest.mark.parametrize(
    ("view", "features", "pieces"),
    [
        pytest.param("now", FEATURES, (), marks=pytest.mark.slow),  # compiles advice
        pytest.param(
            "history", ("outlook",), ("question", "asks", "known_tiles", "own_hand"), marks=pytest.mark.slow
        ),  # compiles the deduction
        ("now", (), ("question",)),
    ],
)
def test_what_is_saved_gives_the_same_logits(
    tmp_path: Path, view: str, features: tuple[str, ...], pieces: tuple[str, ...]
) -> None:
    training = untrained(tmp_path, view=view, features=features, pieces=pieces)
    agent = saved(training, tmp_path)
    part = training.env.parts[0]
    for _ in range(30):
        batch = part.tables.batch
        rows = batch.observation.copy(), batch.action_mask.copy()
        theirs = agent.logits(*rows, batch.agent_streams(), batch.look(batch.seat), batch.params)
        legal = part.action_mask == 1
        mine = logits_of(training, part.observation)
        np.testing.assert_allclose(theirs[legal], mine[legal], rtol=2e-4, atol=2e-4)
        part.step(np.where(legal, mine, -np.inf).argmax(axis=1))


def test_the_actor_is_blind_to_secrets_and_the_critic_is_not(tmp_path: Path) -> None:
    training = untrained(tmp_path, critic="secrets")
    part, policy = training.env.parts[0], training.model.policy
    assert part.num_secrets > 0
    changed = part.observation.copy()
    changed[:, -part.num_secrets :] ^= 1
    np.testing.assert_array_equal(logits_of(training, changed), logits_of(training, part.observation))
    values = [policy.predict_values(given(training, each)).detach().numpy() for each in (changed, part.observation)]
    assert not np.allclose(*values)


def test_pieces_that_are_not_named_are_not_looked_at(tmp_path: Path) -> None:
    training = untrained(tmp_path, view="history", pieces=("question", "deeds"))
    rows = training.env.parts[0].observation.copy()
    before = logits_of(training, rows)
    looked_at = np.zeros(rows.shape[1], np.bool_)
    looked_at[HUNT.views["history"] :] = True
    for name in ("question", "deeds"):
        looked_at[HUNT.observation.slices[name]] = True
    other = np.where(looked_at, rows, 1 - rows)
    np.testing.assert_array_equal(logits_of(training, other), before)
    assert not np.array_equal(logits_of(training, np.where(looked_at, 1 - rows, rows)), before)


def test_without_secrets_the_network_is_given_what_a_policy_is(tmp_path: Path) -> None:
    training = untrained(tmp_path, critic="own")
    part, policy = training.env.parts[0], training.model.policy
    size = HUNT.views["now"] + sum(feature_set.size for feature_set in part.features)
    assert part.num_secrets == 0
    assert part.observation.shape == (part.num_envs, size)
    columns = policy._inputs.columns
    assert training.env.observation_space.shape == columns.shape
    assert columns.max() == size - 1
    np.testing.assert_array_equal(training.env.reset(), part.observation[:, columns])


def test_an_untrained_actor_follows_the_advice(tmp_path: Path) -> None:
    training = Training(
        tmp_path, small(game=HUNT.id, role="chief", features=FEATURES, view="now", trust=8.0, num_envs=64)
    )
    part = training.env.parts[0]
    advice = part.observation[:, HUNT.views["now"] + part.features[0].size :][:, : HUNT.actions.size]
    assert (advice.sum(axis=1) == 1).all()
    legal = part.action_mask == 1
    chosen = np.where(legal, logits_of(training, part.observation), -np.inf).argmax(axis=1)
    np.testing.assert_array_equal(chosen, advice.argmax(axis=1))


def test_seats_that_look_alike_are_scored_alike(tmp_path: Path) -> None:
    training = untrained(tmp_path, features=("outlook",))
    policy: Any = training.model.policy
    seats = next(kind for kind in policy._inputs.actor.objects.kinds if kind.block == "SEAT")
    rows = training.env.parts[0].observation.copy()
    swapped = rows.copy()
    swapped[:, seats.columns[2]], swapped[:, seats.columns[5]] = rows[:, seats.columns[5]], rows[:, seats.columns[2]]
    spaces = next(kind for kind in policy._inputs.actor.objects.kinds if kind.block == "SPACE")
    per_space = {int(column) for column in spaces.columns.ravel()}
    own = [column for column in range(seats.columns.shape[1]) if int(seats.columns[2, column]) not in per_space]
    rest = np.zeros_like(rows)
    kept = rest.copy()
    for into, source in ((rest, rows), (kept, swapped)):
        for seat in range(len(seats.columns)):
            into[:, seats.columns[seat, own]] = source[:, seats.columns[seat, own]]
    plain = policy.scores.plain
    with torch.no_grad():
        plain.weight.zero_()
        plain.bias.zero_()
    before, after = logits_of(training, rest), logits_of(training, kept)
    np.testing.assert_allclose(before[:, seats.first + 2], after[:, seats.first + 5], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(before[:, seats.first + 3], after[:, seats.first + 3], rtol=1e-4, atol=1e-5)


def test_actions_are_drawn_judged_and_chosen_as_their_distribution_says(tmp_path: Path) -> None:
    training = untrained(tmp_path, num_envs=4)
    policy: Any = training.model.policy
    part = training.env.parts[0]
    for _ in range(40):  # to where choices differ
        part.step(part.action_mask.argmax(axis=1))
    rows, mask = given(training, part.observation)[:1].repeat(4000, 1), part.action_mask[:1].repeat(4000, 0)
    with torch.no_grad():
        distribution = policy.get_distribution(rows, mask)
        actions, _, taken = policy(rows, action_masks=mask)
        best, _, _ = policy(rows[:1], deterministic=True, action_masks=mask[:1])
        _, judged, entropy = policy.evaluate_actions(rows, actions, torch.from_numpy(mask))
    chances = distribution.distribution.probs[0].numpy()
    assert (mask[0] == 1).sum() > 1
    found = np.bincount(actions.numpy(), minlength=len(chances)) / 4000
    np.testing.assert_allclose(found, chances, atol=4 * 0.5 / 4000**0.5)
    assert (found[mask[0] == 0] == 0).all()
    np.testing.assert_allclose(taken, distribution.log_prob(actions), atol=1e-5)
    np.testing.assert_allclose(judged, taken, atol=1e-6)
    np.testing.assert_allclose(entropy, distribution.entropy(), atol=1e-5)
    assert best.item() == chances.argmax()


@pytest.mark.parametrize("change", [{}, {"critic": "secrets"}, {"listening": 0.5, "features": ()}])
def test_all_of_a_rollout_is_learnt_from_on_the_networks_device_and_goes_there_as_bytes(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    training = untrained(tmp_path, num_envs=8, **change)
    training.run(lambda progress: None)
    model: Any = training.model
    elsewhere = torch.device("meta")  # computes nothing, and refuses what is on another device
    model.policy.to(elsewhere)
    model.rollout_buffer.device = elsewhere
    batch = next(model.rollout_buffer.get(32))
    assert {each.device for each in batch} == {elsewhere}
    assert (batch.observations.dtype, batch.action_masks.dtype) == (torch.int8, torch.int8)
    model.policy.set_training_mode(False)
    logits, values = model.policy.logits_and_values(batch.observations)
    found = model._losses().gradients(logits, values, batch)
    assert [each.shape for each in found[:2]] == [logits.shape, values.shape]
    masks = np.ones(logits.shape, np.int8)
    assert {each.device for each in (*found[:2], *found[2], *model.policy(batch.observations, action_masks=masks))} == {
        elsewhere
    }
