"""`make verify`: lock-step in blocks, each a row of a file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import verify

from riverbed_env.registry import find_game

pytestmark = pytest.mark.compiled


def test_blocks_are_played_and_appended_to_the_file(tmp_path: Path) -> None:
    for first, games, workers in ((0, 500, 2), (250, 250, 1)):
        counts = ("--first", str(first), "--games", str(games), "--workers", str(workers))
        command = [sys.executable, verify.__file__, *counts, "--players", "4", "--out", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert f"{games} games" in done.stdout
        assert "0 disagreements" in done.stdout
    rows = [json.loads(line) for line in (tmp_path / verify.FILE).read_text().splitlines()]
    played = [("default", 0), ("default", 250), ("nested", 0)]
    assert sorted((row["kind"], row["first"]) for row in rows) == played
    assert all(row["decisions"] > 5_000 and row["environment"] == "riverbed_hunt_v1" for row in rows)


def test_a_disagreement_is_printed_and_ends_in_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    disagreement = {
        "game": "riverbed_hunt_v1", "options": {"num_players": "4"}, "seed": 0, "number": 17, "decision": 3,
        "actions": ["0: dive", "0: space 4"], "fact": "the tracks", "engine": "(0, 0, 0)", "referee": "(1, 0, 0)",
    }  # fmt: skip
    (block,) = verify.blocks(find_game("riverbed_hunt_v1"), 10, (4,), 0)
    row = {**vars(block), "decisions": 7, "endings": {"kelp": 10}, "disagreements": [disagreement]}
    monkeypatch.setattr(verify, "play_block", lambda block: row)
    monkeypatch.setattr(sys, "argv", ["verify", "--games", "10", "--workers", "1", "--out", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        verify.main()
    assert ended.value.code == 1
    said = capsys.readouterr()
    assert "1 disagreements" in said.out
    assert "game 17, after 3 decisions" in said.err
