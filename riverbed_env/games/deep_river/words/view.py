"""Deep River drawn as text: the river from nest to nest, the current beside it, the bear on the other bank.

Nothing is hidden, so every viewer is shown the same picture.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..content.pack import Pack
from ..rules.vocab import (
    DOUBLE_TILE,
    EEL_NEST,
    NUM_SLOTS,
    NUM_STATIONS,
    NUM_TOKENS,
    SLOT_OF_TILE,
    TILE_OF_SLOT,
    Camp,
    Ending,
    Question,
    Tile,
)
from .text import CAMP_WORDS, QUESTION_WORDS, TILE_WORDS, describe_events, face_name, seen_by

_WIDTH = 11
_EVENTS = 8
_PAWNS = {1: "s", 2: "SS", -1: "e", -2: "EE"}


def draw(pack: Pack, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """The game as everybody sees it."""
    table = seen_by(games, viewer)["table"]
    stations = range(NUM_STATIONS)
    border = "+" + ("-" * _WIDTH + "+") * NUM_STATIONS
    lines = [
        f"Deep River, turn {int(table['turn'])}   {_state_of_play(table)}",
        _row(["BEAR" if station == table["bear"] else "" for station in stations], " "),
        border,
        _row([_title(table, station) for station in stations], "|"),
        _row([_cell(table, station, 0) for station in stations], "|"),
        _row([_cell(table, station, 1) for station in stations], "|"),
        border,
        *(_row(_current(pack, table, token), " ") for token in range(NUM_TOKENS)),
        "Pawns: s, SS a salmon, e, EE an eel, single or double; s/e a salmon on an eel. Tokens: up (down), * barred.",
        "Last events:",
        *(f"  {words}" for words in describe_events(pack, games[0])[-_EVENTS:]),
    ]
    return "\n".join(line.rstrip() for line in lines)


def _state_of_play(table: np.void) -> str:
    if table["ending"] == Ending.TRUNCATED:
        return "cut off at the cap on turns"
    if table["ending"] == Ending.OVER:
        winner = Camp(int(table["winner"]))
        return "over: a draw" if winner == Camp.NONE else f"over: {CAMP_WORDS[winner]} win"
    asked = int(table["asked"])
    question = QUESTION_WORDS[Question(int(table["question"]))]
    return f"player_{asked} ({CAMP_WORDS[Camp(asked)]}) is asked for {question}"


def _row(cells: list[str], edge: str) -> str:
    return edge + edge.join(f"{cell:^{_WIDTH}}" for cell in cells) + edge


def _title(table: np.void, station: int) -> str:
    if station in (0, EEL_NEST):
        return "eel nest" if station else "salmon nest"
    return f"{station} {TILE_WORDS[Tile(int(table['tile'][station]))]}"


def _cell(table: np.void, station: int, line: int) -> str:
    """A line of a station: of a nest its single or double pawns, of a tile its first or second slot."""
    if station in (0, EEL_NEST):
        seat = int(station == EEL_NEST)
        return f"{int(table['nest'][seat, line])} {('single', 'double')[line]}"
    slot = int(SLOT_OF_TILE[station]) + line
    if slot >= NUM_SLOTS or int(TILE_OF_SLOT[slot]) != station:
        return ""
    top, under = int(table["top"][slot]), int(table["under"][slot])
    if top == 0:
        return "." if station == DOUBLE_TILE or line == 0 else ""
    return f"{_PAWNS[top]}/{_PAWNS[under]}" if under else _PAWNS[top]


def _current(pack: Pack, table: np.void, token: int) -> list[str]:
    """A token's line: what it says, at the tile where it lies."""
    face = int(table["face"][token])
    barred = (int(table["barred"]) | int(table["tilted"])) >> token & 1
    words = f"{face_name(pack, token, face)}({face_name(pack, token, 1 - face)}){'*' if barred else ''}"
    cells = [""] * NUM_STATIONS
    cells[0] = f"token {pack.tokens[token].name}"
    cells[EEL_NEST - 1 - int(table["progress"][token])] = words
    return cells
