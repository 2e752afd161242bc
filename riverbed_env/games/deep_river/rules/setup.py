"""DR-1, setup: lay the river, put the pawns into their nests, toss the tokens."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import AGENTS, DEAL, below, open_stream, shuffle

from . import kernel
from . import vocab as v
from .turn import begin_turn


@kernel
def deal(game: Record, params: Record, seed: int, number: int) -> None:
    """DR-1: deal game `number` of `seed` and ask the first question.

    Pinned values are drawn too and then replaced, so pinning one thing leaves the rest of the deal as it is.
    """
    game["seed"] = seed
    game["number"] = number
    stream = game["agents"]  # holds the deal's stream until the agents' stream replaces it
    open_stream(stream, seed, number, DEAL)
    table = game["table"]
    clear_table(table)
    lay_river(table, params, stream)
    toss_tokens(table, params, stream)
    first = below(stream, v.NUM_SEATS)
    if params["pinned_first"] != v.NOT_PINNED:
        first = int(params["pinned_first"])
    table["first"] = first
    open_stream(stream, seed, number, AGENTS)
    begin_turn(table, first, 0)


@kernel
def clear_table(table: Record) -> None:
    """DR-1.2: put five single pawns into each nest and the bear in the middle; clear what an earlier game left."""
    table["events"][:] = 0
    table["event_count"] = 0
    table["decisions"] = 0
    table["deeds"][:] = 0
    table["turn"] = 0
    table["tilted"] = 0
    table["top"][:] = 0
    table["under"][:] = 0
    for seat in range(v.NUM_SEATS):
        table["nest"][seat, 0] = v.NUM_FISH
        table["nest"][seat, 1] = 0
    table["bear"] = v.DOUBLE_TILE
    table["ending"] = v.Ending.PLAYING
    table["winner"] = v.Camp.NONE
    table["token"] = v.NO_TOKEN
    table["moves_left"] = 0
    table["bear_due"] = 0
    table["purpose"] = v.Purpose.NONE
    table["steps"] = 0
    table["moving"] = 0
    table["lifted"] = v.NO_PLACE
    table["arrived"] = v.NO_PLACE


@kernel
def lay_river(table: Record, params: Record, stream: Record) -> None:
    """DR-1.1: lay the shuffled small tiles, three on each side of the double tile."""
    small = params["small_tiles"].copy()
    shuffle(stream, small, v.NUM_TILES - 1)
    table["tile"][:] = v.Tile.NEST
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
        table["progress"][token] = 0
