"""Named numbers that kernels read as compile-time constants."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Protocol


class Constants(Protocol):
    """Whole numbers by name."""

    def __getattr__(self, name: str, /) -> int: ...


def constants(values: Mapping[str, int]) -> Constants:
    """The values as attributes, for a module's global: `AT.tracks` is a constant in every kernel that names it.

    This is an IntEnum. A named tuple would do the same, but Numba loads all of it at each use, which doubles the
    time to compile a kernel with many of them.
    """
    make: Any = IntEnum  # the type checker accepts only literal arguments
    named: Constants = make("constants", dict(values))
    return named
