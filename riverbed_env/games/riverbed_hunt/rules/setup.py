"""RH-1, table and setup: deal roles, tiles and cards, and place the meeples."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.memory import viewed
from riverbed_env.kernels.random import AGENTS, CHANCE, DEAL, below, open_stream, shuffle

from . import kernel
from . import vocab as v
from .acts import begin_turn, take_card
from .board import chief_seat
from .knowledge import know_nothing
from .stack import ask
from .state import EMPTY_TABLE, TABLE


@kernel
def deal(game: Record, params: Record, seed: int, number: int) -> None:
    """RH-1, RH-1.6, RH-1.8: deal game `number` of `seed`."""
    game["seed"] = seed
    game["number"] = number
    stream = game["chance"]  # holds the deal's stream until the deal is done; chance in play has a stream of its own
    open_stream(stream, seed, number, DEAL)
    game["table"] = viewed(EMPTY_TABLE, TABLE)[0]
    table = game["table"]
    table["num_players"] = params["num_players"]
    for seat in range(int(params["num_players"])):  # RH-1.6: all action cards are ready
        table["dive_ready"][seat] = 1
        table["swim_ready"][seat] = 1
        table["uncover_left"][seat] = 1
        table["marker_left"][seat] = 1
    if params["fixed_layout"] >= 0:
        table["layout"] = params["fixed_layout"]
    else:
        table["layout"] = below(stream, int(params["num_layouts"]))
    deal_roles(game, params, stream)
    deal_tiles(game, params, stream)
    deal_cards(game, params, stream)
    open_stream(game["chance"], seed, number, CHANCE)
    open_stream(game["agents"], seed, number, AGENTS)
    ask_next_placement(table, params)


@kernel
def deal_roles(game: Record, params: Record, stream: Record) -> None:
    """RH-1.2: deal a role card to each seat, pinned ones first; RH-1.3: show the chief's."""
    num_players = int(params["num_players"])
    for seat in range(v.MAX_SEATS + 1):
        game["private"][seat]["role"] = v.Role.UNKNOWN
        game["private"][seat]["looked"][:] = v.Role.UNKNOWN
        game["private"][seat]["hand"][:] = 0
    cards = params["role_cards"].copy()
    game["spare_role"] = v.Role.UNKNOWN
    if params["role_choice"][0] != v.Role.UNKNOWN:
        drawn = drawn_role_card(params, stream)
        cards[num_players - 1] = params["role_choice"][drawn]
        game["spare_role"] = params["role_choice"][1 - drawn]
    left = num_players
    for seat in range(num_players):
        if params["pinned_role"][seat] != v.Role.UNKNOWN:
            game["private"][seat]["role"] = params["pinned_role"][seat]
            for place in range(left):
                if cards[place] == params["pinned_role"][seat]:
                    left -= 1
                    cards[place] = cards[left]
                    break
    shuffle(stream, cards, left)
    for seat in range(num_players):
        if params["pinned_role"][seat] == v.Role.UNKNOWN:
            left -= 1
            game["private"][seat]["role"] = cards[left]
        if game["private"][seat]["role"] == v.Role.CHIEF:
            game["table"]["role"][seat] = v.Role.CHIEF


@kernel
def drawn_role_card(params: Record, stream: Record) -> int:
    """RH-1.2: which of two role cards is drawn unseen with 4 players: a random one, unless a seat is pinned to one."""
    drawn = below(stream, 2)
    for seat in range(int(params["num_players"])):
        for choice in range(2):
            if params["pinned_role"][seat] == params["role_choice"][choice]:
                drawn = choice
    return drawn


@kernel
def deal_tiles(game: Record, params: Record, stream: Record) -> None:
    """RH-1.4: shuffle the tiles in play and lay one face-down on each space of the layout."""
    table = game["table"]
    occupied = int(params["layout_spaces"][int(table["layout"])])
    table["occupied"] = occupied
    table["face_down"] = occupied
    tiles = params["tiles"].copy()
    shuffle(stream, tiles, int(params["num_tiles"]))
    place = 0
    for space in range(v.NUM_SPACES):
        game["tile_at"][space] = v.NO_TILE
        if (occupied >> space) & 1:
            game["tile_at"][space] = tiles[place]
            place += 1
    for seat in range(v.MAX_SEATS + 1):
        know_nothing(game["private"][seat], params, occupied)


@kernel
def deal_cards(game: Record, params: Record, stream: Record) -> None:
    """RH-1.5: shuffle the deck of this player count and deal each player a card."""
    size = 0
    for card in range(v.MAX_CARD_KINDS):
        for _ in range(int(params["copies"][card])):
            game["deck"][size] = card
            size += 1
    shuffle(stream, game["deck"], size)
    for seat in range(int(params["num_players"])):
        size -= 1
        take_card(game, seat, int(game["deck"][size]))
    for place in range(size, v.MAX_DECK):
        game["deck"][place] = v.NO_CARD
    game["table"]["draw_pile"] = size


@kernel
def ask_next_placement(table: Record, params: Record) -> None:
    """RH-1.7: from the chief's left, clockwise, each player chooses a space; the first to place plays first."""
    num_players = int(table["num_players"])
    first = (chief_seat(table) + 1) % num_players
    for place in range(num_players):
        seat = (first + place) % num_players
        if table["position"][seat] == v.NO_SPACE:
            ask(table, seat, v.Question.PLACE, int(table["occupied"]), 0, 0)
            return
    begin_turn(table, params, first)
