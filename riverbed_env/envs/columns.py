"""Chosen columns of observations, for networks that are given some of the numbers, in an order of their own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Vectors
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import KernelFamily
from riverbed_env.kernels.loops import take_columns
from riverbed_env.kernels.threads import ALONE, Team

_FAMILY = KernelFamily("columns")
_LINKED: dict[bool, Callable[..., None]] = {}


class Columns:
    """Columns of vectors of a size, in this order, repeats allowed. Raises OptionError for any other columns."""

    def __init__(self, columns: npt.ArrayLike, size: int) -> None:
        chosen = np.asarray(columns)
        if chosen.ndim != 1 or not len(chosen) or not np.issubdtype(chosen.dtype, np.integer):
            raise OptionError(f"columns must be integers, one or more, not {chosen.dtype} of shape {chosen.shape}")
        if chosen.min() < 0 or chosen.max() >= size:
            raise OptionError(f"columns must be from 0 to {size - 1}, not from {chosen.min()} to {chosen.max()}")
        self._chosen = chosen.astype(np.int64)

    def __len__(self) -> int:
        return len(self._chosen)

    def of(self, *parts: Vectors, team: Team = ALONE) -> Vectors:
        """These columns of vectors (n, size), part after part, in a new array."""
        out = np.empty((sum(map(len, parts)), len(self)), np.int8)
        begin = 0
        for vectors in parts:
            end = begin + len(vectors)
            team.run("take_columns", _link, vectors, self._chosen, out[begin:end])
            begin = end
        return out


def _link(parallel: bool) -> Callable[..., None]:
    if parallel not in _LINKED:
        name = f"take_columns{'_parallel' if parallel else ''}"
        _LINKED[parallel] = _FAMILY.link(take_columns, name, {}, parallel=parallel)
    return _LINKED[parallel]
