"""Helpers for the records that hold games."""

import numpy as np
import numpy.typing as npt


def fill(records: npt.NDArray[np.void], value: int) -> None:
    """Write the value to every field of the records.

    The padding between fields stays as it is; from NumPy 2.5 on, `records[:] = value` would overwrite it too.
    """
    for name in records.dtype.names or ():
        if records[name].dtype.names:
            fill(records[name], value)
        else:
            records[name] = value
