"""The river of Deep River from the eel nest at the top down to the salmon nest, as the current flows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import WIDTH, Panel, Shape, group, kept, line, panel, paragraph, piece, polygon, rect, text
from riverbed_env.core.text import counted

from ..content.pack import Pack
from ..rules import vocab as v
from ..rules.actions import A
from ..rules.fish import landing
from ..rules.state import clipped, direction
from ..words.text import at_the_table, effect_of, face_name, place_name
from .pawns import bear, pawn, pawn_words, pile, token

_TALL = {v.DOUBLE_TILE: 100}  # the row of a station, by station
_ROW, _NEST = 58, 62
_LEFT, _RIGHT = 38, 250  # of a tile
_PLACE = int(A.PLACE)  # read at once: an enum's members are slow to find
_KINDS = {v.Face.BEAR: "1 tile, then the bear goes 1 tile", v.Face.TWICE: "1 tile, and then again 1 tile"}
_SIDE_OF_NEST = {v.SALMON_NEST: v.Camp.SALMON, v.EEL_NEST: v.Camp.EEL}


def river(table: Table) -> Panel:
    """The board: nests, tiles, pawns, the bear on the left bank and the tokens on the right."""
    tops = _tops()
    height = tops[v.SALMON_NEST] + _NEST
    arrows: list[Shape] = []  # along the right side: the current flows down
    for y in range(_NEST + 20, height - _NEST - 20, 90):
        arrows.append(line("current", [304, y, 304, y + 26]))
        arrows.append(polygon("flow", [299, y + 26, 309, y + 26, 304, y + 34]))
    shapes = [
        rect("water", 0, 0, WIDTH, height, 8),
        rect("bank", 0, 0, _LEFT - 4, height, 8),
        *arrows,
        *((_nest if at in _SIDE_OF_NEST else _tile)(table, at, top) for at, top in enumerate(tops)),
        _bear(table, tops),
        *(_token(table, each, tops) for each in range(v.NUM_TOKENS)),
    ]
    label = (
        "The river from the eel nest at the top to the salmon nest at the bottom. The bear walks on the left bank, "
        "the current tokens drift down on the right."
    )
    return panel("river", "The river", label, height, shapes, board=True)


@cache
def _tops() -> list[int]:
    """Where the row of each station begins, from the top."""
    tops, y = [0] * v.NUM_STATIONS, 0
    for station in reversed(range(v.NUM_STATIONS)):
        tops[station] = y
        y += _height(station)
    return tops


def _height(station: int) -> int:
    return _NEST if station in _SIDE_OF_NEST else _TALL.get(station, _ROW)


# --- stations ---------------------------------------------------------------------------------------------------------


def _nest(table: Table, station: int, y: int) -> Shape:
    """A nest with its pawns on either face."""
    side = _SIDE_OF_NEST[station]
    counts = tuple(table.game["table"]["nest"][side].tolist())
    own_places = range(len(counts)) if table.asked == side else ()
    offers = tuple(_offer(table, face, tuple(table.legal(_PLACE + face))) for face in own_places)
    return _nest_sign(table.pack, side, y, counts, offers or (_NO_OFFER,) * len(counts), side == table.viewer)


def destination(table: Table, place: int) -> tuple[int, int]:
    """DR-2.2, DR-2.3: the station where the fish of a place would come to, and the one that its steps alone reach."""
    game = table.game["table"]
    seat = int(game["active"])
    home = v.SALMON_NEST if seat == v.Camp.SALMON else v.EEL_NEST
    origin = home if place < v.FIRST_SLOT else int(v.TILE_OF_SLOT[place - v.FIRST_SLOT])
    pile = place >= v.FIRST_SLOT and bool(game["under"][place - v.FIRST_SLOT])
    steps = int(game["steps"])
    reached = int(landing(game, table.params, seat, origin, steps, pile))
    return reached, int(clipped(origin + steps * direction(seat)))


class Offer(NamedTuple):
    """What choosing a fish, or what stands in a place, means: the choices, and where a fish would come to, in words."""

    choices: tuple[int, ...]
    target: str


_NO_OFFER = Offer((), "")


def _offer(table: Table, place: int, choices: tuple[int, ...]) -> Offer:
    if not choices or table.game["table"]["question"] != v.Question.FISH:
        return Offer(choices, "") if choices else _NO_OFFER
    station, _ = destination(table, place)
    return Offer(choices, "nest" if station in _SIDE_OF_NEST else str(station))


def _target_sign(offer: Offer, x: float, y: float) -> list[Shape]:
    """Where a fish would come to, around (x, y)."""
    if not offer.target:
        return []
    return [
        rect("turn", x - 21, y - 7, 42, 14, 4),
        text("text bold", x, y + 4, f"to {offer.target}", 10, anchor="middle"),
    ]


def _target_words(offer: Offer) -> str:
    if not offer.target:
        return ""
    return f", would come {'into the rival nest' if offer.target == 'nest' else f'to tile {offer.target}'}"


@kept(256)
def _nest_sign(pack: Pack, side: int, y: int, counts: tuple[int, int], offers: tuple[Offer, ...], own: bool) -> Shape:
    """counts, offers: of the pawns on each face."""
    single, double = counts
    whose = at_the_table(side)
    shapes: list[Shape] = [
        rect("row", _LEFT, 3, WIDTH - _LEFT - 4, _NEST - 6, 8),
        text("text bold", _LEFT + 8, 20, f"Nest of {whose}", 13, w=118),
        text("muted", _LEFT + 8, 36, f"player_{side}{' (you)' if own else ''}", 11, w=105),
        text("muted", _LEFT + 8, 50, f"bear here: {'you' if own else 'they'} lose", 10, w=120),
    ]
    for face, count in enumerate(counts):
        shapes.append(_nest_pawns(side, face, count, offers[face]))
    label = f"Nest of {whose}: {counted(single, 'single pawn')}, {counted(double, 'double pawn')}"
    return piece("river", group(f"nest-{whose.removeprefix('the ')}", "", 0, y, shapes, label=label))


def _nest_pawns(side: int, face: int, count: int, offer: Offer) -> Shape:
    """The pawns of a nest on one face, which can be chosen as one."""
    number = (1 + face) * (1 if side == v.Camp.SALMON else -1)
    outline = [rect("slot choice", 0, -22, 84, 44, 8)] if offer.choices else []
    shapes = [*outline, *pawn(number, 20, 1), text("text bold", 42, 7 - 9 * bool(offer.target), f"x {count}", 14)]
    shapes += _target_sign(offer, 60, 12)
    label = f"{counted(count, pawn_words(number))} in the nest{_target_words(offer)}" if count else ""
    placed = shapes if count else []
    return group(f"nest-{side}-{face}", "", 176 + 90 * face, _NEST / 2, placed, label=label, choices=offer.choices)


def _tile(table: Table, station: int, y: int) -> Shape:
    kind = v.Tile(int(table.game["table"]["tile"][station]))
    slots = tuple(_slot(table, station, at) for at in range(int(table.params["slots"][station])))
    place = int(table.game["table"]["arrived"])
    works = place >= v.FIRST_SLOT and int(v.TILE_OF_SLOT[place - v.FIRST_SLOT]) == station
    choices = tuple(table.legal(A.TURN, A.ADVANCE, A.USE, A.LEAVE)) if works else ()  # of a tile that may be used, too
    return _tile_sign(table.pack, station, y, kind, choices, slots)


@kept(512)
def _tile_sign(
    pack: Pack, station: int, y: int, kind: v.Tile, choices: tuple[int, ...], slots: tuple[Slot, ...]
) -> Shape:
    """A tile with what it does, and its slots."""
    height = _height(station)
    shapes: list[Shape] = [
        rect("tile" + (" choice" if choices else ""), _LEFT, 3, _RIGHT - _LEFT, height - 6, 8),
        text("text bold", _LEFT + 8, 17, f"{station}  {kind.words}", 12),
        *paragraph("muted", _LEFT + 8, 29, effect_of(kind), 10, 126 if len(slots) < 2 else 102, most=6, leading=1.1),
        *(_slot_sign(slot, station, at, len(slots), height) for at, slot in enumerate(slots)),
    ]
    stand = " and ".join(slot_words(slot) for slot in slots if slot.top) or "no pawn"
    label = f"Tile {station}, {kind.words}, with {stand}: {effect_of(kind)}"
    return piece("river", group(f"tile-{station}", "", 0, y, shapes, label=label, choices=choices))


class Slot(NamedTuple):
    """A slot of a tile: its pawn, the one below it, and what choosing it means."""

    place: int
    top: int
    under: int
    offer: Offer


def slot_words(slot: Slot) -> str:
    """What stands in a slot: "a single eel on a double salmon"."""
    if not slot.top:
        return "empty"
    return _one(slot.top) + (f" on {_one(slot.under)}" if slot.under else "")


def _one(pawn: int) -> str:
    return f"a {pawn_words(pawn)}"


def _slot(table: Table, station: int, at: int) -> Slot:
    game = table.game["table"]
    slot = int(v.SLOT_OF_TILE[station]) + at
    place = v.FIRST_SLOT + slot
    argument = int(v.MIRRORED_PLACE[place]) if table.asked == v.Camp.EEL else place
    offer = _offer(table, place, () if table.asked is None else tuple(table.legal(_PLACE + argument)))
    return Slot(place, int(game["top"][slot]), int(game["under"][slot]), offer)


def _slot_sign(slot: Slot, station: int, at: int, count: int, height: int) -> Shape:
    """A slot with the pawn or the pile on it."""
    _, top, under, offer = slot
    x = _RIGHT - 28 - 46 * (count - 1 - at)
    outline = rect("slot" + (" choice" if offer.choices else ""), -22, -22, 44, 44, 10)
    shapes = [outline, *pile(top, under, 0, 0), *_target_sign(offer, 0, 17)]
    label = f"{place_name(slot.place).capitalize()}: {slot_words(slot)}{_target_words(offer)}"
    return group(f"slot-{station}-{at}", "", x, height / 2, shapes, label=label, choices=offer.choices)


# --- bear and tokens --------------------------------------------------------------------------------------------------


def _bear(table: Table, tops: list[int]) -> Shape:
    station = int(table.game["table"]["bear"])
    side = _SIDE_OF_NEST.get(station)
    where = f"at tile {station}" if side is None else f"in the nest of {at_the_table(side)}"
    y = tops[station] + _height(station) / 2
    return group("bear", "", 17, y, bear(0, 0), label=f"The bear is {where}")


def _token(table: Table, number: int, tops: list[int]) -> Shape:
    station = v.EEL_NEST - 1 - int(table.game["table"]["progress"][number])
    y = tops[station] + _height(station) / 2
    return _drifting(table.pack, number, station, y, token_look(table, number), tuple(choices_of_token(table, number)))


@kept(512)
def _drifting(pack: Pack, number: int, station: int, y: float, look: TokenLook, choices: tuple[int, ...]) -> Shape:
    """A token beside the river."""
    shapes = token_shapes(look, choices)
    label = f"{token_words(pack, number, look)}, at tile {station}"
    return piece("river", group(f"token-{number}", "", 272 + 35 * number, y, shapes, label=label, choices=choices))


class TokenLook(NamedTuple):
    """How a token lies: the face that is up, the other one, whether it is tilted, whether it is the one in use."""

    up: str
    down: str
    tilted: bool
    in_use: bool


def token_look(table: Table, number: int) -> TokenLook:
    """How a token lies."""
    game = table.game["table"]
    face = int(game["face"][number])
    up, down = face_name(table.pack, number, face), face_name(table.pack, number, 1 - face)
    tilted = (int(game["barred"]) | int(game["tilted"])) >> number & 1  # against either side
    return TokenLook(up, down, bool(tilted), int(game["token"]) == number)


def token_shapes(look: TokenLook, choices: Sequence[int]) -> list[Shape]:
    """A token as it lies, with a bar if it can't be chosen."""
    outline = " choice" if choices else " turn" if look.in_use else ""
    return token(look.up, look.down, look.tilted, outline, 0, 0)


def token_words(pack: Pack, number: int, look: TokenLook) -> str:
    """A token with the face that is up and the other one."""
    notes = (", tilted" if look.tilted else "") + (", in use" if look.in_use else "")
    return f"Token {pack.tokens[number].name}: {look.up} up, {look.down} down{notes}"


def what_moves(table: Table, number: int) -> str:
    """What the face of a token that is up does: "moves a pawn 2 tiles"."""
    face = int(table.game["table"]["face"][number])
    kind, steps = v.Face(int(table.params["kind"][number, face])), int(table.params["steps"][number, face])
    return f"moves a pawn {_KINDS.get(kind) or counted(steps, 'tile')}"


def choices_of_token(table: Table, number: int) -> list[int]:
    """Choosing the token, or tilting it."""
    return table.legal(A.TOKEN + number, A.TILT + number)
