"""Agents that tests name by path or module: of every kind that a spec can lead to."""

import functools
from pathlib import Path

import numpy as np

from riverbed_env.kernels.compile import KernelFamily, Record
from riverbed_env.players.agents import CompiledAgent

kernel = KernelFamily("agents_of_a_file", Path(__file__).parent)
NTH = 0  # of the template `choose`


class Drawn:
    """An agent over arrays: any legal action, by the place of `which`."""

    name = "drawn"
    memory_size = 1
    about = "the legal action in a certain place"

    def __init__(self, which: int = 0, share: float = 0.5, backwards: bool = False, label: str = "x") -> None:
        self.given = (which, share, backwards, label)

    def act(self, observations: np.ndarray, masks: np.ndarray, memory: np.ndarray, rng: np.ndarray) -> np.ndarray:
        return np.array([np.flatnonzero(mask)[self.given[0] % mask.sum()] for mask in masks], np.int64)


DRAWN = Drawn()


def choose(observation: np.ndarray, mask: np.ndarray, memory: np.ndarray, stream: Record) -> int:
    """The legal action in place NTH, or the last."""
    left = NTH
    chosen = 0
    for action in range(len(mask)):
        if mask[action] and left >= 0:
            chosen = action
            left -= 1
    return chosen


@functools.cache
def nth_legal(nth: int = 0, name: str | None = None) -> CompiledAgent:
    """A factory of compiled agents; `name` isn't a parameter of specs, since a spec can't express its type."""
    linked = kernel.link(choose, f"choose_nth_{nth}", {"NTH": nth})
    return CompiledAgent(name or f"nth_{nth}", linked, folders=(Path(__file__).parent,), about="the nth legal action")


def last_legal(observation: np.ndarray, mask: np.ndarray, memory: np.ndarray, rng: np.void) -> int:
    """The last legal action."""
    memory[0] += 1
    return int(np.flatnonzero(mask)[-1])


last_legal.memory_size = 1  # type: ignore[attr-defined]


def nothing(wanted: int = 3) -> int:
    """It gives no agent."""
    return wanted


def too_many(one: int, other: int) -> None:
    """Neither a function of one game nor a factory."""


NUMBER = 3
