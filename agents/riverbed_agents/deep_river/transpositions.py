"""The transposition table of a search: different orders of the same choices lead to the same position.

Two integers identify a position exactly, so positions are never confused. A new entry replaces the old one at its
index.
"""

from riverbed_env.games.deep_river.rules import vocab as v
from riverbed_env.kernels.compile import Record, Whole

from .kernels import kernel

Known = Whole

FIELDS = 4  # of an entry: the two numbers, the value, the kind of bound
FIRST, SECOND, WORTH, BOUND = range(FIELDS)
AT_MOST, EXACT, AT_LEAST = 1, 2, 3  # kinds of bound; 0 if there is no entry

PAWN_KINDS = 2 * v.NUM_FACES + 1  # of both sides, or none
TOKEN_SETS = 1 << v.NUM_TOKENS
MIX = 0x9E3779B97F4A7C15 >> 2 | 1  # an odd multiplier with well-spread bits
MASK = (1 << 62) - 1
SHIFT = 24  # the low bits of a product are the least mixed


@kernel
def river_number(table: Record) -> int:
    """Pawns, nests and the bear as one number below 2**51."""
    number = int(table["bear"])
    for slot in range(v.NUM_SLOTS):
        number = number * PAWN_KINDS + int(table["top"][slot]) + v.NUM_FACES
        number = number * PAWN_KINDS + int(table["under"][slot]) + v.NUM_FACES
    for seat in range(v.NUM_SEATS):
        for face in range(v.NUM_FACES):
            number = number * (v.NUM_FISH + 1) + int(table["nest"][seat, face])
    return number


@kernel
def question_number(table: Record) -> int:
    """Tokens, turn, question and action in progress as one number below 2**47; the legal actions follow from it."""
    number = int(table["turn"])
    for token in range(v.NUM_TOKENS):
        number = number * (v.LAST_PROGRESS + 1) + int(table["progress"][token])
        number = number * v.NUM_FACES + int(table["face"][token])
    number = number * v.NUM_SEATS + int(table["active"])
    number = number * TOKEN_SETS + int(table["barred"])
    number = number * TOKEN_SETS + int(table["tilted"])
    number = number * v.NUM_QUESTIONS + int(table["question"])
    number = number * (v.NUM_TOKENS + 1) + int(table["token"]) + 1
    number = number * 2 + int(table["moves_left"])
    number = number * 2 + int(table["bear_due"])
    number = number * v.NUM_PURPOSES + int(table["purpose"])
    number = number * (v.NUM_TILES + 1) + int(table["steps"])
    number = number * PAWN_KINDS + int(table["moving"]) + v.NUM_FACES
    return number * (v.NUM_PLACES + 1) + int(table["arrived"]) + 1


@kernel
def entry_of(known: Known, first: int, second: int) -> int:
    """The index of a position's entry. known: (a power of 2, FIELDS)."""
    return ((((first * MIX) & MASK) ^ second) * MIX & MASK) >> SHIFT & (len(known) - 1)


@kernel
def settles(known: Known, entry: int, first: int, second: int, low: int, high: int) -> bool:
    """Whether an entry belongs to the position and settles a search between `low` and `high`."""
    bound = int(known[entry, BOUND])
    if bound == 0 or known[entry, FIRST] != first or known[entry, SECOND] != second:
        return False
    value = int(known[entry, WORTH])
    return bound == EXACT or (bound == AT_LEAST and value >= high) or (bound == AT_MOST and value <= low)


@kernel
def keep(known: Known, entry: int, first: int, second: int, value: int, low: int, high: int) -> None:
    """Store the result of a search between `low` and `high`."""
    known[entry, FIRST] = first
    known[entry, SECOND] = second
    known[entry, WORTH] = value
    if value <= low:
        known[entry, BOUND] = AT_MOST
    elif value >= high:
        known[entry, BOUND] = AT_LEAST
    else:
        known[entry, BOUND] = EXACT
