"""Views, swaps and shuffles of tiles, written into a state by hand for all seats at once (RH-8.3).

An implementation of its own: a table tile x space of what is possible, by seat and for the public.
"""

from collections.abc import Sequence

import numpy as np

from riverbed_env.games.riverbed_hunt.rules.vocab import NO_TILE, NUM_TILES, PUBLIC


def settle(own: np.void) -> None:
    """Propagate rows and columns with a single candidate until stable, and note the tiles that are known."""
    rows = [int(row) for row in own["possible"]]
    before: list[int] = []
    while rows != before:
        before = list(rows)
        for tile, row in enumerate(rows):
            if row.bit_count() == 1:
                rows = [other if place == tile else other & ~row for place, other in enumerate(rows)]
        for space in range(16):
            holders = [tile for tile, row in enumerate(rows) if row >> space & 1]
            if len(holders) == 1:
                rows[holders[0]] = 1 << space
    own["possible"] = rows
    own["known"] = NO_TILE
    for tile, row in enumerate(rows):
        if row.bit_count() == 1:
            own["known"][row.bit_length() - 1] = tile + 1


def everybody(game: np.void) -> list[int]:
    """The seats that play, and the public."""
    return [*range(int(game["table"]["num_players"])), PUBLIC]


def look_at(game: np.void, seat: int, space: int) -> None:
    """A seat views a tile."""
    own = game["private"][seat]
    own["possible"][int(game["tile_at"][space]) - 1] = 1 << space
    settle(own)
    game["table"]["seen"][seat] |= 1 << space


def swap(game: np.void, first: int, second: int) -> None:
    """Two tiles swap places, seen by all."""
    both = 1 << first | 1 << second
    game["tile_at"][[first, second]] = game["tile_at"][[second, first]]
    for seat in everybody(game):
        own = game["private"][seat]
        for tile in range(NUM_TILES):
            if (int(own["possible"][tile]) & both).bit_count() == 1:
                own["possible"][tile] ^= both
        settle(own)
        if seat != PUBLIC and (int(game["table"]["seen"][seat]) & both).bit_count() == 1:
            game["table"]["seen"][seat] ^= both


def stir(game: np.void, spaces: Sequence[int], rng: np.random.Generator) -> None:
    """The tiles on the spaces are shuffled."""
    shuffled = sum(1 << space for space in spaces)
    game["tile_at"][list(spaces)] = rng.permutation(game["tile_at"][list(spaces)])
    for seat in everybody(game):
        own = game["private"][seat]
        touched = (own["possible"] & shuffled) != 0
        own["possible"][touched] |= shuffled
        settle(own)
        if seat != PUBLIC:
            game["table"]["seen"][seat] &= ~shuffled


def down(game: np.void) -> list[int]:
    """The spaces with a face-down tile."""
    return [space for space in range(16) if int(game["table"]["face_down"]) >> space & 1]
