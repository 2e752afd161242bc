"""Whether memory stays flat: measured after every round of games, held against what the first rounds left."""

from __future__ import annotations

import gc
import sys
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import psutil

Samples = npt.NDArray[
    np.int64
]  # (rounds, 3): games played so far, resident bytes, blocks of memory of Python's objects

WARM_UP = 0.3  # the share of rounds in which caches fill and the allocator takes what it wants
MOST_BYTES = 2 * 2**20  # what the allocator takes and gives back
MOST_BLOCKS = 50  # next to nothing comes and goes among Python's objects


@dataclass(frozen=True)
class Growth:
    """By how much a process grew from just after the warm-up to its end, over so many games."""

    games: int
    resident: int
    blocks: int

    @property
    def is_flat(self) -> bool:
        """Whether that is no more than what comes and goes."""
        return self.resident <= MOST_BYTES and self.blocks <= MOST_BLOCKS

    def __str__(self) -> str:
        said = f"{self.resident / 2**20:+.2f} MiB resident and {self.blocks:+,} blocks in {self.games:,} games"
        return f"flat: {said}" if self.is_flat else f"NOT FLAT: {said}, {self.resident / self.games:.0f} bytes a game"


def measure() -> tuple[int, int]:
    """Resident bytes and blocks of this process, after what nobody holds any more is gone."""
    gc.collect()
    # Names of attributes that were looked up, up to four thousand; a pickle's are new strings each time.
    getattr(sys, "_clear_internal_caches", sys._clear_type_cache)()
    return psutil.Process().memory_info().rss, sys.getallocatedblocks()


def growth(samples: Samples) -> Growth:
    """From the first quarter of the rounds after the warm-up to the last quarter, each by its median."""
    warm = samples[int(len(samples) * WARM_UP) :]
    quarter = max(1, len(warm) // 4)
    difference = np.median(warm[-quarter:], axis=0) - np.median(warm[:quarter], axis=0)
    games, resident, blocks = difference.astype(np.int64).tolist()
    return Growth(games, resident, blocks)
