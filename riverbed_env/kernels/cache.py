"""Compiled kernels on the disk, whatever state it is in: a full disk or a damaged file costs a compilation, no more."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

_told = False  # once a process


class ForgivingCache:
    """Numba's cache of one function, by which a kernel is compiled anew wherever it can't be read or kept.

    Numba itself lets the error through: a full disk would end a run for the sake of its next start, and a file that a
    power cut left empty would end every start after it.
    """

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled kernel; None where there is none, or none that can be read, which is then forgotten."""
        try:
            return self._cache.load_overload(signature, target)
        except Exception:  # of pickle and of LLVM, whatever bytes may bring about
            with contextlib.suppress(OSError):
                self._cache.flush()
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a compiled kernel; where that can't be done, it is said once."""
        try:
            self._cache.save_overload(signature, data)
        except OSError as error:
            global _told  # noqa: PLW0603
            if not _told:
                _told = True
                warnings.warn(
                    f"compiled kernels can't be kept in {self._cache.cache_path} ({error.strerror}): what is missing "
                    "there is compiled anew at each start",
                    stacklevel=2,
                )


def forgive(kernel: Any) -> None:
    """Give a dispatcher of Numba's such a cache in place of its own."""
    kernel._cache = ForgivingCache(kernel._cache)
