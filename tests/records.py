"""Helpers over the records that games are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def fill(records: npt.NDArray[np.void], value: int) -> None:
    """Write the value to every field of the records.

    What lies between fields stays as it is: it means nothing, and `records[:] = value` writes there from NumPy 2.5 on.
    """
    for name in records.dtype.names or ():
        if records[name].dtype.names:
            fill(records[name], value)
        else:
            records[name] = value
