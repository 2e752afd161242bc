"""`riverbed evaluate`, `benchmark` of the published agents and `replay`, as a person calls them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

pytestmark = pytest.mark.compiled

PROGRAM = "import sys; from experiments.command import main; sys.argv[0] = 'riverbed'; main()"
SHORT = ("--players", "7", "--games", "12000", "--tables", "mirror", "--threads", "1")
MINE = '''
"""An agent of a file."""
import numpy as np

def last_legal(observation, mask, memory, rng):
    return int(np.flatnonzero(mask)[-1])
'''


def riverbed(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, timeout=300, check=False, cwd=folder
    )


def one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], Path]:
    out = tmp_path_factory.mktemp("evaluated")
    words = ("--reference", "random", "--players", "4,7", "--roles", "chief,separatist", "--games", "30", "--seed", "5")
    return riverbed("evaluate", "simple", *words, "--out", str(out)), out


def test_evaluate_prints_four_tables_a_player_count_with_base_rates_and_warnings(evaluated) -> None:
    done, _ = evaluated
    assert done.returncode == 0, done.stderr
    said = one_line(done.stdout)
    for count in (4, 7):
        for words in ("every seat the same agent", "one seat of a role", "each camp one agent", "among random, simple"):
            assert f"{count} players: {words}" in said or f"{count} players: one seat of a role {words}" in said
        assert f"{count} players, all camps: 30 deals an arm" in said
    for words in ("all random", "best rules", "95 % intervals", "games/s"):
        assert words in said


def test_evaluate_writes_rows_a_plan_and_a_summary(evaluated) -> None:
    _, out = evaluated
    assert sorted(path.name for path in out.iterdir()) == ["parts", "plan.json", "summary.json"]
    summary = json.loads((out / "summary.json").read_text())
    assert len(summary["cells"]) == len(list((out / "parts").iterdir())) == 2 * (2 + 4 + 6 + 4)
    assert summary["plan"]["roles"] == ["chief", "separatist"]


def test_a_finished_evaluation_is_shown_again_without_play(evaluated) -> None:
    done, out = evaluated
    words = ("--reference", "random", "--players", "4,7", "--roles", "chief,separatist", "--games", "30", "--seed", "5")
    again = riverbed("evaluate", "simple", *words, "--out", str(out))
    assert again.returncode == 0, again.stderr
    assert "games/s" not in again.stdout
    assert one_line(again.stdout).startswith("Riverbed Hunt, 4 players")
    assert again.stdout.splitlines()[-3:] == done.stdout.splitlines()[-3:]


def test_replay_lists_cells_and_plays_a_row_again(evaluated) -> None:
    _, out = evaluated
    listed = riverbed("replay", str(out)).stdout
    assert "deviation 7: simple as separatist among random" in listed
    done = riverbed("replay", str(out), "--cell", "deviation 7: simple as separatist among random", "--game", "3")
    assert done.returncode == 0, done.stderr
    assert "simple, separatist, in focus" in done.stdout
    assert "game 3 of seed 5 comes out as its row says" in done.stdout
    watched = riverbed("replay", str(out), "--cell", "0", "--game", "2", "--watch", "--pause", "0")
    assert "the game ends" in watched.stdout
    assert "game 2 of seed 5 comes out as its row says" in watched.stdout


def test_replay_complains_of_a_row_that_is_wrong(evaluated, tmp_path: Path) -> None:
    _, out = evaluated
    (tmp_path / "parts").mkdir()
    (tmp_path / "plan.json").write_bytes((out / "plan.json").read_bytes())
    part = parquet.read_table(out / "parts" / "0000-00000.parquet")
    wrong = pa.array(part["decisions"].to_numpy() + 1)
    altered = part.set_column(part.column_names.index("decisions"), "decisions", wrong)
    parquet.write_table(altered, tmp_path / "parts" / "0000-00000.parquet")
    done = riverbed("replay", str(tmp_path), "--cell", "0", "--game", "3")
    assert done.returncode == 2
    assert "game 3 comes out otherwise than its row says" in one_line(done.stderr)


def begin(out: Path) -> subprocess.Popen[str]:
    """Start an evaluation and wait until something of it is finished."""
    before = len(list(out.glob("parts/*.parquet")))
    words = [sys.executable, "-c", PROGRAM, "evaluate", "simple", "--reference", "random", *SHORT, "--out", str(out)]
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while len(list(out.glob("parts/*.parquet"))) == before:
        assert running.poll() is None
        time.sleep(0.005)
    return running


@pytest.mark.slow
def test_a_run_goes_on_after_an_interruption_and_a_kill(tmp_path: Path) -> None:
    out, whole = tmp_path / "out", tmp_path / "whole"
    interrupted = begin(out)
    interrupted.send_signal(signal.SIGINT)
    _, said = interrupted.communicate(timeout=300)
    assert interrupted.returncode == 130
    assert "of 6 parts are finished and kept" in one_line(said)
    assert f"riverbed evaluate simple --reference random {' '.join(SHORT)} --out {out}" in one_line(said)
    killed = begin(out)
    killed.send_signal(signal.SIGKILL)
    killed.communicate(timeout=300)
    kept = {path: path.stat().st_mtime_ns for path in (out / "parts").glob("*.parquet")}
    assert 2 <= len(kept) < 6
    words = ("evaluate", "simple", "--reference", "random", *SHORT)
    done = riverbed(*words, "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert riverbed(*words, "--out", str(whole)).returncode == 0
    names = [path.name for path in sorted((whole / "parts").iterdir())]
    assert [path.name for path in sorted((out / "parts").iterdir())] == names
    for name in names:
        one, other = (parquet.read_table(folder / "parts" / name).drop_columns(["seconds"]) for folder in (out, whole))
        assert one.equals(other)


def test_without_an_agent_the_benchmark_compares_the_published_ones(tmp_path: Path) -> None:
    done = riverbed("benchmark", "--games", "6", "--players", "7", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert {"mirror", "deviation", "camp_matrix", "held_out"} == {
        cell["table"] for cell in json.loads((tmp_path / "summary.json").read_text())["cells"]
    }


@pytest.mark.slow
def test_other_games_with_camps_are_evaluated_too(tmp_path: Path) -> None:
    words = ("--game", "deep_river_v0", "--reference", "random", "--games", "40")
    done = riverbed("evaluate", "greedy", *words, "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "Deep River, 2 players: each camp one agent" in one_line(done.stdout)


@pytest.mark.slow
def test_an_agent_of_a_file_is_evaluated(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    words = ("--reference", "random", "--players", "4", "--tables", "mirror", "--games", "10", "--out", "out")
    done = riverbed("evaluate", "mine.py:last_legal", "mine:last_legal", *words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = parquet.read_table(tmp_path / "out" / "parts").to_pylist()
    assert {row["agent_0"] for row in rows} == {"random", "simple", "mine.py:last_legal", "mine:last_legal"}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("simple", "--game", "river_rats_v0"), "has one camp, and evaluations compare camps: use 'riverbed benchmark"),
        (("simple", "--roles", "otter"), "roles must be"),
        (("simple", "--tables", "miror"), "did you mean 'mirror'"),
        (("simple", "--games", "0"), "games must be at least 1, not 0"),
        (("simple", "--held-out", "silent"), "has no agent 'silent'"),
        (("simple", "--reference", "simple"), "can't deviate from itself"),
        (("simpel",), "did you mean 'simple'"),
        (("simple:depth=3",), "takes no parameters"),
        (("simple", "simple"), "one or more different ones"),
        (("missing.py:AGENT",), "missing.py can't be loaded"),
    ],
)
def test_bad_input_is_answered_in_a_line(words: tuple[str, ...], complaint: str, tmp_path: Path) -> None:
    done = riverbed("evaluate", *words, "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert complaint in one_line(done.stderr)
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_folder_of_another_evaluation_is_refused(evaluated) -> None:
    _, out = evaluated
    done = riverbed("evaluate", "simple", "--reference", "random", "--games", "31", "--out", str(out))
    assert done.returncode == 2
    assert "games 30 there, 31 asked for" in one_line(done.stderr)
    assert "Choose another folder with --out" in one_line(done.stderr)


def test_replay_of_nothing_says_so(tmp_path: Path) -> None:
    done = riverbed("replay", str(tmp_path))
    assert done.returncode == 2
    assert "holds no evaluation" in one_line(done.stderr)
