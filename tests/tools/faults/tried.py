"""The commands that faults are tried on, each small enough for some seconds, as processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.small_runs import ROLLOUT, small

TESTS = Path(__file__).parents[2]
# A child of a shell's background job ignores Ctrl-C; here it is to hear it.
PROGRAM = f"""
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path[:0] = [{str(TESTS)!r}, {str(TESTS / "tools")!r}, {str(TESTS.parent / "experiments")!r}]
if sys.argv[1] == "verify":
    import runpy
    sys.argv[1:2] = []
    runpy.run_path({str(TESTS / "tools" / "verify.py")!r}, run_name="__main__")
elif sys.argv[1] == "learning":
    import toy_game, runpy
    sys.argv[1:2] = []
    runpy.run_module("studies.learning", run_name="__main__")
else:
    from riverbed_lab.cli.signals import stoppable
    with stoppable():
        import toy_game
        from riverbed_lab.cli.start import main
        sys.argv[0] = "riverbed"
        main()
"""
LEARNER = (
    *("--game", "ford_v0", "--threads", "1", "--set", "num_envs=8", "--set", "features=advice:random"),
    *("--set", "rollout_steps=16", "--set", "batch_size=64", "--set", "n_epochs=2", "--set", "widths=16,8"),
)
STUDIED = ("game", "opponents", "num_envs", "rollout_steps", "batch_size", "n_epochs", "view", "widths", "object_width")


@dataclass(frozen=True)
class Tried:
    """A command: its words but for the folder, which come after a run was begun, and what it needs beforehand."""

    name: str
    words: tuple[str, ...]
    more_to_go_on: tuple[str, ...] = ()
    prepare: Callable[[Path], None] = lambda folder: None
    results: str = ""  # option of the folder of results, where that isn't the folder of the runs

    def command(self, folder: Path, *, go_on: bool = False) -> list[str]:
        """What is executed to run it in a folder."""
        more = self.more_to_go_on if go_on else ()
        out = (self.results, str(folder), "--out", str(folder / "runs")) if self.results else ("--out", str(folder))
        return [sys.executable, "-c", PROGRAM, *self.words, *out, *more]

    def is_begun(self, folder: Path) -> bool:
        """Whether a run can be taken up there."""
        return (folder / "config.json").exists()


def write_study(folder: Path) -> None:
    """The file of a study of two learners of the toy game."""
    plain = small().plain()
    changed = {"steps": 10 * ROLLOUT, "evaluate_every": 4 * ROLLOUT, "evaluation_games": 40}
    training = {**{name: plain[name] for name in STUDIED}, **changed, "checkpoint_every": 2 * ROLLOUT}
    training["features"] = ["advice:random"]
    content = {"format": 1, "roles": ["wader"], "seeds": [0, 1], "games": 60, "training": training, "by_role": {}}
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "study.json").exists():
        (folder / "study.json").write_text(json.dumps(content))


EVALUATED = (
    *("--reference", "random", "--players", "4", "--roles", "chief,separatist", "--held-out", "random,simple"),
    *("--threads", "1"),
)
COMMANDS = {
    each.name: each
    for each in (
        Tried("evaluate", ("evaluate", "simple", *EVALUATED, "--games", "9000", "--inference-games", "20")),
        Tried("published", ("evaluate", "--game", "deep_river_v0", "--games", "9000", "--threads", "1")),
        Tried(
            "train",
            (
                *("train", *LEARNER, "--steps", "4096", "--set", "evaluate_every=1024"),
                *("--set", "evaluation_games=200", "--set", "checkpoint_every=128"),
            ),
            ("--resume",),
        ),
        Tried(
            "league",
            (
                *("league", *LEARNER, "--rounds", "3", "--steps-per-round", "512", "--set", "evaluation_games=40"),
                *("--set", "rate_every=2", "--set", "rating_games=20", "--set", "lineups=4"),
            ),
            ("--resume",),
        ),
        Tried(
            "exploit",
            (
                *("exploit", "random", "--role", "all", *LEARNER, "--steps", "1024", "--seeds", "2", "--games", "100"),
                *("--set", "evaluate_every=512", "--set", "evaluation_games=40", "--set", "checkpoint_every=256"),
            ),
        ),
        Tried("learning", ("learning",), prepare=write_study, results="--folder"),
        Tried("verify", ("verify", "--game", "deep_river_v0", "--games", "1500", "--workers", "2")),
    )
}


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit code (negative: by that signal), what it said, and the seconds it took."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def last_line(self) -> str:
        """What it said last on standard error."""
        lines = [line for line in self.err.replace("\r", "\n").splitlines() if line.strip()]
        return lines[-1].strip() if lines else ""


class Process:
    """A command at work, in a session of its own, so that what it leaves behind can be told."""

    def __init__(self, command: list[str], log: Path, environment: Mapping[str, str | None] | None = None) -> None:
        self.log = log
        log.mkdir(parents=True, exist_ok=True)
        changed = {**os.environ, **(environment or {})}
        kept = {name: value for name, value in changed.items() if value is not None}
        self._begun = time.monotonic()
        with (log / "out").open("wb") as out, (log / "err").open("wb") as err:
            self.process = subprocess.Popen(command, stdout=out, stderr=err, start_new_session=True, env=kept)

    def running(self) -> bool:
        """Whether it hasn't ended."""
        return self.process.poll() is None

    def send(self, number: int, *, whole_group: bool = False) -> None:
        """Send a signal to it, or to it and all of its own, as Ctrl-C in a terminal does."""
        if whole_group:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)

    def wait(self, seconds: float = 600.0) -> Ended:
        """Wait until it ends; one that doesn't in time is killed and counts as -9."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        said = [(self.log / name).read_text(errors="replace") for name in ("out", "err")]
        return Ended(self.process.returncode, said[0], said[1], time.monotonic() - self._begun)

    def left_behind(self, seconds: float = 5.0) -> bool:
        """Whether processes of it are still there after so many seconds."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                os.killpg(self.process.pid, 0)
            except ProcessLookupError:
                return False
            time.sleep(0.05)
        return True


def begin(tried: Tried, folder: Path, log: Path, **environment: Any) -> Process:
    """Run a command in a folder, or take up what is there."""
    tried.prepare(folder)
    return Process(tried.command(folder, go_on=tried.is_begun(folder)), log, environment)
