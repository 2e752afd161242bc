"""Processor time from Python's start to a batch's first step, with an empty cache of kernels and with a full one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from riverbed_env.errors import RiverbedError

TIMES = 3  # starts with a full cache
PROGRAM = """
import sys, time
from riverbed_env import make_batch
batch = make_batch(sys.argv[1], num_envs=16, seed=0)
batch.step(batch.random_actions())
print(time.process_time())
"""


@dataclass(frozen=True)
class Start:
    """Processor seconds to a game's first step: the first time, which compiles, and the least of TIMES starts later."""

    game: str
    empty: float
    full: float


def measure_start(game_id: str) -> Start:
    """Start a game's batch in processes of their own, with a cache in a folder that is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="riverbed-") as folder:
        empty = _seconds(game_id, folder)
        return Start(game_id, empty, min(_seconds(game_id, folder) for _ in range(TIMES)))


def _seconds(game_id: str, cache: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, game_id],
        env={**os.environ, "RIVERBED_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RiverbedError(f"{game_id} can't be started: {done.stderr.strip()}")
    return float(done.stdout)


def as_lines(starts: Sequence[Start]) -> list[str]:
    """A line for each game."""
    return [
        f"{each.game}: {each.empty:.1f} s of processor time to a batch's first step with an empty cache, "
        f"{each.full:.2f} s with a full one"
        for each in starts
    ]
