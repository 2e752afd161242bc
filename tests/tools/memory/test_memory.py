"""A small share of `make memory`, in processes of their own, where no other test has been; and that a leak is found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from riverbed_env.kernels import progress

RUN = Path(__file__).with_name("run.py")
TESTS = Path(__file__).parents[2]

# What a batch, a reset and an error could hold on to. The first is of no Python object: only its bytes show.
PLANTED = {
    "bytes of ended games": """
kept, step = bytearray(), Batch.step
def leaking(self, actions):
    step(self, actions)
    kept.extend(bytes(2000) * int(self.done.sum()))
Batch.step = leaking
""",
    "an environment's copies": """
kept, clone = [], TurnEnv.clone
def leaking(self):
    kept.append(clone(self))
    return kept[-1]
TurnEnv.clone = leaking
""",
    "errors": """
kept, said = [], errors.IllegalActionError.__init__
def leaking(self, *words):
    kept.append(self)
    said(self, *words)
errors.IllegalActionError.__init__ = leaking
""",
}
WITH_A_PLANT = """
import sys
sys.path[:0] = [{tests!r}, {tools!r}]
from riverbed_env import errors
from riverbed_env.core.batch import Batch
from riverbed_env.envs.aec import TurnEnv
{plant}
from memory.run import main
sys.exit(main({words!r}))
"""


def said(*words: str) -> tuple[int, str]:
    """The exit code and the output of Python in a process of its own."""
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=600, check=False)
    allowed = (progress.WORDS, progress.STILL.partition("{")[0])  # and nothing else
    assert all(line.startswith(allowed) for line in done.stderr.splitlines(keepends=True)), done.stderr
    return done.returncode, done.stdout


@pytest.mark.compiled
def test_memory_is_flat_over_some_thousands_of_games() -> None:
    code, output = said(str(RUN), "--games", "5000", "--rounds", "12")
    assert code == 0, output
    assert "\nflat: " in output


@pytest.mark.compiled
@pytest.mark.parametrize("planted", PLANTED)
def test_a_leak_is_found(planted: str) -> None:
    words = ["--games", "5000", "--rounds", "12", "--game", "ford_v0"]
    script = WITH_A_PLANT.format(tests=str(TESTS), tools=str(TESTS / "tools"), plant=PLANTED[planted], words=words)
    code, output = said("-c", script)
    assert code == 1, output
    assert "NOT FLAT" in output
