"""What the chapters share: the stack of effects, the question asked, and the public record of events."""

from riverbed_env.kernels.common import append_event, byte_of
from riverbed_env.kernels.compile import Record

from . import kernel
from .vocab import MAX_FRAMES, NO_TILE, NOBODY, NUM_SPACES


@kernel
def push_frame(table: Record, source: int, thing: int, space: int, carrier: int, program: int) -> None:
    """Push an effect on the stack; the check of packs guarantees that MAX_FRAMES are enough."""
    depth = int(table["depth"])
    if depth == MAX_FRAMES:  # only in a state made by hand
        return
    frame = table["frames"][depth]
    frame["source"] = source
    frame["thing"] = thing
    frame["space"] = space
    frame["carrier"] = carrier
    frame["layer"] = 0
    frame["revealed"] = NO_TILE
    begin_program(frame, program)
    table["depth"] = depth + 1


@kernel
def begin_program(frame: Record, program: int) -> None:
    """Set the frame to the first instruction of a program, with nothing chosen yet."""
    frame["program"] = program
    frame["step"] = 0
    frame["seat"] = NOBODY
    frame["chosen"] = 0
    frame["before"] = 0
    frame["swapped"] = 0


@kernel
def ask(table: Record, seat: int, question: int, spaces: int = 0, seats: int = 0, optional: int = 0) -> None:
    """Ask `seat` a question; `spaces` and `seats` are the bits that may be chosen; `optional` 1 allows STOP."""
    table["asked"] = seat
    table["question"] = question
    table["spaces"] = spaces
    table["seats"] = seats
    table["optional"] = optional


@kernel
def record_event(
    table: Record, kind: int, actor: int, other: int = NOBODY, space: int = -1, second: int = -1, thing: int = 0
) -> None:
    """RH-8.1: append a public event to the ring, with the turn and the source of the effect under way.

    An event is one word, the lowest byte first: kind, 1 + actor, 1 + other, 1 + space, 1 + second space, thing,
    turn (at most 127), source.
    """
    source = 0
    if table["depth"] > 0:
        source = int(table["frames"][int(table["depth"]) - 1]["source"])
    word = kind | ((actor + 1) << 8) | ((other + 1) << 16) | ((space + 1) << 24) | ((second + 1) << 32)
    word |= (thing << 40) | (min(127, int(table["turn"])) << 48) | (source << 56)
    append_event(table, word)
    table["tally"][kind] += 1


@kernel
def signed_byte_of(word: int, place: int) -> int:
    """A byte of a word of counters, from -128 to 127."""
    value = byte_of(word, place)
    if value > 127:
        return value - 256
    return value


@kernel
def add_to_byte(word: int, place: int, amount: int) -> int:
    """The word with an amount added to one of its counters, limited to -128 … 127; the top one is never below 0."""
    value = max(-128, min(127, signed_byte_of(word, place) + amount))
    return (word & ~(255 << (8 * place))) | ((value & 255) << (8 * place))


@kernel
def count_deed(table: Record, seat: int, deed: int, amount: int) -> None:
    """RH-8.1: count a seat's public deed."""
    table["deeds"][seat] = add_to_byte(int(table["deeds"][seat]), deed, amount)


@kernel
def count_choice(table: Record, seat: int, choice: int, amount: int) -> None:
    """RH-8.1: count a seat's informed choice in public."""
    table["choices"][seat] = add_to_byte(int(table["choices"][seat]), choice, amount)


@kernel
def count_ask(table: Record, asker: int, asked: int) -> None:
    """RH-8.1: count who asks whom for a co-op."""
    place = (asked - asker + int(table["num_players"])) % int(table["num_players"]) - 1
    table["asks"][asker] = add_to_byte(int(table["asks"][asker]), place, 1)


@kernel
def count_bits(bits: int) -> int:
    """The number of set bits."""
    total = 0
    while bits:
        bits &= bits - 1
        total += 1
    return total


@kernel
def nth_bit(bits: int, nth: int) -> int:
    """The position of the set bit with `nth` set bits below it."""
    for place in range(NUM_SPACES):
        nth -= (bits >> place) & 1
        if nth < 0:
            return place
    return NUM_SPACES - 1
