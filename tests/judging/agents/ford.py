"""Agents for Ford, the toy game, of which one remembers."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from toy_game.tables import CALL, OBSERVATION, RAISE, STONES, kernel

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below
from riverbed_env.players.agents import CompiledAgent

HEIGHT = OBSERVATION.start("height")
FOLDERS = (Path(__file__).parent,)


@kernel
def stone_of(observation: npt.NDArray[np.int8]) -> int:
    """The stone in the hand."""
    for stone in range(STONES):
        if observation[stone]:
            return stone + 1
    return 0


@kernel
def choose_warily(
    observation: npt.NDArray[np.int8], mask: npt.NDArray[np.int8], memory: npt.NDArray[np.int32], stream: Record
) -> int:
    """Raise by one or two; call from a height on that grows with the stone."""
    if mask[CALL] and int(observation[HEIGHT]) >= 6 + stone_of(observation):
        return CALL
    action = RAISE + below(stream, 2)
    if not mask[action]:
        action = RAISE
    return action if mask[action] else CALL


@kernel
def choose_by_memory(
    observation: npt.NDArray[np.int8], mask: npt.NDArray[np.int8], memory: npt.NDArray[np.int32], stream: Record
) -> int:
    """Raise by one; call each third time it is asked, if it may."""
    memory[0] += 1
    if mask[CALL] and (memory[0] % 3 == 0 or not mask[RAISE]):
        return CALL
    return RAISE


WARY = CompiledAgent("wary", choose_warily, folders=FOLDERS)
COUNTING = CompiledAgent("counting", choose_by_memory, memory_size=1, folders=FOLDERS)
