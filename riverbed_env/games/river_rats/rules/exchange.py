"""What of a deal nobody has seen could as well lie the other way round: any two cards of the deck."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import CHANCE, below, draw, open_stream

from .kernels import kernel
from .vocab import NUM_CARDS

ONE_IN = 8  # exchanges is of the chance in play


@kernel
def exchange(game: Record, params: Record, stream: Record) -> bool:
    """RR-1.1: exchange two places of the shuffled deck before the first decision, or chance in play for other chance.

    Returns False if nothing changed.
    """
    if below(stream, ONE_IN) == 0:
        open_stream(game["chance"], draw(stream), draw(stream), CHANCE)
        return True
    first = below(stream, NUM_CARDS)
    second = below(stream, NUM_CARDS)
    card = int(game["deck"][first])
    game["deck"][first] = game["deck"][second]
    game["deck"][second] = card
    return first != second
