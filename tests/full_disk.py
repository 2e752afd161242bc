"""Simulate a full disk for code that writes NumPy archives."""

import errno
from typing import Any

import numpy as np
import pytest


def fill_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `np.savez` fail for lack of space until the patch is undone."""

    def full(*arguments: Any, **more: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
