"""Folders that results go to."""

from __future__ import annotations

import tempfile
from pathlib import Path

from riverbed_env.core.errors import OptionError


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
