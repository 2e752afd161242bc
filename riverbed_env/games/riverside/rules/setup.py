"""RS-1, setup: the river is laid, everybody gets an empty sheet, the ship stands at the start."""

from riverbed_env.kernels.common import clear_events
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import AGENTS, CHANCE, DEAL, open_stream, shuffle

from .kernels import kernel
from .phases import begin_round, forget_round
from .river import open_columns
from .vocab import MAX_PLACES, MAX_SEATS, NO_TILE, NOBODY, Charge, Ending, Phase


@kernel
def deal(game: Record, params: Record, seed: int, number: int) -> None:
    """RS-1.1: lay game `number` under `seed`, the same whatever the players do later, and begin the first round."""
    game["seed"] = seed
    game["number"] = number
    stream = game["chance"]  # the deal's stream first; the dice have their own
    open_stream(stream, seed, number, DEAL)
    lay_table(game["table"], params)
    lay_tiles(game["table"], params, stream)
    for seat in range(MAX_SEATS):
        clear_sheet(game["private"][seat]["sheet"], params, int(seat < int(params["num_players"])))
        forget_round(game["private"][seat])
        game["sheets"][seat] = game["private"][seat]["sheet"]
    game["timing"]["steps"] = 0
    game["timing"]["decisions"] = 0
    game["timing"]["waiting"] = 0
    game["timing"]["asked"] = NOBODY
    open_stream(game["chance"], seed, number, CHANCE)
    open_stream(game["agents"], seed, number, AGENTS)
    begin_round(game, params)


@kernel
def lay_table(table: Record, params: Record) -> None:
    """RS-1.1: the ship on the west tile, nothing rolled yet."""
    table["deeds"][:, :] = 0
    table["final"][:] = 0
    table["captain"][:] = 0
    table["round"] = 0
    table["ship"] = 0
    table["distance"][:] = 0
    table["dice"][:] = 0
    table["temperature"] = 0
    table["heated"] = 0
    table["num_players"] = params["num_players"]
    table["phase"] = Phase.DICE
    table["ending"] = Ending.PLAYING
    table["winners"] = 0
    clear_events(table)


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
def clear_sheet(sheet: Record, params: Record, seated: int) -> None:
    """RS-1.2: an empty sheet with all its fire and +1 symbols; of a seat that isn't taken, without any."""
    sheet["total"][:] = 0
    sheet["last"][:] = 0
    sheet["ticket_points"][:] = 0
    sheet["crossed"][:, :] = 0
    sheet["tickets"][:] = 0
    sheet["power"][:] = Charge.LOCKED
    sheet["fire"] = int(params["fire"]) * seated
    sheet["plus"] = int(params["plus"]) * seated
