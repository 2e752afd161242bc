"""What is measured of learners: decisions counted, time split without loss, equal steps, honest rewards. No times."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.errors import OptionError
from studies.learning_speed import __main__ as learning_speed
from studies.learning_speed import connect_four, strength
from studies.learning_speed import learners as learning
from studies.learning_speed import report as learning_report
from studies.learning_speed.learners import CONNECT_FOUR, USUAL, USUAL_OF_EIGHT, Learner, LearnerResult, Learnt, Setting
from studies.learning_speed.stopwatch import COLLECTION, GAMES, HANDING, LEARNING, PHASES, REST, Stopwatch, split

pytestmark = pytest.mark.slow  # `make check`


SMALL = Setting(4, 16, 16, 2)
TOY = strength.any_seat("ford_v0")


def test_inner_phases_are_taken_out_of_the_outer_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 1.0, 3.0, 7.0, 15.0, 31.0])
    monkeypatch.setattr("studies.learning_speed.stopwatch.time.perf_counter", lambda: next(clock))
    watch = Stopwatch()
    inner = watch.timed(GAMES, lambda: None)
    middle = watch.timed(HANDING, inner)
    watch.timed(COLLECTION, middle)()
    assert dict(watch.seconds) == {
        (COLLECTION, REST[COLLECTION]): 1.0 + 16.0,
        (COLLECTION, HANDING): 2.0 + 8.0,
        (COLLECTION, GAMES): 4.0,
    }


def test_every_phase_is_met_and_nothing_else_is_changed() -> None:
    watched = TOY.model(SMALL).learn(SMALL.rollout)
    assert isinstance(watched.env, LearnerVecEnv)
    objects: list[Any] = [watched, watched.env, *watched.env.parts, watched.rollout_buffer, watched.policy.optimizer]
    objects += watched.policy.modules()
    before = [set(vars(each)) for each in objects]
    with split(watched) as watch:
        watched.learn(SMALL.rollout)
    assert set(watch.seconds) == set(PHASES)
    assert min(watch.seconds.values()) >= 0
    assert [set(vars(each)) for each in objects] == before
    told = dict(watch.seconds)
    watched.learn(SMALL.rollout)
    assert dict(watch.seconds) == told


def test_splitting_changes_nothing_that_is_learnt() -> None:
    plain, watched = TOY.model(SMALL).learn(SMALL.rollout), TOY.model(SMALL)
    with split(watched):
        watched.learn(SMALL.rollout)
    for one, other in zip(plain.policy.parameters(), watched.policy.parameters()):
        np.testing.assert_array_equal(one.detach().numpy(), other.detach().numpy())


def test_a_learner_is_measured_over_whole_rollouts() -> None:
    learner = Learner("toy", "", SMALL, TOY.model)
    found = learning.measure_learner(learner, 1e-9)
    assert found.steps == SMALL.rollout
    assert 0 < found.collecting < found.seconds
    phases = learning.measure_split(learner, 1e-9)
    assert {part for part, _ in phases} == {COLLECTION, LEARNING}


def test_equal_steps_are_whole_rollouts_of_both() -> None:
    settings = [Setting(4, 16, 16, 1), Setting(3, 32, 8, 1)]
    assert [learning.common_steps(steps, settings) for steps in (1, 192, 193)] == [192, 192, 384]
    with pytest.raises(OptionError, match="at least 1"):
        learning.common_steps(0, settings)


def test_the_exported_actor_is_the_models_own() -> None:
    import torch

    model = TOY.model(SMALL).learn(SMALL.rollout)
    policy = strength.policy_of(model, TOY)
    assert model.env is not None
    seen = np.asarray(model.env.reset())
    more = np.concatenate([seen, np.ones((len(seen), 3), np.int8)], axis=1)  # behind the view, to be left out
    masks = np.ones((len(seen), policy.network.sizes[1]), np.int8)
    with torch.no_grad():
        wanted = model.policy.get_distribution(torch.as_tensor(seen)).distribution.probs.numpy()
    logits = policy.logits(more, masks, np.zeros(len(seen), np.int8))
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    np.testing.assert_allclose(weights / weights.sum(axis=1, keepdims=True), wanted, rtol=1e-4, atol=1e-6)


def test_the_same_settings_are_as_strong_and_more_learning_is_told() -> None:
    done: list[str] = []
    measures = strength.Measures(steps=1, seeds=2, games=60)
    found = strength.compare_settings(TOY, SMALL, SMALL, measures, done.append)
    assert found.steps == SMALL.rollout
    assert len(done) == 4
    for one in found.by_seed.values():
        assert one.usual == one.fast
        assert one.difference.value == 0
        assert one.difference.low < 0 < one.difference.high
    assert (found.over_seeds.low, found.over_seeds.high) == (-1, 1)  # two seeds say nothing of the method
    other = strength.compare_settings(TOY, SMALL, replace(SMALL, n_epochs=1), measures)
    assert other.by_seed[0].usual == found.by_seed[0].usual


def result(name: str, setting: Setting, *speeds: tuple[int, int]) -> LearnerResult:
    rounds = [Learnt(100, 100 / whole, 100 / collected) for collected, whole in speeds]
    learner = Learner(name, "somehow", setting, TOY.model)
    return LearnerResult(learner, rounds, [0.5] * len(rounds), {PHASES[0]: 1e-6, PHASES[-1]: 3e-6})


def test_the_report_holds_medians_ratios_and_shares(tmp_path: Path) -> None:
    results = [
        result(CONNECT_FOUR, USUAL, (10, 5), (20, 10), (90, 20)),
        result(CONNECT_FOUR, USUAL_OF_EIGHT, (40, 20)),
        result("riverbed_hunt_v0", SMALL, (800, 300)),
    ]
    text = learning_report.markdown(results, [], 1)
    assert "collection 40.0 and whole learning 30.0 times that with 1 environment(s)" in text
    assert "collection 20.0 and whole learning 15.0 times that with 8 environment(s)" in text
    assert f"| 3 | riverbed_hunt_v0 | somehow | {SMALL} | 800 | 300 |" in text
    assert f"| {LEARNING} | {PHASES[-1][1]} | 3.0 | 3.0 | 3.0 |" in text
    assert f"| {LEARNING} | in all | 3.0 | 3.0 | 3.0 |" in text
    written = json.loads(learning_report.write_report(results, [], 1, tmp_path).read_text())
    assert written["rows"][0]["collected_per_second"] == pytest.approx([10, 20, 90])
    assert written["rows"][2]["settings"] == vars(SMALL)
    assert learning_report.learner_ratios(results[2:]) == []


def test_the_study_writes_speeds_and_strength(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "learners", lambda fast: [Learner("toy", "seat", fast, TOY.model)])
    monkeypatch.setattr(learning, "FAST", SMALL)
    monkeypatch.setattr(learning, "USUAL_OF_EIGHT", replace(SMALL, n_epochs=1))
    learning_speed.main(seconds=0.001, rounds=1, strength=64, seeds=1, games=20, game=["ford_v0"], out=tmp_path)
    written = json.loads((tmp_path / "learning_speed.json").read_text())
    assert written["rows"][0]["name"] == "toy"
    assert written["strength"][0]["steps"] == 64


@pytest.mark.skipif(not connect_four.is_installed(), reason=f"{connect_four.REQUIREMENT} is not installed")
class TestConnectFour:
    def test_the_learner_is_paid_for_every_end(self) -> None:
        """Against a column filled at random a player who plays one column mostly wins, sometimes loses, and is told."""
        env = connect_four.ConnectFour()
        paid = []
        for seed in range(60):
            seen, _ = env.reset(seed=seed)
            over, reward, moves = False, 0.0, 0
            while not over:
                assert seen[:, :, 0].sum() == seen[:, :, 1].sum() == moves  # both have moved as often
                seen, reward, over, truncated, _ = env.step(int(env.action_masks().nonzero()[0][0]))
                moves += 1
                assert not truncated
                assert over or reward == 0
            paid.append(reward)
        assert {-1.0, 1.0} <= set(map(float, paid)) <= {-1.0, 0.0, 1.0}

    def test_in_the_tutorials_way_the_mover_is_paid_and_the_next_sees(self) -> None:
        env = connect_four.ConnectFourTurns()
        env.reset(seed=0)
        rewards = []
        for column in (0, 1, 0, 1, 0, 1, 0):
            seen, reward, over, _, _ = env.step(column)
            rewards.append(reward)
        assert over
        assert rewards == [0, 0, 0, 0, 0, 0, 1]
        assert seen.shape == (6, 7, 2)
