"""What is measured of learners: time split without loss, equal steps, honest rewards. No times are asserted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from studies.learning_speed import __main__ as learning_speed
from studies.learning_speed import connect_four, strength
from studies.learning_speed.learners import CONNECT_FOUR, USUAL, USUAL_OF_EIGHT, Learner, Setting, learners_on
from studies.learning_speed.stopwatch import COLLECTION, GAMES, HANDING, LEARNING, PHASES, REST, Stopwatch, split

pytestmark = pytest.mark.slow  # `make check`


SMALL = Setting(4, 16, 16, 2)
TOY = strength.any_seat("ford_v0")


def test_inner_phases_are_taken_out_of_the_outer_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 1.0, 3.0, 7.0, 15.0, 31.0])
    monkeypatch.setattr("studies.learning_speed.stopwatch.time.perf_counter", lambda: next(clock))
    watch = Stopwatch()
    inner = watch.timed(GAMES, lambda: None)
    watch.timed(COLLECTION, watch.timed(HANDING, inner))()
    assert dict(watch.seconds) == {
        (COLLECTION, REST[COLLECTION]): 1.0 + 16.0,
        (COLLECTION, HANDING): 2.0 + 8.0,
        (COLLECTION, GAMES): 4.0,
    }


def test_splitting_meets_every_phase_and_changes_nothing_that_is_learnt() -> None:
    plain, watched = TOY.model(SMALL).learn(SMALL.rollout), TOY.model(SMALL)
    with split(watched) as watch:
        watched.learn(SMALL.rollout)
    assert set(watch.seconds) == set(PHASES)
    for one, other in zip(plain.policy.parameters(), watched.policy.parameters()):
        np.testing.assert_array_equal(one.detach().numpy(), other.detach().numpy())
    before = dict(watch.seconds)
    watched.learn(SMALL.rollout)
    assert dict(watch.seconds) == before


def test_both_devices_learn_by_the_same_settings_a_wide_network_too() -> None:
    rows = learners_on("cpu")
    assert [row.setting for row in rows[::2]] == [row.setting for row in rows[1::2]]
    usual, wide = (row.make(Setting(16, 8, 64, 1)) for row in (rows[0], rows[-1]))
    sizes = [sum(each.numel() for each in model.policy.parameters()) for model in (usual, wide)]
    assert sizes[1] > 30 * sizes[0]


def test_equal_steps_are_whole_rollouts_of_both() -> None:
    settings = [Setting(4, 16, 16, 1), Setting(3, 32, 8, 1)]
    assert [strength.common_steps(steps, settings) for steps in (1, 192, 193)] == [192, 192, 384]


def test_the_exported_actor_is_the_models_own() -> None:
    import torch

    model = TOY.model(SMALL).learn(SMALL.rollout)
    policy = strength.policy_of(model, TOY)
    assert model.env is not None
    seen = np.asarray(model.env.reset())
    masks = np.ones((len(seen), policy.network.sizes[1]), np.int8)
    with torch.no_grad():
        wanted = model.policy.get_distribution(torch.as_tensor(seen)).distribution.probs.numpy()
    logits = policy.logits(seen, masks, np.zeros(len(seen), np.int8))
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    np.testing.assert_allclose(weights / weights.sum(axis=1, keepdims=True), wanted, rtol=1e-4, atol=1e-6)


def test_the_same_settings_are_as_strong() -> None:
    done: list[str] = []
    measures = strength.Measures(steps=1, seeds=2, games=60)
    found = strength.compare_settings(TOY, SMALL, SMALL, measures, done.append)
    assert len(done) == 4
    assert [beside.gain.value for beside, _ in found] == [0, 0]
    assert "points over the seeds: +0.0" in strength.in_words(TOY, SMALL, SMALL, measures, found)


def test_the_tables_hold_medians_ratios_and_shares() -> None:
    def row(name: str, setting: Setting, collected: list[float], learnt: list[float]) -> Learner:
        spent = {PHASES[0]: 1e-6, PHASES[-1]: 3e-6}
        return Learner(name, "somehow", setting, TOY.model, learnt, collected, [0.5], spent)

    rows = [
        row(CONNECT_FOUR, USUAL, [10, 20, 90], [5, 10, 20]),
        row(CONNECT_FOUR, USUAL_OF_EIGHT, [40], [20]),
        row("riverbed_hunt_v1", SMALL, [800], [300]),
    ]
    text = learning_speed.in_tables(rows, 1)
    assert "collection 40.0 and whole learning 30.0 times that with one environment" in text
    assert "collection 20.0 and whole learning 15.0 times that with 8 environments" in text
    assert f"| 3 | riverbed_hunt_v1 | somehow | {SMALL} | 800 | 300 |" in text
    assert f"| {LEARNING} | in all | 3.0 | 3.0 | 3.0 |" in text
    assert learning_speed.ratios(rows[2:]) == []


def test_the_study_writes_speeds_and_strength(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning_speed, "learners", lambda fast: [Learner("toy", "seat", fast, TOY.model)])
    monkeypatch.setattr(learning_speed, "FAST", SMALL)
    monkeypatch.setattr(learning_speed, "USUAL_OF_EIGHT", replace(SMALL, n_epochs=1))
    learning_speed.main(seconds=0.001, rounds=1, strength=64, seeds=1, games=20, game="ford_v0", out=tmp_path)
    text = (tmp_path / learning_speed.PAGE).read_text()
    assert "| 1 | toy | seat |" in text
    assert "after 64 decisions" in text


@pytest.mark.skipif(not connect_four.is_installed(), reason=f"{connect_four.REQUIREMENT} is not installed")
def test_the_learner_of_connect_four_is_paid_for_every_end() -> None:
    """A player who plays one column mostly wins against random play, sometimes loses, and is told."""
    env: Any = connect_four.ConnectFour()
    paid = []
    for seed in range(60):
        env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            assert reward == 0
            _, reward, over, _, _ = env.step(int(env.action_masks().nonzero()[0][0]))
        paid.append(reward)
    assert {-1.0, 1.0} <= set(map(float, paid)) <= {-1.0, 0.0, 1.0}
    turns: Any = connect_four.ConnectFourTurns()
    turns.reset(seed=0)
    assert [turns.step(column)[1] for column in (0, 1, 0, 1, 0, 1, 0)] == [0, 0, 0, 0, 0, 0, 1]
