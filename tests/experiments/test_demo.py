"""`riverbed demo`, which `make run` runs, and `train --report`: a small run of each, and the report that it leaves."""

from __future__ import annotations

import base64
import json
import re
import shlex
import signal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from browser import needs_browser, open_page
from in_process import one_line, riverbed

from riverbed_env.registry import find_game
from riverbed_lab import demo as settings
from riverbed_lab.report.learning_curves import learning_rows
from riverbed_lab.training import comparison as comparing
from riverbed_lab.training import run as training

pytestmark = pytest.mark.compiled

GAME = "deep_river_v0"  # its agents are the quickest to compile that have camps
SMALL: dict[str, Any] = {
    "num_envs": 8, "rollout_steps": 8, "batch_size": 32, "widths": (8, 8), "object_width": 4, "features": (),
    "evaluation_games": 40,
}  # fmt: skip
STEPS, DEALS = 256, 60
WORDS = ("demo", "--steps", str(STEPS), "--games", str(DEALS), "--threads", "1")
TRAIN = (
    *(
        "train",
        "--game",
        GAME,
        "--opponents",
        "greedy",
        "--steps",
        "128",
        "--num-envs",
        "8",
        "--evaluation-games",
        "20",
    ),
    *("--evaluate-every", "64", "--features", "none", "--advice", "none", "--threads", "1"),
    *("--ppo", "rollout_steps=8", "--ppo", "batch_size=32"),
)


def make_small(patch: pytest.MonkeyPatch) -> None:
    game = find_game(GAME)
    changed: dict[str, Any] = {"GAME": GAME, "ROLE": game.roles[0], "PLAYERS": 2}
    for name, value in {**changed, "OPPONENT": "greedy", "REFERENCE": "greedy", "SETTINGS": SMALL}.items():
        patch.setattr(settings, name, value)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What a demonstration said, and its folder."""
    out = tmp_path_factory.mktemp("demo") / "run"
    with pytest.MonkeyPatch.context() as patch:
        make_small(patch)
        found = riverbed(*WORDS, "--out", str(out))
    assert found.returncode == 0, found.stderr
    return one_line(found.stdout), out


def page_of(out: Path) -> str:
    return (out / "evaluation" / "report.html").read_text(encoding="utf-8")


def curve_of(out: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((out / comparing.CURVE).read_text())["curve"]
    return found


def test_the_settings_of_the_demonstration_can_be_played_and_tell_the_learner_nothing() -> None:
    config = settings.demo_config().checked()
    assert not [name for name in config.features if name.startswith("advice")]
    assert config.steps // config.evaluate_every >= 5  # points enough for a curve
    assert config.evaluate_every >= config.rollout
    assert config.checkpoint_every <= config.steps // 4  # an interruption costs half a minute


def test_it_tells_the_curve_from_before_training_the_comparison_the_tables_and_where_the_report_is(done) -> None:
    said, out = done
    assert [row["steps"] for row in curve_of(out)] == [0, 64, 128, 192, STEPS]
    for row in curve_of(out):
        assert f"{row['steps']:,} decisions, {row['seconds']:.0f} s: won {100 * row['won']:.1f} %" in said
    assert f"{DEALS} common deals among its opponents" in said
    assert "every seat the same agent" in said
    assert "one seat of a role" in said
    assert said.endswith(f"the report with the learning curve: {out}/evaluation/report.html")


def test_the_comparison_is_of_the_same_deals_and_adds_up(done) -> None:
    said, out = done
    found = comparing.read_comparison(out / comparing.COMPARISON)
    assert [each.agent for each in found.others] == ["random", "greedy"]
    assert found.steps == STEPS
    for each in found.others:
        assert each.won.games == found.won.games == each.gain.blocks == DEALS
        assert each.gain.value == pytest.approx(found.won.value - each.won.value)
        assert each.gain.low <= each.gain.value <= each.gain.high
        shown = f"{100 * each.won.value:.1f} ({100 * each.won.low:.1f} to {100 * each.won.high:.1f})"
        assert f"{each.agent} {shown}" in said
    # the deals of the curve are the first of these, so the reference's wins there are among its wins here
    assert found.others[1].won.happened >= round(curve_of(out)[-1]["reference"] * SMALL["evaluation_games"])


def test_the_report_has_the_curve_first_with_all_points_and_lines(done) -> None:
    _, out = done
    page = ElementTree.fromstring(page_of(out).removeprefix("<!DOCTYPE html>"))
    part = next(iter(page.iter("section")))
    assert part.get("id") == "learning"
    beside, points = part.iter("table")
    policy = str(out / training.POLICY)
    assert [line.find("th").text for line in beside.findall("tbody/tr")] == [policy, "random", "greedy"]
    curve = curve_of(out)
    told = ["".join(line.find("td/span").itertext()) for line in points.findall("tbody/tr")]
    assert [line.find("th").text for line in points.findall("tbody/tr")] == [f"{row['steps']:,}" for row in curve]
    assert told == [f"{row['seconds']:,.0f}" for row in curve]
    (image,) = part.iter("img")
    svg = base64.b64decode(image.get("src", "").partition("base64,")[2]).decode()
    for name in ("learner", "random", "greedy", "decisions learnt from, thousands"):
        assert f">{name}<" in svg
    assert "http" not in re.sub(r"base64,[^\"]*", "", page_of(out))
    assert {each.get("id") for each in page.iter("section")} == {"learning", "mirror", "deviation", "lengths"}


@needs_browser
def test_a_browser_shows_the_curve(done, tmp_path: Path) -> None:
    _, out = done
    shown = open_page(page_of(out), tmp_path)
    assert shown.tables == page_of(out).count("<table>")
    assert len(shown.widths) == 3  # the curve, wins of two players, lengths
    assert min(shown.widths) > 250


@pytest.mark.usefixtures("small")
def test_a_finished_demonstration_is_shown_again_without_training(done) -> None:
    _, out = done
    before = {name: (out / name).read_bytes() for name in (training.POLICY, comparing.CURVE, comparing.COMPARISON)}
    again = riverbed(*WORDS, "--out", str(out))
    assert again.returncode == 0, again.stderr
    assert f"taking up {out} at {STEPS} decisions" in one_line(again.stdout)
    assert re.search(r"(\d+) of \1 parts finished", one_line(again.stderr))
    assert {name: (out / name).read_bytes() for name in before} == before
    assert "games played and written" not in again.stdout


def test_the_command_in_the_report_is_of_the_same_evaluation(done) -> None:
    _, out = done
    page = ElementTree.fromstring(page_of(out).removeprefix("<!DOCTYPE html>"))
    command = shlex.split("".join(page.find(".//pre/code").itertext()))
    again = riverbed(*command[1:], "--out", str(out / "evaluation"))
    assert again.returncode == 0, again.stderr
    assert re.search(r"(\d+) of \1 parts finished", one_line(again.stderr))


@pytest.mark.usefixtures("small")
def test_an_interrupted_demonstration_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, keep = tmp_path / "run", training.Training.keep

    def keep_and_stop(self: training.Training) -> None:
        keep(self)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(training.Training, "keep", keep_and_stop)
    broken = riverbed(*WORDS, "--out", str(out))
    assert broken.returncode == 130
    assert "the same command goes on" in one_line(broken.stderr)
    monkeypatch.setattr(training.Training, "keep", keep)
    on = riverbed(*WORDS, "--out", str(out))
    assert on.returncode == 0, on.stderr
    taken_up = re.search(r"taking up \S+ at (\d+) decisions", one_line(on.stdout))
    assert taken_up is not None
    assert 0 < int(taken_up[1]) < STEPS
    assert curve_of(out)[-1]["steps"] == STEPS


@pytest.mark.usefixtures("small")
def test_other_settings_begin_anew_with_a_word(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ("demo", "--steps", "64", "--games", "10", "--threads", "1", "--out", str(out))
    assert riverbed(*words).returncode == 0
    anew = riverbed(*words, "--seed", "1")
    assert anew.returncode == 0, anew.stderr
    assert "begins anew" in one_line(anew.stderr)
    assert json.loads((out / "config.json").read_text())["seed"] == 1
    assert curve_of(out)[-1]["steps"] == 64


@pytest.mark.usefixtures("small")
def test_a_run_of_ones_own_is_never_begun_anew(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert riverbed(*TRAIN, "--out", str(out)).returncode == 0
    before = (out / training.POLICY).read_bytes()
    refused = riverbed(*WORDS, "--out", str(out))
    assert refused.returncode == 2
    assert "holds a run with other settings" in one_line(refused.stderr)
    assert (out / training.POLICY).read_bytes() == before


def test_any_run_can_have_its_report(tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = riverbed(*TRAIN, "--report", "--report-games", "20", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert 'id="learning"' in page_of(out)
    game, policy = find_game(GAME), out / training.POLICY
    (row,) = learning_rows(game, ["random", str(policy), f"{policy}:greedy=true"])
    assert (row.role, row.opponents, row.reference, [point.steps for point in row.points]) == (
        "any seat", "greedy", "greedy", [0, 64, 128],
    )  # fmt: skip
    (out / comparing.COMPARISON).write_text("{}")
    (row,) = learning_rows(game, [str(policy)])
    assert row.others == ()
    curve = curve_of(out)
    (out / comparing.CURVE).write_text(json.dumps({"curve": curve[:-1]}))
    assert learning_rows(game, [str(policy)]) == ()  # a curve that ends elsewhere is of another policy
    (out / comparing.CURVE).write_text("not JSON")
    assert learning_rows(game, [str(policy)]) == ()


def test_a_report_that_cannot_be_is_refused_before_training(tmp_path: Path) -> None:
    for words, complaint in (
        (("--game", "ford_v0", "--report"), "has one camp"),
        (("--report", "--report-games", "0"), "games must be at least 1"),
    ):
        done = riverbed("train", *words, "--out", str(tmp_path / "run"))
        assert done.returncode == 2
        assert complaint in one_line(done.stderr)
        assert not (tmp_path / "run").exists()
