"""Compiler options, families of kernels that share a cache, and the linker."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numba
import numpy as np
from numba.core.compiler import Compiler

from .apart import call_by_symbol
from .cache import CacheFolders, KernelCache
from .late import Argument, LateKernel
from .parts import part_of_callers
from .passes import KernelCompiler
from .progress import announce

Record: TypeAlias = np.void
"""One structured record (a game, a seat, a view); fields are read as `record["field"]`, compiled or not."""

P = ParamSpec("P")
R = TypeVar("R")

HERE = Path(__file__).parent


def max_threads() -> int:
    """The most threads kernels may use."""
    config: Any = numba.config
    return int(config.NUMBA_NUM_THREADS)


def compiled() -> bool:
    """Whether kernels are compiled; false under `NUMBA_DISABLE_JIT=1`."""
    config: Any = numba.config
    return not config.DISABLE_JIT


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
        # Nobody calls kernels from C; leaving out those wrappers saves a fifteenth of the compile time.
        njit: Any = numba.njit
        kernel: Any = njit(
            parallel=parallel,
            inline="always" if inline else "never",
            no_cfunc_wrapper=True,
            pipeline_class=Compiler if parallel else KernelCompiler,
        )(function)
        kernel._cache = KernelCache(function, self.cache)
        announce(kernel)
        kernel.known_as = self.name, function.__module__, function.__qualname__
        _resolve_calls(kernel, function, inline=inline)
        self.kernels.append(kernel)
        typed: Callable[P, R] = kernel
        return typed


kernel = KernelFamily("core", HERE)
