"""A cache of compiled kernels that survives a full disk or a damaged file: kernels are then compiled again."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

_warned = False  # warn once per process


class ForgivingCache:
    """Numba's cache of one function; where Numba would raise, the function is compiled again.

    Numba itself raises: a full disk would end a run only because the next start would be slower, and a file left empty
    by a power cut would end every later start.
    """

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Load the compiled kernel; return None if there is none. An unreadable one is deleted."""
        try:
            return self._cache.load_overload(signature, target)
        except Exception:  # pickle and LLVM raise all kinds of errors for damaged bytes
            with contextlib.suppress(OSError):
                self._cache.flush()
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Save a compiled kernel; if that fails, warn once."""
        try:
            self._cache.save_overload(signature, data)
        except OSError as error:
            global _warned  # noqa: PLW0603
            if not _warned:
                _warned = True
                warnings.warn(
                    f"compiled kernels can't be saved in {self._cache.cache_path} ({error.strerror}): they will be "
                    "compiled again at the next start",
                    stacklevel=2,
                )


def forgive(kernel: Any) -> None:
    """Replace a Numba dispatcher's cache by a forgiving one."""
    kernel._cache = ForgivingCache(kernel._cache)
