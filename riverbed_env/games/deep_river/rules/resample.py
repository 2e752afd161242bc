"""A game that looks the same to a seat: the same table, as nothing is hidden, with other streams."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import AGENTS, draw, open_stream

from .kernels import kernel


@kernel
def resample(view: Record, params: Record, stream: Record, game: Record) -> None:
    """Fill `game` with the view's table; what the players will draw is drawn from `stream`."""
    game["table"] = view["table"]
    game["seed"] = draw(stream)
    game["number"] = draw(stream)
    open_stream(game["agents"], draw(stream), draw(stream), AGENTS)
