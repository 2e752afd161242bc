"""The river of Riverbed Hunt: 16 spaces in a grid of four by four, their tiles, and the meeples beside them."""

from __future__ import annotations

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel, Shape, circle, group, line, panel, rect, text
from riverbed_env.core.symbols import eye, seat_disc
from riverbed_env.core.text import counted

from ..rules.actions import A
from ..rules.board import LAND, place_of
from ..rules.vocab import NO_TILE, NUM_SPACES
from ..words.text import describe_tile
from .symbols import tile_face

CELL, TILE, STEP_X, STEP_Y = 82, 68, 92, 110  # width of a cell, height of its tile, from cell to cell
_STRIP = 32  # below a tile, for meeples


def river(table: Table) -> Panel:
    """The board, with the spaces that can be chosen now outlined."""
    game = table.game["table"]
    shapes = [*_waters(), *_lands()]
    shapes += [_space(table, space) for space in range(NUM_SPACES)]
    shapes += _meeples(table)
    words = "Trident: a Hunt may go on after it. A letter: a text. An eye: who has looked at it."
    shapes.append(text("muted", 4, 4 * STEP_Y + 4, words, 10, w=352))
    down, up = (int(game["face_down"]).bit_count(), int(game["occupied"]).bit_count())
    label = (
        f"The river: 16 spaces in four rows, joined by water in the order of their numbers. "
        f"{counted(up - down, 'tile')} face-up, {down} face-down."
    )
    return panel("river", "The river", label, 4 * STEP_Y + 10, shapes, board=True)


def _centre(space: int) -> tuple[int, int]:
    row, column = place_of(space)
    return column * STEP_X + 1 + CELL // 2, row * STEP_Y + 1 + TILE // 2


def _waters() -> list[Shape]:
    """The stream through all spaces in their order, and arrows for its direction."""
    points = [at for space in range(NUM_SPACES) for at in _centre(space)]
    return [line("stream", points)]


def _lands() -> list[Shape]:
    """Where two spaces of neighbouring rows are joined by land."""
    shapes = []
    for space in range(NUM_SPACES):
        for other in sorted(LAND[space]):
            if other > space:
                (x, y), (_, below) = _centre(space), _centre(other)
                shapes.append(line("path", [x, y + TILE // 2, x, below - TILE // 2]))
    return shapes


# --- tiles ------------------------------------------------------------------------------------------------------------


def _space(table: Table, space: int) -> Shape:
    """A space with its tile, if any."""
    game = table.game["table"]
    row, column = place_of(space)
    choices = table.legal(A.SPACE + space)
    outline = " choice" if choices else ""
    number = text("text bold", 5, 14, str(space + 1), 11)
    if not int(game["occupied"]) >> space & 1:
        label = f"Space {space + 1}: empty"
        shapes = [
            circle(f"space{outline}", CELL // 2, TILE // 2, 20),
            text("muted", 41, 38, str(space + 1), 11, anchor="middle"),
        ]
    elif not int(game["face_down"]) >> space & 1:
        tile = int(game["tile"][space])
        label = f"Space {space + 1}: face-up, {describe_tile(table.pack, tile)}"
        shapes = [
            rect(f"tile{outline}", 0, 0, CELL, TILE, 7),
            number,
            *tile_face(table.pack, tile, 22, 5, 56),
            _print(tile),
        ]
    else:
        label, inner = _face_down(table, space)
        shapes = [rect(f"back{outline}", 0, 0, CELL, TILE, 7), *inner]
    return group(f"space-{space + 1}", "", column * STEP_X + 1, row * STEP_Y + 1, shapes, label=label, choices=choices)


def _print(tile: int) -> Shape:
    """The tile's printed number, in the lower left corner."""
    return text("muted", 5, TILE - 6, f"#{tile}", 10)


def _face_down(table: Table, space: int) -> tuple[str, list[Shape]]:
    """What is said and shown of a face-down tile: what the viewer knows of it, and who has looked at it."""
    game = table.game["table"]
    looked = [seat for seat in range(table.num_players) if int(game["seen"][seat]) >> space & 1]
    tile, could = _knowledge(table, space)
    label = f"Space {space + 1}: face-down"
    shapes: list[Shape] = [text("onback bold", 5, 14, str(space + 1), 11)]
    if tile != NO_TILE:
        known = "it is" if table.truth else "you know it is" if table.viewer is not None else "everybody knows it is"
        label += f", {known} {describe_tile(table.pack, tile)}"
        shapes += [rect("inset", 19, 3, 61, TILE - (20 if looked else 6), 5), *tile_face(table.pack, tile, 22, 5, 56)]
    else:
        label += f", unknown: one of {counted(len(could), 'tile')}"
        shapes += [
            text("onback bold", CELL // 2, 34, "?", 20, anchor="middle"),
            text("onback", CELL // 2, 48, f"1 of {len(could)}", 10, anchor="middle"),
        ]
    if looked:
        label += f"; looked at by {', '.join(f'player_{seat}' for seat in looked)}"
        names = ", ".join(map(str, looked)) if len(looked) < 5 else f"{len(looked)} players"
        shapes += [*eye(12, TILE - 9, 6), text("onback", 22, TILE - 5, names, 10, w=58)]
    return label, shapes


def _knowledge(table: Table, space: int) -> tuple[int, list[int]]:
    """The tile known to lie there, or NO_TILE; and the tiles that could."""
    if table.truth:
        tile = int(table.game["tile_at"][space])
        return tile, [tile]
    own = table.game["private"][-1 if table.viewer is None else table.viewer]
    could = [tile + 1 for tile, spaces in enumerate(own["possible"].tolist()) if spaces >> space & 1]
    return int(own["known"][space]), could


# --- meeples ----------------------------------------------------------------------------------------------------------


def _meeples(table: Table) -> list[Shape]:
    """Every meeple, below the tile of its space."""
    positions = table.game["table"]["position"].tolist()[: table.num_players]
    shapes = []
    for seat, space in enumerate(positions):
        if space < 0:
            continue
        here = [other for other in range(table.num_players) if positions[other] == space]
        x, y = _standing(here.index(seat), len(here))
        row, column = place_of(space)
        own = " (you)" if seat == table.viewer else ""
        shapes.append(
            group(
                f"meeple-{seat}",
                "",
                column * STEP_X + 1 + x,
                row * STEP_Y + 1 + TILE + y,
                _meeple(seat, own != ""),
                label=f"Meeple of player_{seat}{own} on space {space + 1}",
            )
        )
    return shapes


def _standing(at: int, count: int) -> tuple[float, float]:
    """Where the meeple stands in the strip below a tile: one line of five, or two closer ones."""
    if count <= 4:
        return CELL / 2 + (at - (count - 1) / 2) * 20, 14
    return 9 + at % 5 * 16, 9 + at // 5 * 15


def _meeple(seat: int, own: bool) -> list[Shape]:
    ring = [circle("turn", 0, 0, 10.5)] if own else []
    return [*ring, *seat_disc(seat, 0, 0, 8.5)]
