"""The faults themselves: each is done to real processes, and says what is wrong with how they took it.

Each injury is a function of a bench (a command, a place of its own, what an uninterrupted run of it left) that yields a
line for every time it was tried: what was done, and what came of it, with the complaints.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from faults.outcome import half_written, outcome
from faults.tried import COMMANDS, Ended, Process, Tried, begin

PROMPTLY = 8.0  # s from a signal to the end, on a busy machine
LOCK_TOLD = 60.0  # s until the second of two runs is refused: it imports, on a busy machine
MEGABYTE = 1 << 20


@dataclass
class Trial:
    """One time something was done: to which command, what, and what was wrong with how it went."""

    command: str
    done: str
    complaints: list[str] = field(default_factory=list)


@dataclass
class Bench:
    """A command, a place for its runs, what a run of it leaves that nobody disturbs, how long one takes, and chance."""

    tried: Tried
    place: Path
    whole: dict[str, str]
    seconds: float
    chance: random.Random
    times: int
    root: bool

    def fresh(self, name: str) -> Path:
        """An empty folder of its own."""
        folder = self.place / name
        shutil.rmtree(folder, ignore_errors=True)
        return folder

    def begin(self, folder: Path, **environment: str | None) -> Process:
        """The command in that folder."""
        return begin(self.tried, folder, self.place / "log", **environment)

    def finish(self, folder: Path) -> list[str]:
        """Let the run in a folder go on to its end; what is wrong with the end."""
        ended = self.begin(folder).wait()
        return [*(f"going on: {each}" for each in went_wrong(ended)), *self.differences(folder)]

    def differences(self, folder: Path) -> list[str]:
        """What a finished run left otherwise than the one that nobody disturbed."""
        found = outcome(folder)
        differ = sorted(name for name in found.keys() | self.whole.keys() if found.get(name) != self.whole.get(name))
        complaints = [f"{name} differs from the undisturbed run's" for name in differ]
        return complaints + [f"{name} is left behind" for name in half_written(folder)]


Injury = Callable[[Bench], Iterator[Trial]]


def went_wrong(ended: Ended) -> list[str]:
    """Complaints of a run that should have ended well."""
    return [] if ended.code == 0 else [f"exit code {ended.code}: {ended.last_line or ended.err[-300:]}"]


def told_badly(ended: Ended, wanted: int, *words: str) -> list[str]:
    """Complaints of how a run ended that had to end early: its exit code, and one line of our own with these words."""
    complaints = [] if ended.code == wanted else [f"exit code {ended.code}, not {wanted}: {ended.last_line[:300]}"]
    if "Traceback" in ended.err or "Exception ignored" in ended.err:
        complaints.append(f"a trace: {ended.err[-600:]}")
    lines = [line for line in ended.err.replace("\r", "\n").splitlines() if "riverbed: " in line]
    if not lines:
        complaints.append("nothing was said")
    complaints += [f"{word!r} isn't in: {ended.last_line[:300]}" for word in words if word not in ended.last_line]
    return complaints


def kill(bench: Bench) -> Iterator[Trial]:
    """SIGKILL at random moments of one run, again and again, until it is finished nevertheless."""
    folder = bench.fresh("kill")
    kills = 0
    while kills < bench.times:
        process = bench.begin(folder)
        time.sleep(bench.chance.uniform(0.0, 1.2) * bench.seconds)
        if not process.running():
            ended = process.wait()
            complaints = [*went_wrong(ended), *bench.differences(folder)]
            yield Trial(bench.tried.name, f"finished between kills, after {kills}", complaints)
            if complaints:
                return
            folder = bench.fresh("kill")
            continue
        process.send(signal.SIGKILL)
        process.wait()
        kills += 1
        trial = Trial(bench.tried.name, f"kill -9 number {kills}")
        if process.left_behind():
            trial.complaints.append("processes are left behind")
            process.send(signal.SIGKILL, whole_group=True)
        yield trial
    yield Trial(bench.tried.name, "to the end after the kills", bench.finish(folder))


def stop(bench: Bench) -> Iterator[Trial]:
    """SIGINT, SIGTERM and SIGHUP at random moments; SIGINT to all its processes, as a terminal sends it."""
    folder = bench.fresh("stop")
    numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    for time_ in range(bench.times):
        number = numbers[time_ % len(numbers)]
        if not (process := _reached(bench, folder, bench.chance.uniform(0.1, 0.9) * bench.seconds)).running():
            folder = bench.fresh("stop")
            continue
        yield _stopped(bench, process, number)
    yield Trial(bench.tried.name, "to the end after the signals", bench.finish(folder))


def stop_compiling(bench: Bench) -> Iterator[Trial]:
    """The same in the first half minute of a first start, while kernels are compiled."""
    folder, cache = bench.fresh("stop_compiling"), bench.fresh("cache")
    for time_ in range(max(2, bench.times // 2)):
        number = (signal.SIGINT, signal.SIGTERM)[time_ % 2]
        shutil.rmtree(cache, ignore_errors=True)
        process = bench.begin(folder, RIVERBED_CACHE_DIR=str(cache))
        while process.running() and not any(cache.glob("*")):
            time.sleep(0.05)
        time.sleep(bench.chance.uniform(0.0, 25.0))
        if process.running():
            yield _stopped(bench, process, number, "while compiling")
    yield Trial(bench.tried.name, "to the end after stops while compiling", bench.finish(folder))


def _reached(bench: Bench, folder: Path, seconds: float) -> Process:
    """A run so many seconds after its begin."""
    process = bench.begin(folder)
    time.sleep(seconds)
    return process


def _stopped(bench: Bench, process: Process, number: signal.Signals, when: str = "") -> Trial:
    """Send the signal and see how the command ends; once it holds its folder it is to say how it goes on."""
    at_work = any(bench.place.rglob(".running-*.lock"))
    sent = time.monotonic()
    process.send(number, whole_group=number == signal.SIGINT)
    ended = process.wait(60.0)
    took = time.monotonic() - sent
    trial = Trial(bench.tried.name, f"{number.name} {when}: {took:.1f} s")
    if ended.code == 0 or (ended.code == -number and "wrote " in ended.out):  # all was done, Python was ending
        trial.done += ", at its very end"
        return trial
    trial.complaints += told_badly(ended, 128 + number, *(("; ", bench.tried.words[0]) if at_work else ()))
    if took > PROMPTLY:
        trial.complaints.append(f"it took {took:.1f} s to end")
    if process.left_behind():
        trial.complaints.append("processes are left behind")
        process.send(signal.SIGKILL, whole_group=True)
    return trial


@contextmanager
def small_disk(place: Path, size: int, options: str = "") -> Iterator[Path]:
    """A disk of so many bytes."""
    place.mkdir(parents=True, exist_ok=True)
    more = f",{options}" if options else ""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}{more}", "riverbed", str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def full_disk(bench: Bench) -> Iterator[Trial]:
    """A disk that is full at one stage after the other; then there is room again."""
    needed = sum(path.stat().st_size for path in (bench.place / "whole").rglob("*") if path.is_file())
    rooms = [0, 4096, 16384] + [int(needed * bench.chance.uniform(0.02, 0.98)) for _ in range(bench.times)]
    for room in rooms:
        with small_disk(bench.place / "disk", 4 * needed + 8 * MEGABYTE) as disk:
            bench.tried.prepare(disk / "run")
            ballast = disk / "ballast"
            _leave_room(disk, ballast, room)
            trial = Trial(bench.tried.name, f"{room:,} bytes of room")
            ended = bench.begin(disk / "run").wait()
            if ended.code != 0:
                trial.complaints += told_badly(ended, 2, "No space left on device", "make room")
            trial.complaints += unreadable(disk / "run")
            ballast.unlink()
            trial.complaints += bench.finish(disk / "run")
            if room and ended.code == 0:
                trial.done += " was enough"
            yield trial


def _leave_room(disk: Path, ballast: Path, room: int) -> None:
    """Fill a disk but for so many bytes."""
    free = shutil.disk_usage(disk).free
    with ballast.open("wb") as file:
        for _ in range(max(0, free - room) // 4096):
            file.write(bytes(4096))


def unreadable(folder: Path) -> list[str]:
    """Complaints of files of results that can't be read after a fault."""
    try:
        outcome(folder)
    except Exception as error:  # whatever a half-written file brings about is what is looked for
        return [f"a file can't be read after it: {error!r}"]
    return []


def read_only(bench: Bench) -> Iterator[Trial]:
    """A folder that can't be written: from the beginning, and when the run is taken up."""
    with small_disk(bench.place / "disk", 64 * MEGABYTE) as disk:
        folder = disk / "run"
        bench.tried.prepare(folder)
        _remount(disk, "ro")
        ended = bench.begin(folder).wait()
        yield Trial(bench.tried.name, "a read-only folder", told_badly(ended, 2, "Read-only file system"))
        _remount(disk, "rw")
        process = _reached(bench, folder, 0.7 * bench.seconds)
        process.send(signal.SIGKILL, whole_group=True)
        process.wait()
        _remount(disk, "ro")
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        ended = bench.begin(folder).wait()
        trial = Trial(bench.tried.name, "taken up read-only", told_badly(ended, 2, "Read-only file system"))
        if {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} != before:
            trial.complaints.append("what was there has changed")
        _remount(disk, "rw")
        trial.complaints += bench.finish(folder)
        yield trial
    taken = bench.fresh("taken")
    taken.parent.mkdir(parents=True, exist_ok=True)
    taken.write_text("a file")
    trial = Trial(bench.tried.name, "a file in the place of the folder")
    if not bench.tried.results:  # which can't be prepared there
        trial.complaints += told_badly(bench.begin(taken).wait(), 2)
    taken.unlink()
    yield trial


def _remount(disk: Path, mode: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{mode}", str(disk)], check=True)


def surroundings(bench: Bench) -> Iterator[Trial]:
    """No home, none that can be written, no folder for temporary files, a cache of kernels read-only or full."""
    nowhere = "/proc/nowhere"  # nothing can be made there, whoever one is
    here: dict[str, dict[str, str | None]] = {
        "no HOME": {"HOME": None, "MPLCONFIGDIR": None},
        "HOME and TMPDIR can't be written": {"HOME": nowhere, "TMPDIR": nowhere, "XDG_CACHE_HOME": nowhere},
    }
    for words, environment in here.items():
        folder = bench.fresh("surroundings")
        ended = bench.begin(folder, **environment).wait()
        complaints = [*went_wrong(ended), *bench.differences(folder)]
        yield Trial(bench.tried.name, words, [*complaints, *(["a trace"] if "Traceback" in ended.err else [])])


def no_cache(bench: Bench) -> Iterator[Trial]:
    """A cache of kernels that is full, that can't be written, whose files a power cut left empty: it is compiled."""
    folder = bench.fresh("no_cache")
    with small_disk(bench.place / "disk", 256 * 1024) as disk:
        ended = bench.begin(folder, RIVERBED_CACHE_DIR=str(disk)).wait(1200.0)
        trial = Trial(bench.tried.name, "a full cache of kernels", [*went_wrong(ended), *bench.differences(folder)])
        if "can't be saved" not in ended.err:
            trial.complaints.append("nothing was said of the full disk")
        yield trial
    folder, cache = bench.fresh("no_cache"), bench.fresh("cache")
    ended = bench.begin(folder, RIVERBED_CACHE_DIR=str(cache)).wait(1200.0)
    for number, path in enumerate(sorted(cache.rglob("*.nb?"))):
        content = path.read_bytes()
        path.write_bytes((b"", content[: len(content) // 2], bytes(len(content)))[number % 3])
    folder = bench.fresh("no_cache")
    ended = bench.begin(folder, RIVERBED_CACHE_DIR=str(cache)).wait(1200.0)
    yield Trial(bench.tried.name, "damaged kernels", [*went_wrong(ended), *bench.differences(folder)])


def closed_output(bench: Bench) -> Iterator[Trial]:
    """Output that nobody reads any more (`| head -1`), and output that goes to a full disk."""
    for words in ("| head -1 > /dev/null", "> /dev/full"):
        folder = bench.fresh("closed")
        bench.tried.prepare(folder)
        log = bench.place / "log"
        quoted = ["bash", "-c", f'set -o pipefail; "$@" {words}', "bash", *bench.tried.command(folder)]
        ended = Process(quoted, log).wait()
        trial = Trial(bench.tried.name, words)
        if "Traceback" in ended.err or "Exception ignored" in ended.err:
            trial.complaints.append(f"a trace: {ended.err[-600:]}")
        if words == "> /dev/full":
            trial.complaints += told_badly(ended, 2, "the output", "No space left on device")
        trial.complaints += bench.finish(folder)
        yield trial


def two_at_once(bench: Bench) -> Iterator[Trial]:
    """A second run in the folder of one at work, and after that one was killed."""
    folder = bench.fresh("two")
    first = bench.begin(folder)
    while first.running() and not list(folder.rglob(".running-*.lock")):
        time.sleep(0.02)
    time.sleep(0.1)
    began = time.monotonic()
    ended = begin(bench.tried, folder, bench.place / "second").wait()
    trial = Trial(bench.tried.name, f"a second run, refused after {time.monotonic() - began:.1f} s")
    if first.running():
        trial.complaints += told_badly(ended, 2, f"process {first.process.pid} on", "is working in this folder")
        if ended.seconds > LOCK_TOLD:
            trial.complaints.append("that was late")
    else:
        trial.complaints.append("the first ended too early to tell")
    first.send(signal.SIGKILL)
    first.wait()
    if first.left_behind():
        trial.complaints.append("processes are left behind")
    trial.complaints += bench.finish(folder)
    yield trial


def another_commands_folder(bench: Bench) -> Iterator[Trial]:
    """A run in a folder that holds the finished run of another command: refused, or nothing of that is touched."""
    for other in (each for each in COMMANDS.values() if each.name != bench.tried.name):
        there = bench.place.parent / other.name / "whole"
        folder = bench.fresh("another")
        if not there.exists():
            continue
        shutil.copytree(there, folder)
        before = outcome(folder)
        ended = bench.begin(folder).wait()
        after = outcome(folder)
        changed = sorted(name for name in before if after.get(name) != before[name])
        trial = Trial(bench.tried.name, f"in a folder of {other.name}: {'refused' if ended.code else 'beside it'}")
        trial.complaints += [f"{name} of {other.name} was changed" for name in changed]
        if ended.code:
            trial.complaints += told_badly(ended, 2)
        yield trial


INJURIES: dict[str, Injury] = {
    "kill": kill,
    "stop": stop,
    "stop-compiling": stop_compiling,
    "full-disk": full_disk,
    "read-only": read_only,
    "surroundings": surroundings,
    "no-cache": no_cache,
    "closed-output": closed_output,
    "two-at-once": two_at_once,
    "another-commands-folder": another_commands_folder,
}
NEEDS_ROOT = {"full-disk", "read-only", "no-cache"}  # to have disks of their own
