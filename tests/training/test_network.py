"""The network: a saved policy plays as it does, secrets stay with the critic, seats that look alike score alike."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from training.small_runs import small

from riverbed_env.players.policies import SavedPolicy, load_policy
from riverbed_env.registry import find_game
from riverbed_lab.ppo import Training

pytestmark = pytest.mark.compiled

HUNT = find_game("riverbed_hunt")
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
        for parameter in training.learner.network.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=generator))
    return training


def saved(training: Training, folder: Path) -> SavedPolicy:
    training.learner.save_policy(folder / "policy.npz")
    return load_policy(folder / "policy.npz", HUNT)


def given(training: Training, vectors: np.ndarray) -> torch.Tensor:
    """What the network is given of whole vectors."""
    return torch.from_numpy(vectors[:, training.learner.inputs.columns])


def logits_of(training: Training, observations: np.ndarray) -> np.ndarray:
    with torch.no_grad():
        return np.asarray(training.learner.network(given(training, observations)).numpy())


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
    part = training.learner.batch
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
    part = training.learner.batch
    assert part.num_secrets > 0
    changed = part.observation.copy()
    changed[:, -part.num_secrets :] ^= 1
    np.testing.assert_array_equal(logits_of(training, changed), logits_of(training, part.observation))
    values = [training.learner.network.values(given(training, each)).detach() for each in (changed, part.observation)]
    assert not np.allclose(*values)


def test_pieces_that_are_not_named_are_not_looked_at(tmp_path: Path) -> None:
    training = untrained(tmp_path, view="history", pieces=("question", "deeds"))
    rows = training.learner.batch.observation.copy()
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
    learner, part = training.learner, training.learner.batch
    size = HUNT.views["now"] + sum(feature_set.pieces.size for feature_set in part.features)
    assert part.num_secrets == 0
    assert part.observation.shape == (part.num_envs, size)
    assert learner.inputs.columns.max() == size - 1
    np.testing.assert_array_equal(learner.seen(), part.observation[:, learner.inputs.columns])


def test_an_untrained_actor_follows_the_advice(tmp_path: Path) -> None:
    training = Training(
        tmp_path, small(game=HUNT.id, role="chief", features=FEATURES, view="now", trust=8.0, num_envs=64)
    )
    part = training.learner.batch
    advice = part.observation[:, HUNT.views["now"] + part.features[0].pieces.size :][:, : HUNT.actions.size]
    assert (advice.sum(axis=1) == 1).all()
    legal = part.action_mask == 1
    chosen = np.where(legal, logits_of(training, part.observation), -np.inf).argmax(axis=1)
    np.testing.assert_array_equal(chosen, advice.argmax(axis=1))


def test_seats_that_look_alike_are_scored_alike(tmp_path: Path) -> None:
    training = untrained(tmp_path, features=("outlook",))
    network = training.learner.network
    seats = next(kind for kind in network.inputs.actor.kinds if kind.block == "SEAT")
    rows = training.learner.batch.observation.copy()
    swapped = rows.copy()
    swapped[:, seats.columns[2]], swapped[:, seats.columns[5]] = rows[:, seats.columns[5]], rows[:, seats.columns[2]]
    spaces = next(kind for kind in network.inputs.actor.kinds if kind.block == "SPACE")
    per_space = {int(column) for column in spaces.columns.ravel()}
    own = [column for column in range(seats.columns.shape[1]) if int(seats.columns[2, column]) not in per_space]
    rest = np.zeros_like(rows)
    kept = rest.copy()
    for into, source in ((rest, rows), (kept, swapped)):
        for seat in range(len(seats.columns)):
            into[:, seats.columns[seat, own]] = source[:, seats.columns[seat, own]]
    with torch.no_grad():
        network.plain.weight.zero_()
        network.plain.bias.zero_()
    before, after = logits_of(training, rest), logits_of(training, kept)
    np.testing.assert_allclose(before[:, seats.first + 2], after[:, seats.first + 5], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(before[:, seats.first + 3], after[:, seats.first + 3], rtol=1e-4, atol=1e-5)


def test_actions_are_drawn_and_judged_as_their_distribution_says(tmp_path: Path) -> None:
    training = untrained(tmp_path, num_envs=4)
    learner, part = training.learner, training.learner.batch
    for _ in range(40):  # to where choices differ
        part.step(part.action_mask.argmax(axis=1))
    rows, mask = learner.seen()[:1].repeat(4000, 0), part.action_mask[:1].repeat(4000, 0)
    made = learner.act(rows, mask)
    logits = logits_of(training, part.observation)[0]
    chances = np.where(mask[0] == 1, np.exp(logits - logits[mask[0] == 1].max()), 0.0)
    chances /= chances.sum()
    assert (mask[0] == 1).sum() > 1
    found = np.bincount(made["actions"], minlength=len(chances)) / 4000
    np.testing.assert_allclose(found, chances, atol=4 * 0.5 / 4000**0.5)
    assert (found[mask[0] == 0] == 0).all()
    np.testing.assert_allclose(made["log_probs"], np.log(chances[made["actions"]]), atol=1e-5)


@pytest.mark.parametrize("change", [{}, {"critic": "secrets"}, {"listening": 0.5, "features": ()}])
def test_all_of_a_rollout_is_learned_from_on_the_networks_device_and_goes_there_as_bytes(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    learner = untrained(tmp_path, num_envs=8, **change).learner
    rollout = learner.collect(4)
    elsewhere = torch.device("meta")  # computes nothing, and refuses what is on another device
    learner.network.to(elsewhere)
    rollout.device = elsewhere
    batch = next(rollout.minibatches(32, learner.shuffler))
    assert {each.device for each in batch} == {elsewhere}
    assert {each.dtype for each in (batch.inputs, batch.masks, batch.targets)} == {torch.int8}
    loss, figures = learner.loss(batch)
    assert {each.device for each in (loss, *figures.values())} == {elsewhere}
    assert ("listening" in figures) is ("listening" in change)
