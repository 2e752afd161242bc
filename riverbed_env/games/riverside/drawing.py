"""Riverside as a scene: the river with its villages, the dice, what was chosen in this round, every sheet.

A seat's scene is drawn from its view alone.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import WIDTH, Panel, Shape, circle, group, line, panel, paragraph, polygon, rect, text
from riverbed_env.core.symbols import moved, seat_disc
from riverbed_env.core.text import counted, heading
from riverbed_env.kernels.compile import Records

from .rules import vocab as v
from .rules.actions import ACTIONS, DIE_WAYS, A
from .rules.scoring import boat_points, captain_points, subtotal
from .rules.state import PARAMS, SHEET
from .words import text as w
from .words.text import describe_choices, describe_place, sheets_for

# --- signs ------------------------------------------------------------------------------------------------------------

_SIGNS = {  # in a box of 12 around (0, 0); each colour has a shape of its own
    v.Boat.WHITE: [circle("white", 0, 0, 5.6)],
    v.Boat.YELLOW: [polygon("yellow", [0, -6.6, 6.6, 0, 0, 6.6, -6.6, 0])],
    v.Boat.BROWN: [rect("brown", -5, -5, 10, 10)],
    v.Boat.BLUE: [polygon("blue", [0, -6, 6.2, 5, -6.2, 5])],
    v.Boat.PINK: [polygon("pink", [0, -6.2, 6, -1.8, 3.8, 5.2, -3.8, 5.2, -6, -1.8])],
    v.Boat.CHURCH: [
        polygon(
            "church",
            [-2, -6.5, 2, -6.5, 2, -3, 5.5, -3, 5.5, 1, 2, 1, 2, 6.5, -2, 6.5, -2, 1, -5.5, 1, -5.5, -3, -2, -3],
        )
    ],
}
LOOKS = ("white", "yellow", "brown", "blue", "pink", "green")  # of the dice
_DARK = frozenset({"brown", "blue", "green"})  # dice with light pips


def boat_sign(boat: int, x: float, y: float) -> list[Shape]:
    """A boat's sign around (x, y)."""
    return moved(_SIGNS[v.Boat(boat)], x, y)


def die(look: str, pips: int, outline: str, x: float, y: float, size: float = 38) -> list[Shape]:
    """A die with its corner at (x, y)."""
    at = [(0, 0)] * (pips % 2) + [(-1, -1), (1, 1)] * (pips > 1) + [(-1, 1), (1, -1)] * (pips > 3)
    at += [(-1, 0), (1, 0)] * (pips == 6)
    far, half = size * 0.27, size / 2
    dot = "pipdark" if look in _DARK else "pip"
    spots = [circle(dot, round(x + half + a * far, 1), round(y + half + b * far, 1), 3.4) for a, b in at]
    return [rect(f"{look}{outline}", x, y, size, size, 8), *spots]


def flame(x: float, y: float) -> Shape:
    """A flame, 14 high, its foot at (x, y)."""
    return polygon(
        "fire", [x, y - 14, x + 3, y - 9, x + 5, y - 11, x + 6, y - 4, x + 3, y, x - 3, y, x - 6, y - 4, x - 3, y - 8]
    )


def ship() -> list[Shape]:
    """The cruise ship around (0, 0), 24 wide."""
    return [
        polygon("here", [-13, 1, 13, 1, 9, 8, -9, 8]),
        rect("here", -7, -5, 13, 6),
        rect("here", -2, -11, 4, 6),
    ]


# --- the river --------------------------------------------------------------------------------------------------------

_LEFT, _RIGHT = 26, 30  # of the west tile and of the east tile
_VILLAGE_HEIGHT = 66  # height of a village
_NORTH, _SOUTH, _HEIGHT = 88, 140, 228  # the two rows of the route, and the panel
_VILLAGE, _DIE = int(A.VILLAGE), int(A.DIE)  # read at once: an enum's members are slow to find

Point = tuple[float, float]


def river(table: Table) -> Panel:
    """The board."""
    points, space = route(table), int(table["ship"])
    shapes: list[Shape] = [
        rect("water", 0, _VILLAGE_HEIGHT + 6, WIDTH, _HEIGHT - 2 * _VILLAGE_HEIGHT - 12, 6),
        line("stream", [at for point in points for at in point]),
        *_passages(table, points),
        _stops(points),
        *(_village(table, place) for place in range(int(table.params["num_places"]))),
        group("ship", "", *points[space], ship(), label=f"The ship, on space {space}"),
    ]
    label = (
        f"The ship is on space {space} of {int(table.params['anchor'])}. It sails east along the north row "
        f"and back along the south row. Villages up to {v.RANGE} steps away can be visited."
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
        text("muted", 3, _NORTH - 8, "start", 12),
        text("muted", 2, _SOUTH + 15, "anchor", 12),
        circle("stop", *points[-1], 6.5),
    ]
    return group("stops", "", 0, 0, shapes)


# --- villages ---------------------------------------------------------------------------------------------------------


def _village(table: Table, place: int) -> Shape:
    """A village: its number, how far it is from the ship, what it is worth for which boat."""
    tile, columns, far = int(table["tile"][place]), int(table.params["columns"]), int(table["distance"][place])
    worth = [] if tile == v.NO_TILE else table.params["value"][tile].tolist()
    choices = table.legal(_VILLAGE + place)
    row, column = divmod(place, columns)
    wide = (WIDTH - _LEFT - _RIGHT) / columns
    look = "ready" if far <= v.RANGE else "row"
    shapes = [
        rect(look + (" choice" if choices else ""), 1, 0, round(wide - 3, 1), _VILLAGE_HEIGHT, 6),
        text("text bold", 5, 13, str(place + 1), 12),
        text("muted", round(wide - 6, 1), _VILLAGE_HEIGHT - 5, f"{far} off", 12, anchor="end"),
    ]
    for at, (boat, value) in enumerate((boat, value) for boat, value in enumerate(worth) if value):
        shapes += boat_sign(boat, 14, 26 + at * 15)
        shapes.append(text("text bold", 25, 30 + at * 15, str(value), 12))
    label = f"{describe_place(table.pack, table.public, place).capitalize()}, {counted(far, 'step')} from the ship"
    x, y = round(_LEFT + wide * column, 1), 3 if row == 0 else _HEIGHT - _VILLAGE_HEIGHT - 3
    return group(f"village-{place + 1}", "", x, y, shapes, label=label, choices=choices)


# --- dice -------------------------------------------------------------------------------------------------------------


def dice(table: Table) -> Panel:
    """The dice of the round; a flame marks those that cost fire symbols."""
    shapes = [_die(table, each) for each in range(v.NUM_DICE)]
    words = (
        f"Temperature {int(table['temperature'])}: the middle one of the five base dice. "
        "A die with a flame costs as many fire symbols as it shows."
    )
    shapes += paragraph("muted", 6, 76, words, 12, WIDTH - 12)
    return panel("dice", "The dice", words, 100, shapes, board=True)


def _die(table: Table, number: int) -> Shape:
    pips = int(table["dice"][number])
    hot = number == v.GREEN or bool(int(table["heated"]) >> number & 1)
    first = _DIE + number * DIE_WAYS
    choices = table.legal(*range(first, first + DIE_WAYS)) if number < v.NUM_COLOURS else []  # green joins another
    name = "green" if number == v.GREEN else v.Boat(number).words
    shapes = [
        *die(LOOKS[number], pips, " choice" if choices else "", 6, 4),
        text("text", 25, 59, name, 12, anchor="middle"),
        *([flame(47, 20)] if hot else []),
    ]
    cost = f"costs {counted(pips, 'fire symbol')}" if hot else "free"
    label = f"The {name} die: {pips}, {cost}"
    return group(f"die-{name}", "", 60 * number, 0, shapes, label=label, choices=choices)


# --- score sheets -----------------------------------------------------------------------------------------------------

_LINE = 38  # of a boat
_ROOM, _BOX, _NARROW = 236, 12.0, 44  # for the seats of a boat; of a seat, if that fits
_LEGEND = (
    "Below a row: the points of its ticket, and the bonus seats in another boat. "
    "A boat's two gold seats bring its royal power, green when ready."
)
_CHARGES = {v.Charge.LOCKED: "locked", v.Charge.READY: "ready", v.Charge.USED: "used"}


def round_panel(table: Table) -> Panel:
    """What the viewer, or in the truth everybody, has chosen in this round."""
    seats = range(table.num_players) if table.truth else [] if table.viewer is None else [table.viewer]
    said: list[str] = []
    shapes: list[Shape] = []
    for at, seat in enumerate(seats):
        chosen = describe_choices(table.pack, table.public, table.game["private"][seat])
        said.append(f"{heading(seat, table.viewer)}: {chosen}.")
        shapes += paragraph("text", 8, 18 + 46 * at, said[at], 12, WIDTH - 16, most=3)
    return panel("round", "This round", " ".join(said), 46 * len(said) + 8, shapes)


def sheets(table: Table) -> list[Panel]:
    """A sheet for each player, the viewer's first."""
    known = sheets_for(table.games, table.viewer)
    order = sorted(range(table.num_players), key=lambda seat: (seat != table.viewer, seat))
    return [_sheet(table, seat, known[seat]) for seat in order]


def _sheet(table: Table, seat: int, record: np.void) -> Panel:
    offered = table.actions if table.asked == seat else ()
    name, points = heading(seat, table.viewer), _points(table, seat, record)
    return _panel(table.params.tobytes(), record.tobytes(), seat, name, points, offered)


class Sheet(NamedTuple):
    """A score sheet, and what can be chosen on it now."""

    params: np.void
    record: np.void
    seat: int
    points: str
    actions: tuple[int, ...]

    def legal(self, *actions: int) -> list[int]:
        """Those of the actions that can be taken now."""
        return [int(action) for action in actions if action in self.actions]


@lru_cache(maxsize=128)
def _panel(params: bytes, record: bytes, seat: int, name: str, points: str, actions: tuple[int, ...]) -> Panel:
    """A sheet. It changes less often than the table, and is the same for all who look on."""
    sheet = Sheet(np.frombuffer(params, PARAMS)[0], np.frombuffer(record, SHEET)[0], seat, points, actions)
    shapes = [
        *_head(sheet),
        *(part for boat in range(v.NUM_COLOURS) for part in _boat(sheet, boat)),
        *_church(sheet),
    ]
    label = f"{name}: {points}, {counted(int(sheet.record['fire']), 'fire symbol')}, {int(sheet.record['plus'])} of +1"
    tall = 34 + _LINE * (v.NUM_COLOURS + 1)
    shapes += paragraph("muted", 8, tall + 10, _LEGEND, 12, WIDTH - 16)
    return panel(f"sheet-{seat}", f"Sheet of {name}", label, tall + 44, shapes)


def _points(table: Table, seat: int, sheet: np.void) -> str:
    if table["ending"] == v.Ending.FINISHED:
        won = ", won" if int(table["winners"]) >> seat & 1 else ""
        return f"{int(table['final'][seat])} points{won}"
    return f"{int(subtotal(sheet))} points so far"


def _head(sheet: Sheet) -> list[Shape]:
    fire, plus = int(sheet.record["fire"]), int(sheet.record["plus"])
    inner = [
        *seat_disc(sheet.seat, 17, 16),
        text("text bold", 32, 20, sheet.points, 12, w=150),
        flame(196, 22),
        text("text bold", 206, 20, f"{fire} fire", 12),
        text("text bold", 272, 20, f"+1 range: {plus}", 12, w=84),
    ]
    return [group(f"head-{sheet.seat}", "", 0, 0, inner, label=f"{fire} fire symbols and {plus} of +1 left")]


# --- guide boats ------------------------------------------------------------------------------------------------------


def _boat(sheet: Sheet, boat: int) -> list[Shape]:
    """A guide boat: its sign, its rows, its points and its royal power."""
    seats = sheet.params["seats"][boat].tolist()
    size = min(_BOX, (_ROOM - 12 * v.ROWS) / sum(seats))
    y, x = 30 + _LINE * boat, 27.0
    shapes = [_scoring(sheet, boat, y)]
    for row in range(v.ROWS):
        shapes.append(_row(sheet, boat, row, size, round(x, 1), y))
        x += max(seats[row] * size, _NARROW) + 6
    return [*shapes, *_power(sheet, boat, y)]


def _row(sheet: Sheet, boat: int, row: int, size: float, x: float, y: float) -> Shape:
    """A row: its seats with the crossed ones filled, and below them what its ticket and its bonus are worth."""
    params = sheet.params
    count, crossed = int(params["seats"][boat, row]), int(sheet.record["crossed"][boat, row])
    royal, points = int(params["royal"][boat, row]), int(params["points"][boat, row])
    bonus, other = int(params["bonus"][boat, row]), int(params["bonus_boat"][boat, row])
    choices = sheet.legal(A.SEAT + boat * v.ROWS + row)
    wide = round(max(count * size, _NARROW), 1)
    shapes: list[Shape] = [rect("row choice", -2, 0, wide + 4, _LINE - 3, 4)] if choices else []
    for at in range(count):
        shapes += _seat(round(at * size, 1), round(size - 1.5, 1), at < crossed, at + 1 == royal)
    done = " bold" if crossed == count else ""
    shapes.append(text(f"{'text' if done else 'muted'}{done}", 0, 28, f"{points} +{bonus}", 12, w=30))
    shapes += boat_sign(other, 37, 24)
    label = (
        f"{v.Boat(boat).words.capitalize()} boat, row {row + 1}: {crossed} of {count} crossed; "
        f"{points} points and {counted(bonus, f'{v.Boat(other).words} seat')}"
        f"{f', seat {royal} is royal' if royal else ''}"
    )
    return group(f"row-{boat}-{row}", "", x, y, shapes, label=label, choices=choices)


def _seat(x: float, size: float, crossed: bool, royal: bool) -> list[Shape]:
    """A seat; a royal one is gold."""
    box = rect("crown" if royal else "slot", x, 2, size, size, 2)
    if not crossed:
        return [box]
    near, far = round(x + 2, 1), round(x + size - 2, 1)
    low = round(size, 1)
    return [box, line("cross", [near, 4, far, low]), line("cross", [near, low, far, 4])]


def _scoring(sheet: Sheet, boat: int, y: float) -> Shape:
    """The boat's sign; a click scores the boat where that is asked."""
    choices = sheet.legal(A.SCORE + boat, A.PRIZE + boat)
    outline = [rect("row choice", 0, 1, 24, 30, 5)] if choices else []
    name, points = v.Boat(boat).words.capitalize(), int(boat_points(sheet.record, boat))
    label = f"{name} boat: {points} points, {_excursions(sheet, boat)}"
    return group(f"boat-{boat}", "", 1, y, [*outline, *boat_sign(boat, 12, 12)], label=label, choices=choices)


def _excursions(sheet: Sheet, boat: int) -> str:
    last = int(sheet.record["last"][boat])
    total = int(sheet.record["total"][boat])
    return f"{total} of them by excursions, the last for {last}" if last else "no excursion yet"


def _power(sheet: Sheet, boat: int, y: float) -> list[Shape]:
    """The boat's points, its last excursion, and its royal power; a click calls one that can be called by itself."""
    power = v.Power(int(sheet.params["power"][boat]))
    charge = v.Charge(int(sheet.record["power"][power]))
    called = {v.Power.SPEED_BOAT: A.SPEED, v.Power.EARLY_BIRDS: A.EARLY}.get(power)
    choices = sheet.legal(called) if called is not None else []
    look = "muted" if charge == v.Charge.USED else "text bold" if charge == v.Charge.READY else "text"
    last, points = int(sheet.record["last"][boat]), int(boat_points(sheet.record, boat))
    inner = [
        *([rect("ready choice" if choices else "ready", -3, 0, 91, 33, 5)] if charge == v.Charge.READY else []),
        text("text bold", 0, 12, f"{points}" + (f", last {last}" if last else " points"), 12, w=86),
        text(look, 0, 27, power.words, 12, w=86),
        *([line("strike", [0, 23, 64, 23])] if charge == v.Charge.USED else []),
    ]
    label = f"Royal power {power.words}: {_CHARGES[charge]}"
    return [group(f"power-{boat}", "", 271, y, inner, label=label, choices=choices)]


def _church(sheet: Sheet) -> list[Shape]:
    """The stave church boat and the captain points."""
    y = 30 + _LINE * v.NUM_COLOURS
    said = f"Stave churches: {_excursions(sheet, v.CHURCH)}"
    words = [
        text("text", 30, 14, said.replace(" of them", ""), 12, w=238),
        text("muted", 30, 27, "Captain points: churches, lowest boat", 12, w=238),
        text("text bold", 271, 14, f"captain {int(captain_points(sheet.record))}", 12, w=84),
    ]
    return [_scoring(sheet, v.CHURCH, y), group(f"church-{sheet.seat}", "", 0, y, words, label=said)]


# --- the scene --------------------------------------------------------------------------------------------------------

RULES = w.WORDS["rules"]


def lay_open(blank: Records, view: np.void) -> None:
    """RS-5.1: the sheets of all, as they lay open when the phase began."""
    blank["private"]["sheet"] = view["sheets"]


def draw(table: Table) -> list[Panel]:
    """The river and the dice in the middle; beside them this round and the sheets."""
    told = [round_panel(table)] if table.truth or table.viewer is not None else []
    return [river(table), dice(table), *told, *sheets(table)]


def clock(table: Table) -> str:
    """The round and its phase."""
    return f"Round {int(table['round'])}, space {int(table['ship'])} of {int(table.params['anchor'])}"


def headline(table: Table) -> str:
    """What the viewer has to choose, what phase it is, or how the game ended."""
    if table["ending"] != v.Ending.PLAYING or table.viewer is None:
        return w.headline(*table.told)
    if table.asked != table.viewer:
        return "Waiting for the others: all choose at the same time"
    question = v.Question(int(table.game["private"][table.viewer]["question"]))
    return f"Your turn: {question.task}"


def rule_of(table: Table, action: int) -> str:
    """The rule behind a choice: that of its verb."""
    return w.WORDS["rule_of_verb"].get(ACTIONS.split(action)[0], "")


def help_of(table: Table, action: int) -> str:
    """What the royal powers of a choice do."""
    name, argument = ACTIONS.split(action)
    green, fan = divmod(argument % DIE_WAYS, 2) if name == "DIE" else (v.Green.WITHOUT, 0)
    used = {
        v.Power.WARM_NIGHT: green == v.Green.WARM,
        v.Power.FAN_BASE: fan == 1,
        v.Power.SPEED_BOAT: name == "SPEED",
        v.Power.EARLY_BIRDS: name == "EARLY",
        v.Power.PRIZE_TICKET: name == "PRIZE",
    }
    return "; ".join(w.power_effect(power) for power in used if used[power])
