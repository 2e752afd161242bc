"""Process-wide settings for training: PyTorch's threads, and freed memory that stays with the process."""

import ctypes
import sys

import torch

from riverbed_env.errors import OptionError

from .config import BFLOAT16, TrainingConfig

MMAP_THRESHOLD, TRIM_THRESHOLD = -3, -1  # of glibc's mallopt
LARGEST = 2**31 - 1


def keep_freed_memory() -> bool:
    """Make glibc reuse freed memory instead of returning it to the system; returns whether it could be set.

    By default glibc maps and clears fresh pages for every array of some megabytes. In training that took longer than
    all arithmetic. With this setting the process keeps its peak memory.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(MMAP_THRESHOLD, LARGEST) and mallopt(TRIM_THRESHOLD, LARGEST))


def check_device(device: str) -> None:
    """Raise OptionError if this machine hasn't the device, "cpu" or "cuda", that a network is to learn on."""
    if device != "cpu" and not torch.cuda.is_available():
        raise OptionError(f"device {device}: PyTorch {torch.__version__} finds no GPU here, only cpu")


def mixed_precision(config: TrainingConfig) -> torch.autocast:
    """Where matrices are multiplied in bfloat16 if the config says so; weights, sums and losses stay float32.

    Micikevicius et al., "Mixed precision training" (2018). With bfloat16 no loss needs a scale.
    """
    return torch.autocast(config.device, torch.bfloat16, enabled=config.precision == BFLOAT16)


def prepare_process(threads: int) -> None:
    """Set PyTorch's number of threads, and keep freed memory."""
    torch.set_num_threads(threads)
    keep_freed_memory()
