"""Self-play: what decisions of all seats were worth, what is learned from them, and what is saved."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from conformance.options import every_game
from pack_changes import default_text, replaced, written

from riverbed_env.core.batch import Batch
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.policies import load_policy
from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.options import cap_of
from riverbed_lab.playing.play import lineup, play
from riverbed_lab.selfplay import LARGEST_WEIGHT, PLAYED_AT, Decisions, SelfPlay, Sides
from riverbed_lab.training.build import build_training

pytestmark = pytest.mark.compiled

HUNT, RATS = find_game("riverbed_hunt"), find_game("river_rats")
TINY: dict[str, Any] = {"num_envs": 8, "rollout_steps": 12, "batch_size": 48, "warm_up": 0, "threads": 1}


def learner_of(game_id: str, **changed: Any) -> SelfPlay:
    """A learner in all seats of the game with the usual settings, in few environments."""
    return SelfPlay(build_training({"game": game_id, "seats": "all", **TINY, **changed}, "test"))


def drawn(steps: int = 7, envs: int = 5, actions: int = 4, sides: int = 3, seed: int = 0) -> tuple[Decisions, Any]:
    """Random decisions, of which some are forced, and what a critic says."""
    rng = np.random.default_rng(seed)
    made = Decisions.empty(steps, envs, numbers=1, actions=actions, state=1, sides=sides, seats=2)
    made.masks[:] = rng.random(made.masks.shape) < 0.5
    made.masks[..., 0] |= ~made.masks.any(axis=2)
    logits = np.where(made.masks == 1, rng.normal(size=made.masks.shape), -1e8)
    made.logs[:] = logits - np.log(np.exp(logits).sum(axis=2, keepdims=True))
    made.values[:] = rng.random(made.values.shape) * made.masks
    made.actions[:] = (rng.random(made.masks.shape) * made.masks).argmax(axis=2)
    made.sides[:] = rng.integers(sides, size=made.sides.shape)
    made.ended[:] = rng.random(made.ended.shape) < 0.3
    made.wins[:] = np.eye(sides)[rng.integers(sides, size=made.ended.shape)]
    return made, rng.dirichlet(np.ones(sides), size=(steps + 1, envs)).astype(np.float32)


def expected_gain(made: Decisions) -> np.ndarray:
    """The mean advantage under the policy, (steps, environments)."""
    return np.asarray((made.probabilities * made.advantages).sum(axis=2))


# --- decisions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lam", [0.0, 0.7, 1.0])
def test_returns_are_weighted_means_of_what_the_critic_says_later_and_of_the_win(lam: float) -> None:
    made, chances = drawn()
    made.finish(chances, lam, sampled=False)
    steps, envs = made.ended.shape
    for env in range(envs):
        for step in range(steps):
            left, wanted = 1.0, np.zeros(3)
            for later in range(step, steps):
                known = made.wins[later, env] if made.ended[later, env] else chances[later + 1, env]
                last = made.ended[later, env] or later == steps - 1
                wanted += left * (1 if last else 1 - lam) * known
                left *= lam
                if last:
                    break
            np.testing.assert_allclose(made.returns[step, env], wanted, atol=1e-6)


@pytest.mark.parametrize("sampled", [False, True])
def test_forced_decisions_have_no_advantage_and_illegal_actions_none(sampled: bool) -> None:
    made, chances = drawn()
    made.finish(chances, 0.9, sampled)
    assert (~made.chosen).any()
    assert made.chosen.any()
    assert not made.advantages[~made.chosen].any()
    assert not made.advantages[made.masks == 0].any()
    assert np.abs(made.advantages[made.chosen]).max() > 0.1
    if sampled:
        taken = np.eye(4, dtype=bool)[made.actions]
        mine = np.take_along_axis(made.returns - chances[:-1], made.sides[:, :, None], axis=2)[:, :, 0]
        np.testing.assert_allclose(made.advantages[taken], (mine * made.chosen).ravel(), atol=1e-6)
        assert not made.advantages[~taken].any()


def test_advantages_are_right_in_expectation_whatever_a_wrong_critic_says() -> None:
    """One decision of four actions, each taken as often as the policy takes it; a rare one is corrected less."""
    chances, values, wins = (0.5, 0.3, 0.15, 0.05), (0.9, 0.1, 0.6, 0.2), (0.2, 0.7, 0.4, 1.0)
    made, critic = drawn(steps=1, envs=4)
    made.masks[:], made.ended[:], made.sides[:] = 1, True, 1
    made.logs[:], made.values[:], made.actions[0] = np.log(chances), values, range(4)
    made.wins[0, :, 1] = wins
    made.finish(critic, 1.0, sampled=False)
    told = chances @ made.advantages[0] + np.dot(chances, values)
    corrected = np.minimum(1, np.multiply(LARGEST_WEIGHT, chances))
    np.testing.assert_allclose(told, corrected * wins + (1 - corrected) * np.array(values), atol=1e-6)
    np.testing.assert_allclose(told[:2], wins[:2], atol=1e-6)


@pytest.mark.parametrize(
    ("game_id", "roles", "returns", "shares"),
    [
        (HUNT.id, [0, 1, 2, 3, 4], [1, 1, -1, -1, -1], [1, 0, 0]),
        (HUNT.id, [0, 1, 2, 3, 4], [0, 0, 0, 0, 0], [1 / 3, 1 / 3, 1 / 3]),
        (RATS.id, [0, 0, -1], [1, 1, 0], [1 / 2, 1 / 2, 0, 0, 0]),
        (RATS.id, [0, 0, -1], [-1, -1, 0], [0, 0, 0, 0, 1]),  # all lose together, which isn't a draw
        ("riverside_v0", [0, 0, 0], [-1, 1, -1], [0, 1, 0, 0, 0, 0, 0]),
    ],
)
def test_a_win_is_shared_by_the_sides_that_won(game_id: str, roles: Any, returns: Any, shares: Any) -> None:
    sides = Sides(find_game(game_id))
    of = sides.of(np.array([roles], np.int8))
    np.testing.assert_allclose(sides.won(of, np.array([returns], np.float32))[0], shares)
    groups = sides.groups(of, np.array([1]))[0]
    assert groups[:-1].sum(axis=0).tolist() == [int(role >= 0) for role in roles]
    assert groups[-1].tolist() == [int(seat == 1) for seat in range(len(roles))]


# --- rollouts of real games -------------------------------------------------------------------------------------------


@every_game
def test_returns_of_games_played_to_their_end_are_their_wins(game_id: str) -> None:
    """The same actions are taken again in games of a batch's own."""
    learner = learner_of(game_id, gae_lambda=1.0)
    game, again = learner.game, learner.batch.clone()
    rollout = learner.collect(300)
    np.testing.assert_allclose(rollout.probabilities.sum(axis=2), 1, atol=1e-5)
    assert not rollout.probabilities[rollout.masks == 0].any()
    wins = np.full(rollout.returns.shape, np.nan)
    begun = np.zeros(again.num_envs, int)
    for step, actions in enumerate(rollout.actions):
        sides = learner.sides.of(again.roles())
        np.testing.assert_array_equal(rollout.masks[step], again.action_mask)
        again.step(actions)
        for env in np.flatnonzero(again.done):
            returns = again.returns[env]
            shares = np.isin(np.arange(learner.sides.count), sides[env][returns > 0]).astype(float)
            if not shares.any():
                lost = len(game.roles) == 1 and (returns < 0).any()  # all together
                shares[-1 if lost else 0 :] = 1
            wins[begun[env] : step + 1, env] = shares / shares.sum()
            begun[env] = step + 1
    assert (begun > 0).any()
    over = ~np.isnan(wins[..., 0])
    np.testing.assert_allclose(rollout.returns[over], wins[over], atol=1e-6)
    after = learner.chances(learner._states(), learner.sides.groups(learner.sides.of(again.roles()), again.seat))
    left = np.broadcast_to(after, rollout.returns.shape)[~over]
    np.testing.assert_allclose(rollout.returns[~over], left, atol=1e-5)


@every_game
def test_an_action_is_valued_by_the_state_that_follows_it(game_id: str) -> None:
    """So a step ahead nothing is left to correct, and the policy expects no gain over itself."""
    learner = learner_of(game_id, gae_lambda=0.0, options={"auto_forced": "none"})
    rollout = learner.collect(300)
    assert rollout.ended.any()
    assert (~rollout.chosen).any()
    np.testing.assert_allclose(expected_gain(rollout), 0, atol=1e-5)
    assert not rollout.advantages[~rollout.chosen].any()
    assert not rollout.values[rollout.masks == 0].any()
    assert len(np.unique(rollout.values)) > 100


# --- opponents --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", [HUNT.id, RATS.id])
def test_one_seat_learns_in_the_games_of_a_learners_batch(game_id: str) -> None:
    """The same deals, seats, opponents and choices of theirs, for whoever holds the seat."""
    role, opponents = find_game(game_id).roles[-1], [{"everybody": ["simple", "random"]}, {"everybody": ["random"]}]
    alone = {"seats": "one", "advantages": "all", "role": role, "opponents": opponents, "players": [4], "seed": 3}
    learner = learner_of(game_id, **alone)
    rollout = learner.collect(400)
    there = LearnerBatch(learner.game, 8, role=role, opponents=opponents, num_players=4, seed=3, view="history")
    mine = [np.flatnonzero(rollout.learns[:, env]) for env in range(8)]
    asked = min(len(steps) for steps in mine)
    assert asked > 20
    for number in range(asked):
        steps = [int(steps[number]) for steps in mine]
        np.testing.assert_array_equal(there.action_mask, rollout.masks[steps, range(8)])
        there.step(rollout.actions[steps, range(8)])
    assert there.game_number.max() >= 16  # the third deal of an environment


@pytest.mark.parametrize("role", [None, *HUNT.roles])
def test_a_camp_learns_together(role: str | None) -> None:
    learner = learner_of(HUNT.id, seats="camp", role=role, opponents=[{"everybody": ["random"]}], num_envs=64)
    for _ in range(2):
        camps, learns = learner.sides.of(learner.batch.roles()), learner.opponents.learns
        for each, own in zip(camps, learns):
            assert len(np.unique(each[own])) == 1
            assert not np.isin(each[~own], each[own]).any()
            assert role is None or HUNT.camps[each[own][0]] == HUNT.camp_of_role[role]
        assert len(np.unique(camps[learns])) == (3 if role is None else 1)
        rollout = learner.collect(200)
        assert rollout.ended.any(axis=0).mean() > 0.5
    assert not rollout.advantages[~rollout.learns].any()
    assert not rollout.values[~rollout.learns].any()


# --- learning ---------------------------------------------------------------------------------------------------------


def weights(learner: SelfPlay, part: str) -> np.ndarray:
    """All numbers of the policy or of the critic."""
    return torch.cat([each.detach().ravel() for each in getattr(learner.network, part).parameters()]).numpy().copy()


@pytest.mark.parametrize("advantages", ["all", "sampled"])
@every_game
def test_policy_and_critic_learn_in_every_game(game_id: str, advantages: str) -> None:
    learner = learner_of(game_id, advantages=advantages, warm_up=96)
    moved = []
    for _ in range(2):
        before = [weights(learner, part) for part in ("policy", "critic")]
        figures = learner.learn(12, 1e-3)
        assert np.isfinite(list(figures.values())).all()
        moved.append(
            [not np.array_equal(old, weights(learner, part)) for old, part in zip(before, ("policy", "critic"))]
        )
    assert moved == [[False, True], [True, True]]  # the critic warms up alone
    assert learner.steps == 2 * 96
    assert ("habits/regret" in figures) is (advantages == "all")


def test_habits_say_how_often_the_policy_agrees_with_the_last_checkpoint(tmp_path: Path) -> None:
    learner = learner_of("deep_river_v0", learning_rate=0.1, warm_up=0)
    for expected in (True, False):
        rollout = learner.collect(12)
        assert (learner.habits(rollout)["habits/agreement"] == 1) is expected
        for _ in range(5):
            rollout = learner.collect(12)
            learner.update(rollout, 0.1)
    learner.remember()
    assert learner.habits(learner.collect(12))["habits/agreement"] == 1


def test_a_rollout_of_one_environment_where_nobody_has_a_choice_is_valued() -> None:
    learner = learner_of("deep_river_v0", num_envs=1, batch_size=1, rollout_steps=1)
    for _ in range(30):
        assert np.isfinite(list(learner.learn(1, 1e-3).values())).all()


def test_tables_of_all_sizes_and_of_two_packs_learn_together(tmp_path: Path) -> None:
    """A config has one pack; a script may give a batch of several."""
    learner = learner_of(HUNT.id, num_envs=12, gae_lambda=0.0)
    pack = written(replaced(("kelp = 7, log = 7", "kelp = 3, log = 3"))(default_text(HUNT.name)), tmp_path)
    features = learner.batch.features
    learner.batch = Batch(HUNT, 12, seed=1, num_players=range(4, 10), pack=["default", pack], features=features)
    assert len(learner.packs) == 2
    assert sorted(set(learner.batch.players.tolist())) == [4, 5, 6, 7, 8, 9]
    rollout = learner.collect(30)
    absent = np.arange(9) >= learner.batch.players[:, None]
    assert not rollout.groups.any(axis=2)[:, absent].any()
    np.testing.assert_allclose(expected_gain(rollout), 0, atol=1e-5)  # each game by its own pack
    assert np.isfinite(list(learner.update(rollout, 1e-3).values())).all()


@pytest.mark.parametrize("game_id", [HUNT.id, "deep_river_v0"])
def test_a_saved_policy_is_the_network_alone_and_plays_nearly_its_likeliest_action(
    game_id: str, tmp_path: Path
) -> None:
    learner = learner_of(game_id)
    for _ in range(3):
        learner.learn(12, 1e-2)
    path = tmp_path / "policy.npz"
    learner.save_policy(path)
    with np.load(path) as file:
        assert {name.partition(".")[0] for name in file.files} <= {"actor", "scores", "config", "header"}
    drawing, greedy = (load_policy(path, learner.game, greedy=greedy) for greedy in (False, True))
    batch = learner.batch
    for _ in range(10):
        rows = batch.observation, batch.action_mask, batch.agent_streams(), batch.look(batch.seat), batch.params
        with torch.no_grad():
            logits = learner.network.policy(torch.from_numpy(learner.seen(np.arange(8)))).numpy()
        legal = batch.action_mask == 1
        np.testing.assert_allclose(drawing.logits(*rows)[legal], logits[legal] / PLAYED_AT, rtol=1e-3, atol=1e-3)
        likeliest = np.where(legal, logits, -np.inf).argmax(axis=1)
        np.testing.assert_array_equal(greedy.act(*rows[:2], np.zeros((8, 0), np.int32), *rows[2:]), likeliest)
        batch.step(likeliest)
    everybody = lineup(learner.game, "it", drawing)
    assert len(play(learner.game, everybody, np.arange(3), 1, **{cap_of(game_id): 60}).games) == 3


@pytest.mark.parametrize("advantages", ["all", "sampled"])
def test_it_learns_to_beat_random_play_on_both_sides(advantages: str, tmp_path: Path) -> None:
    """Untrained it wins 42 to 45 % of the games; the rest are draws, too."""
    size = {"num_envs": 64, "rollout_steps": 16, "batch_size": 512, "steps": 20_000, "warm_up": 4_000}
    learner = learner_of("deep_river_v0", options={"pack": "sprint"}, advantages=advantages, **size)
    while learner.steps < 20_000:
        learner.learn(16, 1e-3)
    learner.save_policy(tmp_path / "policy.npz")
    learned = load_policy(tmp_path / "policy.npz", learner.game)
    for side, name in enumerate(learner.game.camps):
        who = lineup(learner.game, name, UNIFORM, **{name: learned})
        games = play(learner.game, who, np.arange(200), 5, pack="sprint").games
        assert (learner.game.columns(games)["winner"] == side).mean() >= 0.9, name
