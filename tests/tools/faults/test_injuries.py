"""`make faults`: each command is killed, interrupted, starved of disk and run twice at once, as a process of its own.

`RIVERBED_FAULTS=12 pytest tests/tools/faults/test_injuries.py -k "kill and train"` repeats what is done at random
moments 12 times; without the variable nothing runs, since all of it takes hours. A run that is disturbed must end with
one line, and when the same command is run again it must leave what an undisturbed run leaves.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from faults.commands import COMMANDS, Command, Ended, Process, assert_ended, assert_refused, half_written, outcome

TIMES = int(os.environ.get("RIVERBED_FAULTS", "0"))
MEGABYTE = 1 << 20

pytestmark = pytest.mark.skipif(TIMES == 0, reason="RIVERBED_FAULTS isn't set")
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="a disk of its own needs root")


class Bench:
    """A command with a place for its runs, and the outcome and the seconds of an undisturbed run."""

    def __init__(self, tried: Command, place: Path, whole: Path) -> None:
        self.tried = tried
        self.place = place
        ended = self.begin(place / "again").wait(1800.0)
        assert_ended(ended)
        self.seconds = ended.seconds
        self.whole = outcome(whole)
        assert outcome(place / "again") == self.whole

    def fresh(self, name: str) -> Path:
        """An empty folder."""
        folder = self.place / name
        shutil.rmtree(folder, ignore_errors=True)
        return folder

    def begin(self, folder: Path, **environment: str | None) -> Process:
        """Start or resume the command in that folder."""
        return self.tried.begin(folder, self.place / "log", **environment)

    def begin_and_wait(self, folder: Path, least: float, most: float) -> Process:
        """Start or resume the command, and wait for a random part of the time of an undisturbed run."""
        process = self.begin(folder)
        time.sleep(random.uniform(least, most) * self.seconds)
        return process

    def finish(self, folder: Path, seconds: float = 600.0, **environment: str | None) -> Ended:
        """Let the command run to its end in a folder, and check what it leaves."""
        ended = self.begin(folder, **environment).wait(seconds)
        self.check(ended, folder)
        return ended

    def check(self, ended: Ended, folder: Path) -> None:
        """A run must have ended well and left what the undisturbed one left, and nothing half written."""
        assert_ended(ended)
        assert outcome(folder) == self.whole
        assert not half_written(folder)


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of an undisturbed run of each command."""

    @cache
    def run(name: str) -> Path:
        folder = tmp_path_factory.mktemp(name) / "whole"
        assert_ended(COMMANDS[name].begin(folder, folder.with_name("log")).wait(1800.0))
        return folder

    return run


@pytest.fixture(scope="module", params=COMMANDS)
def bench(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, whole: Callable[[str], Path]
) -> Bench:
    return Bench(COMMANDS[request.param], tmp_path_factory.mktemp(request.param), whole(request.param))


# --- killed and interrupted ------------------------------------------------------------------------------------------


def test_kill(bench: Bench) -> None:
    """SIGKILL at random moments of one run, again and again; then the run must still finish."""
    folder = bench.fresh("kill")
    for _ in range(TIMES):
        process = bench.begin_and_wait(folder, 0.0, 1.2)
        if process.running():
            process.send(signal.SIGKILL)
            process.wait()
            assert not process.left_behind()
        else:
            bench.check(process.wait(), folder)
            folder = bench.fresh("kill")
    bench.finish(folder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_stop(bench: Bench, number: signal.Signals) -> None:
    """Signals at random moments of one run; SIGINT to all its processes, as a terminal sends it."""
    folder = bench.fresh("stop")
    for _ in range(-(-TIMES // 3)):
        process = bench.begin_and_wait(folder, 0.1, 0.9)
        if process.running():
            stop(bench, process, number)
        else:
            folder = bench.fresh("stop")
    bench.finish(folder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stop_compiling(bench: Bench, number: signal.Signals) -> None:
    """The same in the first half minute of a first start, while kernels are compiled."""
    folder = bench.fresh("stop_compiling")
    for _ in range(max(1, TIMES // 4)):
        cache = bench.fresh("cache")
        process = bench.begin(folder, RIVERBED_CACHE_DIR=str(cache))
        while process.running() and not any(cache.glob("*")):
            time.sleep(0.05)
        time.sleep(random.uniform(0.0, 25.0))
        if process.running():
            stop(bench, process, number)
    bench.finish(folder)


def stop(bench: Bench, process: Process, number: signal.Signals) -> None:
    """Send the signal: the command ends, and once it holds its folder it says how to resume."""
    at_work = any(bench.place.rglob(".running.lock"))
    process.send(number, whole_group=number == signal.SIGINT)
    ended = process.wait(60.0)
    if ended.code == 0 or (ended.code == -number and "wrote " in ended.out):  # all was done, Python was ending
        return
    assert_refused(ended, 128 + number, *(("; ", bench.tried.words[0]) if at_work else ()))
    assert not process.left_behind()


# --- disks -----------------------------------------------------------------------------------------------------------


@contextmanager
def small_disk(place: Path, size: int) -> Iterator[Path]:
    """A disk of `size` bytes."""
    place.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "riverbed", str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def remount(disk: Path, mode: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{mode}", str(disk)], check=True)


@needs_root
def test_full_disk(bench: Bench) -> None:
    """A disk that is full at one stage after the other; then there is room again."""
    needed = sum(path.stat().st_size for path in (bench.place / "again").rglob("*") if path.is_file())
    for room in [0, 4096, 16384] + [int(needed * random.uniform(0.02, 0.98)) for _ in range(TIMES)]:
        with small_disk(bench.place / "disk", 4 * needed + 8 * MEGABYTE) as disk:
            ballast = disk / "ballast"
            ballast.write_bytes(bytes(max(0, shutil.disk_usage(disk).free - room) // 4096 * 4096))
            ended = bench.begin(disk / "run").wait()
            if ended.code != 0:
                assert_refused(ended, 2, "No space left on device", "make room")
            outcome(disk / "run")  # which reads every file
            ballast.unlink()
            bench.finish(disk / "run")


@needs_root
def test_read_only_folder(bench: Bench) -> None:
    """A folder that can't be written: from the beginning, and when the run is resumed."""
    with small_disk(bench.place / "disk", 64 * MEGABYTE) as disk:
        folder = disk / "run"
        remount(disk, "ro")
        assert_refused(bench.begin(folder).wait(), 2, "Read-only file system")
        remount(disk, "rw")
        process = bench.begin_and_wait(folder, 0.7, 0.7)
        process.send(signal.SIGKILL, whole_group=True)
        process.wait()
        remount(disk, "ro")
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        assert_refused(bench.begin(folder).wait(), 2, "Read-only file system")
        assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
        remount(disk, "rw")
        bench.finish(folder)


@needs_root
def test_full_cache(bench: Bench) -> None:
    """A kernel cache that is full: kernels are compiled, and the command says so."""
    with small_disk(bench.place / "disk", 256 * 1024) as disk:
        ended = bench.finish(bench.fresh("full_cache"), 1200.0, RIVERBED_CACHE_DIR=str(disk))
    assert "can't be saved" in ended.err


def test_damaged_cache(bench: Bench) -> None:
    """Kernels that a power cut left empty, half written or zeroed are compiled again."""
    cache = bench.fresh("cache")
    bench.finish(bench.fresh("damaged_cache"), 1200.0, RIVERBED_CACHE_DIR=str(cache))
    for number, path in enumerate(sorted(cache.rglob("*.nb?"))):
        content = path.read_bytes()
        path.write_bytes((b"", content[: len(content) // 2], bytes(len(content)))[number % 3])
    bench.finish(bench.fresh("damaged_cache"), 1200.0, RIVERBED_CACHE_DIR=str(cache))


# --- surroundings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nowhere", [None, "/proc/nowhere"], ids=["no HOME", "HOME and TMPDIR can't be written"])
def test_surroundings(bench: Bench, nowhere: str | None) -> None:
    """No home, and no home or folder for temporary files that can be written: nobody can write in /proc."""
    homes: dict[str, str | None] = {"HOME": nowhere}
    more = {"TMPDIR": nowhere, "XDG_CACHE_HOME": nowhere} if nowhere else {"MPLCONFIGDIR": None}
    ended = bench.finish(bench.fresh("surroundings"), **homes, **more)
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("redirection", ["| head -1 > /dev/null", "> /dev/full"])
def test_closed_output(bench: Bench, redirection: str) -> None:
    """Output that nobody reads any more, and output that goes to a full disk."""
    folder = bench.fresh("closed")
    quoted = ["bash", "-c", f'set -o pipefail; "$@" {redirection}', "bash", *bench.tried.line(folder)]
    ended = Process(quoted, bench.place / "log").wait()
    assert "Traceback" not in ended.err
    assert "Exception ignored" not in ended.err
    if redirection == "> /dev/full":
        assert_refused(ended, 2, "the output", "No space left on device")
    bench.finish(folder)


def test_two_at_once(bench: Bench) -> None:
    """A second run in the folder of one at work is refused; after that one was killed, it finishes."""
    folder = bench.fresh("two")
    first = bench.begin(folder)
    while first.running() and not list(folder.rglob(".running.lock")):
        time.sleep(0.02)
    time.sleep(0.1)
    ended = bench.tried.begin(folder, bench.place / "second").wait()
    assert first.running(), "the first ended too early"
    assert_refused(ended, 2, "another process is working in")
    first.send(signal.SIGKILL)
    first.wait()
    assert not first.left_behind()
    bench.finish(folder)


def test_a_file_in_place_of_the_folder(bench: Bench) -> None:
    taken = bench.fresh("taken")
    taken.write_text("a file")
    assert_refused(bench.begin(taken).wait(), 2)
    taken.unlink()


@pytest.mark.parametrize("other", COMMANDS)
def test_another_commands_folder(bench: Bench, other: str, whole: Callable[[str], Path]) -> None:
    """A run in a folder with the finished run of another command: refused, or that run isn't touched."""
    if other == bench.tried.name:
        return
    folder = bench.fresh("another")
    shutil.copytree(whole(other), folder)
    before = outcome(folder)
    ended = bench.begin(folder).wait()
    if ended.code:
        assert_refused(ended, 2)
    after = outcome(folder)
    assert {name: after.get(name) for name in before} == before
