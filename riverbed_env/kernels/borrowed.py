"""Arrays whose references kernels don't count.

Numba counts the references to an array at each slice and each view of it, by atomic instructions. In a loop that slices
rows for every environment that took a fourteenth of the time.
"""

from __future__ import annotations

from typing import Any, TypeVar

from numba import extending

ArrayT = TypeVar("ArrayT")

# Numba's functions have no type hints.
intrinsic: Any = extending.intrinsic
overload: Any = extending.overload


def borrowed(array: ArrayT) -> ArrayT:
    """The same array, uncounted: only for a kernel's argument, which its caller keeps, and never to be returned."""
    return array


def _uncounted(_: Any, array: Any) -> Any:
    """The array without the counter of its references."""

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        same = context.make_array(signature.return_type)(context, builder, value=values[0])
        same.meminfo = same.meminfo.type(None)
        return same._getvalue()

    return array(array), generate


uncounted = intrinsic(_uncounted)


def _borrow(_: Any) -> Any:
    """How kernels borrow."""

    def borrow(array: Any) -> Any:
        return uncounted(array)

    return borrow


overload(borrowed, strict=False)(_borrow)
