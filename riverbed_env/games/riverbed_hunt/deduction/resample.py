"""Sample a full state that agrees with a view: roles, tiles, hands, deck and future chance.

What the observer knows is kept; everything else is drawn, future chance included, so the true state has no influence
beyond the view.
"""

import numpy as np

from riverbed_env.kernels.common import byte_of
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import renew_streams, shuffle
from riverbed_env.kernels.vocab import MAX_EVENTS

from ..rules import vocab as v
from ..rules.knowledge import know_nothing, learn
from . import kernel
from .claims import hear_nothing
from .evidence import gather
from .looks import weigh_looks
from .posterior import DEAF, UNIFORM_CHOICE, draw_roles
from .tiles import draw_tiles


@kernel
def resample(view: Record, params: Record, evidence: Record, model: int, stream: Record, game: Record) -> None:
    """Fill `game` with a random state that looks the same to the view's seat.

    Roles come from the exact posterior under the model of play (see `weigh_roles`); tiles from the placements that the
    seat's knowledge leaves open (RH-8.3), by the model of looks (see `weigh_looks`), or uniformly under uniform choice;
    hands and deck uniformly from the cards it hasn't seen. evidence: scratch. stream: drawn from. The game's seed and
    number are drawn too, since the true ones would leak information.
    """
    gather(view, params, evidence)
    if model == DEAF:
        hear_nothing(evidence)
    game["table"] = view["table"]
    give_roles(view, evidence, model, stream, game)
    give_tiles(view, params, evidence, model, stream, game)
    give_cards(view, params, stream, game)
    give_knowledge(view, params, game)
    note_looks(game)
    renew_streams(game, stream)


@kernel
def give_roles(view: Record, evidence: Record, model: int, stream: Record, game: Record) -> None:
    """RH-1.2: assign each seat a role sampled from the posterior, and set the card left over."""
    roles = np.zeros(v.MAX_SEATS, np.int64)
    draw_roles(evidence, model, stream, roles)
    for seat in range(v.MAX_SEATS):
        game["private"][seat]["role"] = roles[seat]
        game["private"][seat]["looked"][:] = v.Role.UNKNOWN
    game["private"][v.PUBLIC]["role"] = v.Role.UNKNOWN
    game["private"][v.PUBLIC]["looked"][:] = v.Role.UNKNOWN
    game["spare_role"] = v.Role.UNKNOWN
    for role in range(v.NUM_ROLES):
        left = int(evidence["cards"][role])
        for seat in range(int(evidence["num_players"])):
            left -= int(roles[seat] == role)
        if left > 0:
            game["spare_role"] = role


@kernel
def give_tiles(view: Record, params: Record, evidence: Record, model: int, stream: Record, game: Record) -> None:
    """RH-8.3: place the tiles, given the game's roles."""
    draw_tiles(view["private"]["possible"], int(view["table"]["occupied"]), stream, game["tile_at"])
    if model != UNIFORM_CHOICE:
        weigh_looks(view, params, evidence, stream, game)


@kernel
def give_cards(view: Record, params: Record, stream: Record, game: Record) -> None:
    """RH-8.2: shuffle the cards that the observer hasn't seen, and deal them to the other hands and the draw pile."""
    table = view["table"]
    observer = int(view["seat"])
    unseen = np.zeros(v.MAX_DECK, np.int8)
    size = 0
    for card in range(v.MAX_CARD_KINDS):
        left = int(params["copies"][card]) - int(table["discard_pile"][card]) - int(table["used"][card])
        for _ in range(left - int(view["private"]["hand"][card])):
            unseen[size] = card
            size += 1
    shuffle(stream, unseen, size)
    for seat in range(v.MAX_SEATS + 1):
        game["private"][seat]["hand"][:] = 0
    for seat in range(int(table["num_players"])):
        if seat != observer:
            for _ in range(int(table["hand_size"][seat])):
                size -= 1
                game["private"][seat]["hand"][int(unseen[size])] += 1
    for place in range(v.MAX_DECK):
        game["deck"][place] = v.NO_CARD
        if place < size:
            game["deck"][place] = unseen[place]


@kernel
def give_knowledge(view: Record, params: Record, game: Record) -> None:
    """RH-8.3: each seat knows the public knowledge and the tiles it looked at; the observer keeps its own.

    Empty seats stay as dealt, as in any game.
    """
    table = view["table"]
    observer = int(view["seat"])
    num_players = int(table["num_players"])
    for seat in range(v.MAX_SEATS + 1):
        private = game["private"][seat]
        if num_players <= seat < v.PUBLIC:
            know_nothing(private, params, int(table["occupied"]))
        else:
            private["possible"][:] = view["public"]["possible"]
            private["known"][:] = view["public"]["known"]
    for seat in range(num_players):
        if seat == observer:
            game["private"][seat] = view["private"]
            continue
        for space in range(v.NUM_SPACES):
            if (int(table["seen"][seat]) >> space) & 1:
                learn(game["private"][seat], int(game["tile_at"][space]), space)


@kernel
def note_looks(game: Record) -> None:
    """RH-8.1: set the roles seen by a look that is among the last public events."""
    table = game["table"]
    for place in range(MAX_EVENTS):
        event = int(table["events"][place])
        if byte_of(event, 0) == v.Event.LOOK_AT_ROLE:
            looker = byte_of(event, 1) - 1
            other = byte_of(event, 2) - 1
            game["private"][looker]["looked"][other] = game["private"][other]["role"]
