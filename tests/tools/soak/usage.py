"""The resources a process uses, and whether they grew over time."""

from __future__ import annotations

import os
import statistics
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from riverbed_env.errors import RiverbedError

MEBIBYTE = 1 << 20
HOUR = 3600.0

# Growth over the time after the warm-up that counts as a leak.
MEMORY_BOUND = 32.0  # MiB that the fitted line may rise: fragmentation alone varies by as much
COUNT_BOUND = 2  # open files or threads, by the medians of the first and last third
WARM_UP = 0.25  # of the time, in which caches fill
FEWEST = 8  # samples after the warm-up that a verdict needs


@dataclass(frozen=True)
class Usage:
    """Usage of a process: seconds since the soak began, resident memory in MiB, open files, threads."""

    at: float
    memory: float
    files: int
    threads: int


def usage(at: float) -> Usage:
    """The usage of this process now; RiverbedError on systems that can't tell, like Windows."""
    try:
        files = len(os.listdir("/dev/fd"))  # noqa: PTH208  # only their number is wanted
        return Usage(at, _resident(), files, _threads())
    except OSError as error:
        raise RiverbedError("a soak needs a system that tells of open files, like Linux or macOS") from error


def _resident() -> float:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE") / MEBIBYTE
    except FileNotFoundError:  # macOS: the most there ever was, which grows with a leak too
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / (MEBIBYTE if sys.platform == "darwin" else 1024)


def _threads() -> int:
    """All threads, where possible with those that Python didn't start."""
    try:
        return len(os.listdir("/proc/self/task"))  # noqa: PTH208
    except FileNotFoundError:
        return threading.active_count()


@dataclass(frozen=True)
class Growth:
    """Usage after the warm-up: MiB at both ends of the fitted line; files and threads early and late.

    complaints: what grew, in words.
    """

    samples: int
    memory: tuple[float, float]
    memory_an_hour: float
    files: tuple[float, float]
    threads: tuple[float, float]
    complaints: tuple[str, ...]

    def __str__(self) -> str:
        early, late = self.memory
        memory = f"memory {early:.1f} to {late:.1f} MiB ({self.memory_an_hour:+.1f} an hour)"
        pairs = (("open files", self.files), ("threads", self.threads))
        counts = ", ".join(f"{name} {first:.0f} to {last:.0f}" for name, (first, last) in pairs)
        return f"{'GREW' if self.complaints else 'flat'}: {memory}, {counts}, {self.samples} samples"


def growth(samples: Sequence[Usage]) -> Growth:
    """Whether a process's usage grew, by the bounds above. samples: in order of time."""
    first, last = (samples[0].at, samples[-1].at) if samples else (0.0, 0.0)
    kept = [each for each in samples if each.at >= first + WARM_UP * (last - first)]
    if len(kept) < FEWEST or kept[-1].at <= kept[0].at:
        nothing = (0.0, 0.0)
        words = f"only {len(kept)} samples after the warm-up; a verdict needs {FEWEST}: soak longer"
        return Growth(len(kept), nothing, 0.0, nothing, nothing, (words,))
    times = np.array([each.at for each in kept])
    slope, height = np.polyfit(times - times[0], [each.memory for each in kept], 1)
    rise = float(slope * (times[-1] - times[0]))
    files, threads = (_early_and_late([getattr(each, name) for each in kept]) for name in ("files", "threads"))
    complaints = []
    if rise > MEMORY_BOUND:
        complaints.append(f"memory grew by {rise:.0f} MiB, more than {MEMORY_BOUND:.0f}")
    for name, (early, late) in (("open files", files), ("threads", threads)):
        if late - early > COUNT_BOUND:
            complaints.append(f"{name} grew from {early:.0f} to {late:.0f}, by more than {COUNT_BOUND}")
    ends = (float(height), float(height) + rise)
    return Growth(len(kept), ends, float(slope) * HOUR, files, threads, tuple(complaints))


def _early_and_late(counts: Sequence[int]) -> tuple[float, float]:
    third = max(1, len(counts) // 3)
    return float(statistics.median(counts[:third])), float(statistics.median(counts[-third:]))
