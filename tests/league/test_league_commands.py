"""`riverbed league` and `riverbed exploit` as a person calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from in_process import one_line, riverbed

pytestmark = pytest.mark.compiled

GAME = ("--game", "ford_v0", "--num-envs", "8", "--threads", "1", "--ppo", "rollout_steps=16", "--ppo", "batch_size=64")
LEAGUE = (
    *("league", *GAME, "--rounds", "1", "--steps-per-round", "128", "--evaluation-games", "30"),
    *("--league", "rate_every=1", "--league", "lineups=3"),
)
EXPLOIT = (
    *("exploit", "random", *GAME, "--role", "all", "--seeds", "1", "--steps", "128", "--games", "40"),
    *("--evaluation-games", "0"),
)


def test_a_league_is_played_taken_up_and_made_longer(tmp_path: Path) -> None:
    out = tmp_path / "league"
    done = riverbed(*LEAGUE, "--exploiters", "none", "--out", str(out))
    assert done.returncode == 0, done.stderr
    said = one_line(done.stdout)
    assert "after 1 rounds: main agents in one seat among random" in said
    how = f"riverbed benchmark --agent {out}/main.npz --others random --game ford_v0 --players 3"
    assert how in said  # games of one camp aren't evaluated by camps
    longer = riverbed("league", "--out", str(out), "--resume", "--rounds", "2")
    assert "after 1 rounds" in one_line(longer.stdout)
    assert json.loads((out / "config.json").read_text())["rounds"] == 2


def test_settings_are_kept_with_the_league(tmp_path: Path) -> None:
    out = tmp_path / "league"
    words = ("--league", "weighting=even", "--league", "mixed=false", "--seed", "9", "--policies", "per_role")
    assert riverbed(*LEAGUE, *words, "--out", str(out)).returncode == 0
    kept = json.loads((out / "config.json").read_text())
    assert (kept["weighting"], kept["mixed"], kept["policies"]) == ("even", False, "per_role")
    assert kept["exploiters"] == ["wader"]
    assert kept["training"]["seed"] == 9


def test_best_responses_are_told_as_a_table(tmp_path: Path) -> None:
    out = tmp_path / "exploit"
    for _ in range(2):  # the second time nothing is left to do
        done = riverbed(*EXPLOIT, "--out", str(out))
        assert done.returncode == 0, done.stderr
        said = one_line(done.stdout)
        assert "best responses to random, 95 % intervals" in said
        assert "An interval over training seeds needs 5" in said
        assert "40 games an arm resolve" in said
        assert f"wrote {out}/robustness.json and {out}/robustness.md" in said


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((*LEAGUE, "--exploiters", "admiral"), "exploiters must be"),
        ((*LEAGUE, "--anchors", "nobody"), "has no agent 'nobody'"),
        ((*LEAGUE, "--anchors", "gone.npz"), "gone.npz"),
        ((*LEAGUE, "--policies", "many"), "policies must be"),
        ((*LEAGUE, "--league", "weightin=even"), "did you mean 'weighting'"),
        ((*LEAGUE, "--league", "lineups=few"), "lineups must be of kind int"),
        ((*LEAGUE, "--league", "mixed=1"), "mixed must be of kind bool"),
        ((*LEAGUE, "--players", "99"), "players must be"),
        (("league", "--resume"), "holds no league that could be taken up"),
        (("league", "--resume", "--rounds", "3"), "holds no league that could be taken up"),
        ((*EXPLOIT, "--role", "admiral"), "there is no role 'admiral'"),
        (("exploit", "nobody", *GAME, "--role", "all"), "has no agent 'nobody'"),
        (("exploit", "random;simple", *GAME, "--role", "all"), "takes an agent, or ROLE=AGENT"),
        ((*EXPLOIT, "--seeds", "0"), "seeds must be"),
    ],
)
def test_bad_input_is_answered_in_a_line(tmp_path: Path, words: tuple[str, ...], complaint: str) -> None:
    out = tmp_path / "out"
    done = riverbed(*words, "--out", str(out))
    assert done.returncode == 2
    assert complaint in one_line(done.stderr)
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("out/*"))
