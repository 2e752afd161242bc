"""`riverbed train` as a person calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from in_process import one_line, riverbed

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game
from riverbed_lab.training.config import read_opponents

pytestmark = pytest.mark.compiled

HUNT = find_game("riverbed_hunt_v0")
SHORT = (
    *("--game", "ford_v0", "--steps", "256", "--num-envs", "8", "--evaluate-every", "128", "--evaluation-games", "50"),
    *("--checkpoint-every", "128", "--threads", "1", "--ppo", "rollout_steps=16", "--ppo", "batch_size=64"),
)


def test_it_trains_tells_how_it_goes_and_leaves_an_agent(tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = riverbed("train", *SHORT, "--out", str(out))
    assert done.returncode == 0, done.stderr
    said = one_line(done.stdout)
    assert "128 decisions" in said
    assert "256 decisions" in said
    assert "of 50 common deals, random" in said
    assert f"wrote {out}/policy.npz" in said
    played = riverbed("evaluate", str(out / "policy.npz"), "--game", "ford_v0", "--help")
    assert played.returncode == 0
    again = riverbed("train", "--out", str(out), "--resume")
    assert "taking up" in again.stdout
    assert "at 256 decisions" in one_line(again.stdout)


def test_settings_are_kept_with_the_run(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ("--ppo", "learning_rate=0.01", "--ppo", "widths=8,4", "--set", "max_decisions=40", "--seed", "9")
    assert riverbed("train", *SHORT, *words, "--out", str(out)).returncode == 0
    kept = json.loads((out / "config.json").read_text())
    assert (kept["learning_rate"], kept["widths"], kept["seed"]) == (0.01, [8, 4], 9)
    assert kept["options"] == {"max_decisions": 40}
    assert kept["opponents"] == [{"everybody": ["random"]}]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--role", "admiral"), "role must be"),
        (("--role", "cheif", "--game", "riverbed_hunt_v0"), "did you mean 'chief'"),
        (("--opponents", "nobody"), "has no agent 'nobody'"),
        (("--opponents", "random;simple"), "--opponents takes an agent"),
        (("--players", "99"), "players must be"),
        (("--steps", "0"), "steps must be"),
        (("--ppo", "learning_rat=1"), "did you mean 'learning_rate'"),
        (("--ppo", "learning_rate=fast"), "must be of kind float"),
        (("--features", "smell"), "has no sense 'smell'"),
        (("--advice", "nobody"), "has no sense 'advice:nobody'"),
        (("--resume",), "holds no run that could be taken up"),
        (("--set", "colour=red"), "has no option 'colour'"),
    ],
)
def test_bad_input_is_answered_in_a_line(tmp_path: Path, words: tuple[str, ...], complaint: str) -> None:
    out = tmp_path / "run"
    done = riverbed("train", *SHORT, *words, "--out", str(out))
    assert done.returncode == 2
    assert complaint in one_line(done.stderr)
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("run/*.npz"))


def test_opponents_are_read_by_role_and_camp() -> None:
    assert read_opponents(None, HUNT, "simple") == ({"everybody": ["simple"]},)
    assert read_opponents(["search:worlds=10"], HUNT, "simple") == ({"everybody": ["search:worlds=10"]},)
    assert read_opponents(["merchants=simple+random;profiteer=rule_based", "random+simple"], HUNT, "simple") == (
        {"merchants": ["simple", "random"], "profiteer": ["rule_based"]},
        {"everybody": ["random", "simple"]},
    )
    with pytest.raises(OptionError, match="roles and camps are chief, leader"):
        read_opponents(["chief=simple;random"], HUNT, "simple")
