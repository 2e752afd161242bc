"""What the library estimates in whole games, beside exact answers in small ones."""

import numpy as np
import numpy.typing as npt
import pytest
from small_kit import short

from riverbed_env import worlds
from riverbed_env.small import find_small
from riverbed_lab.exact import Tree, build_tree, exact_beliefs, policy_of
from riverbed_lab.exact.agents import alike

pytestmark = pytest.mark.compiled
POWERS = ("HUNT", "CON")


def deduced(tree: Tree, model: str) -> npt.NDArray[np.float64]:
    """What deduction concludes in each information set, (I, seats, roles)."""
    small, beliefs = tree.small, np.zeros((tree.num_sets, tree.small.num_players, len(tree.small.rules.roles)))
    for sets in alike(tree):
        views = small.look(tree.positions(sets), tree.seat[sets].astype(np.int64))
        beliefs[sets] = worlds.beliefs(small.rules, views, small.params, model)
    return beliefs


def test_deduction_is_bayes_rule_where_choices_do_not_depend_on_roles() -> None:
    """Everybody plays uniformly but declares nothing, so that no choice tells a role."""
    tree = build_tree(find_small("rill"))
    powers = [tree.small.rules.actions.id(name) for name in POWERS]

    def roleless(seen: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
        allowed = masks.astype(np.float64)
        allowed[:, powers] = 0
        return allowed / allowed.sum(axis=1, keepdims=True)

    exact = exact_beliefs(tree, policy_of(tree, roleless))
    reached = ~np.isnan(exact).any(axis=(1, 2))
    assert reached.sum() > 900
    np.testing.assert_allclose(deduced(tree, "uniform")[reached], exact[reached], atol=1e-9)


def test_exact_beliefs_follow_bayes_rule() -> None:
    """A leader swims whenever possible, the others in one of four turns: a first seat that swims leads with 0.8."""
    tree = build_tree(short(11))
    rules = tree.small.rules
    swim, own, leader = rules.actions.id("SWIM"), rules.observation.start("own_role"), rules.roles.index("leader")

    def eager(seen: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
        wanted = masks.astype(np.float64)
        swims = (seen[:, own + leader] == 1) & (masks[:, swim] == 1)
        wanted[swims] = np.eye(masks.shape[1])[swim]
        return wanted / wanted.sum(axis=1, keepdims=True)

    exact = exact_beliefs(tree, policy_of(tree, eager))
    reached = np.flatnonzero(~np.isnan(exact).any(axis=(1, 2)))
    np.testing.assert_allclose(exact[reached, tree.seat[reached], tree.role[reached]], 1)
    np.testing.assert_allclose(exact[reached].sum(axis=1)[:, [0, 1, 2, 4]], 1)
    swum = np.array([tree.example(number)[1][:1] == bytes([swim]) for number in range(tree.num_sets)])
    second = np.flatnonzero(swum & (tree.seat == 2) & (tree.parent == 0) & (tree.role != leader))
    assert len(second)
    np.testing.assert_allclose(exact[second, 1, leader], 0.8)
