"""RH-8, what each player knows: which spaces each tile may lie on, for every seat and for the public."""

import numpy as np

from riverbed_env.kernels.compile import Record

from . import kernel
from .vocab import ALL_SPACES, MAX_SEATS, NO_TILE, NUM_SPACES, NUM_TILES, PUBLIC

MOST_PASSES = 2 * NUM_TILES + 2  # at least one more tile is fixed in two passes
_MODULUS = 37  # the bits of all spaces leave different remainders
SPACE_OF_BIT = np.zeros(_MODULUS, np.int8)
SPACE_OF_BIT[(1 << np.arange(NUM_SPACES)) % _MODULUS] = np.arange(NUM_SPACES)


@kernel
def only_space(bit: int) -> int:
    """The space of a single bit."""
    return int(SPACE_OF_BIT[bit % _MODULUS])


@kernel
def know_nothing(own: Record, params: Record, occupied: int) -> None:
    """RH-8.3: at the deal every tile in play may lie on any space that holds one."""
    own["possible"][:] = 0
    for place in range(int(params["num_tiles"])):
        own["possible"][int(params["tiles"][place]) - 1] = occupied
    own["known"][:] = NO_TILE


@kernel
def learn(own: Record, tile: int, space: int) -> None:
    """RH-8.3: a view or a reveal fixes the tile's row."""
    if own["known"][space] == tile:
        return
    own["possible"][tile - 1] = 1 << space
    narrow(own, 1 << space, 1 << space)


@kernel
def deduce(own: Record) -> None:
    """RH-8.3: find out which tiles are known, from the rows alone."""
    own["known"][:] = NO_TILE
    narrow(own, 0, ALL_SPACES)


@kernel
def narrow(own: Record, fixed: int, unnoted: int) -> None:
    """RH-8.3: propagate rows and columns with a single candidate until nothing changes, and note what is known then.

    fixed: bits of spaces whose tiles are fixed, as far as the caller knows; unnoted: of spaces whose known tiles may
    not be noted yet. The loops over tiles have no branches, so that they are fast.
    """
    possible = own["possible"]
    single = 0
    noted = -1
    several = -1
    for _ in range(MOST_PASSES):
        if several & (fixed | single) == 0 and noted >= 0:
            break
        held = 0
        for tile in range(NUM_TILES):
            row = int(possible[tile])
            kept = row & ~fixed
            if row & single != 0:
                kept = row & single
            if row & (row - 1) == 0:
                kept = row
                held |= row
            possible[tile] = kept
        if noted < 0:
            noted = held & ~unnoted
        once = 0
        twice = 0
        fixed = 0
        several = 0
        for tile in range(NUM_TILES):
            row = int(possible[tile])
            twice |= once & row
            once |= row
            if row & (row - 1) == 0:
                fixed |= row
            else:
                several |= row
        single = once & ~twice
    note_known(own, fixed & ~noted)


@kernel
def note_known(own: Record, spaces: int) -> None:
    """RH-8.3: write the tiles known to lie on these spaces, whose rows have one candidate."""
    for _ in range(NUM_SPACES):
        if spaces == 0:
            return
        bit = spaces & -spaces
        spaces ^= bit
        known = 0
        for tile in range(NUM_TILES):
            known |= (tile + 1) * int(own["possible"][tile] == bit)
        own["known"][only_space(bit)] = known


@kernel
def swap_columns(own: Record, first: int, second: int) -> None:
    """RH-8.3: everybody sees which two tiles change places, so knowledge follows them."""
    both = (1 << first) | (1 << second)
    for tile in range(NUM_TILES):
        row = int(own["possible"][tile]) & ALL_SPACES
        if row & both != 0 and row & both != both:
            own["possible"][tile] = row ^ both
    known = own["known"]
    known[first], known[second] = known[second], known[first]


@kernel
def forget_places(own: Record, shuffled: int) -> None:
    """RH-8.3: after a shuffle, a tile that may lie on one of the shuffled spaces may lie on all of them."""
    for tile in range(NUM_TILES):
        row = int(own["possible"][tile]) & ALL_SPACES
        if row & shuffled != 0:
            own["possible"][tile] = row | shuffled
    deduce(own)


@kernel
def everybody_learns(game: Record, tile: int, space: int) -> None:
    """RH-8.1, RH-8.3: everybody learns a tile that is turned up, and still knows it when it is turned down."""
    table = game["table"]
    for seat in range(int(table["num_players"])):
        learn(game["private"][seat], tile, space)
        table["seen"][seat] = int(table["seen"][seat]) | (1 << space)
    learn(game["private"][PUBLIC], tile, space)


@kernel
def view_tile(game: Record, seat: int, space: int) -> None:
    """RH-8.2: the seat looks at a tile; that it looked is public, what it saw is not."""
    learn(game["private"][seat], int(game["tile_at"][space]), space)
    game["table"]["seen"][seat] = int(game["table"]["seen"][seat]) | (1 << space)


@kernel
def everybody_sees_swap(game: Record, first: int, second: int) -> None:
    """RH-8.3: every seat's knowledge follows the two swapped tiles."""
    table = game["table"]
    both = (1 << first) | (1 << second)
    for seat in range(MAX_SEATS):
        seen = int(table["seen"][seat])
        if seen & both != 0 and seen & both != both:
            table["seen"][seat] = seen ^ both
    for seat in range(int(table["num_players"])):
        swap_columns(game["private"][seat], first, second)
    swap_columns(game["private"][PUBLIC], first, second)


@kernel
def everybody_loses_track(game: Record, shuffled: int) -> None:
    """RH-8.3: no seat knows the exact places of the shuffled tiles any longer."""
    table = game["table"]
    for seat in range(int(table["num_players"])):
        forget_places(game["private"][seat], shuffled)
        table["seen"][seat] = int(table["seen"][seat]) & ~shuffled
    forget_places(game["private"][PUBLIC], shuffled)
