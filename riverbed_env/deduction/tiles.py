"""Where the face-down tiles may lie: placements drawn uniformly from those an observer can't exclude (RH-8.3)."""

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.rules.knowledge import only_space
from riverbed_env.games.riverbed_hunt.rules.stack import count_bits
from riverbed_env.games.riverbed_hunt.rules.vocab import ALL_SPACES, NO_TILE, NUM_SPACES, NUM_TILES
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below, shuffle

from .kernels import kernel

Tiles = npt.NDArray[np.int8]

TRIES = 2000  # placements tried before the constrained tiles are placed one by one
MIXING = 40  # exchanges for each tile after that


@kernel
def nth_bit(bits: int, nth: int) -> int:
    """The place of the set bit that has `nth` set bits below it."""
    place = -1
    while nth >= 0:
        place += 1
        nth -= (bits >> place) & 1
    return place


@kernel
def draw_tiles(possible: npt.NDArray[np.uint16], occupied: int, stream: Record, tile_at: Tiles) -> None:
    """Lay every tile on a space it may lie on; all placements that the table leaves open are as likely.

    possible (NUM_TILES,): bits of the spaces of each tile, 0 for tiles not in play; tile_at (NUM_SPACES,): written.
    Exact by rejection: only tiles known as part of a set are constrained, all others lie anywhere. Where so many sets
    overlap that TRIES draws collide, a placement is found one tile at a time and mixed by exchanges.
    """
    tile_at[:] = NO_TILE
    free = occupied
    for tile in range(NUM_TILES):
        row = int(possible[tile]) & ALL_SPACES
        if row != 0 and row & (row - 1) == 0:
            tile_at[only_space(row)] = tile + 1
            free &= ~row
    rest = np.zeros(NUM_TILES, np.int8)
    constrained = np.zeros(NUM_TILES, np.int64)
    size = 0
    bound = 0
    for tile in range(NUM_TILES):
        row = int(possible[tile]) & ALL_SPACES
        if row & (row - 1) != 0:
            if row & free == free:
                rest[size] = tile + 1
                size += 1
            else:
                constrained[bound] = tile
                bound += 1
    left = place_constrained(possible, constrained, bound, free, stream, tile_at)
    shuffle(stream, rest, size)
    for space in range(NUM_SPACES):
        if (left >> space) & 1:
            size -= 1
            tile_at[space] = rest[size]


@kernel
def place_constrained(
    possible: npt.NDArray[np.uint16],
    constrained: npt.NDArray[np.int64],
    bound: int,
    free: int,
    stream: Record,
    tile_at: Tiles,
) -> int:
    """Place the tiles that can't lie everywhere; the bits of the free spaces that are left."""
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
        forget(free, tile_at)
    return place_one_by_one(possible, constrained, bound, free, stream, tile_at)


@kernel
def forget(free: int, tile_at: Tiles) -> None:
    """Take the tiles off the free spaces again."""
    for space in range(NUM_SPACES):
        if (free >> space) & 1:
            tile_at[space] = NO_TILE


@kernel
def place_one_by_one(
    possible: npt.NDArray[np.uint16],
    constrained: npt.NDArray[np.int64],
    bound: int,
    free: int,
    stream: Record,
    tile_at: Tiles,
) -> int:
    """Find a placement by augmenting paths (Kuhn 1955), then exchange allowed pairs at random; the spaces left."""
    at = np.full(NUM_SPACES, -1, np.int64)  # the constrained tile, by its place, on each space
    for place in range(bound):
        visited = 0
        came_from = np.full(NUM_SPACES, -1, np.int64)  # the space whose tile would move here
        queue = np.zeros(NUM_SPACES, np.int64)
        head = 0
        tail = 0
        mover = place
        origin = -1
        found = -1
        while found < 0:
            row = int(possible[constrained[mover]]) & free & ~visited
            while row != 0 and found < 0:
                space = nth_bit(row, below(stream, count_bits(row)))
                row &= ~(1 << space)
                visited |= 1 << space
                came_from[space] = origin
                if at[space] < 0:
                    found = space
                else:
                    queue[tail] = space
                    tail += 1
            if found < 0:
                origin = queue[head]
                mover = at[origin]
                head += 1
        while came_from[found] >= 0:
            at[found] = at[came_from[found]]
            found = came_from[found]
        at[found] = place
    mix(possible, constrained, bound, free, stream, at)
    left = free
    for space in range(NUM_SPACES):
        if at[space] >= 0:
            tile_at[space] = constrained[at[space]] + 1
            left &= ~(1 << space)
    return left


@kernel
def mix(
    possible: npt.NDArray[np.uint16],
    constrained: npt.NDArray[np.int64],
    bound: int,
    free: int,
    stream: Record,
    at: npt.NDArray[np.int64],
) -> None:
    """Exchange what lies on two free spaces, many times, wherever both tiles may lie there (a Metropolis walk)."""
    spaces = count_bits(free)
    for _ in range(MIXING * bound):
        first = nth_bit(free, below(stream, spaces))
        second = nth_bit(free, below(stream, spaces))
        fine = True
        if at[first] >= 0:
            fine = (int(possible[constrained[at[first]]]) >> second) & 1 == 1
        if at[second] >= 0:
            fine = fine and (int(possible[constrained[at[second]]]) >> first) & 1 == 1
        if fine:
            kept = at[first]
            at[first] = at[second]
            at[second] = kept
