"""Targets: the value of a choice is what playing it on pays, with the same chance for all choices of a state."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from training.small_runs import small

from riverbed_env.core.game import copy_records
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM, PythonAgent
from riverbed_env.players.arena import Arena
from riverbed_env.players.features import find_feature_sets
from riverbed_env.players.policies import PolicyConfig, SavedPolicy, load_policy, save_policy
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_env.rollouts.action_values import ActionValues, Rollouts
from riverbed_env.rollouts.hooks import NO_HOOKS, find_hooks
from riverbed_env.rollouts.networks import compiled_policy, packed
from riverbed_lab.playing.play import play_seated
from riverbed_lab.ppo import Training
from riverbed_lab.training.folder_run import POLICY

FORD, HUNT = find_game("ford_v0"), find_game("riverbed_hunt")
TO_THE_END = Rollouts((0,), 0, None, UNIFORM, NO_HOOKS)


def ford(num_envs: int = 32, **options: Any) -> LearnerBatch:
    return LearnerBatch(FORD, num_envs, opponents="random", seed=5, autoreset="off", **options)


def open_games(learners: LearnerBatch) -> np.ndarray:
    return np.flatnonzero(learners.action_mask.sum(axis=1) > 1)


def actual_returns(learners: LearnerBatch, action: int) -> np.ndarray:
    """What the games pay if this action is taken and all play on at random, in an arena of its own."""
    tables = Arena(FORD, [UNIFORM], learners.num_envs, seed=0, num_players=learners.num_players)
    everywhere = np.arange(learners.num_envs)
    tables.seat_agents(everywhere, np.zeros((learners.num_envs, learners.num_players), np.int64))
    tables.batch.set_state(copy_records(learners.tables.batch.games))
    tables.play_on(everywhere, np.full(learners.num_envs, action))
    return tables.batch.returns[everywhere, learners.seat]


def test_a_target_is_what_playing_on_from_the_state_pays() -> None:
    learners = ford()
    targets = ActionValues(learners.tables, TO_THE_END, "history", ()).estimate(np.arange(32), None, 1, 0)
    for action in range(FORD.actions.size):
        legal = learners.action_mask[:, action] == 1
        if legal.all():
            np.testing.assert_array_equal(targets[:, action, 0], 50 * actual_returns(learners, action))
    assert np.isnan(targets[learners.action_mask == 0]).all()
    assert np.isfinite(targets[learners.action_mask == 1]).all()


def test_targets_leave_the_games_as_they_are_and_depend_on_nothing_else() -> None:
    learners, alone = ford(), ford()
    before = learners.tables.batch.games.tobytes()
    estimator = ActionValues(learners.tables, TO_THE_END, "history", ())
    first = estimator.estimate(np.arange(32), None, 1, 0)
    assert learners.tables.batch.games.tobytes() == before
    some = ActionValues(alone.tables, TO_THE_END, "history", ()).estimate(np.array([3, 17]), None, 99, 7)
    np.testing.assert_array_equal(some, first[[3, 17]])


def test_games_without_a_value_network_are_played_to_the_end_from_true_states() -> None:
    for changed in ({"turns": (2,)}, {"worlds": 3}):
        with pytest.raises(OptionError, match="has no value network"):
            replace(TO_THE_END, **changed).check(FORD, [UNIFORM])
    assert find_hooks(FORD) is NO_HOOKS


def test_an_agent_that_cannot_play_on_is_named() -> None:
    slow = PythonAgent("slow", UNIFORM.act)
    with pytest.raises(OptionError, match="slow isn't compiled, so it can't play on"):
        TO_THE_END.check(FORD, [slow])
    replace(TO_THE_END, rollout=UNIFORM).check(FORD, [slow])


def policy_of(folder: Path, **changed: Any) -> SavedPolicy:
    """A policy with random weights, none of them zero."""
    torch = pytest.importorskip("torch")
    training = Training(folder, small(**changed))
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in training.learner.network.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape, generator=generator))
    training.learner.save_policy(folder / POLICY)
    return load_policy(folder / POLICY, training.game)


@pytest.mark.parametrize("features", [(), pytest.param(("advice:random",), marks=pytest.mark.slow)])
def test_a_network_chooses_the_same_in_compiled_code(tmp_path: Path, features: tuple[str, ...]) -> None:
    policy = policy_of(tmp_path, features=features)
    learners = ford(64, features=features)
    estimator = ActionValues(learners.tables, TO_THE_END, "history", find_feature_sets(features, FORD))
    while not learners.over.all():
        alive = np.flatnonzero(~learners.over)
        chosen = estimator.choose(alive, packed(policy))
        streams = learners.tables.batch.agent_streams()[alive]
        seen, masks = learners.tables.batch.observation[alive], learners.action_mask[alive]
        batch = learners.tables.batch
        logits = policy.logits(seen, masks, streams, batch.look(batch.seat[alive], alive), batch.params)
        best = logits.max(axis=1)
        np.testing.assert_allclose(logits[np.arange(len(alive)), chosen], best, atol=1e-4)
        actions = learners.action_mask.argmax(axis=1)
        actions[alive] = chosen
        learners.step(actions)


@pytest.mark.slow  # compiles a loop of its own
def test_a_policy_file_plays_inside_the_batch_as_it_plays_greedily_outside(tmp_path: Path) -> None:
    policy = replace(policy_of(tmp_path, features=("advice:random",)), greedy=True, name="policy")
    inside = replace(compiled_policy(policy, FORD), name="inside")
    numbers = np.arange(40)
    seats = numbers[:, None] % 2 + np.zeros((1, 3), np.int64)
    first = play_seated(FORD, [policy, UNIFORM], seats, numbers, 3, num_players=3)
    second = play_seated(FORD, [inside, UNIFORM], seats, numbers, 3, num_players=3)
    np.testing.assert_array_equal(first.games["table"]["points"], second.games["table"]["points"])


def test_a_network_of_layers_does_not_compile(tmp_path: Path) -> None:
    size = FORD.views["history"]
    layers = [(np.zeros((size, FORD.actions.size), np.float32), np.zeros(FORD.actions.size, np.float32))]
    save_policy(tmp_path / "plain.npz", PolicyConfig(FORD.id), layers)
    with pytest.raises(OptionError, match="has no network of objects"):
        compiled_policy(load_policy(tmp_path / "plain.npz", FORD), FORD)


def test_the_network_plays_the_own_seat_on(tmp_path: Path) -> None:
    policy, learners = policy_of(tmp_path), ford()
    targets = ActionValues(learners.tables, TO_THE_END, "history", ()).estimate(np.arange(32), packed(policy), 1, 0)
    here = open_games(learners)
    action = int(learners.action_mask[here[0]].argmax())
    taken = here[learners.action_mask[here, action] == 1]
    student = ford()
    estimator = ActionValues(student.tables, TO_THE_END, "history", ())
    actions = student.action_mask.argmax(axis=1)
    actions[taken] = action
    student.step(actions)
    while not student.over.all():
        alive = np.flatnonzero(~student.over)
        actions = student.action_mask.argmax(axis=1)
        actions[alive] = estimator.choose(alive, packed(policy))
        student.step(actions)
    paid = student.tables.batch.returns[taken, student.seat[taken]]
    np.testing.assert_array_equal(targets[taken, action, 0], 50 * paid)


def hunting(turns: tuple[int, ...], worlds: int) -> tuple[LearnerBatch, ActionValues]:
    rules = find_agent("rule_based", HUNT.name)
    learners = LearnerBatch(HUNT, 8, opponents=rules, seed=2, autoreset="off", num_players=5)
    how = Rollouts(turns, worlds, None, rules, find_hooks(HUNT))
    return learners, ActionValues(learners.tables, how, "now", ())


@pytest.mark.slow  # compiles rollouts of Riverbed Hunt
def test_one_rollout_gives_values_on_the_way() -> None:
    learners, several = hunting((1, 2, 0), 0)
    _, one = hunting((2,), 0)
    _, end = hunting((0,), 0)
    for _ in range(4):
        targets = several.estimate(np.arange(8), None, 1, 0)
        assert np.nanmin(targets) >= -50
        assert np.nanmax(targets) <= 50
        for place, estimator in ((1, one), (2, end)):
            estimator._tables = learners.tables
            np.testing.assert_array_equal(targets[:, :, place], estimator.estimate(np.arange(8), None, 1, 0)[:, :, 0])
        assert set(np.unique(targets[np.isfinite(targets[:, :, 2]), 2])) <= {-50.0, 50.0}
        learners.step(learners.action_mask.argmax(axis=1))
