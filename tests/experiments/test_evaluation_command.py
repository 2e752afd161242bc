"""`riverbed evaluate`, `report` and `replay`, as a person calls them.

In processes of their own where that is the point: two at once, interrupted, killed, with a folder of their own to
import from, and once for each way they can end.
"""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest
from in_process import one_line, ran, refused, riverbed
from pyarrow import parquet

from riverbed_lab import published

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

PROGRAM = "import sys; from riverbed_lab.cli.app import main; sys.argv[0] = 'riverbed'; main()"
HEARS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "  # in the background too
SHORT = ("--players", "7", "--games", "16000", "--tables", "mirror", "--threads", "1")
WORDS = (
    "--reference", "random", "--players", "4,7", "--roles", "chief,separatist", "--games", "30", "--seed", "5",
    "--held-out", "random,simple", "--threads", "1")  # fmt: skip
WRITTEN = ["parts", "plan.json", "report.html", "summary.json"]
MINE = '''
"""An agent of a file."""
import numpy as np

def last_legal(observation, mask, memory, rng):
    return int(np.flatnonzero(mask)[-1])
'''


def process(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, in this folder."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, timeout=300, check=False, cwd=folder
    )


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], Path]:
    out = tmp_path_factory.mktemp("evaluated")
    return process("evaluate", "simple", *WORDS, "--out", str(out)), out


def test_evaluate_begins_with_the_verdict_and_prints_four_tables_per_player_count(evaluated) -> None:
    done, _ = evaluated
    assert done.returncode == 0, done.stderr
    said = one_line(done.stdout)
    assert said.startswith("4 players: simple in one seat among random, against random there: ")
    for table in ("mirror", "deviation", "matrix", "held_out"):
        for count in (4, 7):
            assert re.search(rf"Riverbed Hunt: {table}: [a-z ]+, {count} players", said)
    assert "points can go unnoticed in 30 deals" in said


def test_evaluate_writes_rows_a_plan_a_summary_and_the_report(evaluated) -> None:
    _, out = evaluated
    assert sorted(path.name for path in out.iterdir()) == WRITTEN
    summary = json.loads((out / "summary.json").read_text())
    assert len(summary["cells"]) == len(list((out / "parts").iterdir())) == 2 * (2 + 4 + 6 + 4)
    assert summary["plan"]["roles"] == ["chief", "separatist"]
    assert "<h2>mirror: the same agent in every seat</h2>" in (out / "report.html").read_text()


def test_a_finished_evaluation_is_shown_again_without_play(evaluated) -> None:
    done, out = evaluated
    again = riverbed("evaluate", "simple", *WORDS, "--out", str(out))
    assert again.returncode == 0, again.stderr
    assert "games/s" in done.stderr
    assert "games/s" not in again.stderr
    assert again.stdout == done.stdout


def without_time(path: Path) -> str:
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "", path.read_text(encoding="utf-8"))


def test_an_evaluation_is_finished_and_reported_by_its_folder_alone(evaluated, tmp_path: Path) -> None:
    _, out = evaluated
    half = tmp_path / "half"
    shutil.copytree(out, half)
    for name in ("parts/0003-00000.parquet", "report.html", "summary.json"):
        (half / name).unlink()
    kept = {path: path.stat().st_mtime_ns for path in half.rglob("*.*") if path.parent.name == "parts"}
    finished = riverbed("evaluate", str(half))
    assert finished.returncode == 0, finished.stderr
    assert "31 of 32 parts finished" in one_line(finished.stderr)
    assert sorted(path.name for path in half.iterdir()) == WRITTEN
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    for name in ("report.html", "summary.json"):
        assert without_time(half / name) == without_time(out / name)


def test_without_a_report_there_are_tables_and_the_summary(tmp_path: Path) -> None:
    ran("evaluate", "simple", *WORDS, "--tables", "mirror", "--no-report", "--out", str(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parts", "plan.json", "summary.json"]


def test_replay_lists_cells_and_plays_a_row_again(evaluated) -> None:
    _, out = evaluated
    listed = riverbed("replay", str(out)).stdout
    assert "deviation 7: simple as separatist among random" in listed
    done = ran("replay", str(out), "--cell", "deviation 7: simple as separatist among random", "--game", "3")
    assert "simple, separatist, in focus" in done
    assert "game 3 of seed 5 ends as its row says" in done
    watched = riverbed("replay", str(out), "--cell", "0", "--game", "2", "--pause", "0")
    assert "the game ends" in watched.stdout
    assert "game 2 of seed 5 ends as its row says" in watched.stdout


def test_a_row_of_an_evaluation_becomes_a_page(evaluated, tmp_path: Path) -> None:
    _, out = evaluated
    page = tmp_path / "game.html"
    assert "the view of seat 3 alone" in ran(
        "replay", str(out), "--cell", "0", "--game", "2", "--html", str(page), "--advice", "none", "--viewer", "3"
    )
    assert '"title":"Riverbed Hunt"' in page.read_text(encoding="utf-8")


def test_replay_complains_of_a_row_that_is_wrong(evaluated, tmp_path: Path) -> None:
    _, out = evaluated
    (tmp_path / "parts").mkdir()
    (tmp_path / "plan.json").write_bytes((out / "plan.json").read_bytes())
    part = parquet.read_table(out / "parts" / "0000-00000.parquet")
    wrong = pa.array(part["decisions"].to_numpy() + 1)
    altered = part.set_column(part.column_names.index("decisions"), "decisions", wrong)
    parquet.write_table(altered, tmp_path / "parts" / "0000-00000.parquet")
    assert "game 3 ends differently from its row" in refused("replay", str(tmp_path), "--cell", "0", "--game", "3")


@pytest.mark.slow
def test_an_interruption_says_what_is_kept_and_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("evaluate", "simple", "--reference", "random", *SHORT, "--out", str(out))
    command = [sys.executable, "-c", HEARS + PROGRAM, *words]
    interrupted = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not list(out.glob("parts/*.parquet")):
        assert interrupted.poll() is None
        time.sleep(0.005)
    interrupted.send_signal(signal.SIGINT)
    _, said = interrupted.communicate(timeout=300)
    assert interrupted.returncode == 130
    assert "of 8 parts are finished and kept" in one_line(said)
    assert f"riverbed {' '.join(words)}" in one_line(said)


def test_without_agents_the_published_ones_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(published.HELD_OUT, "riverbed_hunt", ("random", "simple"))  # six more would be compiled
    words = ("--games", "6", "--players", "7", "--threads", "1")
    ran("evaluate", *words, "--out", str(tmp_path))
    assert {"mirror", "deviation", "matrix", "held_out"} == {
        cell["table"] for cell in json.loads((tmp_path / "summary.json").read_text())["cells"]
    }
    plan = json.loads((tmp_path / "plan.json").read_text())["plan"]
    assert {*plan["agents"], plan["reference"]} == {*published.AGENTS["riverbed_hunt"]}
    assert (tmp_path / "report.html").exists()


def test_an_edited_agent_is_named_and_its_games_are_kept_apart(tmp_path: Path) -> None:
    file, out = tmp_path / "mine.py", tmp_path / "out"
    file.write_text(MINE)
    words = ("evaluate", f"{file}:last_legal", "--game", "deep_river", "--tables", "mirror", "--games", "4")
    words = (*words, "--no-report", "--threads", "1", "--out", str(out))
    ran(*words)
    file.write_text(MINE.replace("[-1]", "[0]"))
    assert f"{out} holds another evaluation: mine.py changed since. Choose another folder" in refused(*words)


NAMED = "a[red]b.py:fire"  # which Rich would read as a style and an emoji


@pytest.mark.parametrize("pipe", ["", "| head -1", "| true"])
def test_an_agent_is_printed_as_it_is_named_and_files_are_written_whoever_reads(pipe: str, tmp_path: Path) -> None:
    (tmp_path / NAMED.partition(":")[0]).write_text(MINE.replace("last_legal", "fire"))
    words = ("evaluate", NAMED, "--game", "deep_river", "--tables", "mirror,deviation", "--games", "8")
    command = [sys.executable, "-c", PROGRAM, *words, "--threads", "1", "--out", "out"]
    shell = ["bash", "-c", f'set -o pipefail; "$@" {pipe}', "bash", *command]
    done = subprocess.run(shell, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == WRITTEN
    if not pipe:
        assert done.stdout.startswith(f"2 players: {NAMED} in one seat among greedy")
        assert done.stdout.count(NAMED) > 3


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("simple", "--game", "river_rats", "--tables", "matrix"), "has one camp, and matrix needs two or more"),
        (("simple", "--players", "many"), "not 'many'"),
        (("simple", "--game", "chess_v9"), "there is no game 'chess_v9'"),
        (("simple", "--seed", "-1"), "seed must be from 0"),
        (("simple", "--set", "pack=nothing"), "no pack 'nothing'"),
        (("simple", "--held-out", "slient"), "has no agent 'slient'"),
        (("simpel",), "did you mean 'simple'"),
        (("simple:depth=3",), "takes no parameters"),
        (("missing.py:AGENT",), "missing.py can't be loaded"),
    ],
)
def test_bad_input_is_answered_in_a_line(words: tuple[str, ...], complaint: str, tmp_path: Path) -> None:
    assert complaint in refused("evaluate", *words, "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["replay", "evaluate"])
def test_a_folder_of_nothing_is_said_to_be_so(command: str, tmp_path: Path) -> None:
    assert "holds no evaluation" in refused(command, str(tmp_path))


def test_an_unwritable_folder_is_refused_before_any_play(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert "choose another with --out" in refused(
        "evaluate", "simple", "--games", "10", "--players", "4", "--out", str(blocked / "results")
    )
