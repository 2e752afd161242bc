"""Files written whole or not at all, and what is read from files of arrays."""

from __future__ import annotations

import contextlib
import errno
import glob
import json
import os
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import OptionError, WriteError

Arrays = dict[str, npt.NDArray[Any]]

PART = ".part"  # the end of the name of a file that is being written

# What NumPy and zipfile raise over files that are none of theirs, or damaged.
UNREADABLE = (
    *(OSError, ValueError, EOFError, KeyError, NotImplementedError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error),
)


# What a person can do about it, by the system's number of the error.
REMEDIES = {
    errno.ENOSPC: "make room there",
    errno.EDQUOT: "make room there: your quota is used up",
    errno.EROFS: "it can only be read; choose another folder",
    errno.EACCES: "allow it, or choose another folder",
    errno.EPERM: "allow it, or choose another folder",
    errno.ENOTDIR: "there is a file where a folder is needed; move it or choose another folder",
    errno.EFBIG: "allow larger files there",
}


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a temporary file beside `path`, then put it in its place at once.

    What stands at `path` is on the disk before it is put there, and the folder after it, so that a power cut leaves the
    old file or the new one, too. What processes that were killed left half written of it is deleted first. Raises
    WriteError where it can't be written; what stood at `path` is then still there.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}{PART}")
    try:
        _delete_left_over(path)
        write(partial)
        _to_disk(partial)
        partial.replace(path)
        _folder_to_disk(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        with contextlib.suppress(OSError):  # a disk that can't be written says so even of what isn't there
            partial.unlink(missing_ok=True)


def cannot_write(path: Path | str, error: OSError) -> WriteError:
    """What is told of a file that can't be written: why, and what helps."""
    number = error.errno
    reason = error.strerror or (os.strerror(number) if number else str(error))  # PyArrow gives the number alone
    remedy = REMEDIES.get(number or 0)
    return WriteError(f"{path} couldn't be written: {reason}{f'; {remedy}' if remedy else ''}")


def _delete_left_over(path: Path) -> None:
    """Delete what processes that run no more left half written of a file, which may fill a small disk."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*{PART}"):
        process = left.name.removesuffix(PART).rpartition(".")[2]
        if process.isdigit() and not _runs(int(process)):
            left.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    """Whether there may be a process of this number; where asking for it would end it, there may."""
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _to_disk(path: Path) -> None:
    """Wait until a file's content is on the disk: renamed before, it may be empty after a power cut."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _folder_to_disk(folder: Path) -> None:
    """The same for what a folder holds, where the system can do that."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def write_json(path: Path, content: dict[str, Any]) -> None:
    """A JSON file, whole or not at all; see `write_whole`."""
    write_whole(path, lambda partial: partial.write_text(json.dumps(content, indent=2) + "\n"))


def write_arrays(path: Path, arrays: Arrays, *, compressed: bool = False) -> None:
    """A file of arrays by name, NumPy's .npz, whole or not at all; see `write_whole`."""

    def write(partial: Path) -> None:
        with partial.open("wb") as file:  # given a path, NumPy would add a suffix
            (np.savez_compressed if compressed else np.savez)(file, **arrays)  # type: ignore[arg-type]

    write_whole(path, write)


def read_arrays(path: Path, what: str) -> Arrays:
    """The arrays of such a file, by name; no code in it is run. OptionError, which calls it `what`, if it is none."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            return {key: file[key] for key in file.files}
    except UNREADABLE as error:
        raise OptionError(f"{what} {path} can't be read: {error}") from error
