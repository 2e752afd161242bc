"""RH-8, the one boundary for secrets. Only this and `observe.show`, which shows the same, read a state for a seat."""

from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .vocab import PUBLIC


@kernel
def look(game: Record, seat: int, view: Record) -> None:
    """RH-8.1, RH-8.2, RH-8.4: fill `view` with what the seat may know: the table, its part, what all know.

    Seat PUBLIC sees what everybody knows.
    """
    view["seat"] = seat
    view["table"] = game["table"]
    view["private"] = game["private"][seat]
    view["public"] = game["private"][PUBLIC]
