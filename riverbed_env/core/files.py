"""Files written whole or not at all, and what is read from files: of bounded size, and never code."""

from __future__ import annotations

import contextlib
import errno
import glob
import io
import json
import math
import os
import stat
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError, WriteError

Arrays = dict[str, npt.NDArray[Any]]

LARGEST_TEXT = 64 * 2**20  # bytes
LARGEST_UNPACKED = 256 * 2**20  # bytes of all arrays of a file that is smaller than they are
DEEPEST = 40  # lists and objects of JSON within each other
LARGEST_WHOLE = 2**128  # NumPy keeps its random streams in numbers below
ARRAY = ".npy"
HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
PART = ".part"  # the end of the name of a file that is being written


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


def check_plain(path: Path, name: str, largest: int | None = None) -> None:
    """OptionError, which calls the file `name`, unless it is a plain file of at most so many bytes.

    Folders, pipes and devices are none: reading a pipe would wait for ever.
    """
    try:
        found = path.stat()
    except (OSError, ValueError) as error:  # ValueError: a name with a null
        raise OptionError(f"{name} can't be read: {getattr(error, 'strerror', None) or error}") from error
    if not stat.S_ISREG(found.st_mode):
        raise OptionError(f"{name} can't be read: it is no plain file")
    if largest is not None and found.st_size > largest:
        raise OptionError(f"{name} can't be read: it is larger than {largest // 2**20} MiB")


def read_text(path: Path, name: str) -> str:
    """A text in UTF-8; OptionError, which calls it `name`, where it is none or larger than LARGEST_TEXT."""
    check_plain(path, name, LARGEST_TEXT)
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise OptionError(f"{name} can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise OptionError(f"{name} can't be read: it isn't a text in UTF-8: {error}") from error


def read_json(path: Path, what: str, number: int | None = None) -> dict[str, Any]:
    """The object that a JSON file holds; OptionError, which calls it `what` with its path. See `parse_json`."""
    name = f"{what} {path}"
    return parse_json(read_text(path, name), name, number)


def parse_json(text: str, name: str, number: int | None = None) -> dict[str, Any]:
    """The object of a JSON text; with a format's `number`, what it holds beside that number.

    Raises OptionError, which calls it `name`, where it is none, is of another format, gives something twice, is nested
    deeper than DEEPEST or holds infinite numbers or such as no number here can be.
    """
    try:
        found = json.loads(text, object_pairs_hook=_each_once)
        _check_values(found, DEEPEST)
    except (ValueError, RecursionError) as error:
        raise OptionError(f"{name} can't be read: {error}") from error
    if not isinstance(found, dict):
        raise OptionError(f"{name} can't be read: it must be an object of JSON")
    if number is not None and (type(found.get("format")) is not int or found.pop("format") != number):
        raise OptionError(f"{name} is of a format that this version doesn't read; it reads format {number}")
    return found


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} is given twice")
    return found


def _check_values(value: object, left: int) -> None:
    """ValueError for what is nested deeper than so often, and for numbers out of all bounds."""
    if isinstance(value, dict | list):
        if not left:
            raise ValueError(f"it is nested deeper than {DEEPEST} times")
        for each in value.values() if isinstance(value, dict) else value:
            _check_values(each, left - 1)
    elif (isinstance(value, int) and abs(value) >= LARGEST_WHOLE) or (isinstance(value, float) and math.isinf(value)):
        raise ValueError("it holds a number that is too large")


def read_arrays(path: Path, what: str) -> Arrays:
    """The arrays of such a file, by name; no code in it is run, and each array's checksum is looked at.

    Raises OptionError, which calls it `what` with its path, where it is none, is damaged, or would unpack to more
    than LARGEST_UNPACKED and than it is large itself.
    """
    check_plain(path, f"{what} {path}")
    try:
        with zipfile.ZipFile(path) as file:
            members = file.infolist()
            if sum(member.file_size for member in members) > max(LARGEST_UNPACKED, path.stat().st_size):
                raise ValueError(f"it unpacks to more than {LARGEST_UNPACKED // 2**20} MiB")
            found = {member.filename: _parse_array(_unpacked(file, member)) for member in members}
            if len(found) < len(members) or not all(name.endswith(ARRAY) for name in found):
                raise ValueError("it must hold arrays, each once")
    except Exception as error:  # whatever zipfile and NumPy raise over what isn't theirs
        raise OptionError(f"{what} {path} can't be read: {error}") from error
    return {name.removesuffix(ARRAY): array for name, array in found.items()}


def _unpacked(file: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """A member's bytes, its checksum looked at; no more are unpacked than it says, however many there are."""
    with file.open(member) as stream:
        return stream.read(member.file_size + 1)


def _parse_array(content: bytes) -> npt.NDArray[Any]:
    """An array of NumPy's format; ValueError, before it takes any room, where shape and content don't fit."""
    stream = io.BytesIO(content)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy warns of headers that it doesn't write itself
        shape, _, dtype = HEADERS[np.lib.format.read_magic(stream)](stream)
    if dtype.hasobject:
        raise ValueError("objects of Python would run code, they aren't read")
    if math.prod(shape) * dtype.itemsize != len(content) - stream.tell():
        raise ValueError(f"an array of shape {shape} has {len(content) - stream.tell()} bytes")
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)
