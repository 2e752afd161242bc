"""Results on disk: whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from riverbed_env.core.errors import OptionError, RiverbedError


def writable_folder(folder: Path) -> Path:
    """The folder, made if need be; OptionError, before any work is done, where nothing can be written to it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise OptionError(
            f"output folder {folder} can't be written: {error.strerror}; choose another with --out"
        ) from error


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a temporary file beside `path`, then put it in its place at once."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(partial)
        partial.replace(path)
    except OSError as error:
        raise RiverbedError(f"{path} couldn't be written: {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)


def write_json(path: Path, content: dict[str, Any]) -> None:
    """A JSON file, whole or not at all."""
    write_whole(path, lambda partial: partial.write_text(json.dumps(content, indent=2) + "\n"))
