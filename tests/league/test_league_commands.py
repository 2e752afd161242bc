"""`riverbed league` as a person calls it, for leagues and best responses."""

import json
from pathlib import Path

import pytest
from in_process import one_line, riverbed, settings

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

GAME = settings(game="ford_v0", threads=1, num_envs=8, rollout_steps=16, batch_size=64)
LEAGUE = (
    *("league", *GAME),
    *settings(rounds=1, steps_per_round=128, evaluation_games=30, rate_every=1, lineups=3),
)
EXPLOIT = (
    *("league", "--exploit", "random", *GAME),
    *settings(roles="all", seeds=1, steps=128, games=40, evaluation_games=0),
)


def test_a_league_is_played_resumed_and_made_longer(tmp_path: Path) -> None:
    out = tmp_path / "league"
    done = riverbed(*LEAGUE, "--set", "exploiters=none", "--out", str(out))
    assert done.returncode == 0, done.stderr
    said = one_line(done.stdout)
    assert "after 1 rounds: main agents in one seat among others" in said
    how = f"riverbed evaluate {out}/main.npz --game ford_v0 --players 3"
    assert how in said
    longer = riverbed("league", str(out), "--set", "rounds=2")
    assert "after 1 rounds" in one_line(longer.stdout)
    assert json.loads((out / "config.json").read_text())["rounds"] == 2


def test_settings_are_kept_with_the_league(tmp_path: Path) -> None:
    out = tmp_path / "league"
    words = ("--set", "exponent=0", "--set", "decay=0.5", "--set", "seed=9", "--set", "policies=per_role")
    assert riverbed(*LEAGUE, *words, "--out", str(out)).returncode == 0
    kept = json.loads((out / "config.json").read_text())
    assert (kept["exponent"], kept["decay"], kept["policies"]) == (0, 0.5, "per_role")
    assert kept["exploiters"] == ["wader"]
    assert kept["training"]["seed"] == 9


def test_files_hold_the_settings_of_a_league_and_of_best_responses(tmp_path: Path) -> None:
    learners = '[training]\ngame = "ford_v0"\nnum_envs = 8\nrollout_steps = 16\nbatch_size = 64\nevaluation_games = 0\n'
    file = tmp_path / "league.toml"
    file.write_text(f'rounds = 1\nsteps_per_round = 128\nexploiters = []\nanchors = ["random"]\n{learners}')
    assert riverbed("league", str(file), "--set", "seed=4", "--out", str(tmp_path / "league")).returncode == 0
    kept = json.loads((tmp_path / "league" / "config.json").read_text())
    assert (kept["rounds"], kept["anchors"], kept["exploiters"], kept["training"]["seed"]) == (1, ["random"], [], 4)
    file = tmp_path / "exploit.toml"
    file.write_text(f'roles = "all"\nseeds = 1\ngames = 40\n{learners}opponents = ["random"]\nsteps = 128\n')
    assert riverbed("league", "--exploit", str(file), "--out", str(tmp_path / "exploit")).returncode == 0
    kept = json.loads((tmp_path / "exploit" / "config.json").read_text())
    assert (kept["roles"], kept["training"]["opponents"]) == (["wader"], [{"everybody": ["random"]}])
    file.write_text("[training]\nrole = 'wader'")
    refused = riverbed("league", str(file), "--out", str(tmp_path / "other"))
    assert "there is no setting 'role'" in one_line(refused.stderr)


def test_best_responses_are_printed_as_a_table(tmp_path: Path) -> None:
    out = tmp_path / "exploit"
    for _ in range(2):  # the second run finds everything done
        done = riverbed(*EXPLOIT, "--out", str(out))
        assert done.returncode == 0, done.stderr
        said = one_line(done.stdout)
        assert "best responses to random, 95 % intervals" in said
        assert "An interval over training seeds needs 5" in said
        assert f"wrote {out}/robustness.json" in said


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((*LEAGUE, "--set", "exponnt=1"), "did you mean 'exponent'"),
        ((*LEAGUE, "--set", "lineups=few"), "lineups"),
        (("league", "gone"), "leave out --out"),
        (("league", "--exploit", "nobody", *GAME), "has no agent 'nobody'"),
        (("league", "--exploit", "random;simple", *GAME), "or AGENT;ROLE=AGENT;CAMP=AGENT+AGENT"),
    ],
)
def test_bad_input_is_answered_in_a_line(tmp_path: Path, words: tuple[str, ...], complaint: str) -> None:
    out = tmp_path / "out"
    done = riverbed(*words, "--out", str(out))
    assert done.returncode == 2
    assert complaint in one_line(done.stderr)
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("out/*"))
