"""Arrays whose references kernels don't count.

Numba counts the references to an array at each slice and each view of it, by atomic instructions. In a loop that slices
rows for every environment they took a fourteenth of the time.
"""

from __future__ import annotations

from typing import Any, TypeVar

from numba.extending import intrinsic, overload

ArrayT = TypeVar("ArrayT")

lower: Any = intrinsic


def borrowed(array: ArrayT) -> ArrayT:
    """The same array, uncounted: only for a kernel's argument, which the caller keeps, and never to be returned."""
    return array


@lower
def _uncounted(_: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        same = context.make_array(signature.return_type)(context, builder, value=values[0])
        same.meminfo = same.meminfo.type(None)
        return same._getvalue()

    return array(array), generate


@overload(borrowed, strict=False)
def _borrow(array: Any) -> Any:
    return lambda array: _uncounted(array)
