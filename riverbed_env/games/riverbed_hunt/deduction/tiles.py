"""RH-8.3: sample placements of the face-down tiles, uniformly from those an observer can't exclude."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below, shuffle

from ..rules.knowledge import only_space
from ..rules.stack import count_bits
from ..rules.vocab import ALL_SPACES, NO_TILE, NUM_SPACES, NUM_TILES
from . import kernel

Tiles = npt.NDArray[np.int8]

TRIES = 2000  # placements tried before the constrained tiles are placed one by one
MIXING = 40  # exchanges per tile after that


@kernel
def nth_bit(bits: int, nth: int) -> int:
    """The position of the set bit with `nth` set bits below it."""
    for place in range(NUM_SPACES):
        nth -= (bits >> place) & 1
        if nth < 0:
            return place
    return NUM_SPACES - 1


@kernel
def draw_tiles(possible: npt.NDArray[np.uint16], occupied: int, stream: Record, tile_at: Tiles) -> None:
    """Place every tile on a space where it may be, uniformly over all such placements.

    possible (NUM_TILES,): bit s is set if the tile may be on space s; 0 for tiles not in play. tile_at (NUM_SPACES,):
    written. Exact by rejection sampling: only tiles known to be in a set of spaces are constrained. If TRIES draws
    collide because many sets overlap, a placement is constructed tile by tile and mixed by random exchanges.
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
        clear_free(free, tile_at)
    return place_one_by_one(possible, constrained, bound, free, stream, tile_at)


@kernel
def clear_free(free: int, tile_at: Tiles) -> None:
    """Remove the tiles from the free spaces."""
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
    """Find a placement by augmenting paths (Kuhn 1955), then mix it; return the bits of the free spaces left."""
    at = np.full(NUM_SPACES, -1, np.int64)  # the index in `constrained` of the tile on each space
    for place in range(bound):
        visited = 0
        came_from = np.full(NUM_SPACES, -1, np.int64)  # the space whose tile would move here
        queue = np.zeros(NUM_SPACES, np.int64)
        tail = 0
        mover = place
        origin = -1
        empty = -1
        for head in range(NUM_SPACES):
            row = int(possible[constrained[mover]]) & free & ~visited
            for _ in range(NUM_SPACES):
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
        for _ in range(NUM_SPACES):
            if came_from[empty] < 0:
                break
            at[empty] = at[came_from[empty]]
            empty = came_from[empty]
        at[empty] = place
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
            kept = at[first]
            at[first] = at[second]
            at[second] = kept
