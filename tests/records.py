"""Helpers for the records that hold games."""

from riverbed_env.kernels.compile import Records


def fill(records: Records, value: int) -> None:
    """Write the value to every field of the records.

    The padding between fields stays as it is; from NumPy 2.5 on, `records[:] = value` would overwrite it too.
    """
    for name in records.dtype.names or ():
        if records[name].dtype.names:
            fill(records[name], value)
        else:
            records[name] = value
