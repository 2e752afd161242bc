"""Asks the processor to load memory into its cache before a kernel reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import extending, types
from numba.core import cgutils as numbas_tools

CACHE_LINE = 64  # bytes
FOR_WRITING, ALL_LEVELS, DATA = 1, 3, 1  # LLVM's numbers of what a prefetch is for

# Numba's functions have no type hints.
type_callable: Any = extending.type_callable
lower_builtin: Any = extending.lower_builtin
cgutils: Any = numbas_tools


def prefetch(rows: npt.NDArray[np.int8], index: int, place: int) -> None:
    """Ask for the cache line of one byte, to be changed soon; nothing waits for it. rows: (n, bytes), without gaps."""


def _type_prefetch(_: Any) -> Callable[[Any, Any, Any], Any]:
    return lambda rows, index, place: types.none


def _lower_prefetch(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """One call of LLVM's prefetch."""
    array, index, place = values
    rows = context.make_array(signature.args[0])(context, builder, value=array)
    pointer = cgutils.get_item_pointer(context, builder, signature.args[0], rows, [index, place])
    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
    instruction = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    builder.call(instruction, [pointer, *(number(each) for each in (FOR_WRITING, ALL_LEVELS, DATA))])
    return context.get_dummy_value()


type_callable(prefetch)(_type_prefetch)
lower_builtin(prefetch, types.Array, types.Integer, types.Integer)(_lower_prefetch)
