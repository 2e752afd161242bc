"""Cores, memory, disk, Numba's environment variables, terminal and browser."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import webbrowser
from pathlib import Path

from .findings import Finding, note, wrong

GIB = 2**30
LITTLE_MEMORY, LITTLE_DISK = 2 * GIB, GIB  # compiling takes most of a GiB; kernels and results some hundred MiB
WIDE = 100  # columns that the tables need
VARIABLES = {
    "NUMBA_DISABLE_JIT": "rules run as plain Python, some hundred times slower: for a debugger and coverage",
    "NUMBA_BOUNDSCHECK": "every index is checked: slower, with a cache of its own",
    "NUMBA_NUM_THREADS": "no more threads than this",
    "NUMBA_OPT": "how hard the compiler tries; 1 compiles a quarter faster, and games run no slower",
    "NUMBA_CACHE_DIR": "has no effect here: RIVERBED_CACHE_DIR says where kernels are kept",
    "NUMBA_CPU_NAME": "kernels are compiled for that processor, and kept apart from others",
    "NUMBA_CPU_FEATURES": "kernels are compiled for a processor with these features, and kept apart from others",
    "NUMBA_THREADING_LAYER": "how parallel kernels are run; they were tested with the one Numba chooses itself",
}
HARMLESS = ("NUMBA_OPT",)


def numba_variables() -> list[Finding]:
    """The environment variables that change what is compiled, and what they do."""
    there = {name: value for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_") and value != ""}
    found = []
    for name, value in there.items():
        about = VARIABLES.get(name, "not one that Riverbed was tested with")
        said = f"{name}={value}: {about}"
        found.append(Finding(said) if name in HARMLESS or value == "0" else note(said, f"unset {name} for the usual"))
    return found or [Finding("none is set")]


def resources() -> list[Finding]:
    """Cores, memory, and disk where results and temporary files go."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    found = [Finding(f"{cores} core{'s' if cores > 1 else ''} for this process of {os.cpu_count()}"), *_memory()]
    return found + [disk(folder) for folder in dict.fromkeys((Path.cwd(), Path(tempfile.gettempdir())))]


def _memory() -> list[Finding]:
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # systems that don't tell
        return []
    said = f"{whole / GIB:.1f} GiB of memory"
    if whole < LITTLE_MEMORY:
        return [note(said, "compiling all agents takes up to a GiB; close other programs, or leave agents out")]
    return [Finding(said)]


def disk(folder: Path) -> Finding:
    """The room on the disk of a folder."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return wrong(f"{folder}: {error.strerror}", "start in a folder that exists")
    said = f"{free / GIB:.1f} GiB free at {folder}"
    return Finding(said) if free >= LITTLE_DISK else wrong(said, "make room: kernels and results need about 1 GiB")


def terminal() -> list[Finding]:
    """Width, colour and letters of the terminal."""
    found = []
    columns = shutil.get_terminal_size().columns
    if not sys.stdout.isatty():
        found.append(Finding("no terminal: tables are written 120 columns wide, without colour"))
    elif columns < WIDE:
        found.append(note(f"{columns} columns wide", f"tables need {WIDE}: widen the window, or write to a file"))
    else:
        colour = "without colour (NO_COLOR is set)" if os.environ.get("NO_COLOR") else "with colour"
        found.append(Finding(f"{columns} columns wide, {colour if os.environ.get('TERM') != 'dumb' else 'dumb'}"))
    encoding = (sys.stdout.encoding or "utf-8").lower().replace("-", "")  # what stands in for a stream has none
    if not encoding.startswith("utf"):
        remedy = "other signs are told by the nearest; PYTHONIOENCODING=utf-8 shows them as they are"
        found.append(note(f"letters are written as {encoding}", remedy))
    return found


def browser() -> list[Finding]:
    """Whether a report can be looked at here."""
    try:
        webbrowser.get()
    except webbrowser.Error:
        advice = "reports are one HTML file each, without a network: copy it to a machine that has one"
        return [note("no browser for reports", advice)]
    return [Finding("there is one for reports")]
