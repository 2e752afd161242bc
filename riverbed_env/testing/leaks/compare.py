"""Compare two values by content, and name the pieces and places that differ."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Any

import gymnasium.spaces
import numpy as np
import numpy.typing as npt

_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+")
_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic, Enum, type, range, slice)
_LIST_LIKE = (list, tuple)
_IMMUTABLE = frozenset((bool, int, float, str, bytes, type(None)))
DEEP = 8  # containers within containers; what goes deeper, or round in circles, is walked


@dataclass(frozen=True)
class Difference:
    """Where two values differ: the channel or attribute with the keys below it, the place in it, and both values."""

    name: str
    place: str
    one: str
    two: str

    def __str__(self) -> str:
        return f"{self.name}{self.place}: {self.one} in one world, {self.two} in the other"


class ContentError(TypeError):
    """Two objects show no content that could be compared."""


def freeze(value: Any) -> Any:
    """A deep copy; the value itself if it can't be copied."""
    kind = type(value)
    if kind in _IMMUTABLE or isinstance(value, gymnasium.spaces.Space):
        return value
    if kind is np.ndarray and not value.dtype.hasobject:
        return value.copy()
    if kind is np.void and not value.dtype.hasobject:
        return value.copy()
    if kind is dict:
        return {key: freeze(held) for key, held in value.items()}
    if kind is list or kind is tuple:
        return kind(freeze(held) for held in value)
    try:
        return copy.deepcopy(value)
    except (TypeError, ValueError, NotImplementedError, pickle.PicklingError):
        return value


def differences(one: Any, two: Any, name: str = "") -> list[Difference]:
    """Where two values differ in content, type, dtype, shape, or the order of keys; empty if nowhere.

    Arrays are compared bit by bit, containers by their items, other objects by their attributes, random generators by
    their state. Raises ContentError for objects that show no content.
    """
    return [] if _surely_same(one, two) else list(_walk(one, two, name, "", set()))


def same(one: Any, two: Any) -> bool:
    """Whether two values agree in content."""
    return _surely_same(one, two) or next(_walk(one, two, "", "", set()), None) is None


def brief(value: Any) -> str:
    """A short form of a value."""
    if isinstance(value, np.ndarray):
        return f"a {value.dtype} array of shape {value.shape}"
    if isinstance(value, np.generic):
        value = value.item()
    words = repr(value)
    return words if len(words) <= 60 else f"{words[:57]}..."


def _surely_same(one: Any, two: Any, depth: int = 0) -> bool:
    """Whether two values of plain content agree; False if only `_walk` can tell. Most values agree, so this is fast."""
    if one is two:
        return True
    kind = type(one)
    if kind is not type(two):
        return False
    if kind in _IMMUTABLE:
        return bool(one == two)
    if kind is np.ndarray or kind is np.void:
        alike = one.dtype == two.dtype and one.shape == two.shape and not one.dtype.hasobject
        return alike and one.tobytes() == two.tobytes()
    if depth == DEEP or kind not in (dict, list, tuple) or len(one) != len(two):
        return False
    if kind is dict:
        return list(one) == list(two) and all(_surely_same(one[key], two[key], depth + 1) for key in one)
    for here, there in zip(one, two):
        if not _surely_same(here, there, depth + 1):
            return False
    return True


Pairs = Iterator[Difference]


def _walk(one: Any, two: Any, name: str, place: str, under_way: set[tuple[int, int]]) -> Pairs:
    """Each difference; `under_way` holds the pairs being compared, so that cycles end."""
    if one is two or (id(one), id(two)) in under_way:
        return
    if type(one) is not type(two):
        yield Difference(name, place, _with_type(one), _with_type(two))
    elif isinstance(one, _PLAIN) and not isinstance(one, np.void):
        if not _same_plain(one, two):
            yield Difference(name, place, brief(one), brief(two))
    else:
        under_way.add((id(one), id(two)))
        yield from _kind(one)(one, two, name, place, under_way)
        under_way.discard((id(one), id(two)))


def _with_type(value: Any) -> str:
    return brief(value) if value is None else f"{brief(value)} ({type(value).__name__})"


def _same_plain(one: Any, two: Any) -> bool:
    return bool(one == two) or (one != one and two != two)  # noqa: PLR0124  # NaN


def _kind(value: Any) -> Callable[..., Pairs]:
    """How values of this kind are compared."""
    if isinstance(value, np.ndarray | np.void):
        return _walk_arrays
    if isinstance(value, Mapping):
        return _walk_mappings
    if isinstance(value, _LIST_LIKE):
        return _walk_lists
    if isinstance(value, Set | gymnasium.spaces.Space):
        return _walk_equals
    if isinstance(value, Random | np.random.Generator | np.random.RandomState):
        return _walk_generators
    if callable(value) and hasattr(value, "__qualname__"):
        return _walk_functions
    return _walk_objects


def _walk_arrays(one: Any, two: Any, name: str, place: str, under_way: set[tuple[int, int]]) -> Pairs:
    if one.dtype != two.dtype or one.shape != two.shape:
        yield Difference(name, place, brief(one), brief(two))
    elif not one.dtype.hasobject and one.tobytes() == two.tobytes():
        return
    elif one.dtype.names is not None:
        for field in one.dtype.names:
            yield from _walk(one[field], two[field], f"{name} {field}".strip(), place, under_way)
    elif one.dtype.hasobject:
        yield from _walk(one.tolist(), two.tolist(), name, place, under_way)
    else:
        yield _first_entry(one, two, name, place)


def _first_entry(one: npt.NDArray[Any], two: npt.NDArray[Any], name: str, place: str) -> Difference:
    """The first entry in which two arrays of one shape differ, and how many more do."""
    width = one.dtype.itemsize
    rows = [np.frombuffer(array.tobytes(), np.uint8).reshape(-1, width) for array in (one, two)]
    apart = np.flatnonzero((rows[0] != rows[1]).any(axis=1))
    entry = tuple(int(part) for part in np.unravel_index(int(apart[0]), one.shape))
    more = f" (and {len(apart) - 1} more entries)" if len(apart) > 1 else ""
    where = f"[{', '.join(map(str, entry))}]" if entry else ""
    return Difference(name, place + where, brief(one[entry]), brief(two[entry]) + more)


def _walk_mappings(one: Any, two: Any, name: str, place: str, under_way: set[tuple[int, int]]) -> Pairs:
    keys = list(one), list(two)
    if keys[0] != keys[1]:
        word = "order of keys" if set(keys[0]) == set(keys[1]) else "keys"
        yield Difference(f"{name} {word}".strip(), place, brief(keys[0]), brief(keys[1]))
    for key in keys[0]:
        if key in two:
            yield from _walk(one[key], two[key], f"{name} {key}".strip(), place, under_way)


def _walk_lists(one: Any, two: Any, name: str, place: str, under_way: set[tuple[int, int]]) -> Pairs:
    if len(one) != len(two):
        yield Difference(name, place, f"{len(one)} entries", f"{len(two)} entries")
    for number, (here, there) in enumerate(zip(one, two, strict=False)):
        yield from _walk(here, there, name, f"{place}[{number}]", under_way)


def _walk_equals(one: Any, two: Any, name: str, place: str, under_way: set[tuple[int, int]]) -> Pairs:
    if one != two:
        yield Difference(name, place, brief(one), brief(two))


def _walk_generators(one: Any, two: Any, name: str, place: str, under_way: set[tuple[int, int]]) -> Pairs:
    if not same(_generator_state(one), _generator_state(two)):
        yield Difference(name, place, "one random state", "another")


def _generator_state(generator: Any) -> Any:
    if isinstance(generator, Random):
        return generator.getstate()
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    return generator.get_state(legacy=False)


def _walk_functions(one: Any, two: Any, name: str, place: str, under_way: set[tuple[int, int]]) -> Pairs:
    if one.__qualname__ != two.__qualname__:
        yield Difference(name, place, one.__qualname__, two.__qualname__)


def _walk_objects(one: Any, two: Any, name: str, place: str, under_way: set[tuple[int, int]]) -> Pairs:
    """Objects by their attributes; those without any by their pickle or else their repr."""
    held = attributes(one), attributes(two)
    if held[0] is not None and held[1] is not None:
        yield from _walk(*held, name, place, under_way)
    elif _bare_content(one) != _bare_content(two):
        yield Difference(name, place, brief(one), brief(two))


def attributes(value: Any) -> dict[str, Any] | None:
    """An object's attributes by name; None if it has none."""
    slots = [slot for base in type(value).__mro__ for slot in _slots(base)]
    held = {slot: getattr(value, slot) for slot in slots if hasattr(value, slot)}
    if hasattr(value, "__dict__"):
        held |= vars(value)
    return held or None


def _slots(base: type) -> tuple[str, ...]:
    slots = base.__dict__.get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    return tuple(name for name in names if name not in ("__dict__", "__weakref__"))


def _bare_content(value: Any) -> bytes | str:
    try:
        return pickle.dumps(value)
    except Exception:  # whatever an object of foreign make raises when it can't be pickled
        words = repr(value)
        if _ADDRESS.search(words):
            raise ContentError(f"{words} shows no content that could be compared") from None
        return words
