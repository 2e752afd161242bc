"""Compare two values by content, and name the pieces and places that differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Difference:
    """Where two values differ: the name with the keys below it, the place in it, and both values."""

    name: str
    place: str
    one: str
    two: str

    def __str__(self) -> str:
        return f"{self.name}{self.place}: {self.one} in one world, {self.two} in the other"


def differences(one: Any, two: Any, name: str = "", place: str = "") -> list[Difference]:
    """Where two values differ in content, type, dtype, shape, or the order of keys; empty if nowhere.

    Arrays are compared bit by bit, containers by their items, all else by ==; NaN is itself.
    """
    if one is two:
        return []
    if type(one) is type(two):
        if isinstance(one, np.ndarray | np.void):
            return _of_arrays(one, two, name, place)
        if isinstance(one, Mapping):
            return _of_mappings(one, two, name, place)
        if isinstance(one, list | tuple) and len(one) == len(two):
            pairs = enumerate(zip(one, two))
            return [each for i, (a, b) in pairs for each in differences(a, b, name, f"{place}[{i}]")]
        if one == two or (one != one and two != two):  # noqa: PLR0124  # NaN
            return []
    return [Difference(name, place, brief(one), brief(two))]


def _of_arrays(one: Any, two: Any, name: str, place: str) -> list[Difference]:
    if one.dtype != two.dtype or one.shape != two.shape:
        return [Difference(name, place, brief(one), brief(two))]
    if one.tobytes() == two.tobytes():
        return []
    if one.dtype.names is not None:
        fields = one.dtype.names
        return [each for key in fields for each in differences(one[key], two[key], f"{name} {key}".strip(), place)]
    rows = [np.frombuffer(array.tobytes(), np.uint8).reshape(one.size, -1) for array in (one, two)]
    first, *more = np.flatnonzero((rows[0] != rows[1]).any(axis=1))
    entry = tuple(int(part) for part in np.unravel_index(int(first), one.shape))
    also = f" (and {len(more)} more entries)" if more else ""
    return [Difference(name, f"{place}{list(entry) or ''}", brief(one[entry]), brief(two[entry]) + also)]


def _of_mappings(one: Any, two: Any, name: str, place: str) -> list[Difference]:
    keys, apart = (list(one), list(two)), []
    if keys[0] != keys[1]:
        word = "order of keys" if set(keys[0]) == set(keys[1]) else "keys"
        apart = [Difference(f"{name} {word}".strip(), place, brief(keys[0]), brief(keys[1]))]
    both = [key for key in keys[0] if key in two]
    return apart + [each for key in both for each in differences(one[key], two[key], f"{name} {key}".strip(), place)]


def brief(value: Any) -> str:
    """A short form of a value."""
    if isinstance(value, np.ndarray) and value.shape:
        return f"a {value.dtype} array of shape {value.shape}"
    words = repr(value.item() if isinstance(value, np.generic | np.ndarray) else value)
    return words if len(words) <= 60 else f"{words[:57]}..."
