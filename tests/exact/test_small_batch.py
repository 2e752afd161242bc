"""Small games as environments: they deal, pay and allow what their trees do, and self-play learns them."""

from pathlib import Path

import numpy as np
import pytest

from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.small import SmallBatch, SmallGame, find_small
from riverbed_lab.exact import build_tree, evaluate_exactly, policy_of, uniform_policy

pytestmark = pytest.mark.compiled
ENVS = 512
MOST_OFF = 0.1


def test_random_play_earns_what_the_tree_says() -> None:
    """Mean returns of uniform play, within five standard errors of the exact values."""
    small = find_small("rill")
    exact = evaluate_exactly(build_tree(small), uniform_policy(build_tree(small)), camps=False).values
    batch, paid = SmallBatch(small, ENVS, seed=1), []
    while len(paid) < 20_000:
        batch.step(batch.random_actions())
        paid += batch.returns[batch.done].tolist()
    means, errors = np.mean(paid, axis=0), np.std(paid, axis=0) / np.sqrt(len(paid))
    assert (np.abs(means - exact) < 5 * errors + 1e-12).all()


def test_games_begin_after_the_opening_and_barred_actions_stay_illegal() -> None:
    small = find_small("babble")
    deals, _ = small.deals()
    batch = SmallBatch(small, 64, seed=2)
    for _ in range(200):
        assert not (batch.action_mask & ~small.allowed & 1).any()
        batch.step(batch.random_actions())
    fresh = SmallBatch(small, 64, seed=2)
    assert set(map(bytes, fresh.observation)) <= set(map(bytes, small.observe(deals, small.seats(deals))[0]))
    assert not (fresh.observe(fresh.seat)[1] & ~small.allowed & 1).any()
    fresh.set_state(batch.get_state())
    np.testing.assert_array_equal(fresh.action_mask, batch.action_mask)
    copy = batch.clone()
    for each in (batch, copy):
        for _ in range(50):
            each.step(each.random_actions())
    np.testing.assert_array_equal(copy.rows, batch.rows)
    with pytest.raises(IllegalActionError):
        batch.step(np.full(64, small.rules.actions.id("PROMISE")))
    with pytest.raises(OptionError, match="the opening can't be played: 'SPACE' is 16 actions"):
        SmallBatch(SmallGame("odd", small.game, options=small.options, opening=("SPACE",)), 1)


@pytest.mark.parametrize(("advantages", "rate"), [("all", 5e-3), ("sampled", 1e-3)])
def test_learners_play_rill_in_all_seats_and_their_critics_know_who_wins(
    advantages: str, rate: float, tmp_path: Path
) -> None:
    """Uniform play has NashConv 0.047, play that never wins 0.074. The critic's chances are compared at the deals."""
    pytest.importorskip("torch")
    from riverbed_lab.selfplay import SelfPlay
    from riverbed_lab.training.build import build_training

    given = {"small": "rill", "num_envs": 64, "warm_up": 1000, "steps": 100_000, "learning_rate": rate}
    learner = SelfPlay(build_training({**given, "temperature": [0.05, 0.02], "advantages": advantages}, "a test"))
    small, path = find_small("rill"), tmp_path / "policy.npz"
    tree = build_tree(small)
    learner.save_policy(path)
    before = policy_of(tree, str(path))
    while learner.steps < learner.config.steps:
        learner.learn(learner.config.rollout_steps, learner.config.learning_rate)
    learner.save_policy(path)
    after = policy_of(tree, str(path))
    assert np.abs(after - before).max() > 0.1
    exact = evaluate_exactly(tree, after, camps=False)
    assert exact.nash_conv < 0.07
    deals, _ = small.deals()
    seats, sides = small.seats(deals), learner.sides.of(small.rules.roles_of(deals))
    states = learner._read(deals, np.zeros(len(deals), np.int64))
    told = learner.chances(states, learner.sides.groups(sides, seats)).mean(axis=0)
    wins = [exact.wins[camp] + exact.wins["nobody"] / len(small.rules.camps) for camp in small.rules.camps]
    assert np.abs(told - wins).max() < MOST_OFF


def test_settings_that_a_small_game_says_are_refused() -> None:
    pytest.importorskip("torch")
    from riverbed_lab.training.build import build_training

    with pytest.raises(OptionError, match="small = rill needs seats = all, or advantages = all, and evaluation_games"):
        build_training({"small": "rill", "seats": "one"}, "a test")
    with pytest.raises(OptionError, match="small = rill says the game, the players and the options: leave them out"):
        build_training({"small": "rill", "options": {"max_decisions": 5}}, "a test")
    with pytest.raises(OptionError, match="no small game 'ril'"):
        build_training({"small": "ril"}, "a test")
