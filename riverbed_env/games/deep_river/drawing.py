"""Deep River as a scene: the river, the two sides, the tokens. Nothing is hidden, so all see the same."""

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import WIDTH, Panel, Shape, circle, group, line, panel, paragraph, polygon, rect, text
from riverbed_env.core.symbols import arrow, moved
from riverbed_env.core.text import counted, heading
from riverbed_env.kernels.compile import Records

from .rules import vocab as v
from .rules.actions import ACTIONS, A
from .rules.fish import landing
from .rules.state import clipped, direction, in_nest
from .words.text import WORDS, at_the_table, effect_of, face_name, pawn_words, place_name, state_of_play

# --- pawns, tokens and the bear ---------------------------------------------------------------------------------------

_SALMON = (
    polygon("onseat", [0, -6, 3.2, -2, 2.4, 2.5, 0, 4, -2.4, 2.5, -3.2, -2]),
    polygon("onseat", [0, 3, 3.2, 7, -3.2, 7]),
)
_EEL = (line("eelback", [0, -7, 2, -4, -2, -1, 2, 2, -2, 5, 0, 7]),)


def pawn(number: int, x: float, y: float) -> list[Shape]:
    """A pawn around (x, y), 32 wide, with one fish or two."""
    salmon = number > 0
    body = circle("salmon", x, y, 16) if salmon else rect("eel", x - 15, y - 15, 30, 30, 6)
    fish = _SALMON if salmon else _EEL
    places = [0] if abs(number) == 1 else [-5.5, 5.5]
    return [body, *(part for at in places for part in moved(fish, x + at, y))]


def pile(top: int, under: int, x: float, y: float) -> list[Shape]:
    """The pawn of a slot, and the one that it covers, which shows below it."""
    if not top:
        return []
    if not under:
        return pawn(top, x, y)
    return [*pawn(under, x + 6, y + 6), *pawn(top, x - 3, y - 4)]


def bear(x: float, y: float) -> list[Shape]:
    """The bear's head around (x, y), 26 wide."""
    head = [circle("bear", x + dx, y + dy, r) for dx, dy, r in ((-9, -8, 5), (9, -8, 5), (0, 0, 12))]
    return head + [circle("onseat", x + dx, y + dy, r) for dx, dy, r in ((-4, -2, 1.8), (4, -2, 1.8), (0, 5, 2.6))]


def token(up: str, barred: bool, outline: str, x: float, y: float) -> list[Shape]:
    """A current token around (x, y), 34 wide, with the face that is up."""
    ring = [circle("turn", x, y, 20)] if "turn" in outline else []
    shapes = [
        *ring,
        circle(f"token{outline}", x, y, 17),
        text("text bold", x, y + 5, up, 12 if len(up) > 2 else 18, anchor="middle", w=34),
    ]
    return [*shapes, line("barred", [x - 12, y + 12, x + 12, y - 12])] if barred else shapes


# --- the river --------------------------------------------------------------------------------------------------------

_NEST = 62  # height of a nest
_HEIGHTS = (_NEST, 58, 58, 58, 112, 58, 58, 58, _NEST)  # of the row of each station; the double tile is high
_TOPS = [sum(_HEIGHTS[station + 1 :]) for station in range(v.NUM_STATIONS)]  # where it begins
_LEFT, _RIGHT = 38, 250  # of a tile
_PLACE = int(A.PLACE)  # read at once: an enum's members are slow to find
_KINDS = {v.Face.BEAR: "1 tile, then the bear goes 1 tile", v.Face.TWICE: "1 tile, and then again 1 tile"}
_SIDE_OF_NEST = {v.SALMON_NEST: v.Camp.SALMON, v.EEL_NEST: v.Camp.EEL}


def river(table: Table) -> Panel:
    """The board: nests, tiles, pawns, the bear on the left bank and the tokens on the right."""
    height = sum(_HEIGHTS)
    shapes = [
        rect("water", 0, 0, WIDTH, height, 8),
        rect("bank", 0, 0, _LEFT - 4, height, 8),
        line("current", [304, _NEST + 20, 304, height - _NEST - 24]),  # it flows down
        polygon("flow", [297, height - _NEST - 24, 311, height - _NEST - 24, 304, height - _NEST - 12]),
        *((_nest if at in _SIDE_OF_NEST else _tile)(table, at, top) for at, top in enumerate(_TOPS)),
        _bear(table),
        *(_drifting_token(table, each) for each in range(v.NUM_TOKENS)),
    ]
    label = (
        "The river from the eel nest at the top to the salmon nest at the bottom. The bear walks on the left bank, "
        "the current tokens drift down on the right."
    )
    return panel("river", "The river", label, height, shapes, board=True)


# --- stations ---------------------------------------------------------------------------------------------------------


def _nest(table: Table, station: int, y: int) -> Shape:
    """A nest with its pawns on either face."""
    side = _SIDE_OF_NEST[station]
    counts = table["nest"][side].tolist()
    own, whose = side == table.viewer, at_the_table(side)
    shapes: list[Shape] = [
        rect("row", _LEFT, 3, WIDTH - _LEFT - 4, _NEST - 6, 8),
        text("text bold", _LEFT + 8, 20, f"Nest of {whose}", 13, w=118),
        text("muted", _LEFT + 8, 35, f"player_{side}{' (you)' if own else ''}", 12, w=120),
        text("muted", _LEFT + 8, 50, f"bear here: {'you' if own else 'they'} lose", 12, w=126),
        *(_nest_pawns(table, side, face, count) for face, count in enumerate(counts)),
    ]
    label = f"Nest of {whose}: {counted(counts[0], 'single pawn')}, {counted(counts[1], 'double pawn')}"
    return group(f"nest-{whose.removeprefix('the ')}", "", 0, y, shapes, label=label)


def _nest_pawns(table: Table, side: int, face: int, count: int) -> Shape:
    """The pawns of a nest on one face, which can be chosen as one."""
    number = (1 + face) * (1 if side == v.Camp.SALMON else -1)
    choices = table.legal(_PLACE + face) if table.asked == side else []
    target = _target(table, face, choices)
    outline = [rect("slot choice", 0, -22, 84, 44, 8)] if choices else []
    shapes = [*outline, *pawn(number, 20, 1), text("text bold", 42, 7 - 9 * bool(target), f"x {count}", 14)]
    shapes += _target_sign(target, 60, 12)
    label = f"{counted(count, pawn_words(number))} in the nest{_target_words(target)}" if count else ""
    placed = shapes if count else []
    return group(f"nest-{side}-{face}", "", 176 + 90 * face, _NEST / 2, placed, label=label, choices=choices)


def destination(table: Table, place: int) -> tuple[int, int]:
    """DR-2.2, DR-2.3: the station where the fish of a place would come to, and the one that its steps alone reach."""
    seat = int(table["active"])
    home = v.SALMON_NEST if seat == v.Camp.SALMON else v.EEL_NEST
    origin = home if place < v.FIRST_SLOT else int(v.TILE_OF_SLOT[place - v.FIRST_SLOT])
    pile = place >= v.FIRST_SLOT and bool(table["under"][place - v.FIRST_SLOT])
    steps = int(table["steps"])
    reached = int(landing(table.public, table.params, seat, origin, steps, pile))
    return reached, int(clipped(origin + steps * direction(seat)))


def _target(table: Table, place: int, choices: list[int]) -> str:
    """Where the fish of a place would come to if it is chosen: "nest" or the tile; "" if none is moved."""
    if not choices or table["question"] != v.Question.FISH:
        return ""
    station, _ = destination(table, place)
    return "nest" if station in _SIDE_OF_NEST else str(station)


def _target_sign(target: str, x: float, y: float) -> list[Shape]:
    """Where a fish would come to, around (x, y)."""
    said = text("text bold", x, y + 4, f"to {target}", 12, anchor="middle")
    return [rect("turn", x - 21, y - 7, 42, 14, 4), said] if target else []


def _target_words(target: str) -> str:
    return f", would come {'into the rival nest' if target == 'nest' else f'to tile {target}'}" if target else ""


def _tile(table: Table, station: int, y: int) -> Shape:
    """A tile with what it does, and its slots."""
    kind, count, height = v.Tile(int(table["tile"][station])), int(table.params["slots"][station]), _HEIGHTS[station]
    place, first = int(table["arrived"]), int(v.SLOT_OF_TILE[station])
    works = place >= v.FIRST_SLOT and int(v.TILE_OF_SLOT[place - v.FIRST_SLOT]) == station
    choices = table.legal(A.TURN, A.ADVANCE, A.USE, A.LEAVE) if works else []  # of a tile that may be used, too
    effect = effect_of(kind)
    shapes: list[Shape] = [
        rect("tile" + (" choice" if choices else ""), _LEFT, 3, _RIGHT - _LEFT, height - 6, 8),
        text("text bold", _LEFT + 8, 16, f"{station}  {kind.words}", 12),
        *paragraph("muted", _LEFT + 8, 28, effect, 12, 150 if count < 2 else 104, most=3 * count, leading=1),
        *(_slot(table, station, at, count, height) for at in range(count)),
    ]
    stand = " and ".join(_slot_words(table, first + at) for at in range(count) if table["top"][first + at]) or "no pawn"
    label = f"Tile {station}, {kind.words}, with {stand}: {effect}"
    return group(f"tile-{station}", "", 0, y, shapes, label=label, choices=choices)


def _slot_words(table: Table, slot: int) -> str:
    """What stands in a slot: "a single eel on a double salmon"."""
    top, under = int(table["top"][slot]), int(table["under"][slot])
    if not top:
        return "empty"
    return f"a {pawn_words(top)}" + (f" on a {pawn_words(under)}" if under else "")


def _slot(table: Table, station: int, at: int, count: int, height: int) -> Shape:
    """A slot with the pawn or the pile on it."""
    slot = int(v.SLOT_OF_TILE[station]) + at
    place = v.FIRST_SLOT + slot
    argument = int(v.MIRRORED_PLACE[place]) if table.asked == v.Camp.EEL else place
    choices = table.legal(_PLACE + argument) if table.asked is not None else []
    target = _target(table, place, choices)
    outline = rect("slot" + (" choice" if choices else ""), -22, -22, 44, 44, 10)
    pawns = pile(int(table["top"][slot]), int(table["under"][slot]), 0, 0)
    label = f"{place_name(place).capitalize()}: {_slot_words(table, slot)}{_target_words(target)}"
    x, shapes = _RIGHT - 28 - 46 * (count - 1 - at), [outline, *pawns, *_target_sign(target, 0, 17)]
    return group(f"slot-{station}-{at}", "", x, height / 2, shapes, label=label, choices=choices)


# --- bear and tokens --------------------------------------------------------------------------------------------------


def _bear(table: Table) -> Shape:
    station = int(table["bear"])
    side = _SIDE_OF_NEST.get(station)
    where = f"at tile {station}" if side is None else f"in the nest of {at_the_table(side)}"
    y = _TOPS[station] + _HEIGHTS[station] / 2
    return group("bear", "", 17, y, bear(0, 0), label=f"The bear is {where}")


def _drifting_token(table: Table, number: int) -> Shape:
    """A token beside the river."""
    station = v.EEL_NEST - 1 - int(table["progress"][number])
    y, choices = _TOPS[station] + _HEIGHTS[station] / 2, choices_of_token(table, number)
    label = f"{token_words(table, number)}, at tile {station}"
    shapes = token_shapes(table, number, outlined=bool(choices))
    return group(f"token-{number}", "", 270 + 34 * number, y, shapes, label=label, choices=choices)


def faces(table: Table, number: int) -> tuple[str, str]:
    """The face of a token that is up, and the other one."""
    face = int(table["face"][number])
    return face_name(table.pack, number, face), face_name(table.pack, number, 1 - face)


def is_tilted(table: Table, number: int) -> bool:
    """Whether a token is tilted against either side."""
    return bool((int(table["barred"]) | int(table["tilted"])) >> number & 1)


def token_shapes(table: Table, number: int, *, outlined: bool = False) -> list[Shape]:
    """A token as it lies, with a bar if it can't be chosen."""
    outline = " choice" if outlined else " turn" if table["token"] == number else ""
    return token(faces(table, number)[0], is_tilted(table, number), outline, 0, 0)


def token_words(table: Table, number: int) -> str:
    """A token with the face that is up and the other one."""
    up, down = faces(table, number)
    notes = ", tilted" if is_tilted(table, number) else ""
    notes += ", in use" if table["token"] == number else ""
    return f"Token {table.pack.tokens[number].name}: {up} up, {down} down{notes}"


def what_moves(table: Table, number: int) -> str:
    """What the face of a token that is up does: "moves a pawn 2 tiles"."""
    face = int(table["face"][number])
    kind, steps = v.Face(int(table.params["kind"][number, face])), int(table.params["steps"][number, face])
    return f"moves a pawn {_KINDS.get(kind) or counted(steps, 'tile')}"


def choices_of_token(table: Table, number: int) -> list[int]:
    """Choosing the token, or tilting it."""
    return table.legal(A.TOKEN + number, A.TILT + number)


# --- beside the river -------------------------------------------------------------------------------------------------


def sides(table: Table) -> Panel:
    """Who plays which fish, whose turn it is, and how far the bear is from each nest."""
    shapes = [_side(table, seat) for seat in range(v.NUM_SEATS)]
    label = "You win when the bear is in the other side's nest, or nearer to it when the current has run out."
    shapes += paragraph("muted", 8, 104, label, 12, WIDTH - 16)
    return panel("sides", "The two sides", label, 128, shapes)


def _side(table: Table, seat: int) -> Shape:
    asked, own = table["asked"] == seat, seat == table.viewer
    far = abs(int(table["bear"]) - (v.EEL_NEST if seat else v.SALMON_NEST))
    who = f"{heading(seat, table.viewer)}{', to choose' if asked else ''}"
    name, said = at_the_table(seat).capitalize(), f"The bear is {counted(far, 'step')} from their nest"
    shapes = [
        rect("turn" if asked else "mine" if own else "row", 3, 2, WIDTH - 6, 40, 6),
        *([arrow("arrow", 14, 22)] if asked else []),
        *pawn(-1 if seat else 1, 34, 22),
        text("text bold", 58, 19, f"{name}: {who}", 12, w=290),
        text("text", 58, 34, said, 12),
    ]
    return group(f"side-{seat}", "", 0, 2 + 44 * seat, shapes, label=f"{name}, {who}. {said}")


def tokens(table: Table) -> Panel:
    """The three current tokens with what the face that is up does."""
    shapes = [_token_row(table, number) for number in range(v.NUM_TOKENS)]
    label = (
        "The mover takes one token. Its large face is carried out; then it drifts one tile down and turns over. Two at "
        "tile 1 end the game."
    )
    shapes += paragraph("muted", 8, 158, label, 12, WIDTH - 16)
    return panel("tokens", "The current tokens", label, 194, shapes)


def _token_row(table: Table, number: int) -> Shape:
    said = f"at tile {v.EEL_NEST - 1 - int(table['progress'][number])}; {what_moves(table, number)}"
    words, choices = token_words(table, number), choices_of_token(table, number)
    look = "turn" if table["token"] == number else "row"
    shapes = [
        rect(look + (" choice" if choices else ""), 3, 0, WIDTH - 6, 44, 6),
        group(f"token-face-{number}", "", 28, 22, token_shapes(table, number)),
        text("text bold", 56, 18, words, 12, w=296),
        text("text", 56, 34, said[0].upper() + said[1:], 12, w=296),
    ]
    return group(f"token-{number}", "", 0, 4 + 48 * number, shapes, label=f"{words}; {said}", choices=choices)


# --- the scene --------------------------------------------------------------------------------------------------------

RULES = WORDS["rules"]


def draw(table: Table) -> list[Panel]:
    """The river in the middle; beside it the sides and the tokens."""
    return [river(table), sides(table), tokens(table)]


def lay_open(blank: Records, view: np.void) -> None:
    """Nothing lies open beside the table."""


def clock(table: Table) -> str:
    """The turn."""
    return f"Turn {int(table['turn'])}"


def headline(table: Table) -> str:
    """Who has to choose what, or how the game ended."""
    return state_of_play(*table.told)


def rule_of(table: Table, action: int) -> str:
    """The rule behind a choice: that of its question, of the face or tile that moves a fish, or of what uses a tile."""
    question, purpose = v.Question(int(table["question"])), v.Purpose(int(table["purpose"]))
    name, _ = ACTIONS.split(action)
    if question == v.Question.FISH:
        token = int(table["token"])
        face = v.Face.NUMBER if token == v.NO_TOKEN else table.params["kind"][token, int(table["face"][token])]
        return WORDS["rule_of_purpose"].get(purpose.name) or WORDS["rule_of_face"].get(v.Face(face).name, "DR-2.2")
    if question in (v.Question.PILE, v.Question.TILT) and purpose == v.Purpose.ADVANCE:
        return "DR-3.2/advance"
    return WORDS["rule_of_action"].get(name) or WORDS["rule_of_question"].get(question.name, "")


def help_of(table: Table, action: int) -> str:
    """What the token does; where the fish comes to; what turning does; what the tile does that works or may be used."""
    name, number = ACTIONS.split(action)
    if name == "TOKEN":
        return _taken(table, number)
    question = v.Question(int(table["question"]))
    if name == "PLACE" and question == v.Question.FISH:
        return _arrival(table, number)
    said = WORDS["help_of_choice"].get(name) or WORDS["help_of_question"].get(question.name)
    return said or _tile_words(table)


def _tile_words(table: Table) -> str:
    """What the tile does that works, or may be used; of a bear tile, where the bear then goes."""
    place = int(table["arrived"])
    if place < v.FIRST_SLOT:
        return ""
    kind = v.Tile(int(table["tile"][int(v.TILE_OF_SLOT[place - v.FIRST_SLOT])]))
    if kind == v.Tile.BEAR:
        return f"The bear goes {bear_moved(table, 1)}."
    return f"The {kind.words} tile: {effect_of(kind)}."


def _taken(table: Table, number: int) -> str:
    """What follows when a token is taken."""
    face = int(table["face"][number])
    down = face_name(table.pack, number, 1 - face)
    drifts = f"{what_moves(table, number).capitalize()}. Then the token drifts one tile down and turns over to {down}."
    return drifts + last_turn(table, number)


def _arrival(table: Table, number: int) -> str:
    """Where a fish comes to, and what follows there. number: its place, as its side counts places."""
    place = number if int(table["active"]) == v.Camp.SALMON else int(v.MIRRORED_PLACE[number])
    station, counted_to = destination(table, place)
    past = f", as tile {counted_to} has no room for it" if station != counted_to else ""
    if in_nest(station):
        shown = 1 + place if place < v.FIRST_SLOT else abs(int(table["top"][place - v.FIRST_SLOT]))
        return f"It comes into the rival nest{past}; the bear goes {bear_moved(table, shown)}."
    kind = v.Tile(int(table["tile"][station]))
    does = f": {effect_of(kind)}" if int(table["purpose"]) != v.Purpose.DRIFT else ", which doesn't work now"
    return f"It comes to tile {station}, {kind.words}{past}{does}."


def bear_moved(table: Table, steps: int) -> str:
    """DR-2.4: where the bear comes to when the mover drives it, in words."""
    seat = int(table["active"])
    bear = int(clipped(int(table["bear"]) + steps * direction(seat)))
    if in_nest(bear):
        return f"into the nest of {v.Camp(1 - seat).words}: {v.Camp(seat).words} win"
    return f"to tile {bear}"


def last_turn(table: Table, number: int) -> str:
    """DR-4.1: what taking a token means for the end of the game, in words; "" if the game goes on after the turn."""
    progress = table["progress"].tolist()
    progress[number] = min(v.LAST_PROGRESS, progress[number] + 1)
    if sum(progress[each] == v.LAST_PROGRESS for each in range(v.NUM_TOKENS)) < 2:
        return ""
    bear = int(table["bear"])
    nearer = (v.Camp.SALMON if bear > v.DOUBLE_TILE else v.Camp.EEL).words
    then = "it would be a draw" if bear == v.DOUBLE_TILE else f"{nearer} would win"
    return f" Two tokens are then at tile 1, so this turn ends the game; with the bear at tile {bear} {then}."
