"""Exact values beside OpenSpiel's own, joint gains of camps beside every joint plan, solvers and agents on trees."""

import itertools
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from in_process import riverbed
from small_kit import PLACED, short

from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.players.agents import PythonAgent
from riverbed_env.players.policies import PolicyConfig, save_policy
from riverbed_env.players.specs import find_agent
from riverbed_env.small import SmallGame, find_small
from riverbed_lab.exact import (
    CFR,
    MCCFR,
    CFRPlus,
    MirrorDescent,
    Tree,
    build_tree,
    evaluate_exactly,
    exact_rows,
    policy_of,
    uniform_policy,
)
from riverbed_lab.exact.solvers import NOISE, normalized
from riverbed_lab.exact.values import camp_gain

pytestmark = pytest.mark.compiled


@cache
def short_tree() -> Tree:
    """A tree that the tests share."""
    return build_tree(short())


def drawn(tree: Tree, seed: int) -> npt.NDArray[np.float64]:
    """A policy that differs in all sets."""
    return normalized(tree, np.random.default_rng(seed).exponential(size=tree.num_sequences) ** 3)


SHORT = """
[short]
game = "riverbed_hunt_v1"
options = { num_players = 4, pack = "rill", roles = { player_0 = "chief" }, max_decisions = 8 }
opening = ["SPACE 0", "SPACE 1", "SPACE 2", "SPACE 1"]
[barred]
game = "riverbed_hunt_v1"
options = { num_players = 4, pack = "rill", roles = { player_0 = "chief" }, max_decisions = 11 }
opening = ["SPACE 0", "SPACE 1", "SPACE 2", "SPACE 1"]
without = ["SWIM", "READY", "CO_OP"]
rewards = "win"
"""


@pytest.mark.parametrize("name", ["short", "barred", pytest.param("rill", marks=pytest.mark.slow)])
def test_openspiel_finds_the_same_values_and_best_responses(name: str, tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import expected_game_score, exploitability
    from open_spiel.python.policy import TabularPolicy

    import riverbed_env.integrations.openspiel  # noqa: F401  # registers the games

    (tmp_path / "mine.toml").write_text(SHORT, encoding="utf-8")
    spec = name if name == "rill" else f"{tmp_path / 'mine.toml'}:{name}"
    tree = build_tree(find_small(spec))
    policy, game = drawn(tree, 3), pyspiel.load_game("riverbed_hunt", {"small": spec})
    table = TabularPolicy(game)
    for number in range(tree.num_sets):
        deal, path = tree.example(number)
        state = game.new_initial_state()
        for action in (deal, *path):
            state.apply_action(int(action))
        row = table.policy_for_key(state.information_state_string())
        row[:] = 0
        span = slice(tree.first[number], tree.first[number + 1])
        row[tree.actions[span]] = policy[span]
    found = evaluate_exactly(tree, policy)
    theirs = exploitability.nash_conv(game, table, return_only_nash_conv=False)
    assert len(table.state_lookup) == tree.num_sets
    assert found.nash_conv > 0.01
    assert found.nash_conv == pytest.approx(theirs.nash_conv, abs=1e-9)
    np.testing.assert_allclose(found.gains, theirs.player_improvements, atol=1e-9)
    score = expected_game_score.policy_value(game.new_initial_state(), [table] * 4)
    np.testing.assert_allclose(found.values, score, atol=1e-9)


@pytest.mark.parametrize(("solver", "name"), [(CFR, "CFRSolver"), (CFRPlus, "CFRPlusSolver")])
def test_openspiels_solvers_come_to_the_same_policies(
    solver: type[CFR], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Theirs takes rounding errors of equal actions for regrets: the test cuts them off, as ours does."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import cfr, exploitability

    import riverbed_env.integrations.openspiel  # noqa: F401  # registers the games

    matched = cfr._regret_matching
    monkeypatch.setattr(
        cfr,
        "_regret_matching",
        lambda regrets, legal: matched({each: regret * (regret > NOISE) for each, regret in regrets.items()}, legal),
    )
    (tmp_path / "mine.toml").write_text(SHORT, encoding="utf-8")
    spec = f"{tmp_path / 'mine.toml'}:short"
    ours, game = solver(build_tree(find_small(spec))), pyspiel.load_game("riverbed_hunt", {"small": spec})
    theirs = getattr(cfr, name)(game)
    for _ in range(4):
        ours.run(1)
        theirs.evaluate_and_update_policy()
        gap = exploitability.nash_conv(game, theirs.average_policy())
        assert evaluate_exactly(ours.tree, ours.policy(), camps=False).nash_conv == pytest.approx(gap, abs=1e-9)


def test_the_door_refuses_what_a_small_game_says_already() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import riverbed_env.integrations.openspiel  # noqa: F401

    with pytest.raises(OptionError, match=r"small=rill says all; players can't be given too"):
        pyspiel.load_game("riverbed_hunt(small=rill,players=5)")
    with pytest.raises(OptionError, match="small=rill is of riverbed_hunt_v1"):
        pyspiel.load_game("deep_river(small=rill)")
    state = pyspiel.load_game("riverbed_hunt(small=babble)").new_initial_state()
    state.apply_action(0)
    with pytest.raises(IllegalActionError, match="babble bars action"):
        state.position.take(find_small("babble").rules.actions.id("PROMISE"))


def test_returns_of_a_zero_sum_game_sum_to_nothing() -> None:
    for seed in range(3):
        found = evaluate_exactly(short_tree(), drawn(short_tree(), seed), camps=False)
        assert found.values.sum() == pytest.approx(0, abs=1e-12)
        assert sum(found.wins.values()) == pytest.approx(1, abs=1e-12)
        assert (found.gains >= -1e-15).all()
        assert found.cce_gap <= found.nash_conv


@pytest.mark.parametrize("bars", [("SWIM", "READY", "UNCOVER"), ("SWIM", "READY", "DIVE"), ("SWIM", "READY")])
def test_the_best_joint_plan_of_a_camp_is_found_and_none_exceeds_its_bound(bars: tuple[str, ...]) -> None:
    """Every joint plan of the merchants is tried: there are few in so short a game."""
    tree = build_tree(SmallGame("plain", "riverbed_hunt_v1", options=short().options, opening=PLACED, without=bars))
    policy, rules = drawn(tree, 5), tree.small.rules
    mine = np.flatnonzero(tree.role <= rules.roles.index("merchant")).tolist()
    plays = [range(tree.first[number], tree.first[number + 1]) for number in mine]
    best = -1.0
    for plan in itertools.product(*plays):
        trial = policy.copy()
        trial[list(itertools.chain(*plays))] = 0
        trial[list(plan)] = 1
        best = max(best, value_of(tree, trial))
    gain = camp_gain(tree, policy, rules.camps.index("merchants"))
    assert gain is not None
    assert gain.low == pytest.approx(best - value_of(tree, policy), abs=1e-12)
    assert gain.high > gain.low - 1e-12


def value_of(tree: Tree, policy: npt.NDArray[np.float64]) -> float:
    """The mean return of the merchants, who are all paid the same."""
    return evaluate_exactly(tree, policy, camps=False).by_role["merchant"][0]


def test_partners_who_do_not_know_each_other_gain_more_together() -> None:
    """In a cut of brook a leader and a separatist gain more by changing their play together than each does alone."""
    options, bars = short(14, pack="brook").options, ("SWIM", "READY", "UNCOVER")
    tree = build_tree(SmallGame("asking", "riverbed_hunt_v1", options=options, opening=PLACED, without=bars))
    found = evaluate_exactly(tree, uniform_policy(tree))
    together = found.camps["separatists"]
    assert found.by_role["leader"][1] < together.low <= together.high
    assert set(found.camps) == {"merchants", "separatists"}


@pytest.mark.parametrize("solver", [CFR, CFRPlus, MCCFR, MirrorDescent])
def test_solvers_bring_the_gaps_down(solver: type[CFR]) -> None:
    tree = short_tree()
    solved = solver(tree)
    before = evaluate_exactly(tree, solved.current, camps=False)
    solved.run(200)
    after = evaluate_exactly(tree, solved.policy(), camps=False)
    assert after.nash_conv < before.nash_conv / 5
    again = solver(tree)
    again.run(200)
    np.testing.assert_array_equal(solved.policy(), again.policy())
    assert not np.allclose(solver(tree, 1).current, solver(tree, 2).current)


def test_sampled_regrets_have_no_bias() -> None:
    """Means over 4,000 samples lie around the exact values as standard errors say, where they vary, else on them."""
    tree = short_tree()
    sampled, exact = MCCFR(tree, 1), CFR(tree, 1)
    for seat in range(tree.small.num_players):
        wanted = exact._values(seat)[0]
        samples = np.array([sampled._values(seat)[0] for _ in range(4000)])
        errors = samples.std(axis=0) / np.sqrt(len(samples))
        varies = errors > 1e-12
        np.testing.assert_allclose(samples.mean(axis=0)[~varies], wanted[~varies], atol=1e-12)
        scores = ((samples.mean(axis=0) - wanted) / np.where(varies, errors, 1))[varies]
        assert np.abs(scores).max(initial=0) < 5


def test_rows_of_an_agent_hold_its_exact_figures() -> None:
    (row,) = exact_rows("random", ["rill"])
    assert (row["game"], row["sets"]) == ("rill", 950)
    assert row["nash_conv"] == pytest.approx(0.047453704, abs=1e-9)
    assert row["gains"].keys() == row["values"].keys() == {"chief", "merchant", "leader", "profiteer"}
    assert row["camps"]["profiteer"]["low"] == pytest.approx(row["gains"]["profiteer"], abs=1e-12)


def saved(folder: Path, slope: float) -> str:
    """A network that plays action k with a weight of e to the `slope` * k, whatever it sees."""
    rules = find_small("rill").rules
    sizes = rules.views["history"], rules.actions.size
    layer = np.zeros(sizes, np.float32), (slope * np.arange(sizes[1])).astype(np.float32)
    save_policy(folder / "policy.npz", PolicyConfig(rules.id), [layer])
    return str(folder / "policy.npz")


def test_agents_and_functions_become_policies(tmp_path: Path) -> None:
    tree = short_tree()
    weights = np.exp(0.1 * tree.actions)

    def function(seen: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
        wanted = np.exp(0.1 * np.arange(masks.shape[1])) * masks
        return wanted / wanted.sum(axis=1, keepdims=True)

    expected = normalized(tree, weights)
    np.testing.assert_allclose(policy_of(tree, function), expected)
    np.testing.assert_allclose(policy_of(tree, saved(tmp_path, 0.1)), expected, rtol=1e-5)
    np.testing.assert_array_equal(policy_of(tree, "random"), uniform_policy(tree))
    last = policy_of(tree, f"{saved(tmp_path, 0.1)}:greedy=true")
    assert set(np.unique(last[1:])) == {0, 1}
    assert (last[tree.first[1:] - 1] == 1).all()


def test_what_an_agent_draws_is_estimated(tmp_path: Path) -> None:
    tree = short_tree()
    told = find_agent(saved(tmp_path, 0.1), tree.small.rules)
    shares, expected = policy_of(tree, PythonAgent("drawing", told.act)), policy_of(tree, told)
    np.testing.assert_array_equal(shares * 256, np.round(shares * 256))
    errors = (shares - expected) / np.sqrt(np.maximum(expected * (1 - expected), 1 / 256) / 256)
    assert np.abs(errors).max() < 6
    assert 0.5 < errors[(expected > 0.1) & (expected < 0.9)].std() < 1.5
    assert abs(evaluate_exactly(tree, shares).nash_conv - evaluate_exactly(tree, expected).nash_conv) < 0.02
    rules = policy_of(tree, "student")  # rule_based, which draws, advises it
    assert len(np.unique(rules)) > 2
    np.testing.assert_array_equal(policy_of(tree, "student"), rules)


def test_what_has_no_policy_is_refused() -> None:
    tree = short_tree()
    with pytest.raises(OptionError, match=r"an agent without memory .* not counting"):
        policy_of(tree, PythonAgent("counting", lambda *_: np.zeros(1, np.int64), 1))
    with pytest.raises(OptionError, match="must give probabilities of shape"):
        policy_of(tree, lambda seen, masks: np.ones(3))
    with pytest.raises(OptionError, match=r"misses 1 of \d+ information sets: in set 0 its probabilities sum to 0"):
        evaluate_exactly(tree, np.where(np.arange(tree.num_sequences) < tree.first[1], 0, uniform_policy(tree)))
    with pytest.raises(OptionError, match="a policy needs"):
        evaluate_exactly(tree, [1.0])


def test_the_command_prints_the_gaps() -> None:
    done = riverbed("exploit", "random", "--exact", "rill")
    assert done.returncode == 0
    assert "950 information sets" in done.stdout
    assert "NashConv 0.047453704" in done.stdout
    assert "--exact takes no --set" in riverbed("exploit", "random", "--exact", "rill", "--set", "seeds=1").stderr
