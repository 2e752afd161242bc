"""Keeps a kernel's machine code in one place: kernels that are compiled later call it by its symbol.

Numba copies all that a function calls into the function's own module, optimises it again there and generates its
machine code again. A game's `step` is called by a dozen loops.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary

KERNELS: dict[Hashable, Any] = {}  # those that others call by symbol, by what they are called in every process


class _CalledLibrary(JITCodeLibrary):
    """Machine code that others call and don't copy."""

    def _get_module_for_linking(self) -> Any:
        return _nothing(self.codegen)

    def serialize_using_object_code(self) -> Any:
        """What the cache keeps: the machine code and, in place of LLVM's code, a module that defines its symbols."""
        library: Any = super()
        symbols = [each.name for each in library.get_defined_functions() if each.linkage == llvm.Linkage.external]
        module = llvm.parse_assembly("\n".join(f'define void @"{symbol}"() {{ ret void }}' for symbol in symbols))
        return self.name, "object", (library._get_compiled_object(), module.as_bitcode())


@functools.cache
def _nothing(codegen: Any) -> Any:
    """An empty module."""
    return llvm.parse_assembly(str(codegen._create_empty_module("nothing")))


@dataclass(frozen=True)
class _Callee:
    """A kernel whose machine code another one calls. Numba saves it with the other and calls it when it loads that."""

    name: Hashable
    arguments: tuple[Any, ...]  # Numba's types
    symbol: str

    def __call__(self) -> None:
        """Load the kernel. Raises LookupError if it was compiled again since and has another symbol."""
        kernel = KERNELS[self.name]
        kernel.compile(self.arguments)
        if kernel.overloads[self.arguments].fndesc.llvm_func_name != self.symbol:
            raise LookupError(f"{self.name} was compiled again")


def call_by_symbol(kernel: Any, name: Hashable) -> None:
    """Let the kernels that call this one call its machine code. `name` is what it is called in every process."""
    add_overload = kernel.add_overload

    def add(result: Any) -> None:
        result.library.__class__ = _CalledLibrary
        arguments = tuple(result.signature.args)
        result.library._reload_init.add(_Callee(name, arguments, result.fndesc.llvm_func_name))
        add_overload(result)

    kernel.add_overload = add
    KERNELS[name] = kernel
