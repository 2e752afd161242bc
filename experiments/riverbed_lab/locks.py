"""One run per folder: a process that works in a folder leaves a lock file there and refuses if another process did.

Each process writes its lock file before it looks for others, so no process takes over another's lock. If two start at
the same moment, at most one continues. The lock file of a process that no longer runs is deleted.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.schema import of_kind
from riverbed_env.errors import OptionError

from .files import writable_folder

_HELD: set[Path] = set()  # by this process


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder for this process, which may nest. Raises OptionError, naming the other, if another holds it."""
    place = writable_folder(folder).resolve()
    if place in _HELD:
        yield
        return
    lock = place / f".running-{socket.gethostname()}-{os.getpid()}.lock"
    write_json(lock, _myself())
    _HELD.add(place)
    try:
        _refuse_others(place, lock)
        yield
    finally:
        _HELD.discard(place)
        lock.unlink(missing_ok=True)


def _refuse_others(place: Path, lock: Path) -> None:
    for file in place.glob(".running-*.lock"):
        if file == lock:
            continue
        try:
            other = of_kind(_Holder, read_json(file, "lock"), str(file))
            gone = other.host == socket.gethostname() and _began(other.process) != other.began
            who = f"process {other.process} on {other.host}"
        except OptionError:
            if not file.exists():
                continue  # the other process has just ended
            gone, who = False, "another process"
        if not gone:
            raise OptionError(
                f"{who} is working in this folder; wait until it is done, choose another folder with --out, or, if "
                f"it no longer runs, delete {file}"
            )
        file.unlink(missing_ok=True)


@dataclass(frozen=True)
class _Holder:
    """The process that holds a folder: its number, its host, and when it began."""

    process: Annotated[int, Field(gt=0, lt=2**31)]
    host: str
    began: str


def _myself() -> dict[str, Any]:
    return asdict(_Holder(os.getpid(), socket.gethostname(), _began(os.getpid())))


def _began(process: int) -> str:
    """When a process began; "none" if there is no such process, "" if the system doesn't tell.

    Process numbers are reused, so the number alone doesn't say whether a process still runs.
    """
    try:
        words = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return words[19]  # clock ticks since the machine booted, the 22nd word of the line
    except (OSError, IndexError):
        pass
    if os.name == "nt":
        return ""  # os.kill would end it: it counts as running
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return "none"
    except PermissionError:
        return ""
    return ""
