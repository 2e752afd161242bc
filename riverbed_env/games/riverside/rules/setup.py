"""RS-1, setup: the river is laid, everybody gets an empty sheet, the ship stands at the start."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import AGENTS, CHANCE, DEAL, open_stream, shuffle

from .kernels import kernel
from .phases import begin_round, forget_round
from .river import open_columns
from .state import EMPTY_SHEET, EMPTY_TABLE, NO_TIMING, SHEET, TABLE, TIMING
from .vocab import MAX_PLACES, MAX_SEATS, NO_TILE


@kernel
def deal(game: Record, params: Record, seed: int, number: int) -> None:
    """RS-1.1: lay game `number` under `seed`, the same whatever the players do later, and begin the first round."""
    game["seed"] = seed
    game["number"] = number
    stream = game["chance"]  # the deal's stream first; the dice have their own
    open_stream(stream, seed, number, DEAL)
    game["table"] = EMPTY_TABLE.view(TABLE)[0]
    game["timing"] = NO_TIMING.view(TIMING)[0]
    game["table"]["num_players"] = params["num_players"]
    lay_tiles(game["table"], params, stream)
    for seat in range(MAX_SEATS):
        lay_sheet(game, params, seat)
        forget_round(game["private"][seat])
    open_stream(game["chance"], seed, number, CHANCE)
    open_stream(game["agents"], seed, number, AGENTS)
    begin_round(game, params)


@kernel
def lay_tiles(table: Record, params: Record, stream: Record) -> None:
    """RS-1.1: the river tiles in play, shuffled, into the north row and then the south row."""
    places = int(params["num_places"])
    table["tile"][:] = NO_TILE
    for place in range(places):
        table["tile"][place] = place
    shuffle(stream, table["tile"], min(places, MAX_PLACES))
    table["open_columns"] = open_columns(table, params)


@kernel
def lay_sheet(game: Record, params: Record, seat: int) -> None:
    """RS-1.2: an empty sheet with all its fire and +1 symbols; of a seat that isn't taken, without any."""
    own = game["private"][seat]
    own["sheet"] = EMPTY_SHEET.view(SHEET)[0]
    if seat < int(params["num_players"]):
        own["sheet"]["fire"] = params["fire"]
        own["sheet"]["plus"] = params["plus"]
    game["sheets"][seat] = own["sheet"]
