"""The engine's chance, drawn again in plain Python, so that a referee gets the same outcomes.

A stream is Philox2x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) of a counter under a
key; a number below a bound comes from a 32-bit word by Lemire's method ("Fast random integer generation in an
interval", 2019). Written from the papers: it shares only the three numbers of a stream with the engine.
"""

from typing import TypeVar

Thing = TypeVar("Thing")

WORD = 1 << 32


def philox(counter: int, key: int) -> int:
    """The first word of Philox2x32-10 for a 64-bit counter (the low word first) and a 32-bit key."""
    low, high = counter % WORD, counter // WORD
    for _ in range(10):
        product = low * 0xD256D193
        low, high = (product // WORD) ^ key ^ high, product % WORD
        key = (key + 0x9E3779B9) % WORD
    return low


class Stream:
    """A copy of one of the engine's streams: draws from it don't change the engine's stream."""

    def __init__(self, key: int, block: int, drawn: int) -> None:
        self.key = key
        self.block = block
        self.drawn = drawn

    def word(self) -> int:
        """The next 32-bit word."""
        self.drawn += 1
        return philox((self.drawn - 1) % WORD + WORD * self.block, self.key)

    def below(self, bound: int) -> int:
        """A uniform integer in 0 … bound - 1."""
        product = self.word() * bound
        while product % WORD < WORD % bound:
            product = self.word() * bound
        return product // WORD

    def shuffled_downwards(self, things: list[Thing]) -> list[Thing]:
        """The things in random order: from the last place down, each takes one of the things up to it."""
        things = list(things)
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]
        return things

    def shuffled_upwards(self, things: list[Thing]) -> list[Thing]:
        """The things in random order: from the first place up, each takes itself or one of the later things."""
        things = list(things)
        for first in range(len(things)):
            other = first + self.below(len(things) - first)
            things[first], things[other] = things[other], things[first]
        return things


class NotedChance:
    """The `Chance` of one referee: the engine's chance as it was before the current decision."""

    def __init__(self) -> None:
        self.stream = Stream(0, 0, 0)

    def shuffle_cards(self, cards: list[str]) -> list[str]:
        """A new draw pile, the top one last."""
        return self.stream.shuffled_downwards(cards)
