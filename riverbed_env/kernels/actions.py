"""Action tables: a game declares its actions once as blocks; ids, counts, words and pages follow."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from .constants import Constants, constants

WAIT = 0  # in every game: the answer of a seat that isn't asked, so that no mask is empty


@dataclass(frozen=True)
class ActionBlock:
    """A run of actions that share a verb: `size` arguments 0 … size - 1; `doc` says what they mean.

    `words` are what taking one means, where that depends on nothing.
    """

    name: str
    size: int
    doc: str
    labels: Sequence[str] = field(default=())
    words: str = ""


WAITING = ActionBlock(
    "WAIT", 1, "the only legal action of a seat that isn't asked; illegal for one that is", words="wait"
)


@dataclass(frozen=True)
class ActionTable:
    """All actions of a game in the order of their ids, which is part of the environment's version."""

    blocks: tuple[ActionBlock, ...]

    @cached_property
    def starts(self) -> dict[str, int]:
        """The first action id of each block, by the block's name."""
        ends = np.cumsum([block.size for block in self.blocks])
        return {block.name: int(end) - block.size for block, end in zip(self.blocks, ends, strict=True)}

    @cached_property
    def size(self) -> int:
        """The number of actions."""
        return sum(block.size for block in self.blocks)

    def ids(self) -> Constants:
        """The first id of each block, as constants for kernels: `A.WAIT` after `A = ACTIONS.ids()`."""
        return constants(self.starts)

    def id(self, name: str, argument: int = 0) -> int:
        """The action id of argument `argument` in block `name`; raises KeyError or IndexError if there is none."""
        if name not in self.starts:
            raise KeyError(f"no action block {name!r}; there are {', '.join(self.starts)}")
        block = next(block for block in self.blocks if block.name == name)
        if not 0 <= argument < block.size:
            raise IndexError(f"{name} takes an argument from 0 to {block.size - 1}, not {argument}")
        return self.starts[name] + argument

    def split(self, action: int) -> tuple[str, int]:
        """The block's name and the argument of an action id; raises IndexError if there is no such action."""
        if not 0 <= action < self.size:
            raise IndexError(f"actions are 0 … {self.size - 1}, not {action}")
        for block in reversed(self.blocks):
            if action >= self.starts[block.name]:
                return block.name, action - self.starts[block.name]
        raise AssertionError("blocks cover every action")

    def words(self, name: str) -> str:
        """The meaning of a block's actions, as text."""
        return next(block.words for block in self.blocks if block.name == name)

    def arguments(self) -> npt.NDArray[np.int8]:
        """The argument of every action id, shape (size,)."""
        return np.concatenate([np.arange(block.size, dtype=np.int8) for block in self.blocks])
