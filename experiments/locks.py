"""One run a folder: who works in a folder leaves a file there that names it, and refuses where another did.

Every process has a file of its own, so none ever takes over another's: it writes its own first, then looks for those
of others. Of two that begin at the same moment at most one goes on. The file of a process that is gone says nothing
and is deleted.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from riverbed_env.core.errors import OptionError
from riverbed_env.core.files import write_json

from .files import writable_folder

_HELD: set[Path] = set()  # by this process


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder for this process; OptionError, which names the other, where another process holds it.

    Within a process it may be held again, which changes nothing.
    """
    place = writable_folder(folder).resolve()
    if place in _HELD:
        yield
        return
    own = place / f".running-{socket.gethostname()}-{os.getpid()}.lock"
    write_json(own, _myself())
    _HELD.add(place)
    try:
        _refuse_others(place, own)
        yield
    finally:
        _HELD.discard(place)
        own.unlink(missing_ok=True)


def _refuse_others(place: Path, own: Path) -> None:
    for file in place.glob(".running-*.lock"):
        if file == own:
            continue
        try:
            other = json.loads(file.read_text(encoding="utf-8"))
            gone = other["host"] == socket.gethostname() and _began(int(other["process"])) != other["began"]
            who = f"process {other['process']} on {other['host']}"
        except FileNotFoundError:
            continue  # it has just ended
        except (OSError, ValueError, KeyError, TypeError):
            gone, who = False, "another process"
        if not gone:
            raise OptionError(
                f"{who} is working in this folder; wait until it is done, choose another folder with --out, or, if "
                f"it isn't running any more, delete {file}"
            )
        file.unlink(missing_ok=True)


def _myself() -> dict[str, Any]:
    return {"process": os.getpid(), "host": socket.gethostname(), "began": _began(os.getpid())}


def _began(process: int) -> str:
    """When a process began, "" where the system doesn't tell; "none" where there is no such process.

    Numbers of processes are used again, so the number alone doesn't say whether a process still runs.
    """
    try:
        words = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return words[19]  # clock ticks after the machine's start, the 22nd word of all
    except (OSError, IndexError):
        pass
    if os.name == "nt":
        return ""  # asking there would end it: it counts as running
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return "none"
    except PermissionError:
        return ""
    return ""
