"""What is asked, and the public record of events: the machinery the chapters share."""

from riverbed_env.kernels.common import append_event
from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .vocab import NO_CARD, NOBODY, Question

MOST = 127  # what a byte of an event holds at most


@kernel
def ask(table: Record, seat: int, question: int) -> None:
    """Ask `seat` a question."""
    table["asked"] = seat
    table["question"] = question


@kernel
def close_question(table: Record) -> None:
    """Nobody is asked any more; the rules go on."""
    ask(table, NOBODY, Question.NONE)


@kernel
def record_event(table: Record, kind: int, actor: int, card: int, other: int, first: int, second: int) -> None:
    """RR-6.1: append a public event to the ring; the round and the turn go with it.

    An event is one word, the lowest byte first: kind, 1 + actor, 1 + card, 1 + second card, first number, second
    number, round, turn (both at most 127).
    """
    word = kind | ((actor + 1) << 8) | ((card + 1) << 16) | ((other + 1) << 24) | (first << 32) | (second << 40)
    word |= (min(MOST, int(table["round"])) << 48) | (min(MOST, int(table["turn"])) << 56)
    append_event(table, word)
    table["tally"][kind] += 1


@kernel
def record_act(table: Record, kind: int, actor: int) -> None:
    """An event that concerns its actor alone."""
    record_event(table, kind, actor, NO_CARD, NO_CARD, 0, 0)


@kernel
def record_card(table: Record, kind: int, actor: int, card: int) -> None:
    """An event with a card."""
    record_event(table, kind, actor, card, NO_CARD, 0, 0)


@kernel
def record_numbers(table: Record, kind: int, first: int, second: int) -> None:
    """An event that nobody does, with numbers."""
    record_event(table, kind, NOBODY, NO_CARD, NO_CARD, first, second)
