"""Studies run from the source tree by their names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "experiments" / "studies"


@pytest.mark.compiled
def test_a_study_runs_by_its_name_and_without_one_they_are_listed(tmp_path: Path) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(FOLDER), *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    listed = run()
    assert listed.returncode == 1
    for name in ("seat_advantage", "learning_speed", "fitting.riverside", "leaks"):
        assert name in listed.stderr
    shown = run("balance", "--help")
    assert shown.returncode == 0, shown.stderr
    assert "--depth" in shown.stdout
