"""The boundary for secrets: the only code that reads a state on a seat's behalf."""

from riverbed_env.kernels.compile import Record

from .kernels import kernel


@kernel
def look(game: Record, seat: int, view: Record) -> None:
    """Fill `view` with what the seat may know: the whole table, since nothing is hidden."""
    view["seat"] = seat
    view["table"] = game["table"]
