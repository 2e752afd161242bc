"""Questions and the record of events, which all chapters share."""

from riverbed_env.kernels.common import append_event
from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .vocab import NO_PLACE, NOBODY, Question


@kernel
def ask(table: Record, question: int, places: int, tokens: int) -> None:
    """Ask the side whose turn it is; `places` and `tokens` hold the legal choices as bits."""
    table["asked"] = table["active"]
    table["question"] = question
    table["places"] = places
    table["tokens"] = tokens


@kernel
def close_question(table: Record) -> None:
    """Close the question, so that nobody is asked and the rules can run."""
    table["asked"] = NOBODY
    table["question"] = Question.NONE
    table["places"] = 0
    table["tokens"] = 0


@kernel
def record_event(table: Record, kind: int, actor: int, place: int, second: int, thing: int) -> None:
    """Append an event to the ring.

    An event is one word. From the lowest bits up it holds kind (5 bits), 1 + actor (2), 1 + place (4), 1 + second place
    (4), thing (4), turn (10).
    """
    word = kind | ((actor + 1) << 5) | ((place + 1) << 7) | ((second + 1) << 11) | (thing << 15)
    append_event(table, word | (int(table["turn"]) << 19))


@kernel
def record_act(table: Record, kind: int, place: int, thing: int) -> None:
    """Append an event by the side whose turn it is, at one place or none."""
    record_event(table, kind, int(table["active"]), place, NO_PLACE, thing)


@kernel
def event_field(word: int, field: int) -> int:
    """A field of an event's word. field: its index, 0 to 5, in the order of `record_event`."""
    if field == 0:
        return word & 31
    elif field == 1:
        return (word >> 5) & 3
    elif field == 2:
        return (word >> 7) & 15
    elif field == 3:
        return (word >> 11) & 15
    elif field == 4:
        return (word >> 15) & 15
    return word >> 19


@kernel
def count_deed(table: Record, deed: int, amount: int) -> None:
    """Add `amount` to a deed of the side whose turn it is."""
    seat = int(table["active"])
    table["deeds"][seat, deed] = int(table["deeds"][seat, deed]) + amount
