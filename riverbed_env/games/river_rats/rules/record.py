"""The current question and the public record of events, which all chapters share."""

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
    """End the question; the rules continue."""
    ask(table, NOBODY, Question.NONE)


@kernel
def record_event(table: Record, kind: int, actor: int, card: int, other: int, first: int, second: int) -> None:
    """RR-6.1: append a public event to the ring, with the round and the turn.

    An event is one word, the lowest byte first: kind, 1 + actor, 1 + card, 1 + second card, first number, second
    number, round, turn (both at most 127).
    """
    word = kind | ((actor + 1) << 8) | ((card + 1) << 16) | ((other + 1) << 24) | (first << 32) | (second << 40)
    word |= (min(MOST, int(table["round"])) << 48) | (min(MOST, int(table["turn"])) << 56)
    append_event(table, word)
    table["tally"][kind] += 1


@kernel
def record_act(table: Record, kind: int, actor: int) -> None:
    """Record an event that has only an actor."""
    record_event(table, kind, actor, NO_CARD, NO_CARD, 0, 0)


@kernel
def record_card(table: Record, kind: int, actor: int, card: int) -> None:
    """Record an event with an actor and a card."""
    record_event(table, kind, actor, card, NO_CARD, 0, 0)


@kernel
def record_numbers(table: Record, kind: int, first: int, second: int) -> None:
    """Record an event with numbers and no actor."""
    record_event(table, kind, NOBODY, NO_CARD, NO_CARD, first, second)
