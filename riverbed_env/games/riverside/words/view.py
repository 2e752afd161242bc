"""Riverside drawn as text: the river with its villages and the ship, the dice, the score sheets, the last events.

A seat's picture is drawn from its view and from public events alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.core.text import heading, picture, shown_to

from ..content.pack import Pack
from ..rules.scoring import boat_points, captain_points
from ..rules.vocab import CHURCH, NUM_COLOURS, ROWS, Boat
from .text import (
    choices_shown,
    describe_events,
    describe_roll,
    headline,
    legend,
    powers_words,
    seen_by,
    sheets_for,
)

_WIDTH = 13
_EVENTS = 10
_NAMES = {"white": "W", "yellow": "Y", "brown": "B", "blue": "U", "pink": "P", "church": "+"}


def draw(pack: Pack, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """The game as seat `viewer` knows it; None shows what is being chosen too."""
    table = games[0]["table"] if viewer is None else seen_by(games, viewer)["table"]
    lines = [
        f"Riverside ({shown_to(viewer)})",
        headline(pack, games, params, viewer),
        f"Dice: {describe_roll(table)} (* heated)",
        *_river(pack, table, params[0]),
        *_sheets(games, params[0], viewer),
        *legend(pack),
        *choices_shown(pack, games, viewer),
    ]
    return picture(lines, describe_events(pack, games[0], viewer=viewer)[-_EVENTS:])


def village_mark(pack: Pack, tile: int) -> str:
    """A village in a few letters: what it is worth for which boat."""
    return "/".join(f"{_NAMES[boat]}{value}" for boat, value in pack.villages[tile].values.items())


def _river(pack: Pack, table: np.void, params: np.void) -> list[str]:
    """The two rows: villages with their distance outside, the route inside, | where a column has a passage."""
    columns = int(params["columns"])
    cells = [
        [
            f"{place + 1}:{village_mark(pack, int(table['tile'][place]))} @{int(table['distance'][place])}"
            for place in range(row * columns, (row + 1) * columns)
        ]
        for row in range(2)
    ]
    passages = ["|" if int(table["open_columns"]) >> column & 1 else " " for column in range(columns)]
    return [
        "  " + "".join(f"{cell:^{_WIDTH}}" for cell in cells[0]),
        "  " + _route(table, params, 0),
        "  " + "".join(f"{mark:^{_WIDTH}}" for mark in passages),
        "  " + _route(table, params, 1),
        "  " + "".join(f"{cell:^{_WIDTH}}" for cell in cells[1]),
    ]


def _route(table: np.void, params: np.void, row: int) -> str:
    """The spaces of one row from west to east, the ship as #; the start and the anchor lie west, the bend east."""
    middle = [int(space) for space in params["middle"][row][: int(params["columns"])]]
    half = int(params["middle"][0, 0]) - 1  # spaces of a tile on either side of its middle
    step = 1 if row == 0 else -1
    ship = int(table["ship"])
    tiles = []
    for centre in middle:
        spaces = range(centre - half * step, centre + (half + 1) * step, step)
        tiles.append(f"{' '.join('#' if space == ship else 'o' for space in spaces):^{_WIDTH}}")
    last, first = int(params["anchor"]), middle[-1]
    bend = range(first + half + 1, first + half + 1 + _bend_spaces(params)) if row == 0 else range(0)
    west = ("#" if ship == 0 else ">") if row == 0 else ("#" if ship == last else "<")
    return f"{west}{''.join(tiles)}{' '.join('#' if space == ship else 'o' for space in bend)}"


def _bend_spaces(params: np.void) -> int:
    """How many spaces the east tile has."""
    last = int(params["columns"]) - 1
    half = int(params["middle"][0, 0]) - 1
    return int(params["middle"][1, last]) - int(params["middle"][0, last]) - 2 * half - 1


def _sheets(games: npt.NDArray[np.void], params: np.void, viewer: int | None) -> list[str]:
    """Every sheet: rows, scores and points of each boat."""
    lines = []
    for seat, sheet in enumerate(sheets_for(games, viewer)):
        lines.append(
            f"{heading(seat, viewer)}: fire {int(sheet['fire'])}, +1 {int(sheet['plus'])}, {powers_words(sheet)}"
        )
        boats = [_boat(sheet, params, colour) for colour in range(NUM_COLOURS)]
        church = f"+ {int(sheet['total'][CHURCH])}, captain {captain_points(sheet)}"
        cells = [*boats, church]
        lines += [f"    {cells[at]:<32}{cells[at + 1]}" for at in range(0, len(cells), 2)]
    return lines


def _boat(sheet: np.void, params: np.void, colour: int) -> str:
    rows = []
    for row in range(ROWS):
        crossed = int(sheet["crossed"][colour, row])
        rows.append("X" * crossed + "." * (int(params["seats"][colour, row]) - crossed))
    return f"{_NAMES[Boat(colour).name.lower()]} {' '.join(rows)} {boat_points(sheet, colour)}"
