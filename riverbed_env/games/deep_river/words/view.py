"""Deep River drawn as text: the river from nest to nest, the current beside it, the bear on the other bank.

Nothing is hidden, so every viewer is shown the same picture.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.core.text import picture

from ..content.pack import Pack
from ..rules.vocab import (
    DOUBLE_TILE,
    EEL_NEST,
    NUM_SLOTS,
    NUM_STATIONS,
    NUM_TOKENS,
    SLOT_OF_TILE,
    TILE_OF_SLOT,
    Tile,
)
from .text import TILE_WORDS, describe_events, face_name, legend, seen_by, state_of_play

_WIDTH = 7
_EVENTS = 8
_PAWNS = {1: "s", 2: "SS", -1: "e", -2: "EE"}
_NESTS = {0: "salmon", EEL_NEST: "eels"}


def draw(pack: Pack, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """The game as everybody sees it; the viewer is addressed as "you"."""
    table = seen_by(games, viewer)["table"]
    stations = range(NUM_STATIONS)
    border = "+" + ("-" * _WIDTH + "+") * NUM_STATIONS
    lines = [
        f"Deep River, turn {int(table['turn'])}",
        f"{state_of_play(pack, games, params, viewer)}.",
        _row(["BEAR" if station == table["bear"] else "" for station in stations], " "),
        border,
        _row([_NESTS.get(station, str(station)) for station in stations], "|"),
        _row([_kind(table, station) for station in stations], "|"),
        _row([_cell(table, station, 0) for station in stations], "|"),
        _row([_cell(table, station, 1) for station in stations], "|"),
        border,
        *(_current(pack, table, token) for token in range(NUM_TOKENS)),
        *legend(pack),
    ]
    return picture(lines, describe_events(pack, games[0], viewer=viewer)[-_EVENTS:])


def _row(cells: list[str], edge: str) -> str:
    return edge + edge.join(f"{cell:^{_WIDTH}}" for cell in cells) + edge


def _kind(table: np.void, station: int) -> str:
    return "nest" if station in _NESTS else TILE_WORDS[Tile(int(table["tile"][station]))]


def _cell(table: np.void, station: int, line: int) -> str:
    """A line of a station: of a nest its single or double pawns, of a tile its first or second slot."""
    if station in _NESTS:
        seat = int(station == EEL_NEST)
        return f"{int(table['nest'][seat, line])} {_PAWNS[(1 + line) * (-1 if seat else 1)]}"
    slot = int(SLOT_OF_TILE[station]) + line
    if slot >= NUM_SLOTS or int(TILE_OF_SLOT[slot]) != station:
        return ""
    top, under = int(table["top"][slot]), int(table["under"][slot])
    if top == 0:
        return "." if station == DOUBLE_TILE or line == 0 else ""
    return f"{_PAWNS[top]}/{_PAWNS[under]}" if under else _PAWNS[top]


def _current(pack: Pack, table: np.void, token: int) -> str:
    """A token's line: what it says, below the middle of the tile where it lies."""
    face = int(table["face"][token])
    barred = (int(table["barred"]) | int(table["tilted"])) >> token & 1
    words = f"{face_name(pack, token, face)}({face_name(pack, token, 1 - face)}){'*' if barred else ''}"
    station = EEL_NEST - 1 - int(table["progress"][token])
    middle = station * (_WIDTH + 1) + _WIDTH // 2 + 1
    return f"{f'token {pack.tokens[token].name}':<{middle - len(words) // 2}}{words}"
