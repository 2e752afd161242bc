"""The judge's intervals, a trained best response and deduction's models beside the exact answers of small games."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from test_ground_truth import deduced

from riverbed_env import RecordedGame
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.players.agents import UNIFORM
from riverbed_env.small import SmallBatch, SmallGame, find_small
from riverbed_lab.exact import (
    CFRPlus,
    Tree,
    build_tree,
    evaluate_exactly,
    exact_beliefs,
    policy_of,
    uniform_policy,
)
from riverbed_lab.exact.values import plans_of, reaches, returns_by_sequence
from riverbed_lab.statistics import clustered_mean

pytestmark = pytest.mark.compiled
Policy = Callable[[npt.NDArray[np.int8], npt.NDArray[np.int8]], npt.NDArray[np.float64]]
JUDGED, GROUPS, GROUP = 2, 40, 50  # the seat, sets of games, and games in each
LEAST_COVER, MOST_COVER = 34, 40  # of 40 intervals; 95 % of them are 38


def hasty(seen: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
    """Prefers the last legal actions."""
    weights = masks * np.exp(0.3 * np.arange(masks.shape[1]))
    return weights / weights.sum(axis=1, keepdims=True)


def mixed(tree: Tree, policy: npt.NDArray[np.float64], own: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """A policy in these sets, (I,), uniform play in the others."""
    return np.where(np.concatenate([[False], own[tree.set_of()]]), policy, uniform_policy(tree))


def played(small: SmallGame, policy: Policy, count: int) -> list[RecordedGame]:
    """Games in which a policy plays the judged seat, and everybody else uniformly."""
    batch, rng = SmallBatch(small, count, seed=7, auto_reset=False), np.random.default_rng(7)
    taken = [list(small.opening_ids) for _ in range(count)]
    while batch.acting.any():
        actions = batch.random_actions()
        mine = np.flatnonzero(batch.seat == JUDGED)
        chances = policy(*batch.observe(JUDGED, mine))
        actions[mine] = (chances.cumsum(axis=1) > rng.random(len(mine))[:, None]).argmax(axis=1)
        for index in np.flatnonzero(batch.acting):
            taken[index].append(int(actions[index]))
        batch.step(actions)
    names = ["judged" if seat == JUDGED else "somebody" for seat in range(small.num_players)]
    return [RecordedGame.of(batch, actions, index=index, agents=names) for index, actions in enumerate(taken)]


def test_the_judges_intervals_cover_the_exact_gain() -> None:
    """The sum of a seat's action values over its choices is, on average, what its policy gains over the reference's."""
    pytest.importorskip("pandas")
    from riverbed_lab.judging.run import Settings, _Judge

    small = SmallGame(**{**vars_of("rill"), "rewards": "win"})
    tree = build_tree(small)
    plain = evaluate_exactly(tree, uniform_policy(tree), camps=False).values[JUDGED]
    own = mixed(tree, policy_of(tree, hasty), tree.seat == JUDGED)
    exact = evaluate_exactly(tree, own, camps=False).values[JUDGED] - plain
    how, gains = Settings(small.rules.id, "random", worlds=16), []
    assert isinstance(UNIFORM, CompiledAgent)
    for game in played(small, hasty, GROUPS * GROUP):
        judge = _Judge(how, (UNIFORM,), game, [JUDGED], 1)
        judge.choices = judge.choices[judge.choices[:, 0] >= len(small.opening)]  # the opening isn't chosen
        (line,) = judge.lines()
        gains.append(line["gain"])
    sets = np.reshape(gains, (GROUPS, GROUP))
    covered = [mean.low <= exact <= mean.high for mean in (clustered_mean(each, np.arange(GROUP)) for each in sets)]
    whole = clustered_mean(np.ravel(gains), np.arange(len(gains)))
    print("judge", exact, whole, sum(covered))
    assert abs(whole.value - exact) < 3 * (whole.high - whole.value)
    assert LEAST_COVER <= sum(covered) <= MOST_COVER


def vars_of(name: str) -> dict[str, object]:
    """The declaration of a small game."""
    small = find_small(name)
    names = ("name", "game", "options", "opening", "without", "rewards")
    return {each: getattr(small, each) for each in names}


def test_a_trained_best_response_gains_nearly_the_exact_gain_and_never_more(tmp_path: Path) -> None:
    """A learner in the profiteer's seat among uniform play; its gain is exact too, by the tree."""
    pytest.importorskip("torch")
    from riverbed_lab.selfplay import SelfPlay
    from riverbed_lab.training.build import build_training

    role = "leader"
    given = {"small": "rill", "advantages": "all", "role": role, "opponents": "random", "num_envs": 128}
    more = {"steps": 200_000, "learning_rate": 3e-3, "warm_up": 2000, "temperature": [0.05, 0.01]}
    learner = SelfPlay(build_training({**given, **more}, "a test"))
    while learner.steps < learner.config.steps:
        learner.learn(learner.config.rollout_steps, learner.config.learning_rate)
    learner.save_policy(tmp_path / "policy.npz")
    tree = build_tree(find_small("rill"))
    own = tree.role == tree.small.rules.roles.index(role)
    greedy = policy_of(tree, f"{tmp_path / 'policy.npz'}:greedy=true")
    usual, most = evaluate_exactly(tree, uniform_policy(tree), camps=False).by_role[role]
    gain = evaluate_exactly(tree, mixed(tree, greedy, own), camps=False).by_role[role][0] - usual
    print("response", gain, most)
    assert 0.5 * most < gain <= most + 1e-12


def come_to(tree: Tree, policy: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """How often each set is come to, (I,)."""
    likely, come = reaches(tree, plans_of(tree, policy)), np.zeros(tree.num_sets)
    for seat in range(tree.small.num_players):
        through = returns_by_sequence(tree, likely, np.ones(1), seat)
        for number in np.flatnonzero(tree.seat == seat)[::-1]:
            come[number] = through[tree.first[number] : tree.first[number + 1]].sum()
            through[tree.parent[number]] += come[number]
    return come


def test_how_far_deduction_is_off_where_choices_depend_on_roles() -> None:
    """Total variation of a seat's posterior of the others' roles, on average over decisions of CFR+'s policy on rill."""
    tree = build_tree(find_small("rill"))
    solver = CFRPlus(tree)
    solver.run(200)
    policy = solver.policy()
    exact, weight = exact_beliefs(tree, policy), come_to(tree, policy)
    reached = weight > 1e-12
    off = {}
    for model in ("playing", "uniform"):
        apart = np.abs(deduced(tree, model) - exact).sum(axis=2).max(axis=1) / 2
        off[model] = np.average(apart[reached], weights=weight[reached])
    print(off)
    assert 0 < off["uniform"] < 1
