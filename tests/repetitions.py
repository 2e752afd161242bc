"""How often a test repeats its games: in plain Python a game takes a hundred times as long as compiled."""

from riverbed_env.kernels.compile import compiled


def repetitions(number: int, uncompiled: int) -> int:
    """`number` if kernels are compiled, `uncompiled` if they run as plain Python."""
    return number if compiled() else uncompiled
