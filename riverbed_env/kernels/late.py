"""Compiles a kernel when it is needed rather than with the kernels that call it: rules of an option that few games use.

Callers find its machine code by a cell of memory, whose symbol is the same in every process. `load` fills the cell; a
caller that finds it empty raises RuntimeError.
"""

from __future__ import annotations

import ctypes
import functools
import inspect
from typing import Any, TypeAlias

import numpy as np
from llvmlite import binding as llvm
from numba import types
from numba.core import cgutils as numbas_tools
from numba.core import registry, typing

# Numba's functions have no type hints.
cgutils: Any = numbas_tools
target: Any = registry.cpu_target
types_of_calls: Any = typing

Argument: TypeAlias = type[int] | np.dtype[Any] | list[type[np.generic]]
RESULTS = {None: types.none, int: types.int64, bool: types.boolean}  # by a kernel's annotation


def _numba_type(argument: Argument) -> Any:
    from numba.np import numpy_support  # which a start with a full cache doesn't need

    of_values: Any = numpy_support.from_dtype
    if isinstance(argument, list):
        return types.Array(of_values(np.dtype(argument[0])), 1, "C")
    return types.int64 if argument is int else of_values(argument)


class LateKernel:
    """What callers know of a kernel that may not be compiled yet.

    kernel: annotated with what it returns: nothing, an int or a bool. arguments: `int` for an integer, the dtype of a
    record, `[dtype]` for a row of numbers.
    """

    def __init__(self, kernel: Any, arguments: tuple[Argument, ...]) -> None:
        self._kernel, self._arguments = kernel, arguments
        self._cell = ctypes.c_void_p()
        self._symbol = "late_" + "_".join(kernel.known_as)
        llvm.add_symbol(self._symbol, ctypes.addressof(self._cell))

    @functools.cached_property
    def signature(self) -> Any:
        """The kernel's signature, in Numba's types."""
        returns = inspect.signature(self._kernel.py_func, eval_str=True).return_annotation
        return RESULTS[returns](*map(_numba_type, self._arguments))

    @functools.cached_property
    def template(self) -> Any:
        """What Numba infers types of calls by."""
        target.target_context.insert_func_defn([(self._call, self, self.signature.args)])
        return types_of_calls.make_concrete_template(self._symbol, key=self._symbol, signatures=[self.signature])

    def _call(self, context: Any, builder: Any, signature: Any, values: Any) -> Any:
        """Write a call of the code that the cell points to."""
        convention, result, arguments = context.call_conv, signature.return_type, signature.args
        pointer = convention.get_function_type(result, arguments).as_pointer()
        code = builder.load(context.get_c_value(builder, pointer, self._symbol))
        with cgutils.if_unlikely(builder, cgutils.is_null(builder, code)):
            convention.return_user_exc(builder, RuntimeError, (f"{self._symbol} isn't loaded",))
        status, returned = convention.call_function(builder, code, result, arguments, values)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return returned

    def load(self) -> None:
        """Compile the kernel, or take it from the cache, unless that was done."""
        if not self._cell.value:
            self._kernel.compile(self.signature.args)
            compiled = self._kernel.overloads[self.signature.args]
            returned = compiled.signature.return_type
            if returned != self.signature.return_type and not isinstance(returned, types.IntEnumMember):
                raise TypeError(f"{self._symbol} returns {returned}, not {self.signature.return_type}")
            self._cell.value = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


def load(*kernels: Any) -> None:
    """Make these kernels ready to be called by others; without effect on plain functions."""
    for kernel in kernels:
        late = getattr(kernel, "late", None)
        if late is not None:
            late.load()
