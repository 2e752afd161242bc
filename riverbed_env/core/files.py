"""Files written whole or not at all, and what is read from files of arrays."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import OptionError, RiverbedError

Arrays = dict[str, npt.NDArray[Any]]

# What NumPy and zipfile raise over files that are none of theirs, or damaged.
UNREADABLE = (
    *(OSError, ValueError, EOFError, KeyError, NotImplementedError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error),
)


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a temporary file beside `path`, then put it in its place at once.

    Raises RiverbedError where it can't be written; what stood at `path` is then still there.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(partial)
        partial.replace(path)
    except OSError as error:
        raise RiverbedError(f"{path} couldn't be written: {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)


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
