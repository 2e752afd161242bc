"""The report on a policy that `train` has made: its curve, how it was made, and what it gains."""

import base64
import hashlib
import html
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from in_process import one_line, ran, riverbed

from riverbed_env.registry import find_game
from riverbed_lab.cli.configs import gather
from riverbed_lab.report.learning import learners
from riverbed_lab.training.build import build_training
from riverbed_lab.training.config import TrainingConfig
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
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, Path]:
    """What `train` and then `evaluate` printed, and the folder of the run."""
    out = tmp_path_factory.mktemp("done") / "run"
    file = out.with_suffix(".toml")
    file.write_text(FILE)
    trained = ran("train", str(file), "--out", str(out))
    words = ("--game", GAME, "--roles", find_game(GAME).roles[0], "--games", str(DEALS), "--reference", "greedy")
    named = f"learner={out / POLICY}"
    shown = ran("evaluate", named, *words, "--tables", "mirror,deviation", "--out", str(out / "evaluation"))
    return one_line(trained), one_line(shown), out


def heads(grid: ElementTree.Element) -> list[str]:
    """The words that head the lines of a table."""
    return ["".join(line.itertext()) for line in grid.findall("tbody/tr/th")]


def page_of(out: Path) -> str:
    return (out / "evaluation" / "report.html").read_text(encoding="utf-8")


def curve_of(out: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((out / CURVE).read_text())["curve"]
    return found


def test_it_tells_the_curve_from_before_training_and_where_the_policy_is(done) -> None:
    said, *_, out = done
    assert [row["steps"] for row in curve_of(out)] == [0, 64, 128, 192, STEPS]
    for row in curve_of(out):
        assert f"{row['steps']:,} decisions, {row['seconds']:.0f} s: won {100 * row['won']:.1f} %" in said
    assert f"wrote {out}/policy.npz; compare it with: riverbed evaluate {out}/policy.npz --game {GAME}" in said


def test_the_report_has_the_curve_first_with_all_points_and_lines(done) -> None:
    *_, out = done
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


def test_the_command_in_the_report_is_of_the_same_evaluation(done) -> None:
    *_, out = done
    page = ElementTree.fromstring(page_of(out).removeprefix("<!DOCTYPE html>"))
    command = shlex.split("".join(page.find(".//pre/code").itertext()))
    again = riverbed(*command[1:], "--out", str(out / "evaluation"))
    assert again.returncode == 0, again.stderr
    assert re.search(r"(\d+) of \1 parts finished", one_line(again.stderr))


def test_a_policy_is_shown_with_the_curve_beside_it_or_the_reason_why_not(done) -> None:
    *_, out = done
    game, policy, curve = find_game(GAME), out / POLICY, curve_of(out)
    labels = {name: name for name in ("random", str(policy), f"{policy}:greedy=true")}
    (learner,), complaints = learners(game, labels)
    made = learner.made
    assert (made["among"], made["learnt from"], learner.points[-1].steps) == ("greedy", f"{STEPS} decisions", STEPS)
    assert made["hash of the policy"] == hashlib.sha256(policy.read_bytes()).hexdigest()[:12]
    program, name, *settings = shlex.split(made["command"])
    values, _ = gather(None, TrainingConfig, settings[1::2])
    assert ((program, name), {*settings[::2]}) == (("riverbed", "train"), {"--set"})
    assert replace(build_training(values, "here"), threads=1) == TrainingConfig.load(out)
    assert complaints == ()
    for text, reason in (
        (json.dumps({"curve": curve[:-1]}), f"ends at 192 steps, the policy has learnt from {STEPS}"),
        (json.dumps({"curve": [{"steps": STEPS, "seconds": 1.0}]}), "has no evaluations"),
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
