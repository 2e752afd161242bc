"""The tiles of a game of Riverbed Hunt that the viewer can't place: what a face-down one may be."""

from __future__ import annotations

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import SMALL, WIDTH, Panel, kept, panel, text
from riverbed_env.core.text import counted

from ..content.pack import Pack
from ..rules.vocab import PUBLIC
from ..words.text import describe_layers

_COLUMNS, _LEADING = 2, 17


def possible_spaces(table: Table) -> list[int]:
    """RH-8.3: by tile, from 1, the spaces where it may lie by all that the viewer knows, as bits."""
    own: list[int] = table.game["private"][PUBLIC if table.viewer is None else table.viewer]["possible"].tolist()
    return own


def candidates(possible: list[int], space: int) -> tuple[int, ...]:
    """RH-8.3: the numbers of the tiles that may lie on a space."""
    return tuple([at + 1 for at, spaces in enumerate(possible) if spaces >> space & 1])


def unknown_tiles(table: Table) -> list[Panel]:
    """RH-8.3: the tiles in play that may lie on several spaces; no panel if there are none."""
    tiles = tuple(at + 1 for at, spaces in enumerate(possible_spaces(table)) if spaces & (spaces - 1))
    return [_list(table.pack, tiles)] if tiles else []


@kept(256)
def _list(pack: Pack, tiles: tuple[int, ...]) -> Panel:
    words = [_tile_words(pack, tile) for tile in tiles]
    rows = -(-len(tiles) // _COLUMNS)
    room = (WIDTH - 12) / _COLUMNS
    shapes = [
        text("text", 6 + at // rows * room, 14 + at % rows * _LEADING, said, SMALL, w=room - 6)
        for at, said in enumerate(words)
    ]
    label = f"{counted(len(tiles), 'tile')} in play, of which it isn't known where they lie: {'; '.join(words)}."
    return panel("unknown", "What an unknown tile can be", label, 8 + rows * _LEADING, shapes)


def _tile_words(pack: Pack, tile: int) -> str:
    """A tile's printed number and layers: "#5 log, coin, trident"."""
    layers = (layer.removeprefix("1 ") for layer in describe_layers(pack, tile))
    return f"#{tile} {', '.join(layers)}{', trident' if pack.tiles[tile].hunt else ''}"
