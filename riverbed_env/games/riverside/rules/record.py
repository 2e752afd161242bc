"""The public record of events, in the order in which they become known."""

from riverbed_env.kernels.common import append_event
from riverbed_env.kernels.compile import Record

from .kernels import kernel


@kernel
def record_event(table: Record, kind: int, actor: int, boat: int, place: int, number: int, detail: int) -> None:
    """RS-5.1: append a public event to the ring.

    An event is one word, the lowest byte first: kind, 1 + actor, 1 + boat, 1 + place, number in hundreds and rest,
    detail, round (at most 127).
    """
    word = kind | ((actor + 1) << 8) | ((boat + 1) << 16) | ((place + 1) << 24)
    word |= ((number // 100) << 32) | ((number % 100) << 40) | (detail << 48) | (min(127, int(table["round"])) << 56)
    append_event(table, word)
    table["tally"][kind] += 1


@kernel
def count_deed(table: Record, seat: int, deed: int, amount: int) -> None:
    """RS-5.1: add to a seat's count of a Deed, once it is public."""
    table["deeds"][seat, deed] = min(30_000, int(table["deeds"][seat, deed]) + amount)
