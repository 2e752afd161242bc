"""The faults, each done to real processes. An injury yields a trial, with complaints, for each time it was done."""

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

from faults.commands import COMMANDS, Command, Ended, Process, half_written, outcome

PROMPTLY = 8.0  # s from a signal to the end, on a busy machine
LOCK_TOLD = 60.0  # s until the second of two runs is refused: it imports, on a busy machine
MEGABYTE = 1 << 20


@dataclass
class Trial:
    """One thing that was done to a command, and what was wrong with how the command took it."""

    command: str
    done: str
    complaints: list[str] = field(default_factory=list)


@dataclass
class Bench:
    """A command with a place for its runs, the outcome and the seconds of an undisturbed run, and random numbers."""

    tried: Command
    place: Path
    whole: dict[str, str]
    seconds: float
    chance: random.Random
    times: int

    def trial(self, done: str, *complaints: str) -> Trial:
        return Trial(self.tried.name, done, list(complaints))

    def fresh(self, name: str) -> Path:
        """An empty folder."""
        folder = self.place / name
        shutil.rmtree(folder, ignore_errors=True)
        return folder

    def begin(self, folder: Path, **environment: str | None) -> Process:
        """Start or resume the command in that folder."""
        return self.tried.begin(folder, self.place / "log", **environment)

    def finish(self, folder: Path, seconds: float = 600.0, **environment: str | None) -> list[str]:
        """Let the command end well in a folder; complaints of its end and of what it left."""
        return self.whole_run(self.begin(folder, **environment).wait(seconds), folder)

    def whole_run(self, ended: Ended, folder: Path) -> list[str]:
        """Complaints of a run that ended: it must have ended well and left what the undisturbed one left."""
        left = outcome(folder)
        differ = sorted(name for name in left.keys() | self.whole.keys() if left.get(name) != self.whole.get(name))
        return [
            *went_wrong(ended),
            *(f"{name} differs from the undisturbed run's" for name in differ),
            *(f"{name} is left behind" for name in half_written(folder)),
        ]


Injury = Callable[[Bench], Iterator[Trial]]


def went_wrong(ended: Ended) -> list[str]:
    """Complaints of a run that should have ended well."""
    return [] if ended.code == 0 else [f"exit code {ended.code}: {ended.last_line or ended.err[-300:]}"]


def told_badly(ended: Ended, wanted: int, *words: str) -> list[str]:
    """Complaints of a run that had to end early: with this exit code and a last line of ours that has these words."""
    complaints = [] if ended.code == wanted else [f"exit code {ended.code}, not {wanted}: {ended.last_line[:300]}"]
    if "Traceback" in ended.err or "Exception ignored" in ended.err:
        complaints.append(f"a trace: {ended.err[-600:]}")
    lines = [line for line in ended.err.replace("\r", "\n").splitlines() if "riverbed: " in line]
    if not lines:
        complaints.append("nothing was said")
    complaints += [f"{word!r} isn't in: {ended.last_line[:300]}" for word in words if word not in ended.last_line]
    return complaints


def kill(bench: Bench) -> Iterator[Trial]:
    """SIGKILL at random moments of one run, again and again; then the run must still finish."""
    folder = bench.fresh("kill")
    kills = 0
    while kills < bench.times:
        process = bench.begin(folder)
        time.sleep(bench.chance.uniform(0.0, 1.2) * bench.seconds)
        if not process.running():
            complaints = bench.whole_run(process.wait(), folder)
            yield bench.trial(f"finished between kills, after {kills}", *complaints)
            if complaints:
                return
            folder = bench.fresh("kill")
            continue
        process.send(signal.SIGKILL)
        process.wait()
        kills += 1
        yield bench.trial(f"kill -9 number {kills}", *left_behind(process))
    yield bench.trial("to the end after the kills", *bench.finish(folder))


def left_behind(process: Process) -> list[str]:
    return ["processes are left behind"] if process.left_behind() else []


def stop(bench: Bench) -> Iterator[Trial]:
    """SIGINT, SIGTERM and SIGHUP at random moments; SIGINT to all its processes, as a terminal sends it."""
    folder = bench.fresh("stop")
    numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    for number in range(bench.times):
        process = bench.begin(folder)
        time.sleep(bench.chance.uniform(0.1, 0.9) * bench.seconds)
        if process.running():
            yield _stopped(bench, process, numbers[number % len(numbers)])
        else:
            folder = bench.fresh("stop")
    yield bench.trial("to the end after the signals", *bench.finish(folder))


def stop_compiling(bench: Bench) -> Iterator[Trial]:
    """The same in the first half minute of a first start, while kernels are compiled."""
    folder, cache = bench.fresh("stop_compiling"), bench.fresh("cache")
    for number in range(max(2, bench.times // 2)):
        shutil.rmtree(cache, ignore_errors=True)
        process = bench.begin(folder, RIVERBED_CACHE_DIR=str(cache))
        while process.running() and not any(cache.glob("*")):
            time.sleep(0.05)
        time.sleep(bench.chance.uniform(0.0, 25.0))
        if process.running():
            yield _stopped(bench, process, (signal.SIGINT, signal.SIGTERM)[number % 2], "while compiling")
    yield bench.trial("to the end after stops while compiling", *bench.finish(folder))


def _stopped(bench: Bench, process: Process, number: signal.Signals, when: str = "") -> Trial:
    """Send the signal and see how the command ends; once it holds its folder it must say how to resume."""
    at_work = any(bench.place.rglob(".running-*.lock"))
    sent = time.monotonic()
    process.send(number, whole_group=number == signal.SIGINT)
    ended = process.wait(60.0)
    took = time.monotonic() - sent
    trial = bench.trial(f"{number.name} {when}: {took:.1f} s")
    if ended.code == 0 or (ended.code == -number and "wrote " in ended.out):  # all was done, Python was ending
        trial.done += ", at its very end"
        return trial
    trial.complaints += told_badly(ended, 128 + number, *(("; ", bench.tried.words[0]) if at_work else ()))
    if took > PROMPTLY:
        trial.complaints.append(f"it took {took:.1f} s to end")
    trial.complaints += left_behind(process)
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
            ballast = disk / "ballast"
            ballast.write_bytes(bytes(max(0, shutil.disk_usage(disk).free - room) // 4096 * 4096))
            ended = bench.begin(disk / "run").wait()
            trial = bench.trial(f"{room:,} bytes of room{' were enough' if room and ended.code == 0 else ''}")
            if ended.code != 0:
                trial.complaints += told_badly(ended, 2, "No space left on device", "make room")
            try:
                outcome(disk / "run")
            except Exception as error:  # whatever a half-written file brings about is what is looked for
                trial.complaints.append(f"a file can't be read after it: {error!r}")
            ballast.unlink()
            trial.complaints += bench.finish(disk / "run")
            yield trial


def read_only(bench: Bench) -> Iterator[Trial]:
    """A folder that can't be written: from the beginning, and when the run is resumed."""
    with small_disk(bench.place / "disk", 64 * MEGABYTE) as disk:
        folder = disk / "run"
        _remount(disk, "ro")
        ended = bench.begin(folder).wait()
        yield bench.trial("a read-only folder", *told_badly(ended, 2, "Read-only file system"))
        _remount(disk, "rw")
        process = bench.begin(folder)
        time.sleep(0.7 * bench.seconds)
        process.send(signal.SIGKILL, whole_group=True)
        process.wait()
        _remount(disk, "ro")
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        ended = bench.begin(folder).wait()
        trial = bench.trial("resumed read-only", *told_badly(ended, 2, "Read-only file system"))
        if {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} != before:
            trial.complaints.append("what was there has changed")
        _remount(disk, "rw")
        trial.complaints += bench.finish(folder)
        yield trial
    taken = bench.fresh("taken")
    taken.parent.mkdir(parents=True, exist_ok=True)
    taken.write_text("a file")
    yield bench.trial("a file in place of the folder", *told_badly(bench.begin(taken).wait(), 2))
    taken.unlink()


def _remount(disk: Path, mode: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{mode}", str(disk)], check=True)


def surroundings(bench: Bench) -> Iterator[Trial]:
    """No home, none that can be written, no folder for temporary files."""
    nowhere = "/proc/nowhere"  # nothing can be made there, whoever one is
    here: dict[str, dict[str, str | None]] = {
        "no HOME": {"HOME": None, "MPLCONFIGDIR": None},
        "HOME and TMPDIR can't be written": {"HOME": nowhere, "TMPDIR": nowhere, "XDG_CACHE_HOME": nowhere},
    }
    for words, environment in here.items():
        folder = bench.fresh("surroundings")
        ended = bench.begin(folder, **environment).wait()
        trace = ["a trace"] if "Traceback" in ended.err else []
        yield bench.trial(words, *bench.whole_run(ended, folder), *trace)


def no_cache(bench: Bench) -> Iterator[Trial]:
    """A cache of kernels that is full, or whose files a power cut left empty: kernels are compiled."""
    folder = bench.fresh("no_cache")
    with small_disk(bench.place / "disk", 256 * 1024) as disk:
        ended = bench.begin(folder, RIVERBED_CACHE_DIR=str(disk)).wait(1200.0)
        silent = [] if "can't be saved" in ended.err else ["nothing was said of the full disk"]
        yield bench.trial("a full cache of kernels", *bench.whole_run(ended, folder), *silent)
    cache = bench.fresh("cache")
    bench.finish(bench.fresh("no_cache"), 1200.0, RIVERBED_CACHE_DIR=str(cache))
    for number, path in enumerate(sorted(cache.rglob("*.nb?"))):
        content = path.read_bytes()
        path.write_bytes((b"", content[: len(content) // 2], bytes(len(content)))[number % 3])
    complaints = bench.finish(bench.fresh("no_cache"), 1200.0, RIVERBED_CACHE_DIR=str(cache))
    yield bench.trial("damaged kernels", *complaints)


def closed_output(bench: Bench) -> Iterator[Trial]:
    """Output that nobody reads any more (`| head -1`), and output that goes to a full disk."""
    for words in ("| head -1 > /dev/null", "> /dev/full"):
        folder = bench.fresh("closed")
        quoted = ["bash", "-c", f'set -o pipefail; "$@" {words}', "bash", *bench.tried.line(folder)]
        ended = Process(quoted, bench.place / "log").wait()
        trial = bench.trial(words)
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
    ended = bench.tried.begin(folder, bench.place / "second").wait()
    trial = bench.trial(f"a second run, refused after {ended.seconds:.1f} s")
    if first.running():
        trial.complaints += told_badly(ended, 2, f"process {first.process.pid} on", "is working in this folder")
        if ended.seconds > LOCK_TOLD:
            trial.complaints.append("that was late")
    else:
        trial.complaints.append("the first ended too early to tell")
    first.send(signal.SIGKILL)
    first.wait()
    trial.complaints += [*left_behind(first), *bench.finish(folder)]
    yield trial


def another_commands_folder(bench: Bench) -> Iterator[Trial]:
    """A run in a folder with the finished run of another command: refused, or that run isn't touched."""
    for other in COMMANDS.values():
        there = bench.place.parent / other.name / "whole"
        if other.name == bench.tried.name or not there.exists():
            continue
        folder = bench.fresh("another")
        shutil.copytree(there, folder)
        before = outcome(folder)
        ended = bench.begin(folder).wait()
        after = outcome(folder)
        changed = sorted(name for name in before if after.get(name) != before[name])
        yield bench.trial(
            f"in a folder of {other.name}: {'refused' if ended.code else 'beside it'}",
            *(f"{name} of {other.name} was changed" for name in changed),
            *(told_badly(ended, 2) if ended.code else ()),
        )


INJURIES: dict[str, Injury] = {
    injury.__name__.replace("_", "-"): injury
    for injury in (
        *(kill, stop, stop_compiling, full_disk, read_only, surroundings, no_cache, closed_output, two_at_once),
        another_commands_folder,
    )
}
NEEDS_ROOT = {"full-disk", "read-only", "no-cache"}  # to have disks of their own
