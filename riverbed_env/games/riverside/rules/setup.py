"""RS-1, setup: lay the river, give each player an empty sheet, put the ship at the start."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.memory import viewed
from riverbed_env.kernels.random import AGENTS, CHANCE, DEAL, open_stream, shuffle

from . import kernel
from .phases import begin_round, forget_round
from .river import open_columns
from .state import EMPTY_SHEET, EMPTY_TABLE, NO_TIMING, SHEET, TABLE, TIMING
from .vocab import MAX_PLACES, MAX_SEATS, NO_TILE


@kernel
def deal(game: Record, params: Record, seed: int, number: int) -> None:
    """RS-1.1: deal game `number` of `seed`, independent of the players' actions, and begin the first round."""
    game["seed"] = seed
    game["number"] = number
    stream = game["chance"]  # used for the deal first, then opened again for the dice
    open_stream(stream, seed, number, DEAL)
    game["table"] = viewed(EMPTY_TABLE, TABLE)[0]
    game["timing"] = viewed(NO_TIMING, TIMING)[0]
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
    """RS-1.1: shuffle the river tiles in play and lay the north row, then the south row."""
    places = int(params["num_places"])
    table["tile"][:] = NO_TILE
    for place in range(places):
        table["tile"][place] = place
    shuffle(stream, table["tile"], min(places, MAX_PLACES))
    table["open_columns"] = open_columns(table, params)


@kernel
def lay_sheet(game: Record, params: Record, seat: int) -> None:
    """RS-1.2: write an empty sheet with all its fire and +1 symbols; an empty seat gets no symbols."""
    private = game["private"][seat]
    private["sheet"] = viewed(EMPTY_SHEET, SHEET)[0]
    if seat < int(params["num_players"]):
        private["sheet"]["fire"] = params["fire"]
        private["sheet"]["plus"] = params["plus"]
    game["sheets"][seat] = private["sheet"]
