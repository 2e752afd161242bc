"""Files written whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .errors import RiverbedError


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
