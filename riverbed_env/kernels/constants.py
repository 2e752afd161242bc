"""Named numbers that kernels read as compile-time constants."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any


def constants(values: Mapping[str, int]) -> Any:
    """An IntEnum of the values, for a module's global: `AT.tracks` is a constant in every kernel that names it.

    A named tuple would do the same, but Numba loads all of it at each use, which doubles the time to compile a kernel
    of many such uses.
    """
    return IntEnum("constants", dict(values))
