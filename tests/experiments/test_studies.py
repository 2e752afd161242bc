"""Studies are found by their names, and each plays a small case."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer

from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.players.policies import PolicyConfig, load_policy, save_policy
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from studies import cheating_responder, exact_curves, learning_speed, release_policies, time_to_strength
from studies.frontier import frontier

FOLDER = Path(__file__).parents[2] / "experiments" / "studies"
GAME = find_game("riverbed_hunt")
DEALS = 40


@pytest.mark.compiled
def test_a_study_runs_by_its_name_and_without_one_they_are_listed(tmp_path: Path) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(FOLDER), *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    listed = run()
    assert listed.returncode == 1
    for name in ("doors", "learning_speed", "fitting.riverside"):
        assert name in listed.stderr
    shown = run("frontier", "--help")
    assert shown.returncode == 0, shown.stderr
    assert "--among" in shown.stdout


@pytest.mark.slow
@pytest.mark.compiled
def test_frontier_gains_nothing_for_an_agent_over_itself_and_less_for_a_worse_one() -> None:
    same, random = frontier(["simple", "random"], "simple", ["leader", "profiteer"], 5, 300, 1, 1)
    assert [gain.gain.value for gain in same.gains.values()] == [0, 0]
    assert random.gains["leader"].gain.high < 0
    assert same.microseconds > 0


@pytest.mark.slow
@pytest.mark.compiled
def test_a_responder_that_sees_everything_gains(tmp_path: Path) -> None:
    gain = cheating_responder.gain(find_agent("simple", GAME.name), "leader", 5, 300, 1)
    assert gain.low > 0.1
    (tmp_path / "mine.py").write_text("def choose(observation, mask, memory, rng):\n    return int(mask.argmax())\n")
    with pytest.raises(typer.BadParameter, match="isn't compiled"):
        cheating_responder.main([f"{tmp_path / 'mine.py'}:choose"])


@pytest.mark.compiled
def test_the_study_of_exact_curves_draws_every_algorithm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exact_curves.main(games="rill", seconds=0.5, seeds=1, out=tmp_path / "curves.svg")
    said = capsys.readouterr().out
    assert [word for word in said.split() if word in exact_curves.ALGORITHMS] == list(exact_curves.ALGORITHMS)
    assert (tmp_path / "curves.svg").read_text(encoding="utf-8").startswith("<?xml")


# --- speed of learning ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_study_of_speed_prints_every_row(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = learning_speed.Setting(4, 16, 16, 2)
    toy = partial(learning_speed.seat_model, "ford_v0", {"num_players": 3})
    monkeypatch.setattr(learning_speed, "learners", lambda: [learning_speed.Learner("toy", "seat", small, toy)])
    monkeypatch.setattr(learning_speed, "prepare_process", lambda threads: None)
    learning_speed.main(seconds=0.0, rounds=2)
    said = capsys.readouterr().out
    assert f"| toy | seat | {small} |" in said
    row = learning_speed.Learner("toy", "seat", small, toy, [100, 300, 200], [800, 700, 900])
    assert row.speeds == (800, 200)


def test_the_rows_of_the_study_of_speed_are_told_apart() -> None:
    rows = [(row.name, row.call, row.setting) for row in learning_speed.learners()]
    assert len(set(rows)) == len(rows)
    assert rows[-1][0] == f"{learning_speed.TRAIN}, bfloat16"


@pytest.mark.skipif(not learning_speed.is_installed(), reason=f"{learning_speed.REQUIREMENT} is not installed")
def test_the_learner_of_connect_four_is_paid_for_every_end() -> None:
    """A player who plays one column mostly wins against random play, sometimes loses, and is told."""
    env: Any = learning_speed.ConnectFour()
    paid = []
    for seed in range(60):
        env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            assert reward == 0
            _, reward, over, _, _ = env.step(int(env.action_masks().nonzero()[0][0]))
        paid.append(reward)
    assert {-1.0, 1.0} <= set(map(float, paid)) <= {-1.0, 0.0, 1.0}


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
    monkeypatch.setitem(release_policies.FILES, "student", file)
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


@pytest.mark.slow
def test_the_time_to_a_strength_has_a_row_for_each_learner(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(time_to_strength, "GAMES", 200)
    monkeypatch.setattr(time_to_strength, "prepare_process", lambda threads: None)
    time_to_strength.main(steps=1)
    words = capsys.readouterr().out
    assert "MaskablePPO" in words
    assert "16,384" in words  # one rollout of eight environments
    assert "riverbed train, bfloat16" in words
