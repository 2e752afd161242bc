"""Record tables: a game declares the fields of its records with their ranges once; the dtype and the check follow."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Bound: TypeAlias = int | npt.NDArray[np.integer] | Callable[[np.void], Any]
Range: TypeAlias = tuple[Bound, Bound]
Bools: TypeAlias = npt.NDArray[np.bool_]
Law: TypeAlias = tuple[int, Callable[[npt.NDArray[np.void], npt.NDArray[np.void]], Bools]]  # see `Game.laws`
Columns: TypeAlias = list[tuple[np.dtype[Any], npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]]

ANY_COUNT = int(np.iinfo(np.int64).max)
FLAG: Range = (0, 1)
COUNTER: Range = (0, ANY_COUNT)


def param(name: str, less: int = 0) -> Callable[[np.void], Any]:
    """A bound that depends on the game's params: the value of field `name`, minus `less`."""
    return lambda params: np.asarray(params[name], np.int64) - less


def bits(words: npt.NDArray[np.integer], count: int) -> Bools:
    """The lowest bits of each word, (…, count)."""
    return np.asarray((words[..., np.newaxis] >> np.arange(count)) & 1 == 1)


def filled(places: npt.NDArray[np.integer], size: npt.NDArray[np.integer], empty: int) -> Bools:
    """Whether the first `size` places of each row, and no others, hold something, (n,). places: (n, …)."""
    return np.asarray(((places != empty) == (np.arange(places.shape[1]) < size[:, np.newaxis])).all(axis=1))


class Fields:
    """The fields of a record, in order.

    Each is (name, type), (name, type, shape), (name, type, shape, range) or (name, type, shape, range, start). A type
    is a NumPy scalar type or other Fields. A range is (lowest, highest), both included: numbers, arrays of the field's
    shape, or functions of the params record; a field without a range may hold any number. The start is what the field
    holds before anything is dealt, 0 if it isn't given. `dtype` is the record's NumPy dtype.
    """

    def __init__(self, *fields: tuple[Any, ...]) -> None:
        self.fields = [(*field, *((), None, 0)[len(field) - 2 :]) for field in fields]
        self.dtype: np.dtype[np.void] = np.dtype(
            [(name, kind.dtype if isinstance(kind, Fields) else kind, shape) for name, kind, shape, *_ in self.fields],
            align=True,
        )
        self._checked: tuple[bytes, Columns] = (b"", [])

    def start(self) -> npt.NDArray[np.uint8]:
        """The bytes of a record before anything is dealt; kernels copy them: `game["table"] = viewed(START, TABLE)[0]`.

        Returns bytes because Numba compiles a constant record with the stray bytes between its fields.
        """
        record = np.zeros(1, self.dtype)
        for name, kind, _, _, initial in self.fields:
            record[name] = kind.start().view(kind.dtype)[0] if isinstance(kind, Fields) else initial
        return np.frombuffer(record.tobytes(), np.uint8)

    def within(self, records: npt.NDArray[np.void], params: npt.NDArray[np.void]) -> npt.NDArray[np.bool_]:
        """Which of the records have every field in its range, (n,) bool. params: (1,)."""
        key = params.tobytes()
        if self._checked[0] != key:
            self._checked = (key, list(self._columns(params[0])))
        raw = np.ascontiguousarray(records).view(np.uint8).reshape(len(records), -1)
        inside = np.ones(len(records), np.bool_)
        for kind, places, lows, highs in self._checked[1]:
            values = raw.view(kind)[:, places]
            inside &= ((values >= lows) & (values <= highs)).all(axis=1)
        return inside

    def _columns(self, params: np.void) -> Iterator[tuple[Any, ...]]:
        """For each number type: the places of numbers with a range, counted in numbers of that type, and the bounds."""
        for kind in dict.fromkeys(kind for kind, _, _ in self._ranged):
            chosen = [(places, bounds) for other, places, bounds in self._ranged if other == kind]
            lows, highs = (
                np.concatenate([_spread(bounds[end], params, places).ravel() for places, bounds in chosen])
                for end in (0, 1)
            )
            yield kind, np.concatenate([places.ravel() for places, _ in chosen]) // kind.itemsize, lows, highs

    @cached_property
    def _ranged(self) -> list[tuple[np.dtype[Any], npt.NDArray[np.int64], Range]]:
        """Each plain field that has a range: its type, the byte offsets of its numbers, its range."""
        ranged: list[tuple[np.dtype[Any], npt.NDArray[np.int64], Range]] = []
        for name, kind, shape, bounds, _ in self.fields:
            field = self.dtype.fields[name]  # type: ignore[index]  # a structured dtype has fields
            size = field[0].base.itemsize
            offsets = field[1] + size * np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
            if isinstance(kind, Fields):
                ranged += [(plain, _nested(offsets, inner), limits) for plain, inner, limits in kind._ranged]
            elif bounds is not None:
                ranged.append((np.dtype(kind), offsets, bounds))
        return ranged


def _nested(outer: npt.NDArray[np.int64], inner: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The offsets of a field of nested records. outer: the records' offsets; inner: the field's within one record."""
    return outer.reshape(outer.shape + (1,) * inner.ndim) + inner


def _spread(bound: Bound, params: np.void, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """A bound for each number of a field."""
    value = bound(params) if callable(bound) else bound
    return np.broadcast_to(np.asarray(value, np.int64), places.shape)
