"""Arrays whose references kernels don't count: as they are, or their memory as numbers or records of another type.

Numba counts the references to an array at each slice and each view of it, by atomic instructions. In a loop that slices
rows for every environment that took a fourteenth of the time. Its own views also take a quarter second each to compile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from numba import extending, types

ArrayT = TypeVar("ArrayT")

# Numba's functions have no type hints.
type_callable: Any = extending.type_callable
lower_builtin: Any = extending.lower_builtin


def borrowed(array: ArrayT) -> ArrayT:
    """The same array, uncounted: only for a kernel's argument, which its caller keeps, and never to be returned."""
    return array


def viewed(array: npt.NDArray[Any], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """The array's memory as values of another type, uncounted like `borrowed`.

    array: one dimension without gaps, whose bytes are a whole number of these values.
    """
    return array.view(np.dtype(dtype))


def _type_borrowed(_: Any) -> Callable[[Any], Any]:
    return lambda array: array


def _type_viewed(_: Any) -> Callable[[Any, Any], Any]:
    return lambda array, dtype: types.Array(dtype.dtype, 1, "C", readonly=not array.mutable)


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


type_callable(borrowed)(_type_borrowed)
type_callable(viewed)(_type_viewed)
lower_builtin(borrowed, types.Array)(_lower_borrowed)
lower_builtin(viewed, types.Array, types.Any)(_lower_viewed)
