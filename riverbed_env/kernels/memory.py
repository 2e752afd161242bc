"""Memory as kernels see it: arrays whose references they don't count, bytes as words, values of another type.

Numba counts the references to an array at each slice and each view of it, by atomic instructions. In a loop that slices
rows for every environment that took a fourteenth of the time. Its own views also take a quarter second each to compile.
All of this is made with what `numba.extending` offers.
"""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import extending, types
from numba.core import cgutils as numbas_tools

ArrayT = TypeVar("ArrayT")
WORD = 8  # bytes
CACHE_LINE = 64  # bytes
FOR_WRITING, ALL_LEVELS, DATA = 1, 3, 1  # LLVM's numbers of what a prefetch is for

# Numba's functions have no type hints.
type_callable: Any = extending.type_callable
lower_builtin: Any = extending.lower_builtin
cgutils: Any = numbas_tools


def borrowed(array: ArrayT) -> ArrayT:
    """The same array, uncounted: only for a kernel's argument, which its caller keeps, and never to be returned."""
    return array


def viewed(array: npt.NDArray[Any], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """The array's memory as values of another type, uncounted like `borrowed`.

    array: one dimension without gaps, whose bytes are a whole number of these values.
    """
    return array.view(np.dtype(dtype))


def word_at(numbers: npt.NDArray[np.int8], place: int) -> int:
    """Eight numbers of a byte each, from `place` on, as one word. Nobody checks that there are as many.

    numbers: without gaps, of any shape; places count through all its axes.
    """
    return int(numbers.reshape(-1)[place : place + WORD].view(np.int64)[0])


def put_word(numbers: npt.NDArray[np.int8], place: int, word: int) -> None:
    """Write eight numbers that `word_at` read, or computed from such."""
    numbers.reshape(-1)[place : place + WORD].view(np.int64)[0] = word


def prefetch(rows: npt.NDArray[np.int8], index: int, place: int) -> None:
    """Ask for the cache line of one byte, to be changed soon; nothing waits for it. rows: (n, bytes), without gaps."""


def _lower_borrowed(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The array without the counter of its references."""
    same = context.make_array(signature.return_type)(context, builder, value=values[0])
    same.meminfo = same.meminfo.type(None)
    return same._getvalue()


def _lower_viewed(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """An array of other values at the same address, without a counter of references."""
    from numba.np import arrayobj  # which a start with a full cache doesn't need

    before = context.make_array(signature.args[0])(context, builder, value=values[0])
    after = context.make_array(signature.return_type)(context, builder)
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(signature.return_type.dtype)))
    count = builder.sdiv(builder.mul(before.nitems, before.itemsize), size)
    data = builder.bitcast(before.data, after.data.type)
    populate: Any = arrayobj.populate_array
    populate(after, data=data, shape=[count], strides=[size], itemsize=size, meminfo=None)
    return after._getvalue()


def _word(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """The address of a word."""
    array = context.make_array(signature.args[0])(context, builder, value=values[0])
    first = builder.bitcast(array.data, ir.IntType(8).as_pointer())
    return builder.bitcast(builder.gep(first, [values[1]]), ir.IntType(64).as_pointer())


def _lower_put_word(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """One store to any address."""
    builder.store(values[2], _word(context, builder, signature, values), align=1)
    return context.get_dummy_value()


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


type_callable(word_at)(lambda _: lambda numbers, place: types.int64)
type_callable(put_word)(lambda _: lambda numbers, place, word: types.none)
lower_builtin(word_at, types.Array, types.int64)(lambda *given: given[1].load(_word(*given), align=1))
lower_builtin(put_word, types.Array, types.int64, types.int64)(_lower_put_word)
type_callable(borrowed)(lambda _: lambda array: array)
type_callable(viewed)(lambda _: lambda array, dtype: types.Array(dtype.dtype, 1, "C", readonly=not array.mutable))
lower_builtin(borrowed, types.Array)(_lower_borrowed)
lower_builtin(viewed, types.Array, types.Any)(_lower_viewed)
type_callable(prefetch)(lambda _: lambda rows, index, place: types.none)
lower_builtin(prefetch, types.Array, types.Integer, types.Integer)(_lower_prefetch)
