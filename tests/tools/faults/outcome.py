"""What a run left in its folder, without what differs between two runs of the same: times, and names of places."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from pyarrow import parquet

TIMES = {
    "seconds",
    "processor_seconds",
    "written",
    "games_per_second",
    "day",
    "command",
    "code",
}  # the code's version may have become another
HASHES = {"hash", "files"}  # of files or of a state with times in it; what they are of is compared itself
TOLD = {".html", ".md", ".svg", ".png"}  # made of the rest, with times and places in their words


def outcome(folder: Path) -> dict[str, str]:
    """A digest of each file of results below a folder, by its path there.

    Figures for TensorBoard are left out, which a run that is taken up has twice, and pages made of the rest.
    """
    found = {}
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        name = str(path.relative_to(folder))
        if "tensorboard" not in name and path.suffix not in TOLD and not path.name.startswith("."):
            found[name] = hashlib.sha256(_content(path, folder)).hexdigest()[:16]
    return found


def half_written(folder: Path) -> list[str]:
    """Files that are left half written, or as if somebody were at work."""
    return [str(path.relative_to(folder)) for path in folder.rglob(".*") if path.suffix in (".part", ".lock")]


def _content(path: Path, folder: Path) -> bytes:
    if path.suffix == ".parquet":
        table = parquet.read_table(path)
        kept = table.drop_columns([name for name in table.column_names if name in TIMES])
        return repr(kept.to_pydict()).encode()
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as file:
            return b"".join(_array(name, file[name], folder) for name in sorted(file.files))
    if path.suffix == ".json":
        return _plain(json.loads(path.read_text()), folder)
    if path.suffix == ".jsonl":
        return b"\n".join(sorted(_plain(json.loads(line), folder) for line in path.read_text().splitlines()))
    return path.read_bytes()


def _array(name: str, array: Any, folder: Path) -> bytes:
    if array.dtype.kind == "U":  # a header in JSON
        return name.encode() + _plain(json.loads(str(array)), folder)
    return name.encode() + repr((array.dtype, array.shape)).encode() + np.ascontiguousarray(array).tobytes()


def _plain(value: Any, folder: Path) -> bytes:
    return json.dumps(_timeless(value), sort_keys=True).replace(str(folder), "FOLDER").encode()


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _timeless(each) for name, each in value.items() if name not in TIMES | HASHES}
    return [_timeless(each) for each in value] if isinstance(value, list) else value
