"""`train --report`: a small run from a file, its report, resuming and replacing it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shlex
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from browser import needs_browser, open_page
from in_process import one_line, riverbed

from riverbed_env.registry import find_game
from riverbed_lab import ppo
from riverbed_lab.cli.configs import gather
from riverbed_lab.report.learning import learners
from riverbed_lab.training.build import build_training
from riverbed_lab.training.config import TrainingConfig, load_config
from riverbed_lab.training.curve import CURVE
from riverbed_lab.training.folder_run import POLICY

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
    return ("train", str(file), "--report", str(DEALS), "--overwrite")


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
    found: list[dict[str, Any]] = json.loads((out / CURVE).read_text())["curve"]
    return found


def test_it_tells_the_curve_from_before_training_the_comparison_the_tables_and_where_the_report_is(done) -> None:
    said, out = done
    assert [row["steps"] for row in curve_of(out)] == [0, 64, 128, 192, STEPS]
    for row in curve_of(out):
        assert f"{row['steps']:,} decisions, {row['seconds']:.0f} s: won {100 * row['won']:.1f} %" in said
    assert "Deep River: deviation: one seat changes hands" in said
    assert said.endswith(f"the report: {out}/evaluation/report.html")


def test_the_learner_is_measured_on_one_set_of_deals_and_has_one_verdict(done) -> None:
    said, out = done
    told = json.loads((out / "evaluation" / "summary.json").read_text())
    (deals,) = [cell["deals"] for cell in told["cells"] if "gain" in cell and cell["agent"] != "random"]
    assert deals == DEALS
    (verdict,) = [words for words in told["verdict"] if "learner" in words]
    assert said.count("learner wins") == 1
    assert verdict in said
    assert not list(out.rglob("comparison.json"))


def test_the_report_has_the_curve_first_with_all_points_and_lines(done) -> None:
    _, out = done
    page = ElementTree.fromstring(page_of(out).removeprefix("<!DOCTYPE html>"))
    part = next(iter(page.iter("section")))
    assert part.get("id") == "learning"
    made, points = part.iter("table")
    assert "riverbed train --set game=" in "".join(made.itertext())
    curve = curve_of(out)
    told = ["".join(line.findall("td/span")[-1].itertext()) for line in points.findall("tbody/tr")]
    assert heads(points) == [f"{row['steps']:,}" for row in curve]
    assert told == [f"{row['seconds']:,.0f}" for row in curve]
    images = [base64.b64decode(image.get("src", "").partition("base64,")[2]).decode() for image in part.iter("img")]
    for svg, name in zip(images, ("wins, %", "Gain over greedy, points"), strict=True):
        assert ">learner<" in svg
        assert name in svg
    assert "http" not in re.sub(r"base64,[^\"]*", "", page_of(out))
    assert {each.get("id") for each in page.iter("section")} == {"learning", "mirror", "deviation", "lengths"}


@needs_browser
def test_a_browser_shows_the_curve(done, tmp_path: Path) -> None:
    _, out = done
    shown = open_page(page_of(out), tmp_path)
    assert shown.tables == page_of(out).count("<table>")
    assert len(shown.widths) == 4  # two of the curve, wins and gains with two players
    assert min(shown.widths) > 250


def test_a_finished_run_is_shown_again_without_training(words: tuple[str, ...], done) -> None:
    _, out = done
    before = {name: (out / name).read_bytes() for name in (POLICY, CURVE)}
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
    out, keep = tmp_path / "run", ppo.Training.keep

    def keep_and_stop(self: ppo.Training) -> None:
        keep(self)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(ppo.Training, "keep", keep_and_stop)
    broken = riverbed(*words, "--out", str(out))
    assert broken.returncode == 130
    assert f"the last checkpoint is kept in {out}; resume with: riverbed train" in one_line(broken.stderr)
    monkeypatch.setattr(ppo.Training, "keep", keep)
    on = riverbed(*words, "--out", str(out))
    assert on.returncode == 0, on.stderr
    resumed = re.search(r"resuming \S+ at (\d+) decisions", one_line(on.stdout))
    assert resumed is not None
    assert 0 < int(resumed[1]) < STEPS
    assert curve_of(out)[-1]["steps"] == STEPS


@pytest.mark.slow
def test_another_run_in_the_folder_is_replaced_only_when_asked(words: tuple[str, ...], tmp_path: Path) -> None:
    out = tmp_path / "run"
    plain = (*words[:2], "--set", "steps=64", "--set", "evaluation_games=0", "--out", str(out))
    assert riverbed(*plain).returncode == 0
    before = (out / POLICY).read_bytes()
    refused = riverbed(*plain, "--set", "seed=1")
    assert refused.returncode == 2
    assert "holds a run with other settings" in one_line(refused.stderr)
    assert (out / POLICY).read_bytes() == before
    replaced = riverbed(*plain, "--set", "seed=1", "--overwrite")
    assert replaced.returncode == 0, replaced.stderr
    assert f"replacing the run in {out}" in one_line(replaced.stderr)
    assert json.loads((out / "config.json").read_text())["seed"] == 1


def test_a_policy_is_shown_with_the_curve_beside_it_or_the_reason_why_not(done) -> None:
    _, out = done
    game, policy, curve = find_game(GAME), out / POLICY, curve_of(out)
    labels = {name: name for name in ("random", str(policy), f"{policy}:greedy=true")}
    (learner,), complaints = learners(game, labels)
    made = learner.made
    assert (made["among"], made["learnt from"], learner.points[-1].steps) == ("greedy", f"{STEPS} decisions", STEPS)
    assert made["hash of the policy"] == hashlib.sha256(policy.read_bytes()).hexdigest()[:12]
    program, name, *settings = shlex.split(made["command"])
    values, _ = gather(None, TrainingConfig, settings[1::2])
    assert ((program, name), {*settings[::2]}) == (("riverbed", "train"), {"--set"})
    assert replace(build_training(values, "here"), threads=1) == load_config(out / "config.json")
    assert complaints == ()
    for text, reason in (
        (json.dumps({"curve": curve[:-1]}), f"ends at 192 steps, the policy has learnt from {STEPS}"),
        (json.dumps({"curve": [{"steps": STEPS, "seconds": 1.0}]}), "has no evaluations"),
        (json.dumps({"curve": [{**curve[-1], "won": 2.0}]}), "has rates outside of 0 to 1"),
        ("not JSON", "curve.json"),
    ):
        (out / CURVE).write_text(text)
        found, (complaint,) = learners(game, {str(policy): "learner"})
        assert found == ()
        assert complaint.startswith(f"There is no learning curve of {policy}: ")
        assert reason in complaint
    shown = riverbed("evaluate", str(out / "evaluation"))
    assert complaint in one_line(shown.stdout)
    assert complaint in html.unescape(page_of(out))
    (out / CURVE).unlink()
    assert learners(game, {str(policy): "learner"}) == ((), ())


def test_a_report_that_cannot_be_is_refused_before_training(tmp_path: Path) -> None:
    done = riverbed("train", "--report", "-1", "--out", str(tmp_path / "run"))
    assert done.returncode == 2
    assert "greater than or equal to 0" in one_line(done.stderr)
    assert not (tmp_path / "run").exists()
