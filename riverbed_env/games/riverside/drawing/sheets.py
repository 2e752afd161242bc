"""The score sheets of Riverside: five guide boats with four rows each, the stave church boat, fire, powers."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import WIDTH, Panel, Shape, group, line, panel, paragraph, rect, text
from riverbed_env.core.symbols import seat_disc
from riverbed_env.core.text import counted, heading

from ..rules.actions import A
from ..rules.scoring import boat_points, captain_points, subtotal
from ..rules.state import PARAMS, SHEET
from ..rules.vocab import CHURCH, NUM_COLOURS, ROWS, Boat, Charge, Ending, Power
from ..words.text import describe_choices, sheets_for
from .signs import boat_sign, flame

_LINE = 33  # of a boat
_ROOM, _BOX = 236, 12.0  # for the seats of a boat; of a seat, if that fits
_LEGEND = (
    "Below a row: the points of its ticket, and the bonus seats in another boat. "
    "A boat's two gold seats bring its royal power."
)
_CHARGES = {Charge.LOCKED: "locked", Charge.READY: "ready", Charge.USED: "used"}


def round_panel(table: Table) -> Panel:
    """What the viewer, or in the truth everybody, has chosen in this round."""
    seats = range(table.num_players) if table.truth else [] if table.viewer is None else [table.viewer]
    said: list[str] = []
    shapes: list[Shape] = []
    for at, seat in enumerate(seats):
        chosen = describe_choices(table.pack, table.public, table.game["private"][seat])
        said.append(f"{heading(seat, table.viewer)}: {chosen}.")
        shapes += paragraph("text", 8, 18 + 46 * at, said[at], 11, WIDTH - 16, most=3)
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
        *(part for boat in range(NUM_COLOURS) for part in _boat(sheet, boat)),
        *_church(sheet),
    ]
    label = f"{name}: {points}, {counted(int(sheet.record['fire']), 'fire symbol')}, {int(sheet.record['plus'])} of +1"
    tall = 34 + _LINE * (NUM_COLOURS + 1)
    shapes += paragraph("muted", 8, tall + 8, _LEGEND, 10, WIDTH - 16)
    return panel(f"sheet-{seat}", f"Sheet of {name}", label, tall + 26, shapes)


def _points(table: Table, seat: int, sheet: np.void) -> str:
    if table["ending"] == Ending.FINISHED:
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
    size = min(_BOX, (_ROOM - 8 * ROWS) / sum(seats))
    y, x = 30 + _LINE * boat, 27.0
    shapes = [_scoring(sheet, boat, y)]
    for row in range(ROWS):
        shapes.append(_row(sheet, boat, row, size, round(x, 1), y))
        x += max(seats[row] * size, 30) + 6
    return [*shapes, *_power(sheet, boat, y)]


def _row(sheet: Sheet, boat: int, row: int, size: float, x: float, y: float) -> Shape:
    """A row: its seats with the crossed ones filled, and below them what its ticket and its bonus are worth."""
    params = sheet.params
    count, crossed = int(params["seats"][boat, row]), int(sheet.record["crossed"][boat, row])
    royal, points = int(params["royal"][boat, row]), int(params["points"][boat, row])
    bonus, other = int(params["bonus"][boat, row]), int(params["bonus_boat"][boat, row])
    choices = sheet.legal(A.SEAT + boat * ROWS + row)
    wide = round(max(count * size, 30), 1)
    shapes: list[Shape] = [rect("row choice", -2, 0, wide + 4, _LINE - 3, 4)] if choices else []
    for at in range(count):
        shapes += _seat(round(at * size, 1), round(size - 1.5, 1), at < crossed, at + 1 == royal)
    done = " bold" if crossed == count else ""
    shapes.append(text(f"{'text' if done else 'muted'}{done}", 0, 26, f"{points} +{bonus}", 9, w=20))
    shapes += boat_sign(other, 27, 22.5)
    label = (
        f"{Boat(boat).words.capitalize()} boat, row {row + 1}: {crossed} of {count} crossed; "
        f"{points} points and {counted(bonus, f'{Boat(other).words} seat')}"
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
    outline = [rect("row choice", 0, 1, 24, 28, 5)] if choices else []
    name, points = Boat(boat).words.capitalize(), int(boat_points(sheet.record, boat))
    label = f"{name} boat: {points} points, {_excursions(sheet, boat)}"
    return group(f"boat-{boat}", "", 1, y, [*outline, *boat_sign(boat, 12, 12)], label=label, choices=choices)


def _excursions(sheet: Sheet, boat: int) -> str:
    last = int(sheet.record["last"][boat])
    total = int(sheet.record["total"][boat])
    return f"{total} of them by excursions, the last for {last}" if last else "no excursion yet"


def _power(sheet: Sheet, boat: int, y: float) -> list[Shape]:
    """The boat's points, its last excursion, and its royal power; a click calls one that can be called by itself."""
    power = Power(int(sheet.params["power"][boat]))
    charge = Charge(int(sheet.record["power"][power]))
    called = {Power.SPEED_BOAT: A.SPEED, Power.EARLY_BIRDS: A.EARLY}.get(power)
    choices = sheet.legal(called) if called is not None else []
    look = "muted" if charge == Charge.USED else "text bold" if charge == Charge.READY else "text"
    last, points = int(sheet.record["last"][boat]), int(boat_points(sheet.record, boat))
    inner = [
        *([rect("ready choice", -3, 0, 92, 30, 5)] if choices else []),
        text("text bold", 0, 12, f"{points} pts" + (f", last {last}" if last else ""), 10, w=86),
        text(look, 0, 25, f"{power.words}: {_CHARGES[charge]}", 9, w=86),
    ]
    label = f"Royal power {power.words}: {_CHARGES[charge]}"
    return [group(f"power-{boat}", "", 271, y, inner, label=label, choices=choices)]


def _church(sheet: Sheet) -> list[Shape]:
    """The stave church boat and the captain points."""
    y = 30 + _LINE * NUM_COLOURS
    said = f"Stave churches: {_excursions(sheet, CHURCH)}"
    words = [
        text("text", 30, 14, said, 10, w=230),
        text("muted", 30, 27, "Captain points: the churches and the lowest boat", 9, w=230),
        text("text bold", 271, 14, f"captain {int(captain_points(sheet.record))}", 10, w=84),
    ]
    return [_scoring(sheet, CHURCH, y), group(f"church-{sheet.seat}", "", 0, y, words, label=said)]
