"""`train --report`: a small run from a file, its report, resuming and replacing it."""

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
from riverbed_lab.report.learning_curves import learning_rows
from riverbed_lab.training import comparison as comparing
from riverbed_lab.training import run as training

pytestmark = pytest.mark.compiled

GAME = "deep_river_v0"  # its agents are the quickest to compile that have camps
STEPS, DEALS, EVALUATED = 256, 60, 40
FILE = f"""
game = "{GAME}"
role = "pawn"
players = [2]
opponents = ["greedy"]
steps = {STEPS}
num_envs = 8
rollout_steps = 8
batch_size = 32
features = []
widths = [8, 8]
object_width = 4
evaluate_every = 64
evaluation_games = {EVALUATED}
checkpoint_every = 64
threads = 1
""".replace("pawn", find_game(GAME).roles[0])


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The command, without the folder of its run."""
    file = tmp_path_factory.mktemp("config") / "small.toml"
    file.write_text(FILE)
    return ("train", str(file), "--report", "--report-games", str(DEALS), "--overwrite")


@pytest.fixture(scope="module")
def done(words: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What the command printed, and the folder of its run."""
    out = tmp_path_factory.mktemp("done") / "run"
    ended = riverbed(*words, "--out", str(out))
    assert ended.returncode == 0, ended.stderr
    return one_line(ended.stdout), out


def heads(grid: ElementTree.Element) -> list[str]:
    """The words that head the lines of a table."""
    return ["".join(line.itertext()) for line in grid.findall("tbody/tr/th")]


def page_of(out: Path) -> str:
    return (out / "evaluation" / "report.html").read_text(encoding="utf-8")


def curve_of(out: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((out / comparing.CURVE).read_text())["curve"]
    return found


def test_it_tells_the_curve_from_before_training_the_comparison_the_tables_and_where_the_report_is(done) -> None:
    said, out = done
    assert [row["steps"] for row in curve_of(out)] == [0, 64, 128, 192, STEPS]
    for row in curve_of(out):
        assert f"{row['steps']:,} decisions, {row['seconds']:.0f} s: won {100 * row['won']:.1f} %" in said
    assert f"{DEALS} common deals among its opponents" in said
    assert "2 players: learner wins" in said
    assert "Deep River: deviation: one seat changes hands" in said
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
    assert found.others[1].won.happened >= round(curve_of(out)[-1]["reference"] * EVALUATED)


def test_the_report_has_the_curve_first_with_all_points_and_lines(done) -> None:
    _, out = done
    page = ElementTree.fromstring(page_of(out).removeprefix("<!DOCTYPE html>"))
    part = next(iter(page.iter("section")))
    assert part.get("id") == "learning"
    beside, points = part.iter("table")
    assert heads(beside) == [
        "learner",
        "random",
        "greedy",
    ]
    curve = curve_of(out)
    told = ["".join(line.findall("td/span")[-1].itertext()) for line in points.findall("tbody/tr")]
    assert heads(points) == [f"{row['steps']:,}" for row in curve]
    assert told == [f"{row['seconds']:,.0f}" for row in curve]
    (image,) = part.iter("img")
    svg = base64.b64decode(image.get("src", "").partition("base64,")[2]).decode()
    for name in ("learner", "random", "greedy", "decisions or labels learnt from, thousands"):
        assert f">{name}<" in svg
    assert "http" not in re.sub(r"base64,[^\"]*", "", page_of(out))
    assert {each.get("id") for each in page.iter("section")} == {"learning", "mirror", "deviation", "lengths", "games"}


@needs_browser
def test_a_browser_shows_the_curve(done, tmp_path: Path) -> None:
    _, out = done
    shown = open_page(page_of(out), tmp_path)
    assert shown.tables == page_of(out).count("<table>")
    assert len(shown.widths) == 4  # the curve, wins and gains with two players, lengths
    assert min(shown.widths) > 250


def test_a_finished_run_is_shown_again_without_training(words: tuple[str, ...], done) -> None:
    _, out = done
    before = {name: (out / name).read_bytes() for name in (training.POLICY, comparing.CURVE, comparing.COMPARISON)}
    again = riverbed(*words, "--out", str(out))
    assert again.returncode == 0, again.stderr
    assert f"resuming {out} at {STEPS} decisions" in one_line(again.stdout)
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


@pytest.mark.slow
def test_an_interrupted_run_is_resumed_by_the_same_command(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, keep = tmp_path / "run", training.Training.keep

    def keep_and_stop(self: training.Training) -> None:
        keep(self)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(training.Training, "keep", keep_and_stop)
    broken = riverbed(*words, "--out", str(out))
    assert broken.returncode == 130
    assert f"the last checkpoint is kept in {out}; resume with: riverbed train" in one_line(broken.stderr)
    monkeypatch.setattr(training.Training, "keep", keep)
    on = riverbed(*words, "--out", str(out))
    assert on.returncode == 0, on.stderr
    resumed = re.search(r"resuming \S+ at (\d+) decisions", one_line(on.stdout))
    assert resumed is not None
    assert 0 < int(resumed[1]) < STEPS
    assert curve_of(out)[-1]["steps"] == STEPS


@pytest.mark.slow
def test_another_run_in_the_folder_is_replaced_only_when_asked(words: tuple[str, ...], tmp_path: Path) -> None:
    out = tmp_path / "run"
    plain = (*words[:2], "--steps", "64", "--set", "evaluation_games=0", "--out", str(out))
    assert riverbed(*plain).returncode == 0
    before = (out / training.POLICY).read_bytes()
    refused = riverbed(*plain, "--seed", "1")
    assert refused.returncode == 2
    assert "holds a run with other settings" in one_line(refused.stderr)
    assert (out / training.POLICY).read_bytes() == before
    replaced = riverbed(*plain, "--seed", "1", "--overwrite")
    assert replaced.returncode == 0, replaced.stderr
    assert f"replacing the run in {out}" in one_line(replaced.stderr)
    assert json.loads((out / "config.json").read_text())["seed"] == 1


def test_a_policy_is_shown_with_the_curve_beside_it_if_it_is_its_own(done) -> None:
    _, out = done
    game, policy = find_game(GAME), out / training.POLICY
    (row,) = learning_rows(game, ["random", str(policy), f"{policy}:greedy=true"])
    assert (row.opponents, row.reference, row.points[-1].steps) == ("greedy", "greedy", STEPS)
    (out / comparing.COMPARISON).write_text("{}")
    (row,) = learning_rows(game, [str(policy)])
    assert row.others == ()
    curve = curve_of(out)
    (out / comparing.CURVE).write_text(json.dumps({"curve": curve[:-1]}))
    assert learning_rows(game, [str(policy)]) == ()  # a curve that ends elsewhere is of another policy
    (out / comparing.CURVE).write_text("not JSON")
    assert learning_rows(game, [str(policy)]) == ()


def test_a_report_that_cannot_be_is_refused_before_training(tmp_path: Path) -> None:
    done = riverbed("train", "--report", "--report-games", "0", "--out", str(tmp_path / "run"))
    assert done.returncode == 2
    assert "games must be an integer from 1" in one_line(done.stderr)
    assert not (tmp_path / "run").exists()
