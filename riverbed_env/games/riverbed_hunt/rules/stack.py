"""The effects under way, what is asked, and the public record of events: the machinery the chapters share."""

from riverbed_env.core.compile import Record

from ..kernels import kernel
from ..vocab import (
    MAX_EVENTS,
    NO_SPACE,
    NO_TILE,
    NOBODY,
    Question,
)


@kernel
def push_frame(table: Record, source: int, thing: int, space: int, carrier: int, program: int) -> None:
    """Begin an effect above those under way; the pack's check keeps it inside MAX_FRAMES."""
    depth = int(table["depth"])
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
    frame["first"] = NO_SPACE
    frame["second"] = NO_SPACE


@kernel
def ask(table: Record, seat: int, question: int, spaces: int, seats: int, optional: int) -> None:
    """Ask `seat` a question; `spaces` and `seats` are the bits that may be chosen."""
    table["asked"] = seat
    table["question"] = question
    table["spaces"] = spaces
    table["seats"] = seats
    table["optional"] = optional


@kernel
def ask_plain(table: Record, seat: int, question: int) -> None:
    """Ask `seat` a question that isn't about spaces or players."""
    ask(table, seat, question, 0, 0, 0)


@kernel
def close_question(table: Record) -> None:
    """Nobody is asked any more; the rules go on."""
    ask(table, NOBODY, Question.NONE, 0, 0, 0)


@kernel
def record_event(table: Record, kind: int, actor: int, other: int, space: int, second: int, thing: int) -> None:
    """RH-8.1: append a public event to the ring."""
    count = int(table["event_count"]) + 1
    events = table["events"]
    slot = newest_event(count)
    for copy in range(2):
        place = slot + copy * MAX_EVENTS
        events[0, place] = kind
        events[1, place] = actor
        events[2, place] = other
        events[3, place] = space + 1
        events[4, place] = second + 1
        events[5, place] = thing
    table["event_count"] = count
    table["tally"][kind] += 1


@kernel
def newest_event(count: int) -> int:
    """The place in the ring of the newest of `count` events; the MAX_EVENTS places from there on read newest first.

    The ring runs backwards and is written twice over, so that the last events always lie in one piece.
    """
    return (MAX_EVENTS - count % MAX_EVENTS) % MAX_EVENTS


@kernel
def clear_events(table: Record) -> None:
    """No event yet."""
    table["events"][:, :] = 0
    table["events"][1:3, :] = NOBODY
    table["event_count"] = 0
    table["tally"][:] = 0


@kernel
def record_act(table: Record, kind: int, actor: int) -> None:
    """An event that concerns its actor alone."""
    record_event(table, kind, actor, NOBODY, NO_SPACE, NO_SPACE, 0)


@kernel
def record_at(table: Record, kind: int, actor: int, space: int, thing: int) -> None:
    """An event on one space."""
    record_event(table, kind, actor, NOBODY, space, NO_SPACE, thing)


@kernel
def record_with(table: Record, kind: int, actor: int, other: int, thing: int) -> None:
    """An event between two players, or with a thing."""
    record_event(table, kind, actor, other, NO_SPACE, NO_SPACE, thing)


@kernel
def count_bits(bits: int) -> int:
    """How many bits are set."""
    total = 0
    while bits:
        bits &= bits - 1
        total += 1
    return total
