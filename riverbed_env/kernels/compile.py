"""Compiler options, families of kernels that share a cache, and the linker."""

import functools
import hashlib
import re
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numba
import numpy as np
import numpy.typing as npt

from .cache import PLAIN_NUMBA, CacheFolders
from .widening import widened

Record: TypeAlias = np.void
"""One structured record (a game, a seat, a view); fields are read as `record["field"]`, compiled or not."""

Records: TypeAlias = npt.NDArray[np.void]
Vector: TypeAlias = npt.NDArray[np.int8]
Whole: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = npt.NDArray[np.float32]
Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]

P = ParamSpec("P")
R = TypeVar("R")

HERE = Path(__file__).parent


LONGEST_NAME = 40  # of an agent or a feature set in the name of a kernel


def identifier(name: str) -> str:
    """A name as an identifier for kernels; different names give different identifiers."""
    if name.isascii() and name.isidentifier() and len(name) <= LONGEST_NAME:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{re.sub(r'[^A-Za-z0-9]', '_', name)[:LONGEST_NAME]}_{digest}"


def placeholder(*_: Any) -> Any:
    """Stands in a template for a kernel that `KernelFamily.link` puts there."""
    raise NotImplementedError


def max_threads() -> int:
    """The most threads kernels may use."""
    config: Any = numba.config
    return int(config.NUMBA_NUM_THREADS)


def compiled() -> bool:
    """Whether kernels are compiled; false under `NUMBA_DISABLE_JIT=1`."""
    config: Any = numba.config
    return not config.DISABLE_JIT


def _plain_kernel(function: Callable[..., Any], folder: Path | None, *, parallel: bool, inline: bool) -> Any:
    """A kernel as Numba makes it, with Numba's own cache; it takes integers as int64."""
    config: Any = numba.config
    njit: Any = numba.njit
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        kernel = njit(parallel=parallel, inline="always" if inline else "never", cache=folder is not None)(function)
    finally:
        config.CACHE_DIR = before
    resolve = kernel.get_call_template
    kernel.get_call_template = lambda args, kws: resolve(*widened(args, kws))
    return kernel


class KernelFamily:
    """A decorator for kernels that share one cache folder.

    `name` names the cache folder. `folders` are all source folders whose code may end up in the family's kernels; this
    file's folder is always added. An edit anywhere in them starts a fresh cache.
    """

    def __init__(self, name: str, *folders: Path) -> None:
        self.name = name
        self.folders = tuple(dict.fromkeys((HERE, *folders)))
        self.kernels: list[Any] = []

    @functools.cached_property
    def cache(self) -> CacheFolders:
        """The folders of this family's compiled kernels."""
        return CacheFolders(self.name, self.folders[-1], self.folders)

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Compile `function` at its first call; under NUMBA_DISABLE_JIT it stays plain Python."""
        return self._decorate(function, parallel=False)

    def link(
        self,
        template: Callable[P, R],
        name: str,
        kernels: dict[str, Any],
        *,
        parallel: bool = False,
        inline: bool = False,
    ) -> Callable[P, R]:
        """Make a kernel from a template whose global names are bound to `kernels`.

        The copy has its own name, by which every process finds its cache entry; closures and functions passed as
        arguments have none. With `inline` its code is copied into the kernels that call it.
        """
        code = template.__code__.replace(co_name=name, co_qualname=name)
        linked = types.FunctionType(code, {**template.__globals__, **kernels}, name, template.__defaults__)
        linked.__doc__ = template.__doc__
        linked.__module__ = template.__module__
        return self._decorate(linked, parallel=parallel, inline=inline)

    def _decorate(self, function: Callable[P, R], *, parallel: bool, inline: bool = False) -> Callable[P, R]:
        if not compiled():
            return function
        if PLAIN_NUMBA:
            kernel = _plain_kernel(function, self.cache.saved, parallel=parallel, inline=inline)
        else:
            from .private import compile_kernel

            kernel = compile_kernel(function, self.cache, parallel=parallel, inline=inline)
        self.kernels.append(kernel)
        typed: Callable[P, R] = kernel
        return typed


kernel = KernelFamily("core", HERE)
