"""A cache of compiled kernels that starts fast, and survives a full disk or a damaged file: they are compiled again."""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import caching
from numba.core.runtime.nrt import rtsys

cache_of: Any = caching.FunctionCache
no_cache: Any = caching.NullCache

_warned = False  # warn once per process


class ForgivingCache:
    """Numba's cache of one function; where Numba would raise, the function is compiled again.

    Numba itself raises: a full disk would end a run only because the next start would be slower, and a file left empty
    by a power cut would end every later start. Before it loads a kernel, Numba also imports its whole compiler, with
    SciPy, and it looks up the cache of every function at import. This class skips those imports, since a compilation
    makes them itself, and looks up a cache when its kernel is first called.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._function, self._folder = function, folder

    @functools.cached_property
    def _cache(self) -> Any:
        config: Any = numba.config
        before = config.CACHE_DIR
        config.CACHE_DIR = str(self._folder)
        try:
            return cache_of(self._function)
        except RuntimeError:  # the folder can't be written any more
            return no_cache()
        finally:
            config.CACHE_DIR = before

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Load the compiled kernel; return None if there is none. An unreadable one is deleted."""
        try:
            rtsys.initialize(target)  # loaded kernels allocate arrays
            loaded = self._cache._load_overload(signature, target)
            if loaded is not None:  # a kernel that copies this one needs what this one needs
                loaded.library._reload_init.update(loaded.reload_init)
            return loaded
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
