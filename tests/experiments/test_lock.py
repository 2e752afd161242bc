"""One run a folder: another process is refused, one that is gone is forgotten."""

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


@pytest.mark.parametrize("killed", [False, True])
def test_another_process_is_refused_until_it_is_gone(killed: bool, tmp_path: Path) -> None:
    other = hold(tmp_path)
    with pytest.raises(OptionError, match=f"another process is working in {tmp_path}; .* with --out"), locked(tmp_path):
        pass
    if killed:
        other.kill()
    other.communicate("" if not killed else None)
    with locked(tmp_path):
        assert list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())


def test_within_a_process_it_is_held_again_and_let_go_at_the_end(tmp_path: Path) -> None:
    with locked(tmp_path):
        with locked(tmp_path):
            pass
        assert list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())


def test_an_error_inside_lets_it_go(tmp_path: Path) -> None:
    with pytest.raises(KeyError), locked(tmp_path):
        raise KeyError
    assert not list(tmp_path.iterdir())
