"""The river of Riverbed Hunt: 16 spaces in a grid of four by four, their tiles, and the meeples beside them."""

from collections.abc import Iterator
from functools import cache

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel, Shape, circle, group, line, panel, paragraph, rect, text
from riverbed_env.core.symbols import eye, seat_disc
from riverbed_env.core.text import counted

from ..rules.actions import A
from ..rules.board import LAND, place_of
from ..rules.vocab import NO_TILE, NUM_SPACES, PUBLIC
from ..words.text import chosen_before, describe_tile
from .players import candidates, possible_spaces
from .symbols import tile_face

CELL, TILE, STEP_X, STEP_Y = 82, 68, 92, 110  # width of a cell, height of its tile, from cell to cell
_SPACE = int(A.SPACE)  # read at once: an enum's members are slow to find


def river(table: Table) -> Panel:
    """The board, with the spaces that can be chosen now outlined."""
    shapes = list(_ways())
    possible, chosen = possible_spaces(table), chosen_before(table.public)
    shapes += [_space(table, space, possible, space == chosen) for space in range(NUM_SPACES)]
    shapes += _meeples(table)
    words = (
        "Blue: water. Dotted: land. Circle: a space without a tile. Trident: a Hunt may go on after it. "
        "Letter: a text, which has an effect. Eye: the players who have looked at it."
    )
    shapes += paragraph("muted", 4, 4 * STEP_Y + 2, words, 10, 352)
    down, up = (int(table["face_down"]).bit_count(), int(table["occupied"]).bit_count())
    label = (
        f"The river: 16 spaces in four rows, joined by water in the order of their numbers. "
        f"{counted(up - down, 'tile')} face-up, {down} face-down."
    )
    return panel("river", "The river", label, 4 * STEP_Y + 32, shapes, board=True)


def _centre(space: int) -> tuple[int, int]:
    row, column = place_of(space)
    return column * STEP_X + 1 + CELL // 2, row * STEP_Y + 1 + TILE // 2


@cache
def _ways() -> list[Shape]:
    """The stream through all spaces in their order, and the land that joins two spaces of neighbouring rows."""
    shapes = [line("stream", [at for space in range(NUM_SPACES) for at in _centre(space)])]
    for space in range(NUM_SPACES):
        for other in sorted(LAND[space]):
            if other > space:
                (x, y), (_, below) = _centre(space), _centre(other)
                shapes.append(line("path", [x, y + TILE // 2, x, below - TILE // 2]))
    return shapes


# --- tiles ------------------------------------------------------------------------------------------------------------


def _space(table: Table, space: int, possible: list[int], chosen: bool) -> Shape:
    """A space with its tile, if any. possible: where each tile may lie; chosen: the tile is the first of a swap."""
    choices = table.legal(_SPACE + space)
    outline = " choice" if choices else ""
    number = str(space + 1)
    if not int(table["occupied"]) >> space & 1:
        label = "empty"
        shapes = [
            circle(f"space{outline}", CELL // 2, TILE // 2, 20),
            text("muted", 41, 38, number, 11, anchor="middle"),
        ]
    elif int(table["face_down"]) >> space & 1:
        shapes = [rect(f"back{outline}", 0, 0, CELL, TILE, 7), text("onback bold", 4, 14, number, 11, w=14)]
        label = _draw_back(table, space, possible, chosen, shapes)
    else:
        tile = int(table["tile"][space])
        label = f"face-up, {describe_tile(table.pack, tile)}"
        shapes = [
            rect(f"tile{outline}", 0, 0, CELL, TILE, 7),
            text("text bold", 5, 14, number, 11),
            *tile_face(table.pack, tile, 22, 5, 56),
            text("muted", 5, TILE - 6, f"#{tile}", 10),  # the tile's printed number
        ]
    row, column = place_of(space)
    x, y = column * STEP_X + 1, row * STEP_Y + 1
    return group(f"space-{number}", "", x, y, shapes, label=f"Space {number}: {label}", choices=choices)


def _draw_back(table: Table, space: int, possible: list[int], chosen: bool, shapes: list[Shape]) -> str:
    """Draw what the viewer knows of a face-down tile, or which it could be, and who has looked at it; its label."""
    label = f"{'chosen to be swapped, ' if chosen else ''}face-down"
    seen = table["seen"].tolist()[: table.num_players]
    looked = [seat for seat, spaces in enumerate(seen) if spaces >> space & 1]
    own = table.game["private"][PUBLIC if table.viewer is None else table.viewer]
    tile = int(table.game["tile_at"][space] if table.truth else own["known"][space])
    if tile != NO_TILE:
        known = "it is" if table.truth else "you know it is" if table.viewer is not None else "everybody knows it is"
        label += f", {known} {describe_tile(table.pack, tile)}"
        shapes += [rect("inset", 19, 3, 61, TILE - (20 if looked else 6), 5), *tile_face(table.pack, tile, 22, 5, 56)]
    else:
        could = candidates(possible, space)
        label += f", unknown: one of {counted(len(could), 'tile')}, {', '.join(f'#{each}' for each in could)}"
        shapes.append(text("onback bold", CELL // 2, 34, "?", 20, anchor="middle"))
        shapes.append(text("onback", CELL // 2, 48, f"1 of {len(could)}", 10, anchor="middle"))
    if looked:
        label += f"; looked at by {', '.join(f'player_{seat}' for seat in looked)}"
        names = ", ".join(map(str, looked)) if len(looked) < 5 else f"{len(looked)} players"
        shapes += [*eye(12, TILE - 9, 6), text("onback", 22, TILE - 5, f"by {names}", 10, w=58)]
    if chosen:
        shapes.append(text("onback bold", CELL - 5, 14, "swap", 10, anchor="end"))
    return label


# --- meeples ----------------------------------------------------------------------------------------------------------


def _meeples(table: Table) -> Iterator[Shape]:
    """Every meeple, below the tile of its space, in a ring if it is the viewer's."""
    positions = table["position"].tolist()[: table.num_players]
    for seat, space in enumerate(positions):
        if space < 0:
            continue
        here = [other for other in range(table.num_players) if positions[other] == space]
        at, count = here.index(seat), len(here)
        # In the strip below a tile: one line of four, or two closer ones of five.
        x, y = (CELL / 2 + (at - (count - 1) / 2) * 20, 7) if count <= 4 else (9 + at % 5 * 16, 7 + at // 5 * 15)
        row, column = place_of(space)
        ring, you = ([circle("turn", 0, 0, 10.5)], " (you)") if seat == table.viewer else ([], "")
        label = f"Meeple of player_{seat}{you} on space {space + 1}"
        x, y = column * STEP_X + 1 + x, row * STEP_Y + 1 + TILE + y
        yield group(f"meeple-{seat}", "", x, y, [*ring, *seat_disc(seat, 0, 0, 8.5)], label=label)
