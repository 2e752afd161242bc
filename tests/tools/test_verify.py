"""`make verify`: lock-step in blocks, interrupted and resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import verify

from riverbed_env.registry import find_game

pytestmark = pytest.mark.compiled

HUNT = find_game("riverbed_hunt_v0")


def words(out: Path, games: int, *more: str) -> tuple[str, ...]:
    return ("--games", str(games), "--players", "4,5", "--workers", "1", "--out", str(out), *more)


def run(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, verify.__file__, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def lines(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (out / verify.FILE).read_text().splitlines()]


@pytest.mark.slow
def test_a_run_continues_where_it_stopped(tmp_path: Path) -> None:
    done = run(*words(tmp_path, 500))
    assert done.returncode == 0, done.stderr
    assert "500 games" in done.stdout
    assert "0 disagreements" in done.stdout
    first = (tmp_path / verify.FILE).read_text()
    with (tmp_path / verify.FILE).open("a") as file:
        file.write('{"game": "riverbed_hunt_v0", "pack": "def')  # half a line, as a kill leaves it
    done = run(*words(tmp_path, 750))
    assert done.returncode == 0, done.stderr
    assert "750 games" in done.stdout
    written = (tmp_path / verify.FILE).read_text()
    assert written.startswith(first)
    rows = [json.loads(line) for line in written.splitlines() if line.endswith("}")]
    assert [(row["kind"], row["num_players"], row["first"]) for row in rows] == [
        ("default", 4, 0), ("nested", 4, 0), ("otherwise", 4, 0),
    ]  # fmt: skip
    assert all(row["decisions"] > 5_000 and row["environment"] == "riverbed_hunt_v0" for row in rows)


@pytest.mark.slow
def test_a_kill_loses_the_block_in_progress_at_most(tmp_path: Path) -> None:
    said = ["--games", "100000", "--players", "4", "--workers", "2", "--out", str(tmp_path)]
    command = [sys.executable, verify.__file__, *said]
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        while not (tmp_path / verify.FILE).exists():
            assert running.poll() is None
            time.sleep(0.2)
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert ended(running.pid)
    kept = verify.Ledger(tmp_path, HUNT)
    assert len(kept.rows) >= 1
    assert kept.total("games") == verify.GAMES_IN_BLOCK * len(kept.rows)


def ended(group: int) -> bool:
    """Whether all processes of a group end: a killed run leaves no workers behind."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_blocks_of_other_sources_are_kept_and_not_counted(tmp_path: Path) -> None:
    ledger = verify.Ledger(tmp_path, HUNT)
    block = verify.blocks(HUNT, 10, (4,), 0, size=10)[0]
    ledger.add({**verify.play_block(block), "engine": "another"})
    assert verify.Ledger(tmp_path, HUNT).total("games") == 10
    old = [{**row, "engine": "0123456789ab"} for row in lines(tmp_path)]
    (tmp_path / verify.FILE).write_text("".join(json.dumps(row) + "\n" for row in old))
    again = verify.Ledger(tmp_path, HUNT)
    assert (again.rows, again.older, again.finished) == ([], 1, set())


def test_a_disagreement_is_printed_and_ends_in_an_error(tmp_path: Path) -> None:
    block = verify.blocks(HUNT, 10, (4,), 0, size=verify.GAMES_IN_BLOCK)[0]
    found = {
        "game": "riverbed_hunt_v0", "options": {"num_players": "4"}, "seed": 0, "number": 17, "decision": 3,
        "actions": ["0: dive", "0: space 4"], "fact": "the tracks", "engine": "(0, 0, 0)", "referee": "(1, 0, 0)",
    }  # fmt: skip
    row = {**vars(block), "decisions": 7, "endings": {"kelp": 10}, "disagreements": [found]}
    verify.Ledger(tmp_path, HUNT).add(row)
    done = run(*words(tmp_path, verify.GAMES_IN_BLOCK, "--players", "4"))
    assert done.returncode == 1
    assert "1 disagreements" in done.stdout
    assert "game 17, after 3 decisions" in verify.in_words(found)
