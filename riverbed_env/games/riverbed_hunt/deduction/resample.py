"""Sample a full state that agrees with a view: roles, tiles, hands, deck and future chance.

What the observer knows is kept; everything else is drawn, future chance included, so the true state has no influence
beyond the view.
"""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.common import byte_of
from riverbed_env.kernels.compile import Record, Records
from riverbed_env.kernels.random import below, renew_streams, shuffle
from riverbed_env.kernels.vocab import MAX_EVENTS

from ..rules import vocab as v
from ..rules.knowledge import know_nothing, learn, only_space
from ..rules.stack import count_bits, nth_bit
from . import kernel
from .evidence import gather, hear_nothing
from .looks import weigh_looks
from .posterior import DEAF, UNIFORM_CHOICE, draw_roles

Tiles = npt.NDArray[np.int8]
Rows = npt.NDArray[np.uint16]
Places = npt.NDArray[np.int64]

TRIES = 2000  # placements tried before the constrained tiles are placed one by one
MIXING = 40  # exchanges per tile after that


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
    draw_tiles(view["private"]["possible"], int(view["table"]["occupied"]), stream, game["tile_at"])
    if model != UNIFORM_CHOICE:
        weigh_looks(view, params, evidence, stream, game)
    give_cards(view, params, stream, game)
    give_knowledge(view, params, game)
    for place in range(MAX_EVENTS):  # RH-8.1: who looked at a role in the last public events knows it
        event = int(game["table"]["events"][place])
        if byte_of(event, 0) == v.Event.LOOK_AT_ROLE:
            other = byte_of(event, 2) - 1
            game["private"][byte_of(event, 1) - 1]["looked"][other] = game["private"][other]["role"]
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
        game["deck"][place] = unseen[place] if place < size else v.NO_CARD


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
def resample_all(
    views: Records, params: Records, evidence: Records, model: int, streams: Records, games: Records
) -> None:
    """Sample a full state for each view. evidence: (1,), scratch. streams: (n,), drawn from. games: (n,), written."""
    for index in range(len(views)):
        resample(views[index], params[0], evidence[0], model, streams[index], games[index])


@kernel
def draw_tiles(possible: Rows, occupied: int, stream: Record, tile_at: Tiles) -> None:
    """Place every tile on a space where it may be, uniformly over all such placements.

    possible (NUM_TILES,): bit s is set if the tile may be on space s; 0 for tiles not in play. tile_at (NUM_SPACES,):
    written. Exact by rejection sampling: only tiles known to be in a set of spaces are constrained. If TRIES draws
    collide because many sets overlap, a placement is constructed tile by tile and mixed by random exchanges.
    """
    tile_at[:] = v.NO_TILE
    free = occupied
    for tile in range(v.NUM_TILES):
        row = int(possible[tile]) & v.ALL_SPACES
        if row != 0 and row & (row - 1) == 0:
            tile_at[only_space(row)] = tile + 1
            free &= ~row
    rest = np.zeros(v.NUM_TILES, np.int8)
    constrained = np.zeros(v.NUM_TILES, np.int64)
    size = 0
    bound = 0
    for tile in range(v.NUM_TILES):
        row = int(possible[tile]) & v.ALL_SPACES
        if row & (row - 1) != 0:
            if row & free == free:
                rest[size] = tile + 1
                size += 1
            else:
                constrained[bound] = tile
                bound += 1
    left = place_constrained(possible, constrained, bound, free, stream, tile_at)
    shuffle(stream, rest, size)
    for space in range(v.NUM_SPACES):
        if (left >> space) & 1:
            size -= 1
            tile_at[space] = rest[size]


@kernel
def place_constrained(
    possible: Rows, constrained: Places, bound: int, free: int, stream: Record, tile_at: Tiles
) -> int:
    """Place the constrained tiles; return the bits of the free spaces left."""
    for _ in range(TRIES):
        left = free
        for place in range(bound):
            row = int(possible[constrained[place]]) & free
            space = nth_bit(row, below(stream, count_bits(row)))
            if not (left >> space) & 1:
                left = -1
                break
            left &= ~(1 << space)
            tile_at[space] = constrained[place] + 1
        if left >= 0:
            return left
        for space in range(v.NUM_SPACES):
            if (free >> space) & 1:
                tile_at[space] = v.NO_TILE
    return place_one_by_one(possible, constrained, bound, free, stream, tile_at)


@kernel
def place_one_by_one(possible: Rows, constrained: Places, bound: int, free: int, stream: Record, tile_at: Tiles) -> int:
    """Find a placement by augmenting paths (Kuhn 1955), then mix it; return the bits of the free spaces left."""
    at = np.full(v.NUM_SPACES, -1, np.int64)  # the index in `constrained` of the tile on each space
    for place in range(bound):
        visited = 0
        came_from = np.full(v.NUM_SPACES, -1, np.int64)  # the space whose tile would move here
        queue = np.zeros(v.NUM_SPACES, np.int64)
        tail = 0
        mover = place
        origin = -1
        empty = -1
        for head in range(v.NUM_SPACES):
            row = int(possible[constrained[mover]]) & free & ~visited
            for _ in range(v.NUM_SPACES):
                if row == 0 or empty >= 0:
                    break
                space = nth_bit(row, below(stream, count_bits(row)))
                row &= ~(1 << space)
                visited |= 1 << space
                came_from[space] = origin
                if at[space] < 0:
                    empty = space
                else:
                    queue[tail] = space
                    tail += 1
            if empty >= 0 or head == tail:
                break
            origin = queue[head]
            mover = at[origin]
        if empty < 0:
            continue  # only a view that contradicts itself has no place for the tile
        for _ in range(v.NUM_SPACES):
            if came_from[empty] < 0:
                break
            at[empty] = at[came_from[empty]]
            empty = came_from[empty]
        at[empty] = place
    mix(possible, constrained, bound, free, stream, at)
    left = free
    for space in range(v.NUM_SPACES):
        if at[space] >= 0:
            tile_at[space] = constrained[at[space]] + 1
            left &= ~(1 << space)
    return left


@kernel
def mix(possible: Rows, constrained: Places, bound: int, free: int, stream: Record, at: Places) -> None:
    """Exchange the contents of two free spaces many times, if both tiles may be there (a Metropolis walk)."""
    spaces = count_bits(free)
    for _ in range(MIXING * bound):
        first = nth_bit(free, below(stream, spaces))
        second = nth_bit(free, below(stream, spaces))
        allowed = True
        if at[first] >= 0:
            allowed = (int(possible[constrained[at[first]]]) >> second) & 1 == 1
        if at[second] >= 0:
            allowed = allowed and (int(possible[constrained[at[second]]]) >> first) & 1 == 1
        if allowed:
            at[first], at[second] = at[second], at[first]
