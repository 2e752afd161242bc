"""Studies: they are found by their names, their estimates are right on made-up data, and each plays a small case."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from riverbed_agents.riverbed_hunt.student import agent as student_agent
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.lineups import lineups
from riverbed_env.players.policies import PolicyConfig, load_policy, save_policy
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.judging.judge import Judge
from riverbed_lab.training.evaluation import SEED, Evaluation, compare
from studies import agent_diff, balance, outcome_predictability, release_policies, seat_advantage

FOLDER = Path(__file__).parents[2] / "experiments" / "studies"
GAME = find_game("riverbed_hunt_v1")
RULE_BASED, SIMPLE = (find_agent(name, GAME.name) for name in ("rule_based", "simple"))
DEALS = 40


@pytest.mark.compiled
def test_a_study_runs_by_its_name_and_without_one_they_are_listed(tmp_path: Path) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(FOLDER), *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    listed = run()
    assert listed.returncode == 1
    for name in ("seat_advantage", "learning_speed", "fitting.riverside", "leaks"):
        assert name in listed.stderr
    shown = run("balance", "--help")
    assert shown.returncode == 0, shown.stderr
    assert "--depth" in shown.stdout


@pytest.mark.slow
@pytest.mark.compiled
def test_an_agent_that_is_only_queried_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = agent_diff.watch(UNIFORM, RULE_BASED, "chief", 5, 200, among=RULE_BASED)
    table = lineups(GAME, [RULE_BASED])
    alone = Evaluation(GAME, table, RULE_BASED, role="chief", games=200, num_players=5, threads=1, seed=SEED)
    assert pairs.gain == compare([(alone.won(UNIFORM), alone.won_by_reference)])
    diffs = list(agent_diff.question_diffs(pairs))
    assert sum(diff.asked for diff in diffs) * 200 == pytest.approx(len(pairs.chosen))
    turn = next(diff for diff in diffs if diff.question == "turn")
    assert turn.verbs["swim"][0] > turn.verbs["swim"][1]  # random play swims as often as it does anything
    agent_diff.main("random", role="leader", players=5, games=50, among="random")
    assert capsys.readouterr().out.startswith("leader, 5 players, 50 deals among random: random wins ")


@pytest.mark.slow
@pytest.mark.compiled
def test_an_agent_gains_nothing_over_itself_and_random_play_loses_by_choices_as_by_winners() -> None:
    same = seat_advantage.measure(SIMPLE, "merchant", 5, 40, Judge(SIMPLE, worlds=4, moves=2, seed=1))
    assert (same.changes, same.by_choices.value, same.by_winners.value) == (0.0, 0.0, 0.0)
    worse = seat_advantage.measure(UNIFORM, "leader", 7, 100, Judge(RULE_BASED, worlds=24, moves=8, seed=5))
    assert worse.by_choices.high < 0
    assert worse.by_winners.low < worse.by_choices.value < worse.by_winners.high


def test_predictability_is_the_share_of_variance_that_the_states_were_made_with() -> None:
    random = np.random.default_rng(0)
    chances = random.choice([0.3, 0.7], size=100_000)
    game = np.arange(100_000)
    for replays in (4, 40):
        share = outcome_predictability.predictability(random.binomial(replays, chances) / replays, replays, game)
        assert share.low < 0.2**2 / 0.25 < share.high  # the states' variance, and that of winning
        assert share.high - share.low < 0.01


@pytest.mark.slow
@pytest.mark.compiled
def test_the_winner_is_more_predictable_late_in_a_game() -> None:
    decisions = outcome_predictability.decisions_of(RULE_BASED, "separatist", 7, games=40, seed=2)
    rates = outcome_predictability.win_rates(decisions.states, RULE_BASED, 1, 7, replays=24, seed=0)
    early, late = (
        outcome_predictability.predictability(rates, 24, decisions.game, part)
        for part in (decisions.progress < 0.2, decisions.progress > 0.8)
    )
    assert late.low > early.high


@pytest.mark.slow
@pytest.mark.compiled
def test_the_balance_adds_up() -> None:
    found = balance.measure(40, 1, seed=5)
    assert 1 < found.different <= 40
    assert sum(share.happened for share in found.outcomes.values()) == 40
    won = found.outcomes["first player"].happened + found.outcomes["second player"].happened
    assert found.decided["bear in a nest"].happened + found.decided["current run out"].happened == won


# --- release of trained policies --------------------------------------------------------------------------------------


def save(path: Path, role: str | None, seed: int, *, diving: float = 0.0, more: dict[str, Any] | None = None) -> Path:
    """A network of one layer that likes to dive so much, else draws anything."""
    path.parent.mkdir(parents=True, exist_ok=True)
    bias = np.zeros(GAME.actions.size, np.float32)
    bias[A.DIVE] = diving
    weight = np.zeros((GAME.views["now"], len(bias)), np.float32)
    weight[::10] = np.random.default_rng(seed).normal(0, 0.03, weight[::10].shape)
    training = {"role": role, "players": [5], "seed": seed}
    known = {"packs": ["a"], "steps": 7, "training": training} if more is None else more
    save_policy(path, PolicyConfig(GAME.id, view="now", about=f"seed {seed}", more=known), [(weight, bias)])
    return path


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that is published."""
    file = tmp_path / "policies" / "student.npz"
    monkeypatch.setattr(student_agent, "FILE", file)
    return file


def release(student: Path) -> None:
    release_policies.main(student, games=DEALS, among="random", threads=1)


@pytest.mark.slow
@pytest.mark.compiled
def test_the_best_of_the_runs_is_published_with_its_origin(place: Path, tmp_path: Path) -> None:
    paths = [save(tmp_path / f"seed_{seed}" / "policy.npz", None, seed, diving=-30.0 * (seed == 0)) for seed in (0, 1)]
    release(tmp_path)
    deals = release_policies.Deals((5,), DEALS, "random", 1)
    wins = [deals.won(load_policy(path, GAME, name="learner", greedy=True)).sum() for path in paths]
    more = load_policy(place, GAME).config.more
    assert (more["seed"], more["steps"], more["training"]["role"]) == (int(np.argmax(wins)), 7, None)
    assert more["chosen"]["gain"][0] == pytest.approx((max(wins) - deals.own.sum()) / len(deals.own))


@pytest.mark.slow
@pytest.mark.compiled
def test_rounding_that_costs_wins_is_not_done(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wins = np.arange(1000) % 2 == 0
    assert release_policies.costs_nothing(wins, wins)
    assert not release_policies.costs_nothing(wins & (np.arange(1000) % 20 != 0), wins)
    monkeypatch.setattr(release_policies, "costs_nothing", lambda after, before: False)
    path = save(tmp_path / "policy.npz", None, 3)
    release(path)
    kept, whole = (load_policy(file, GAME) for file in (place, path))
    np.testing.assert_array_equal(kept.network.layers[0][0], whole.network.layers[0][0])  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.compiled
def test_policies_that_do_not_fit_are_refused_and_nothing_is_changed(place: Path, tmp_path: Path) -> None:
    refused = [
        (tmp_path, "holds no policy"),
        (save(tmp_path / "chief" / "policy.npz", "chief", 0), "was trained for chief, not every role"),
        (save(tmp_path / "bare.npz", None, 0, more={}), "doesn't say how it was trained"),
    ]
    for student, complaint in refused:
        with pytest.raises(OptionError, match=complaint):
            release(student)
    assert not place.exists()
