"""The commands that faults are tried on, as processes of their own, and what their runs leave in a folder."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from in_process import settings
from pyarrow import parquet

TESTS = Path(__file__).parents[2]
# A child of a shell's background job ignores Ctrl-C; these must not.
PROGRAM = f"""
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {str(TESTS)!r})
from riverbed_lab.cli.signals import stoppable
with stoppable():
    import toy_game
    from riverbed_lab.cli.start import main
    sys.argv[0] = "riverbed"
    main()
"""
LEARNER = settings(
    game="ford_v0",
    threads=1,
    num_envs=8,
    features="advice:random",
    rollout_steps=16,
    batch_size=64,
    n_epochs=2,
    widths="16,8",
)


@dataclass(frozen=True)
class Command:
    """A command: its words without the folder; resumes: whether the folder alone resumes a run."""

    name: str
    words: tuple[str, ...]
    resumes: bool = False

    def line(self, folder: Path) -> list[str]:
        """What is executed to start or resume it in a folder."""
        if self.resumes and (folder / "config.json").exists():
            return [sys.executable, "-c", PROGRAM, self.words[0], str(folder)]
        return [sys.executable, "-c", PROGRAM, *self.words, "--out", str(folder)]

    def begin(self, folder: Path, log: Path, **environment: str | None) -> Process:
        """Start or resume it in a folder."""
        return Process(self.line(folder), log, environment)


EVALUATED = (
    *("--reference", "random", "--players", "4", "--roles", "chief,separatist", "--held-out", "random,simple"),
    *("--threads", "1"),
)
COMMANDS = {
    each.name: each
    for each in (
        Command("evaluate", ("evaluate", "simple", *EVALUATED, "--games", "9000")),
        Command(
            "record", ("record", "random", "--game", "deep_river", "--games", "6000", "--part", "500", "--threads", "1")
        ),
        Command(
            "train",
            (
                *("train", *LEARNER, "--set", "steps=4096", "--set", "evaluate_every=1024"),
                *("--set", "evaluation_games=200", "--set", "checkpoint_every=128"),
            ),
            resumes=True,
        ),
        Command(
            "distil",
            (
                *("distil", *settings(game="ford_v0", threads=1, features="advice:random", widths="16,8")),
                *settings(rounds=3, blocks=2, block_games=60, evaluation_games=40),
            ),
            resumes=True,
        ),
        Command(
            "exploit",
            (
                *("exploit", "random", *LEARNER, *settings(steps=1024, seeds=2, games=100)),
                *settings(evaluate_every=512, evaluation_games=40, checkpoint_every=256),
            ),
            resumes=True,
        ),
    )
}


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit code (negative: by that signal), and its output."""

    code: int
    out: str
    err: str

    @property
    def last_line(self) -> str:
        """The last line on standard error."""
        lines = [line for line in self.err.replace("\r", "\n").splitlines() if line.strip()]
        return lines[-1].strip() if lines else ""


class Process:
    """A running command, in a session of its own, so that a test finds processes that it leaves behind."""

    def __init__(self, command: list[str], log: Path, environment: Mapping[str, str | None] | None = None) -> None:
        self.log = log
        log.mkdir(parents=True, exist_ok=True)
        changed = {**os.environ, **(environment or {})}
        kept = {name: value for name, value in changed.items() if value is not None}
        with (log / "out").open("wb") as out, (log / "err").open("wb") as err:
            self.process = subprocess.Popen(command, stdout=out, stderr=err, start_new_session=True, env=kept)

    def running(self) -> bool:
        return self.process.poll() is None

    def wait(self, seconds: float = 600.0) -> Ended:
        """Wait until it ends; after `seconds` it is killed, with exit code -9."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        said = [(self.log / name).read_text(errors="replace") for name in ("out", "err")]
        return Ended(self.process.returncode, *said)

    def left_behind(self, seconds: float = 5.0) -> bool:
        """Whether processes of it are still there after `seconds`; they are killed."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                os.killpg(self.process.pid, 0)
            except ProcessLookupError:
                return False
            time.sleep(0.05)
        os.killpg(self.process.pid, signal.SIGKILL)
        return True


def assert_ended(ended: Ended) -> None:
    """A run must have ended well."""
    assert ended.code == 0, f"exit code {ended.code}: {ended.last_line or ended.err[-300:]}"


def assert_refused(ended: Ended, code: int, *words: str) -> None:
    """A run must have ended early, with this exit code and a last line of ours that has these words."""
    assert ended.code == code, f"exit code {ended.code}, not {code}: {ended.err[-600:]}"
    assert "Traceback" not in ended.err
    assert "Exception ignored" not in ended.err
    assert "riverbed: " in ended.err
    for word in words:
        assert word in ended.last_line


# --- what a run leaves ------------------------------------------------------------------------------------------------

# What differs between two runs of the same: times, the command and the code's version, and hashes of files with these.
TIMES = {"seconds", "written", "games_per_second", "day", "command", "code", "hash", "files"}
PAGES = {".html", ".md", ".svg", ".png"}  # made of the other files, with times and folders in them


def outcome(folder: Path) -> dict[str, str]:
    """A digest of each file below a folder by its path, without pages and TensorBoard's files."""
    paths = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        name: hashlib.sha256(_content(path, folder)).hexdigest()[:16]
        for name, path in paths.items()
        if "tensorboard" not in name and path.suffix not in PAGES and not path.name.startswith(".")
    }


def half_written(folder: Path) -> list[str]:
    """Files left half written, and locks left behind."""
    return [str(path.relative_to(folder)) for path in folder.rglob(".*") if path.suffix in (".part", ".lock")]


def _content(path: Path, folder: Path) -> bytes:
    if path.suffix == ".parquet":
        table = parquet.read_table(path)
        kept = table.drop_columns([name for name in table.column_names if name in TIMES])
        return repr(kept.to_pydict()).encode()
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as file:
            return b"".join(_array(name, file[name], folder) for name in sorted(file.files))
    if path.suffix == ".json":
        return _plain(json.loads(path.read_text()), folder)
    if path.suffix == ".jsonl":
        return b"\n".join(sorted(_plain(json.loads(line), folder) for line in path.read_text().splitlines()))
    return path.read_bytes()


def _array(name: str, array: Any, folder: Path) -> bytes:
    if array.dtype.kind == "U":  # a header in JSON
        return name.encode() + _plain(json.loads(str(array)), folder)
    return name.encode() + repr((array.dtype, array.shape)).encode() + np.ascontiguousarray(array).tobytes()


def _plain(value: Any, folder: Path) -> bytes:
    return json.dumps(_timeless(value), sort_keys=True).replace(str(folder), "FOLDER").encode()


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _timeless(each) for name, each in value.items() if name not in TIMES}
    return [_timeless(each) for each in value] if isinstance(value, list) else value
