"""DR-1, setup: lay the river, put the pawns into their nests, toss the tokens."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import AGENTS, DEAL, below, open_stream, shuffle

from .kernels import kernel
from .turn import begin_turn
from .vocab import (
    DOUBLE_TILE,
    NO_PLACE,
    NO_TOKEN,
    NOT_PINNED,
    NUM_FISH,
    NUM_SEATS,
    NUM_TILES,
    NUM_TOKENS,
    Camp,
    Ending,
    Purpose,
    Tile,
)


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
    first = below(stream, NUM_SEATS)
    if params["pinned_first"] != NOT_PINNED:
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
    for seat in range(NUM_SEATS):
        table["nest"][seat, 0] = NUM_FISH
        table["nest"][seat, 1] = 0
    table["bear"] = DOUBLE_TILE
    table["ending"] = Ending.PLAYING
    table["winner"] = Camp.NONE
    table["token"] = NO_TOKEN
    table["moves_left"] = 0
    table["bear_due"] = 0
    table["purpose"] = Purpose.NONE
    table["steps"] = 0
    table["moving"] = 0
    table["lifted"] = NO_PLACE
    table["arrived"] = NO_PLACE


@kernel
def lay_river(table: Record, params: Record, stream: Record) -> None:
    """DR-1.1: lay the shuffled small tiles, three on each side of the double tile."""
    small = params["small_tiles"].copy()
    shuffle(stream, small, NUM_TILES - 1)
    table["tile"][:] = Tile.NEST
    place = 0
    for station in range(1, NUM_TILES + 1):
        if station == DOUBLE_TILE:
            table["tile"][station] = Tile.DOUBLE
        else:
            table["tile"][station] = small[place]
            place += 1
        if params["pinned_tile"][station] != NOT_PINNED:
            table["tile"][station] = params["pinned_tile"][station]


@kernel
def toss_tokens(table: Record, params: Record, stream: Record) -> None:
    """DR-1.2: give each token a random face and place it beside the eel nest."""
    for token in range(NUM_TOKENS):
        face = below(stream, 2)
        if params["pinned_face"][token] != NOT_PINNED:
            face = int(params["pinned_face"][token])
        table["face"][token] = face
        table["progress"][token] = 0
