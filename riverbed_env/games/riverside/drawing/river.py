"""The river of Riverside: the ship's route, the villages on both sides, the dice of the round."""

from collections.abc import Sequence

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import WIDTH, Panel, Shape, circle, group, line, panel, paragraph, rect, text
from riverbed_env.core.text import counted

from ..rules.actions import DIE_WAYS, A
from ..rules.vocab import GREEN, NO_TILE, NUM_COLOURS, NUM_DICE, RANGE, Boat
from ..words.text import describe_place
from .signs import LOOKS, boat_sign, die, flame, ship

_LEFT, _RIGHT = 26, 30  # of the west tile and of the east tile
_BOX = 66  # height of a village
_NORTH, _SOUTH, _HEIGHT = 88, 140, 228  # the two rows of the route, and the panel
_VILLAGE, _DIE = int(A.VILLAGE), int(A.DIE)  # read at once: an enum's members are slow to find

Point = tuple[float, float]


def river(table: Table) -> Panel:
    """The board."""
    points, space = route(table), int(table["ship"])
    shapes: list[Shape] = [
        rect("water", 0, _BOX + 6, WIDTH, _HEIGHT - 2 * _BOX - 12, 6),
        line("stream", [at for point in points for at in point]),
        *_passages(table, points),
        _stops(points),
        *(_village(table, place) for place in range(int(table.params["num_places"]))),
        group("ship", "", *points[space], ship(), label=f"The ship, on space {space}"),
    ]
    label = (
        f"The ship is on space {space} of {int(table.params['anchor'])}. It sails east along the north row "
        f"and back along the south row. Villages up to {RANGE} steps away can be visited."
    )
    return panel("river", "The river", label, _HEIGHT, shapes, board=True)


def route(table: Table) -> list[Point]:
    """Where each space of the route lies, from the start to the anchor."""
    columns, half = int(table.params["columns"]), int(table.params["middle"][0, 0]) - 1
    spaces = columns * (2 * half + 1)
    step = (WIDTH - _LEFT - _RIGHT) / spaces
    row = [_LEFT + step * (at + 0.5) for at in range(spaces)]
    bend = int(table.params["anchor"]) - 1 - 2 * spaces
    east = [(WIDTH - 14, _NORTH + (_SOUTH - _NORTH) * (at + 0.5) / bend) for at in range(bend)]
    north = [(x, float(_NORTH)) for x in row]
    south = [(x, float(_SOUTH)) for x in reversed(row)]
    points = [(12.0, float(_NORTH)), *north, *east, *south, (12.0, float(_SOUTH))]
    return [(round(x, 1), round(y, 1)) for x, y in points]


def _passages(table: Table, points: Sequence[Point]) -> list[Shape]:
    """Where a column has a passage between its two tiles."""
    params, opened = table.params, int(table["open_columns"])
    shapes = []
    for column in range(int(params["columns"])):
        if opened >> column & 1:
            x = points[int(params["middle"][0, column])][0]
            shapes.append(line("path", [x, _NORTH, x, _SOUTH]))
    return shapes


def _stops(points: Sequence[Point]) -> Shape:
    """The spaces of the route, and the names of its ends."""
    shapes = [
        *(circle("stop", x, y, 4.5) for x, y in points),
        text("muted", 3, _NORTH - 8, "start", 9),
        text("muted", 2, _SOUTH + 14, "anchor", 9),
        circle("stop", *points[-1], 6.5),
    ]
    return group("stops", "", 0, 0, shapes)


# --- villages ---------------------------------------------------------------------------------------------------------


def _village(table: Table, place: int) -> Shape:
    """A village: its number, how far it is from the ship, what it is worth for which boat."""
    tile, columns, far = int(table["tile"][place]), int(table.params["columns"]), int(table["distance"][place])
    worth = [] if tile == NO_TILE else table.params["value"][tile].tolist()
    choices = table.legal(_VILLAGE + place)
    row, column = divmod(place, columns)
    wide = (WIDTH - _LEFT - _RIGHT) / columns
    look = "ready" if far <= RANGE else "row"
    shapes = [
        rect(look + (" choice" if choices else ""), 1, 0, round(wide - 3, 1), _BOX, 6),
        text("text bold", 5, 13, str(place + 1), 11),
        text("muted", round(wide - 6, 1), 13, f"{far} off", 9, anchor="end"),
    ]
    for at, (boat, value) in enumerate((boat, value) for boat, value in enumerate(worth) if value):
        shapes += boat_sign(boat, 14, 26 + at * 15)
        shapes.append(text("text bold", 25, 30 + at * 15, str(value), 12))
    label = f"{describe_place(table.pack, table.public, place).capitalize()}, {counted(far, 'step')} from the ship"
    x, y = round(_LEFT + wide * column, 1), 3 if row == 0 else _HEIGHT - _BOX - 3
    return group(f"village-{place + 1}", "", x, y, shapes, label=label, choices=choices)


# --- dice -------------------------------------------------------------------------------------------------------------


def dice(table: Table) -> Panel:
    """The dice of the round; a flame marks those that cost fire symbols."""
    shapes = [_die(table, each) for each in range(NUM_DICE)]
    words = (
        f"Temperature {int(table['temperature'])}: the middle one of the five base dice. "
        "A die with a flame costs as many fire symbols as it shows."
    )
    shapes += paragraph("muted", 6, 76, words, 11, WIDTH - 12)
    return panel("dice", "The dice", words, 100, shapes, board=True)


def _die(table: Table, number: int) -> Shape:
    pips = int(table["dice"][number])
    hot = number == GREEN or bool(int(table["heated"]) >> number & 1)
    first = _DIE + number * DIE_WAYS
    choices = table.legal(*range(first, first + DIE_WAYS)) if number < NUM_COLOURS else []  # green joins another
    name = "green" if number == GREEN else Boat(number).words
    shapes = [
        *die(LOOKS[number], pips, " choice" if choices else "", 6, 4),
        text("text", 25, 58, name, 11, anchor="middle"),
        *([flame(47, 20)] if hot else []),
    ]
    cost = f"costs {counted(pips, 'fire symbol')}" if hot else "free"
    label = f"The {name} die: {pips}, {cost}"
    return group(f"die-{name}", "", 60 * number, 0, shapes, label=label, choices=choices)
