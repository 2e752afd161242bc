"""A run in its folder: its files, that it repeats, that it resumes where it was interrupted, and what it refuses."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from full_disk import fill_disk
from training.small_runs import GAME, ROLLOUT, assert_same_end, copied, damaged, played, rewritten, small

from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.players.policies import load_policy
from riverbed_env.registry import find_game
from riverbed_lab.ppo import Training
from riverbed_lab.report.learning import learners
from riverbed_lab.selfplay import training_in
from riverbed_lab.training.checkpoint import load_checkpoint, network_arrays
from riverbed_lab.training.config import TrainingConfig
from riverbed_lab.training.curve import CURVE
from riverbed_lab.training.folder_run import CHECKPOINT, POLICY, TimeBudget

pytestmark = pytest.mark.compiled


def train(folder: Path, config: TrainingConfig | None, until: int | None = None) -> Training:
    return played(training_in(folder, config), None if until is None else lambda progress: progress.done >= until)


SEATS: dict[str, dict[str, Any]] = {
    "one": {},
    "all": {"seats": "all", "advantages": "all", "warm_up": ROLLOUT},
    "camp": {"seats": "camp", "advantages": "all", "warm_up": ROLLOUT},
}
ABOUT = {"one": "trained for every role", "camp": "trained for every role", "all": "learned by self-play"}
one_seat = pytest.mark.parametrize("seats", ["one"], indirect=True)


@pytest.fixture(scope="module", params=SEATS)
def seats(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Settings by which one seat learns, or all do."""
    return SEATS[request.param]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, seats: dict[str, Any]) -> Path:
    """A run that was played in one go."""
    return train(tmp_path_factory.mktemp("whole"), small(**seats)).folder


def test_a_run_writes_its_settings_its_policy_its_curve_and_a_checkpoint(whole: Path, seats: dict[str, Any]) -> None:
    assert load_checkpoint(whole / CHECKPOINT)[0]["steps"] == 6 * ROLLOUT
    assert TrainingConfig.load(whole) == small(**seats)
    curve = json.loads((whole / CURVE).read_text())["curve"]
    assert [row["steps"] for row in curve] == [0, 2 * ROLLOUT, 4 * ROLLOUT, 6 * ROLLOUT]
    assert all(row["games"] == 40 and row["low"] <= row["won"] <= row["high"] for row in curve)
    assert (
        load_policy(whole / POLICY, find_game(GAME)).about == f"{ABOUT[small(**seats).seats]}, 3 players, 384 decisions"
    )
    assert list((whole / "tensorboard").glob("events*"))


def test_the_report_says_among_whom_a_run_learned_and_what_its_habits_are(whole: Path, seats: dict[str, Any]) -> None:
    (found,), complaints = learners(find_game(GAME), {str(whole / POLICY): "it"})
    assert not complaints
    assert found.made["among"] == ("itself" if seats.get("seats") == "all" else "random")
    habits = load_policy(whole / POLICY, find_game(GAME)).config.more.get("habits", {})
    assert ("habits" in found.made) is bool(habits) is bool(seats)
    for name in ("decisions", "gain") if habits else ():
        assert f"{habits[f'habits/{name}']:.1f}" in found.made["habits"]


def test_the_same_settings_give_the_same_run(whole: Path, seats: dict[str, Any], tmp_path: Path) -> None:
    train(tmp_path, small(**seats))
    assert_same_end(whole, tmp_path)


@pytest.mark.parametrize(
    ("until", "kept", "changed"),
    [
        (ROLLOUT, ROLLOUT, {"evaluate_every": 100, "players": (2, 3)}),
        (3 * ROLLOUT, 3 * ROLLOUT, {"features": ("advice:random",)}),
        (3 * ROLLOUT, 3 * ROLLOUT, {"precision": "bfloat16"}),
        (ROLLOUT, ROLLOUT, {**SEATS["all"], "evaluate_every": 100, "players": (2, 3)}),
        (3 * ROLLOUT, 2 * ROLLOUT, {**SEATS["all"], "advantages": "sampled", "checkpoint_every": 2 * ROLLOUT}),
        (5 * ROLLOUT, 4 * ROLLOUT, {**SEATS["all"], "checkpoint_every": 2 * ROLLOUT}),
    ],
)
def test_an_interrupted_run_resumes_as_if_it_had_not_been_interrupted(
    tmp_path: Path, until: int, kept: int, changed: dict[str, Any]
) -> None:
    """It begins again at what was kept last."""
    config = small(**changed)
    train(tmp_path / "whole", config)
    train(tmp_path / "parts", config, until=until)
    resumed = training_in(tmp_path / "parts", None)
    assert resumed.steps == kept
    resumed.run()
    assert_same_end(tmp_path / "whole", tmp_path / "parts")


def test_a_run_whose_time_is_up_stops_at_a_checkpoint_and_resumes_bit_for_bit(
    whole: Path, seats: dict[str, Any], tmp_path: Path
) -> None:
    seconds = iter([0.0, 59.0, 61.0])  # the start, and after the first and second rollout
    training = training_in(tmp_path, small(**seats, checkpoint_every=1_000_000))
    training.run(budget=TimeBudget(1, lambda: next(seconds)))
    assert (training.steps, training.is_finished) == (2 * ROLLOUT, False)
    resumed = training_in(tmp_path, None)
    assert resumed.steps == 2 * ROLLOUT
    resumed.run()
    assert resumed.is_finished
    assert_same_end(whole, tmp_path)


@pytest.mark.slow  # compiles the toy game for threads
def test_the_number_of_threads_may_change(whole: Path, seats: dict[str, Any], tmp_path: Path) -> None:
    assert training_in(copied(whole, tmp_path), small(**seats, threads=2)).is_finished


@one_seat
def test_a_run_begins_with_the_weights_of_another(whole: Path, seats: dict[str, Any], tmp_path: Path) -> None:
    run = training_in(tmp_path, replace(small(**seats), start=str(whole)))
    weights = network_arrays(run.learner.network)
    earlier = load_checkpoint(whole / CHECKPOINT)[1]
    assert weights
    assert all(np.array_equal(array, earlier[name]) for name, array in weights.items())
    assert (run.steps, run.curve) == (0, [])
    assert not run.learner.optimizer.state
    played(run, lambda progress: progress.done >= ROLLOUT)
    assert run.curve[0]["won"] == json.loads((whole / CURVE).read_text())["curve"][-1]["won"]


@one_seat
@pytest.mark.parametrize(
    ("change", "complaint"),
    [({"widths": (8, 8)}, "isn't of this network"), ({"start": "nowhere"}, "nowhere/checkpoint.npz can't be read")],
)
def test_a_run_cannot_begin_with_weights_of_another_network(
    whole: Path, tmp_path: Path, change: Any, complaint: str
) -> None:
    with pytest.raises(OptionError, match=complaint):
        training_in(tmp_path / "run", replace(small(start=str(whole)), **change))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("how", ["truncated", "empty", "another kind of file", "tampered with"])
def test_a_damaged_checkpoint_is_refused_in_a_sentence(whole: Path, tmp_path: Path, how: str) -> None:
    damaged(copied(whole, tmp_path) / CHECKPOINT, how)
    with pytest.raises(OptionError, match="checkpoint"):
        training_in(tmp_path, None)


@one_seat
@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda header, kept: header.update(environment="deep_river_v0"), "is of environment deep_river_v0"),
        (lambda header, kept: header.update(packs=["beef"]), r"is of packs \['beef'\]"),
        (lambda header, kept: header.update(format=99), "has a format that this version can't read"),
        (lambda header, kept: header.pop("shuffler"), "shuffler"),
        (lambda header, kept: kept.update({"weight/value.bias": np.array([np.nan], np.float32)}), "value.bias"),
        (lambda header, kept: kept.pop("weight/value.bias"), "isn't of this network: weight/value.bias"),
        (lambda header, kept: kept.pop("games/lineups"), "games/lineups: missing"),
        (
            lambda header, kept: kept["games/games"].fill(255),
            "holds no checkpoint of this run: the state of game 0",
        ),
        (lambda header, kept: kept.pop("torch"), "torch: missing"),
        (lambda header, kept: header["config"].update(gamma=0.5), "of a run with other settings: gamma"),
        (lambda header, kept: kept.pop("adam/step/value.bias"), "isn't of this network: adam/step/value.bias"),
        (lambda header, kept: kept.update({"muon/step/x": np.zeros(())}), "isn't of this network: muon/step/x"),
        (lambda header, kept: kept.update(stranger=np.zeros(3)), "stranger: missing, or more than it needs"),
        (lambda header, kept: header.update(curve=7), "curve should be a valid array, not 7"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused(whole: Path, tmp_path: Path, change: Any, complaint: str) -> None:
    rewritten(copied(whole, tmp_path) / CHECKPOINT, change)
    with pytest.raises(OptionError, match=complaint):
        training_in(tmp_path, None)


def test_a_full_disk_is_reported_and_the_last_checkpoint_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train(tmp_path, small(), until=3 * ROLLOUT)
    before = (tmp_path / CHECKPOINT).read_bytes()

    training = training_in(tmp_path, None)
    fill_disk(monkeypatch)
    with pytest.raises(RiverbedError, match="couldn't be written: No space left on device"):
        training.run()
    assert (tmp_path / CHECKPOINT).read_bytes() == before
    monkeypatch.undo()
    train(tmp_path, None)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"role": "admiral"}, "role must be"),
        ({"critic": "crystal ball"}, "critic must be"),
        ({"view": "later"}, "view must be"),
        ({"steps": 0}, "steps must be"),
        ({"num_envs": 0}, "num_envs must be"),
        ({"players": (99,)}, "players must be"),
        ({"learning_rate": -1.0}, "learning_rate must be"),
        ({"gamma": float("nan")}, "gamma must be"),
        ({"widths": (8,)}, "widths must be 2 numbers"),
        ({"batch_size": 10_000}, "is more than a rollout holds"),
        ({"features": ("smell",)}, "has no feature set 'smell'"),
        ({"pieces": ("weather",)}, "has no piece 'weather'"),
        ({"opponents": ({"everybody": ["nobody"]},)}, "has no agent 'nobody'"),
        ({"reference": "nobody"}, "has no agent 'nobody'"),
        ({"options": {"max_decisions": 0}}, "max_decisions must be"),
        ({"precision": "float8"}, "precision must be 'float32' or 'bfloat16', not 'float8'"),
        ({"device": "abacus"}, "device must be 'cpu' or 'cuda'"),
        ({"seats": "two"}, "seats must be 'one' or 'camp' or 'all', not 'two'"),
        ({"seats": "all", "role": "wader"}, "leave out role"),
        ({"seats": "all", "critic": "secrets"}, "leave out critic"),
        ({"seats": "all", "speaking": 0.5, "options": {}}, "leave out speaking"),
        ({"seats": "all", "listening": 0.5}, "leave out listening"),
        ({"seats": "all", "features": ("advice:random",)}, "nobody advises: leave out features"),
        ({"advantages": "all", "critic": "secrets"}, "with advantages = all the critic sees the full state"),
        ({"seats": "camp", "features": ("advice:random",)}, "with seats = camp nobody advises"),
        ({"seats": "all", "advantages": "few"}, "advantages must be 'sampled' or 'all', not 'few'"),
        *(
            ({"seats": "all", "temperature": wrong}, "temperature must be two numbers above 0, at most 100")
            for wrong in ((-0.1, 0.1), (0.1, 101.0), (0.0, 0.1), (0.1, 0.0), (float("nan"), 0.1), (0.1,), (0.1, "1"))
        ),
        ({"seats": "all", "warm_up": -1}, "warm_up must be an integer from 0"),
        ({"seats": "all", "step_size": -1.0}, "step_size must be a number from 0"),
    ],
)
def test_impossible_settings_are_refused_before_any_work(tmp_path: Path, change: Any, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint) as caught:
        training_in(tmp_path, replace(small(), **change))
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_gpu_that_isnt_there_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"device cuda: PyTorch .* finds no GPU here, only cpu"):
        training_in(tmp_path, small(device="cuda"))
    assert not list(tmp_path.iterdir())
