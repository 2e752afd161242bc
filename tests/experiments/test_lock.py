"""One run a folder: another process is refused, one that is gone is forgotten."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from riverbed_env.errors import OptionError
from riverbed_lab.locks import locked

HOLD = "import sys; from pathlib import Path; from riverbed_lab.locks import locked\n"
HOLD += "with locked(Path(sys.argv[1])):\n    print('held', flush=True)\n    sys.stdin.read()"


def hold(folder: Path) -> subprocess.Popen[str]:
    """Another process that holds the folder until its input ends."""
    words = [sys.executable, "-c", HOLD, str(folder)]
    other = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    return other


def locks(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_another_process_is_refused_by_name_until_it_is_done(tmp_path: Path) -> None:
    other = hold(tmp_path)
    with pytest.raises(OptionError, match=f"process {other.pid} on .* is working in this folder"), locked(tmp_path):
        pass
    assert len(locks(tmp_path)) == 1  # the other's
    other.communicate("")
    with locked(tmp_path):
        assert len(locks(tmp_path)) == 1
    assert not locks(tmp_path)


def test_a_process_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    other = hold(tmp_path)
    other.kill()
    other.communicate()
    assert len(locks(tmp_path)) == 1
    with locked(tmp_path):
        assert len(locks(tmp_path)) == 1
    assert not locks(tmp_path)


def test_a_process_that_has_the_number_of_one_that_is_gone_is_not_it(tmp_path: Path) -> None:
    before = {"process": os.getppid(), "host": socket.gethostname(), "began": "long ago"}
    (tmp_path / ".running-before.lock").write_text(json.dumps(before))
    with locked(tmp_path):
        assert ".running-before.lock" not in locks(tmp_path)


@pytest.mark.parametrize(
    ("said", "whom"),
    [('{"process": 1, "host": "elsewhere", "began": ""}', "process 1 on elsewhere"), ("half", "another process")],
)
def test_what_cannot_be_told_counts_as_running(said: str, whom: str, tmp_path: Path) -> None:
    (tmp_path / ".running-other.lock").write_text(said)
    with pytest.raises(OptionError, match=f"^{whom} is working .* delete .*running-other.lock"), locked(tmp_path):
        pass
    assert locks(tmp_path) == [".running-other.lock"]


def test_within_a_process_it_is_held_again_and_let_go_at_the_end(tmp_path: Path) -> None:
    with locked(tmp_path):
        with locked(tmp_path):
            pass
        assert len(locks(tmp_path)) == 1
    assert not locks(tmp_path)


def test_an_error_inside_lets_it_go(tmp_path: Path) -> None:
    with pytest.raises(KeyError), locked(tmp_path):
        raise KeyError
    assert not locks(tmp_path)
