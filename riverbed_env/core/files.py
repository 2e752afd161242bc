"""Files are written whole or not at all; what is read from them is bounded in size and is never code."""

import contextlib
import errno
import glob
import json
import os
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError, WriteError

Arrays = dict[str, npt.NDArray[Any]]

LARGEST_TEXT = 64 * 2**20  # bytes
LARGEST_UNPACKED = 256 * 2**20  # bytes of all arrays in a compressed file
PART = ".part"  # suffix of a file that is being written


# What a person can do about an error, by its errno.
REMEDIES = {
    errno.ENOSPC: "make room there",
    errno.EDQUOT: "make room there: your quota is used up",
    errno.EROFS: "the disk is read-only; choose another folder",
    errno.EACCES: "allow it, or choose another folder",
    errno.EPERM: "allow it, or choose another folder",
    errno.ENOTDIR: "there is a file where a folder is needed; move it or choose another folder",
    errno.EFBIG: "allow larger files there",
}


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a temporary file beside `path`, then move it to `path` in one step.

    The file is flushed to disk before the move, so a power cut leaves the old file or the new one. Leftovers of killed
    processes are deleted first. Raises WriteError if the file can't be written; the old file then remains.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}{PART}")
    try:
        _delete_left_over(path)
        write(partial)
        with partial.open("rb+") as file:
            os.fsync(file.fileno())  # if it were moved before, a power cut could leave it empty
        partial.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        with contextlib.suppress(OSError):  # a read-only disk raises even for a missing file
            partial.unlink(missing_ok=True)


def cannot_write(path: Path | str, error: OSError) -> WriteError:
    """The error for a file that can't be written: why, and what helps."""
    number = error.errno
    reason = error.strerror or (os.strerror(number) if number else str(error))  # PyArrow gives the number alone
    remedy = REMEDIES.get(number or 0)
    return WriteError(f"{path} couldn't be written: {reason}{f'; {remedy}' if remedy else ''}")


def _delete_left_over(path: Path) -> None:
    """Delete the temporary files of processes that no longer run; they could fill a small disk."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.*{PART}"):
        process = left.name.removesuffix(PART).rpartition(".")[2]
        if process.isdigit() and not _runs(int(process)):
            left.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    """Whether a process with this id may exist. On Windows the check would kill it, so the answer is always yes."""
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON file, whole or not at all; see `write_whole`."""
    write_whole(path, lambda partial: partial.write_text(json.dumps(content, indent=2) + "\n"))


def write_arrays(path: Path, arrays: Arrays, *, compressed: bool = False) -> None:
    """Write arrays by name as an .npz file, whole or not at all; see `write_whole`."""

    def write(partial: Path) -> None:
        with partial.open("wb") as file:  # given a path, NumPy would add a suffix
            (np.savez_compressed if compressed else np.savez)(file, **arrays)  # type: ignore[arg-type]

    write_whole(path, write)


def check_plain(path: Path, name: str, largest: int | None = None) -> None:
    """Raise OptionError, calling the file `name`, unless `path` is a regular file of at most `largest` bytes.

    Folders, pipes and devices are refused: reading a pipe could block for ever.
    """
    try:
        status = path.stat()
    except (OSError, ValueError) as error:  # ValueError: a name with a null
        raise OptionError(f"{name} can't be read: {getattr(error, 'strerror', None) or error}") from error
    if not stat.S_ISREG(status.st_mode):
        raise OptionError(f"{name} can't be read: it isn't a regular file")
    if largest is not None and status.st_size > largest:
        raise OptionError(f"{name} can't be read: it is larger than {largest // 2**20} MiB")


def read_text(path: Path, name: str) -> str:
    """Read a UTF-8 text. Raises OptionError, calling it `name`, if it isn't one or exceeds LARGEST_TEXT."""
    check_plain(path, name, LARGEST_TEXT)
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise OptionError(f"{name} can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise OptionError(f"{name} can't be read: it isn't UTF-8 text: {error}") from error


def read_json(path: Path, what: str, number: int | None = None) -> dict[str, Any]:
    """Read a JSON object from a file; see `parse_json`. Errors call it `what` with its path."""
    name = f"{what} {path}"
    return parse_json(read_text(path, name), name, number)


def parse_json(text: str, name: str, number: int | None = None) -> dict[str, Any]:
    """Parse a JSON object; with `number` its "format" entry must be that number and is removed.

    Raises OptionError, calling it `name`, if the text isn't a JSON object or has another format.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise OptionError(f"{name} can't be read: {error}") from error
    if not isinstance(content, dict):
        raise OptionError(f"{name} can't be read: it must be a JSON object")
    if number is not None and (type(content.get("format")) is not int or content.pop("format") != number):
        raise OptionError(f"{name} has a format that this version can't read; it reads format {number}")
    return content


def read_arrays(path: Path, what: str) -> Arrays:
    """Read an .npz file's arrays by name; no code in it is run, and checksums are verified.

    Raises OptionError, calling it `what` with its path, if it isn't such a file, is damaged, or unpacks to more than
    both LARGEST_UNPACKED and its own size.
    """
    check_plain(path, f"{what} {path}")
    try:
        with zipfile.ZipFile(path) as file:  # NumPy takes other files too
            if sum(member.file_size for member in file.infolist()) > max(LARGEST_UNPACKED, path.stat().st_size):
                raise ValueError(f"it unpacks to more than {LARGEST_UNPACKED // 2**20} MiB")
        with np.load(path, allow_pickle=False) as arrays:
            return {name: np.array(arrays[name]) for name in arrays.files}
    except Exception as error:  # zipfile and NumPy raise all kinds of errors for damaged files
        raise OptionError(f"{what} {path} can't be read: {error}") from error
