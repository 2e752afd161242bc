"""What a process that learns is set to: PyTorch's threads, and memory that it keeps."""

from __future__ import annotations

import ctypes
import sys

import torch

MMAP_THRESHOLD, TRIM_THRESHOLD = -3, -1  # of glibc's mallopt
LARGEST = 2**31 - 1


def keep_freed_memory() -> bool:
    """Have glibc reuse what was freed instead of giving it back to the system; whether it is glibc and took it.

    By default every array of some megabytes is mapped anew and cleared page by page when it is made. While training,
    that took longer than all arithmetic on it. The process then keeps as much memory as it needed at its largest.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(MMAP_THRESHOLD, LARGEST) and mallopt(TRIM_THRESHOLD, LARGEST))


def settle_process(threads: int) -> None:
    """Have PyTorch compute by so many threads, and freed memory be kept."""
    torch.set_num_threads(threads)
    keep_freed_memory()
