"""Output folders, hashes of files, and the version of the code."""

import hashlib
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from riverbed_env.errors import OptionError
from riverbed_env.version import __version__

URL = re.compile(r"\w{2,}:/")


def writable_folder(folder: Path) -> Path:
    """The folder, created if needed. Raises OptionError, before any work is done, if it can't be written."""
    if URL.match(str(folder)):
        raise OptionError(f"{folder} is no folder: mount the bucket, or copy the folder there afterwards")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise OptionError(
            f"output folder {folder} can't be written: {error.strerror}; choose another with --out"
        ) from error


def digest(paths: Iterable[Path]) -> str:
    """A short hash of the names and contents of files."""
    total = hashlib.sha256()
    for path in paths:
        total.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:12]


def code_version() -> str:
    """The library's version and, in a checkout, the commit."""
    try:
        commit = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parent,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return __version__
    return f"{__version__}+{commit}"


def records(frame: Any) -> list[dict[str, Any]]:
    """The lines of a data frame as JSON takes them: what is missing or infinite becomes null."""
    lines: list[dict[str, Any]] = json.loads(frame.to_json(orient="records", double_precision=15))
    return lines
