"""RS-5.1, the one boundary for secrets. Only this and `observe.show`, which shows the same, read a state for a seat."""

from riverbed_env.kernels.compile import Record

from .kernels import kernel


@kernel
def look(game: Record, seat: int, view: Record) -> None:
    """RS-5.1: fill `view` with what the seat may know.

    The view holds the table, each sheet as it was when the phase began, and the seat's current private part. It leaves
    out `timing`: the pending seats could reveal what others have chosen.
    """
    view["seat"] = seat
    view["table"] = game["table"]
    view["sheets"] = game["sheets"]
    view["private"] = game["private"][seat]
