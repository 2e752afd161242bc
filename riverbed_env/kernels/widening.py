"""Kernels take every integer as int64, whatever their callers hold."""

from typing import Any

import numba


def widened(args: Any, kws: Any) -> tuple[list[Any], dict[str, Any]]:
    """The types in which a kernel takes arguments of a call: int64 for every integer, enum member and literal.

    Record fields are narrow and Numba gives constants types of their own. Without this a kernel would be compiled once
    for each mixture of them (the first step of the Hunt took half as long again), and its sums could wrap around.
    """
    types_: Any = numba.types

    def widen(argument: Any) -> Any:
        plain = types_.unliteral(argument)
        return types_.int64 if isinstance(plain, types_.Integer | types_.IntEnumMember) else plain

    return [widen(each) for each in args], {name: widen(each) for name, each in kws.items()}
