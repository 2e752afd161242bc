"""RR-6.1, the one boundary for secrets: the only code that reads a state on a seat's behalf."""

from riverbed_env.kernels.compile import Record

from .kernels import kernel


@kernel
def look(game: Record, seat: int, view: Record) -> None:
    """RR-6.1: fill `view` with what the seat may know: the table, and its own hand and the card it placed face-down.

    Seat PUBLIC sees what everybody knows.
    """
    view["seat"] = seat
    view["table"] = game["table"]
    view["private"] = game["private"][seat]
