"""Compiler options, kernel caches and the linker.

Numba's own cache checks one file only and would run outdated rules after an edit elsewhere. So kernels belong to a
family whose cache folder is keyed on all sources of the family.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import tempfile
import types
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numba
import numpy as np
import platformdirs
from numba.core.compiler import Compiler

from .apart import call_by_symbol
from .cache import ForgivingCache
from .late import Argument, LateKernel
from .parts import part_of_callers
from .passes import KernelCompiler
from .progress import announce

Record: TypeAlias = np.void
"""One structured record (a game, a seat, a view); fields are read as `record["field"]`, compiled or not."""

P = ParamSpec("P")
R = TypeVar("R")

HERE = Path(__file__).parent
DIGITS = 16  # of a hash of sources
KEPT_CACHES = 6
CACHES = "__pycache__"  # beside the sources
SOURCES = (".py", ".toml", ".npz")  # what kernels are made of: code, packs, weights


def max_threads() -> int:
    """The most threads kernels may use."""
    config: Any = numba.config
    return int(config.NUMBA_NUM_THREADS)


def compiled() -> bool:
    """Whether kernels are compiled; false under `NUMBA_DISABLE_JIT=1`."""
    config: Any = numba.config
    return not config.DISABLE_JIT


@functools.cache
def _text_digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def _sources(folder: Path) -> list[Path]:
    """The sources in a folder and its subfolders, sorted. Caches aren't read: other processes may be deleting them."""
    found = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != CACHES]
        found += [Path(where, name) for name in names if name.endswith(SOURCES)]
    return sorted(found)


def _digest(folders: Iterable[Path]) -> str:
    """A short hash of all sources and data in the folders and of the bounds-check flag."""
    config: Any = numba.config
    total = hashlib.sha256(b"bounds" if config.BOUNDSCHECK else b"plain")
    for folder in folders:
        for path in _sources(folder):
            total.update(str(path.relative_to(folder)).encode())
            total.update(_text_digest(path))
    return total.hexdigest()[:DIGITS]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _forget_old_sources(folder: Path, name: str) -> None:
    """Delete the family's caches of older sources, except the latest few, which other processes may still use."""
    caches = [path for path in folder.glob(f"{name}-*") if len(path.name) == len(name) + 1 + DIGITS]
    with contextlib.suppress(FileNotFoundError):  # another process is deleting them too
        for path in sorted(caches, key=lambda path: path.stat().st_mtime)[:-KEPT_CACHES]:
            shutil.rmtree(path, ignore_errors=True)


def _cache_folder(home: Path, name: str, digest: str) -> Path | None:
    """The family's cache folder: beside its sources, else in the user's cache folder, else None."""
    key = f"{name}-{digest}"
    chosen = os.environ.get("RIVERBED_CACHE_DIR")
    preferred = Path(chosen) / key if chosen else home / CACHES / key
    if _writable(preferred):
        _forget_old_sources(preferred.parent, name)
        return preferred
    fallback = Path(platformdirs.user_cache_dir("riverbed")) / key
    # All families give the same text, so Python shows the warning once.
    where = f"RIVERBED_CACHE_DIR ({chosen})" if chosen else "the folders of the sources"
    if fallback.is_absolute() and _writable(fallback):  # relative if the user has no home
        warnings.warn(f"{where} can't be written: compiled kernels are saved in {fallback.parent}", stacklevel=4)
        return fallback
    warnings.warn(
        f"neither {where} nor {fallback.parent} can be written: kernels are compiled again at each start; "
        "set RIVERBED_CACHE_DIR to a folder that you can write",
        stacklevel=4,
    )
    return None


def _widened(argument: Any) -> Any:
    """The type in which a kernel takes an argument: int64 for every integer, enum member and literal."""
    types_: Any = numba.types
    plain = types_.unliteral(argument)
    whole = isinstance(plain, types_.Integer | types_.IntEnumMember)
    return types_.int64 if whole else plain


def compile_apart(kernel: Any, *, copied: bool = False) -> None:
    """Optimise this kernel once: the kernels that call it call its machine code by its symbol.

    With `copied` they get a copy of the optimised code instead, which saves the calls: best for a small kernel that
    every step calls. All other kernels become part of each kernel that calls them; that is best for one that few call.
    """
    if not getattr(kernel, "apart", True):  # plain functions have no such mark
        kernel.apart = True
        if not copied:
            call_by_symbol(kernel, kernel.known_as)


def compile_late(kernel: Any, *arguments: Argument) -> None:
    """Compile this kernel when `late.load` asks for it, not with the kernels that call it: it must be loaded before.

    arguments: as `LateKernel` says.
    """
    if not getattr(kernel, "apart", True):  # plain functions have no such mark
        kernel.apart, kernel.late = True, LateKernel(kernel, arguments)


def _resolve_calls(kernel: Any, function: Callable[..., Any], *, inline: bool) -> None:
    """Let callers pass every integer as int64, and compile a part for them unless the kernel is compiled apart.

    Record fields are narrow and Numba gives constants types of their own. Without this a kernel would be compiled once
    for each mixture of them (measured: 249 compilations for 150 functions).
    """
    resolve_apart, overload_apart = kernel.get_call_template, kernel.get_overload

    @functools.cache
    def part() -> Any:  # made when something that calls it is compiled
        made = part_of_callers(function, inline=inline)
        made._compiling_counter = kernel._compiling_counter  # so that Numba recognises a recursive call
        return made

    def resolve(args: Any, kws: Any) -> Any:
        if kernel.late is not None:
            return kernel.late.template, kernel._compiler.pysig, args, kws
        widened = [_widened(arg) for arg in args], {name: _widened(arg) for name, arg in kws.items()}
        return (resolve_apart if kernel.apart else part().get_call_template)(*widened)

    def get_overload(args: Any) -> Any:
        if kernel.late is not None:
            return kernel.late
        return overload_apart(args) if tuple(args) in kernel.overloads else part().get_overload(args)

    kernel.apart, kernel.late = False, None
    kernel.get_call_template = resolve
    kernel.get_overload = get_overload


class KernelFamily:
    """A decorator for kernels that share one cache folder.

    `name` names the cache folder. `folders` are all source folders whose code may end up in the family's kernels; this
    file's folder is always added. An edit anywhere in them starts a fresh cache.
    """

    def __init__(self, name: str, *folders: Path) -> None:
        self.name = name
        self.folders = tuple(dict.fromkeys((HERE, *folders)))
        self.home = self.folders[-1]
        self.kernels: list[Any] = []

    @functools.cached_property
    def cache_folder(self) -> Path | None:
        """The folder of this family's compiled kernels; None if no folder can be written."""
        return _cache_folder(self.home, self.name, _digest(self.folders))

    @functools.cached_property
    def cold(self) -> bool:
        """Whether the cache holds nothing of this family yet."""
        return compiled() and (self.cache_folder is None or next(self.cache_folder.rglob("*.nbi"), None) is None)

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
        # Nobody calls kernels from C; leaving out those wrappers saves a fifteenth of the compile time.
        njit: Any = numba.njit
        kernel: Any = njit(
            parallel=parallel,
            inline="always" if inline else "never",
            no_cfunc_wrapper=True,
            pipeline_class=Compiler if parallel else KernelCompiler,
        )(function)
        if self.cache_folder is not None:
            kernel._cache = ForgivingCache(function, self.cache_folder)
        announce(kernel)
        kernel.known_as = self.name, function.__module__, function.__qualname__
        _resolve_calls(kernel, function, inline=inline)
        self.kernels.append(kernel)
        typed: Callable[P, R] = kernel
        return typed


kernel = KernelFamily("core", HERE)
