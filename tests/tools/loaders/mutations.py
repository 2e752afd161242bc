"""Files made wrong: damaged byte by byte, and whole again with one value, array or column of another kind."""

from __future__ import annotations

import copy
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st
from pyarrow import parquet

Path = tuple[str | int, ...]
Draw = Callable[..., Any]

DEEP = "deep nesting stands here"
NESTED = "[" * 10_000 + "]" * 10_000
VALUES: tuple[Any, ...] = (
    *("a word", "", "x" * 100_000, "../../etc/passwd", "nul\0", "\ud800", [], {}, [[]], None, True, DEEP),
    *(float("nan"), float("inf"), -1, 0, 0.5, 2**31, 2**63, 2**70, 10**400, 1e308, -1e308, 10**12),
)
LITERALS = (
    *('"a word"', '""', '"../.."', '"\\u0000"', "[]", "[[]]", "{}", "{ a = 1 }", "true", "nan", "inf", "-inf", "-1"),
    *("0", "0.5", "1e308", str(2**31), str(2**63), str(2**70), "9" * 5000, "1979-05-27", "07:32:00", "0x7f", NESTED),
    f'"{"x" * 100_000}"',
)


# --- any file --------------------------------------------------------------------------------------------------------

WRONG_FROM_THE_START: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "a line feed": lambda content: b"\n",
    "zeros": lambda content: bytes(len(content)),
    "UTF-16": lambda content: content.decode("latin-1").encode("utf-16"),
    "not UTF-8": lambda content: b"\xff\xfe" + content,
    "Latin-1": lambda content: content + b"# \xe9",
    "a mark of byte order": lambda content: b"\xef\xbb\xbf" + content,
    "a null": lambda content: content + b"\0",
    "half": lambda content: content[: len(content) // 2],
    "all but a byte": lambda content: content[: max(0, len(content.rstrip()) - 1)],
}


@st.composite
def damaged(draw: Draw, content: bytes) -> bytes:
    """A bit turned, the end cut off, a part left out or written twice, bytes in between."""
    place = draw(st.integers(0, len(content) - 1))
    end = min(len(content), place + draw(st.integers(1, 40)))
    return draw(
        st.sampled_from(
            [
                content[:place] + bytes([content[place] ^ (1 << draw(st.integers(0, 7)))]) + content[place + 1 :],
                content[:place],
                content[:place] + content[end:],
                content[:end] + content[place:],
                content[:place] + draw(st.binary(min_size=1, max_size=12)) + content[place:],
            ]
        )
    )


# --- JSON ------------------------------------------------------------------------------------------------------------


def places(tree: Any, at: Path = ()) -> Iterator[Path]:
    """Where values stand in a tree of JSON, inner ones too."""
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for part, value in pairs:
        yield (*at, part)
        yield from places(value, (*at, part))


def written(tree: Any) -> bytes:
    """A tree as JSON, with the deep nesting where its mark stands."""
    return json.dumps(tree).replace(f'"{DEEP}"', NESTED).encode()


def changed(tree: Any, at: Path, change: Callable[[Any, Any], object]) -> Any:
    """A copy of a tree with a change made in what holds the value at a place."""
    altered = copy.deepcopy(tree)
    inner = altered
    for part in at[:-1]:
        inner = inner[part]
    change(inner, at[-1])
    return altered


def replaced(tree: Any, at: Path, value: Any) -> Any:
    """A copy with another value."""
    return changed(tree, at, lambda inner, part: inner.__setitem__(part, value))


def without(tree: Any, at: Path) -> Any:
    """A copy without the value."""
    return changed(tree, at, lambda inner, part: inner.__delitem__(part))


def more(tree: Any, at: Path) -> Any:
    """A copy with a name more beside the value, or with the value twice."""
    return changed(
        tree,
        at,
        lambda inner, part: inner.update(stranger=1) if isinstance(inner, dict) else inner.insert(part, inner[part]),
    )


@st.composite
def other_json(draw: Draw, tree: Any) -> Any:
    """A tree with one thing changed."""
    at = draw(st.sampled_from(list(places(tree))))
    value = draw(st.sampled_from(VALUES) | st.integers() | st.floats() | st.text(max_size=5))
    return draw(st.sampled_from([replaced(tree, at, value), without(tree, at), more(tree, at)]))


def given_twice(content: bytes) -> bytes:
    """The first name of an object once more, at its end."""
    name = re.search(rb'"[^"]+"', content)
    assert name is not None
    return content.rstrip()[:-1] + b", " + name.group() + b": 3}"


# --- TOML ------------------------------------------------------------------------------------------------------------


@st.composite
def other_toml(draw: Draw, content: bytes) -> bytes:
    """A line's value of another kind, a line less, or a line twice."""
    lines = content.decode().split("\n")
    place = draw(st.sampled_from([number for number, line in enumerate(lines) if line.strip() and line[0] != "#"]))
    name, sign, _ = lines[place].partition("=")
    line = f"{name}{sign} {draw(st.sampled_from(LITERALS))}" if sign else lines[place] + "x"
    middle = draw(st.sampled_from([[line], [], [lines[place]] * 2, [lines[place], "stranger = 1"]]))
    return "\n".join([*lines[:place], *middle, *lines[place + 1 :]]).encode()


# --- arrays ----------------------------------------------------------------------------------------------------------

Arrays = dict[str, Any]

ARRAYS: dict[str, Callable[[Any], Any]] = {
    "other numbers": lambda array: array.astype(np.float64) if array.dtype.kind in "fiub" else np.zeros(3),
    "whole numbers": lambda array: np.zeros(array.shape, np.int32),
    "words": lambda array: np.full(array.shape, "x"),
    "bytes": lambda array: np.full(array.shape, b"x"),
    "dates": lambda array: np.zeros(array.shape, "datetime64[s]"),
    "complex": lambda array: np.zeros(array.shape, np.complex64),
    "records": lambda array: np.zeros(array.shape, [("a", np.float32)]),
    "the other byte order": lambda array: array.astype(array.dtype.newbyteorder("S")),
    "an axis more": lambda array: array[..., None],
    "one axis": lambda array: array.reshape(-1)[:-1],
    "no entries": lambda array: array.reshape(-1)[:0],
    "one entry": lambda array: np.asarray(array.reshape(-1)[0]) if array.size else np.zeros(()),
    "no numbers": lambda array: filled(array, np.nan),
    "infinite": lambda array: filled(array, np.inf),
    "huge": lambda array: filled(array, 3e38),
    "in Fortran's order": np.asfortranarray,
    "reversed": lambda array: array[::-1] if array.ndim else array,
}


def filled(array: Any, value: float) -> Any:
    """Of the same kind, with this number wherever it can be."""
    return np.full_like(array, value) if array.dtype.kind == "f" else np.full(array.shape, value, np.float32)


def unpacked(content: bytes) -> Arrays:
    """The arrays of a sound file."""
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def packed(members: dict[str, Any], compression: int = zipfile.ZIP_STORED) -> bytes:
    """A file of arrays, or of bytes, by the names of its members."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as file:
        for name, array in members.items():
            file.writestr(name, array if isinstance(array, bytes) else npy(array))
    return stream.getvalue()


def npy(array: Any) -> bytes:
    """An array in NumPy's format, objects by pickle."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=True)
    return stream.getvalue()


@st.composite
def other_arrays(draw: Draw, content: bytes) -> bytes:
    """Sound files, checksums and all, of other arrays: one of another kind, without one, with one more, a text changed,
    or an array's own bytes damaged.
    """
    arrays = unpacked(content)
    name = draw(st.sampled_from(sorted(arrays)))
    what = draw(st.sampled_from(["kind", "less", "more", "name", "bytes"]))
    members: dict[str, Any] = {f"{each}.npy": array for each, array in arrays.items()}
    key = f"{name}.npy"
    if what == "kind" and arrays[name].dtype.kind == "U":
        members[key] = np.array(written(draw(other_json(json.loads(str(arrays[name]))))).decode())
    elif what == "kind":
        members[key] = ARRAYS[draw(st.sampled_from(sorted(ARRAYS)))](arrays[name])
    elif what == "less":
        del members[key]
    elif what == "more":
        members[draw(st.sampled_from(["stranger.npy", "../x.npy", "/tmp/x.npy", "x.txt", "adam/step/x.npy"]))] = (
            np.zeros(3)
        )
    elif what == "name":
        members[draw(st.sampled_from([name, f"../{key}", f"{name}.NPY", f"{key}.npy"]))] = members.pop(key)
    else:
        members[key] = draw(damaged(npy(arrays[name])))
    return packed(members)


# --- rows ------------------------------------------------------------------------------------------------------------

COLUMNS: dict[str, Callable[[pa.Table, int], pa.Table]] = {
    "less": lambda rows, place: rows.remove_column(place),
    "words": lambda rows, place: put(rows, place, ["x"] * len(rows)),
    "numbers": lambda rows, place: put(rows, place, [2**62] * len(rows)),
    "fractions": lambda rows, place: put(rows, place, [0.5] * len(rows)),
    "lists": lambda rows, place: put(rows, place, [[1]] * len(rows)),
    "nothing": lambda rows, place: put(rows, place, [None] * len(rows)),
    "nothing of its kind": lambda rows, place: put(rows, place, pa.nulls(len(rows), rows.schema.field(place).type)),
    "twice": lambda rows, place: rows.append_column(rows.schema.field(place).name, rows[place]),
}


def put(rows: pa.Table, place: int, values: Any) -> pa.Table:
    """The rows with another column in a column's place, under its name."""
    return rows.set_column(
        place, rows.schema.field(place).name, pa.array(values) if isinstance(values, list) else values
    )


def rows_of(content: bytes) -> pa.Table:
    """The rows of a sound file."""
    return parquet.read_table(io.BytesIO(content))


def as_parquet(rows: pa.Table) -> bytes:
    """Rows as a file."""
    stream = io.BytesIO()
    parquet.write_table(rows, stream, compression="zstd", write_page_checksum=True)
    return stream.getvalue()


@st.composite
def other_rows(draw: Draw, content: bytes) -> bytes:
    """A column of another kind, missing, empty or twice."""
    rows = rows_of(content)
    return as_parquet(COLUMNS[draw(st.sampled_from(sorted(COLUMNS)))](rows, draw(st.integers(0, rows.num_columns - 1))))
