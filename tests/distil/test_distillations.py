"""A distillation in its folder: its files, that it repeats, that it resumes in every phase, and what it refuses."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from distil.small_distillations import GAME, small
from training.small_runs import assert_same_end, copied, damaged, played, rewritten

from riverbed_env.errors import OptionError
from riverbed_env.players.policies import load_policy
from riverbed_env.registry import find_game
from riverbed_lab.distil import run as running
from riverbed_lab.distil.config import DistilConfig, build_distillation, plain_pieces
from riverbed_lab.distil.run import Distillation
from riverbed_lab.distil.targets import origin_of
from riverbed_lab.training.checkpoint import load_checkpoint
from riverbed_lab.training.curve import CURVE
from riverbed_lab.training.folder_run import CHECKPOINT, POLICY, Progress, TimeBudget

pytestmark = pytest.mark.compiled

FIRST = Path("targets") / "round_000_block_0000.npz"


def distil(folder: Path, config: DistilConfig | None, until: Progress | None = None) -> Distillation:
    """Run it, or break it off once it has reported this progress."""
    run = Distillation(folder, config)
    return played(run, None if until is None else lambda progress: replace(progress, total=until.total) == until)


@pytest.fixture(autouse=True)
def _often_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "CHUNK", 4)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was played in one go."""
    return distil(tmp_path_factory.mktemp("whole"), small()).folder


def test_a_run_writes_its_settings_targets_policy_curve_and_checkpoint(whole: Path) -> None:
    header = load_checkpoint(whole / CHECKPOINT)[0]
    curve = json.loads((whole / CURVE).read_text())["curve"]
    assert (header["rounds"], header["fitted"]) == (2, 0)
    assert [row["steps"] for row in curve] == sorted({row["steps"] for row in curve})
    assert len(curve) == 3
    assert curve[-1]["steps"] == header["steps"]
    assert DistilConfig.load(whole) == small()
    about = f"distilled for every role, 3 players, {header['steps']:,} targets"
    assert load_policy(whole / POLICY, find_game(GAME)).about == about
    assert len(list((whole / "targets").iterdir())) == 4


def test_the_same_settings_give_the_same_run(whole: Path, tmp_path: Path) -> None:
    distil(tmp_path, small())
    assert_same_end(whole, tmp_path)
    for path in (whole / "targets").iterdir():
        assert path.read_bytes() == (tmp_path / "targets" / path.name).read_bytes()


@pytest.mark.parametrize(
    "until",
    [
        Progress("round 1 of 2: targets", 1, 2),
        Progress("round 1 of 2: fitting", 8, 0),
        Progress("round 2 of 2: targets", 1, 2),
        Progress("round 2 of 2: fitting", 4, 0),
    ],
    ids=lambda at: at.what,
)
def test_a_run_broken_off_in_any_phase_resumes_as_if_it_had_not_been(
    whole: Path, tmp_path: Path, until: Progress
) -> None:
    distil(tmp_path, small(), until)
    distil(tmp_path, None)
    assert_same_end(whole, tmp_path)


def test_a_run_whose_time_is_up_keeps_its_block(whole: Path, tmp_path: Path) -> None:
    seconds = iter([0.0, 61.0])
    run = Distillation(tmp_path, small())
    run.run(budget=TimeBudget(1, lambda: next(seconds)))
    assert not run.is_finished
    assert [path.name for path in (tmp_path / "targets").iterdir()] == [FIRST.name]
    distil(tmp_path, None)
    assert_same_end(whole, tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_gpu_that_isnt_there_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"device cuda: PyTorch .* finds no GPU here, only cpu"):
        Distillation(tmp_path, small(device="cuda"))
    assert not list(tmp_path.iterdir())


def test_targets_of_one_device_are_fitted_on_another() -> None:
    assert origin_of(small(device="cuda"), (), (0, 0), "") == origin_of(small(), (), (0, 0), "")


def test_it_learns_what_pays_in_a_small_game(tmp_path: Path) -> None:
    config = small(rounds=1, blocks=4, block_games=1500, batch_size=128, epochs=3, margin=0.0, evaluation_games=2000)
    curve = distil(tmp_path, config).curve
    assert curve[-1]["gain_low"] > 0


def test_several_player_counts_and_a_lineup_with_pools(tmp_path: Path) -> None:
    file = Path(__file__).parents[1] / "experiments" / "agents_of_a_file.py"
    opponents = ({"wader": ["random", f"{file}:DRAWN"]},)
    with pytest.raises(OptionError, match="isn't compiled"):
        small(opponents=opponents)
    config = small(opponents=opponents, rollout="random", players=(2, 3), rounds=1, evaluation_games=0)
    assert distil(tmp_path, config).is_finished


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda header, kept: header.update(environment="deep_river_v0"), "are of environment deep_river_v0"),
        (lambda header, kept: header.update(packs=["beef"]), r"are of packs \['beef'\]"),
        (lambda header, kept: header.update(opponents=[{"everybody": ["b"]}]), "are of opponents"),
        (lambda header, kept: header.update(worlds=9), "are of worlds 9, this run of 0"),
        (lambda header, kept: header.update(format=99), "has a format that this version can't read"),
        (lambda header, kept: header.update(student="beef"), "are of student beef"),
        (lambda header, kept: kept.update(inputs=kept["inputs"][:, 1:]), "don't fit this game"),
        (lambda header, kept: kept["targets"].fill(np.nan), "don't fit this game"),
        (lambda header, kept: kept.pop("targets"), "don't fit this game"),
    ],
)
def test_targets_of_something_else_are_refused_by_name(tmp_path: Path, change: Any, complaint: str) -> None:
    distil(tmp_path, small(), Progress("round 1 of 2: targets", 1, 2))
    rewritten(tmp_path / FIRST, change)
    with pytest.raises(OptionError, match=complaint):
        Distillation(tmp_path, None).run()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda kept: kept.pop("adam/exp_avg/plain.bias"), "adam/exp_avg/plain.bias"),
        (lambda kept: kept.pop("muon/momentum_buffer/actor.rest.weight"), "muon/momentum_buffer/actor.rest.weight"),
        (lambda kept: kept.update({"adam/step/actor.rest.weight": np.zeros((), np.float32)}), "adam/step/actor.rest"),
    ],
)
def test_moments_that_are_not_of_this_network_are_refused(
    whole: Path, tmp_path: Path, change: Any, complaint: str
) -> None:
    rewritten(copied(whole, tmp_path) / CHECKPOINT, lambda header, kept: change(kept))
    with pytest.raises(OptionError, match=f"isn't of this network: {complaint}"):
        Distillation(tmp_path, None)


@pytest.mark.parametrize("how", ["truncated", "empty", "another kind of file", "tampered with"])
@pytest.mark.parametrize("name", [FIRST, CHECKPOINT], ids=["targets", "checkpoint"])
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path: Path, name: Path, how: str) -> None:
    distil(tmp_path, small(), Progress("round 1 of 2: targets", 2, 2))
    damaged(tmp_path / name, how)
    with pytest.raises(OptionError, match=r"targets|checkpoint"):
        Distillation(tmp_path, None).run()


def test_targets_that_are_missing_in_the_middle_of_fitting_are_named(tmp_path: Path) -> None:
    distil(tmp_path, small(), Progress("round 1 of 2: fitting", 4, 0))
    (tmp_path / FIRST).unlink()
    with pytest.raises(OptionError, match="are missing: the student is being fitted"):
        Distillation(tmp_path, None).run()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"turns": (1,)}, "has no value network"),
        ({"turns": ()}, "turns must be"),
        ({"turns": (-1,)}, "turns must be"),
        ({"worlds": 1}, "has no value network"),
        ({"rollout": "nobody"}, "has no agent 'nobody'"),
        ({"own": "somebody"}, "own must be"),
        ({"explore": 2.0}, "explore must be"),
        ({"tail": 0.0}, "tail must be"),
        ({"rounds": 0}, "rounds must be"),
        ({"block_games": 1, "players": (2, 3)}, "can't be shared out"),
    ],
)
def test_impossible_settings_are_refused_before_any_work(change: Any, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        replace(small(), **change)


def test_the_defaults_fit_a_game_with_a_value_network_and_one_without() -> None:
    hunt, ford = (build_distillation({"game": game}, "the test") for game in ("riverbed_hunt_v1", GAME))
    assert (hunt.reference, hunt.features) == ("rule_based", ("outlook", "advice:rule_based"))
    assert (hunt.turns, hunt.worlds, hunt.tail) == ((1,), 8, 8)
    assert (ford.turns, ford.worlds, ford.tail, ford.reference) == ((0,), 0, 100, "random")
    left_out = {piece.name for piece in hunt.known_game().observation.pieces} - set(hunt.pieces)
    assert left_out == {"possible", "events", "said"}
    assert hunt.pieces == plain_pieces(hunt.known_game())
