"""How often a test repeats what it does: as plain Python a game takes a hundred times as long as compiled."""

from __future__ import annotations

from riverbed_env.kernels.compile import compiled


def repetitions(number: int, uncompiled: int) -> int:
    """`number` with compiled kernels, `uncompiled` where they run as plain Python."""
    return number if compiled() else uncompiled
