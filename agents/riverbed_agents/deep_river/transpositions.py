"""Positions met before in a search: the same one is reached by many orders of the same choices.

A position is told by two whole numbers, so that no two are ever taken for each other. An entry is replaced by whatever
comes to its place later.
"""

import numpy as np
import numpy.typing as npt

from riverbed_env.games.deep_river.rules.vocab import (
    LAST_PROGRESS,
    NUM_FACES,
    NUM_FISH,
    NUM_PLACES,
    NUM_PURPOSES,
    NUM_QUESTIONS,
    NUM_SEATS,
    NUM_SLOTS,
    NUM_TILES,
    NUM_TOKENS,
)
from riverbed_env.kernels.compile import Record

from .observation_reader import kernel

Known = npt.NDArray[np.int64]

FIELDS = 4  # of an entry: the two numbers, what the position is worth, Bound
FIRST, SECOND, WORTH, BOUND = range(FIELDS)
AT_MOST, EXACT, AT_LEAST = 1, 2, 3  # how the worth is to be read; 0 where there is no entry

PAWN_KINDS = 2 * NUM_FACES + 1  # of either side, or none
TOKEN_SETS = 1 << NUM_TOKENS
MIX = 0x9E3779B97F4A7C15 >> 2 | 1  # odd, with its bits well spread
MASK = (1 << 62) - 1
SHIFT = 24  # the low bits of a product are the poorest


@kernel
def river_number(table: Record) -> int:
    """Pawns, nests and the bear as one number below 2**51."""
    number = int(table["bear"])
    for slot in range(NUM_SLOTS):
        number = number * PAWN_KINDS + int(table["top"][slot]) + NUM_FACES
        number = number * PAWN_KINDS + int(table["under"][slot]) + NUM_FACES
    for seat in range(NUM_SEATS):
        for face in range(NUM_FACES):
            number = number * (NUM_FISH + 1) + int(table["nest"][seat, face])
    return number


@kernel
def question_number(table: Record) -> int:
    """Tokens, turn and what is asked and under way as one number below 2**47; what may be chosen follows from it."""
    number = int(table["turn"])
    for token in range(NUM_TOKENS):
        number = number * (LAST_PROGRESS + 1) + int(table["progress"][token])
        number = number * NUM_FACES + int(table["face"][token])
    number = number * NUM_SEATS + int(table["active"])
    number = number * TOKEN_SETS + int(table["barred"])
    number = number * TOKEN_SETS + int(table["tilted"])
    number = number * NUM_QUESTIONS + int(table["question"])
    number = number * (NUM_TOKENS + 1) + int(table["token"]) + 1
    number = number * 2 + int(table["moves_left"])
    number = number * 2 + int(table["bear_due"])
    number = number * NUM_PURPOSES + int(table["purpose"])
    number = number * (NUM_TILES + 1) + int(table["steps"])
    number = number * PAWN_KINDS + int(table["moving"]) + NUM_FACES
    return number * (NUM_PLACES + 1) + int(table["arrived"]) + 1


@kernel
def entry_of(known: Known, first: int, second: int) -> int:
    """The entry where a position is kept. known: (a power of 2, FIELDS)."""
    return ((((first * MIX) & MASK) ^ second) * MIX & MASK) >> SHIFT & (len(known) - 1)


@kernel
def settles(known: Known, entry: int, first: int, second: int, low: int, high: int) -> bool:
    """Whether an entry is of the position and says enough of it for a search between `low` and `high`."""
    bound = int(known[entry, BOUND])
    if bound == 0 or known[entry, FIRST] != first or known[entry, SECOND] != second:
        return False
    found = int(known[entry, WORTH])
    return bound == EXACT or (bound == AT_LEAST and found >= high) or (bound == AT_MOST and found <= low)


@kernel
def keep(known: Known, entry: int, first: int, second: int, found: int, low: int, high: int) -> None:
    """Note what a search between `low` and `high` found of a position."""
    known[entry, FIRST] = first
    known[entry, SECOND] = second
    known[entry, WORTH] = found
    if found <= low:
        known[entry, BOUND] = AT_MOST
    elif found >= high:
        known[entry, BOUND] = AT_LEAST
    else:
        known[entry, BOUND] = EXACT
