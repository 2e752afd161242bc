"""DR-1, setup: lay the river, put the pawns into their nests, toss the tokens."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.memory import viewed
from riverbed_env.kernels.random import AGENTS, DEAL, below, open_stream, shuffle

from . import kernel
from . import vocab as v
from .state import EMPTY_TABLE, TABLE
from .turn import begin_turn


@kernel
def deal(game: Record, params: Record, seed: int, number: int) -> None:
    """DR-1, DR-1.2: deal game `number` of `seed` and ask the first question.

    Pinned values are drawn too and then replaced, so pinning one thing leaves the rest of the deal as it is.
    """
    game["seed"] = seed
    game["number"] = number
    stream = game["agents"]  # holds the deal's stream until the agents' stream replaces it
    open_stream(stream, seed, number, DEAL)
    game["table"] = viewed(EMPTY_TABLE, TABLE)[0]  # DR-1.2: five single pawns in each nest, the bear in the middle
    table = game["table"]
    lay_river(table, params, stream)
    toss_tokens(table, params, stream)
    first = below(stream, v.NUM_SEATS)
    if params["pinned_first"] != v.NOT_PINNED:
        first = int(params["pinned_first"])
    table["first"] = first
    open_stream(stream, seed, number, AGENTS)
    begin_turn(table, first, 0)


@kernel
def lay_river(table: Record, params: Record, stream: Record) -> None:
    """DR-1.1: lay the shuffled small tiles, three on each side of the double tile."""
    small = params["small_tiles"].copy()
    shuffle(stream, small, v.NUM_TILES - 1)
    place = 0
    for station in range(1, v.NUM_TILES + 1):
        if station == v.DOUBLE_TILE:
            table["tile"][station] = v.Tile.DOUBLE
        else:
            table["tile"][station] = small[place]
            place += 1
        if params["pinned_tile"][station] != v.NOT_PINNED:
            table["tile"][station] = params["pinned_tile"][station]


@kernel
def toss_tokens(table: Record, params: Record, stream: Record) -> None:
    """DR-1.2: give each token a random face and place it beside the eel nest."""
    for token in range(v.NUM_TOKENS):
        face = below(stream, 2)
        if params["pinned_face"][token] != v.NOT_PINNED:
            face = int(params["pinned_face"][token])
        table["face"][token] = face
