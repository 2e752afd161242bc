"""Riverbed Hunt as a scene: the river, the race, the players, and the viewer's actions and cards.

A seat's scene is drawn from its view alone.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import (
    SMALL,
    WIDTH,
    Panel,
    Shape,
    circle,
    group,
    line,
    panel,
    paragraph,
    polygon,
    rect,
    text,
    tidy,
)
from riverbed_env.core.symbols import arrow, eye, meeple, moved, seat_disc, track
from riverbed_env.core.text import counted, heading
from riverbed_env.kernels.compile import Records

from .content.pack import Layer, Pack
from .rules import vocab as v
from .rules.actions import ACTIONS, A
from .rules.board import LAND, place_of
from .words.speech import speak, standing
from .words.text import (
    TRACKS,
    WORDS,
    card_name,
    chosen_before,
    describe_layers,
    describe_tile,
    roles_in_game,
    state_of_play,
)

# --- signs ------------------------------------------------------------------------------------------------------------

SIZE = 14  # of an element's sign

_KELP = polygon("kelp", [7, 0, 10, 3, 8.5, 6, 11.5, 9, 7, 14, 2.5, 9, 5.5, 6, 4, 3])
_SIGNS = {
    v.Element.KELP: [_KELP],
    v.Element.LOG: [rect("log", 0, 3, 14, 8, 4), circle("log", 11, 7, 2.6)],
    v.Element.COIN: [circle("coin", 7, 7, 6.2), circle("coin", 7, 7, 3)],
}
_TRIDENT = [line("hunt", [5, 1, 5, 13]), line("hunt", [0, 1, 0, 5, 10, 5, 10, 1])]  # a Hunt may go on after this tile


def element(which: int, x: float, y: float, by: float = 1) -> list[Shape]:
    """A kelp's leaf, a log or a coin in a box of 14, or `by` times that, with its corner at (x, y)."""
    return moved(_SIGNS[v.Element(which)], x, y, by)


def layer_signs(layer: Layer, x: float, y: float, room: float, by: float) -> list[Shape]:
    """A layer of a tile in a line: as many signs as it has elements, or the letter of its text."""
    size, font = SIZE * by, 13 if by > 1 else 12
    if layer.text:
        name = text("text bold", x + 20, y + size / 2 + 4.5, layer.text.name, font, anchor="middle", w=38)
        return [rect("mark", x, y, 40, size, 4), name]
    if layer.amount * (size + 2) <= room:
        return [sign for at in range(layer.amount) for sign in element(layer.element, x + at * (size + 2), y, by)]
    times = text("text bold", x + size + 3, y + size / 2 + 4.5, f"x {layer.amount}", font)
    return [*element(layer.element, x, y, by), times]


def tile_face(pack: Pack, tile: int, x: float, y: float, room: float) -> list[Shape]:
    """The layers of a tile from the top, as large as they can be, and its hunt icon at the bottom right."""
    layers = pack.layers(tile)
    by = (1.6, 1.6, 1.35, 1.15, 0.9)[min(len(layers), 4)] if not pack.tiles[tile].hunt or len(layers) > 2 else 1.1
    places = [tidy(y + at * (SIZE * by + 1.5)) for at in range(len(layers))]
    shapes = [
        sign for layer, at in zip(layers, places, strict=True) for sign in layer_signs(layer, x, at, room - 16, by)
    ]
    return shapes + (moved(_TRIDENT, x + room - 16, y + 28, 1.2) if pack.tiles[tile].hunt else [])


def role_sign(role: v.Role, x: float, y: float) -> list[Shape]:
    """The element that a role's camp wants, or a question mark."""
    if role == v.Role.UNKNOWN:
        return [circle("slot", x + 7, y + 7, 7), text("muted bold", x + 7, y + 11, "?", 12, anchor="middle")]
    return element(int(v.CAMP_OF[role]), x, y)


# --- beside the river -------------------------------------------------------------------------------------------------

_SEAT, _UNKNOWN = int(A.SEAT), v.Role.UNKNOWN  # read at once: an enum's members are slow to find
_READY = (  # letter, field, word: what a player can still use
    ("D", "dive_ready", "Dive"),
    ("S", "swim_ready", "Swim"),
    ("U", "uncover_left", "Uncover"),
    ("R", "marker_left", "the refresh marker"),
)


def tracks(table: Table) -> Panel:
    """How far each camp is on its track."""
    reached, ends = table["tracks"].tolist(), table.params["endpoints"].tolist()
    words = [f"{name.capitalize()}, for {v.Camp(at).words}" for at, name in enumerate(TRACKS)]
    shapes = [
        track(f"track-{name}", words[at], name, reached[at], ends[at], 40 * at, element(at, 6, 4))
        for at, name in enumerate(TRACKS)
    ]
    said = "; ".join(f"{words[at]}: {reached[at]} of {ends[at]}" for at in range(v.NUM_TRACKS))
    return panel("tracks", "The race", f"The first full track ends the game: {said}.", 120, shapes)


def race(table: Table) -> str:
    """How far each track is, in a few words: "kelp 3/6, log 0/6, coin 1/5"."""
    reached, ends = table["tracks"].tolist(), table.params["endpoints"].tolist()
    return ", ".join(f"{name} {reached[track]}/{ends[track]}" for track, name in enumerate(TRACKS))


# --- players ----------------------------------------------------------------------------------------------------------


def players(table: Table) -> Panel:
    """A line for each player: role as far as it is known, what is ready, cards."""
    height = 52 if table.truth else 38
    shapes = [_player(table, seat, height) for seat in range(table.num_players)]
    legend = 4 + height * table.num_players
    dealt = roles_in_game(table.params).partition(" (")[0]
    words = "D Dive, S Swim, U Uncover, R refresh marker: green can be used, struck out can't. Co-op always can."
    roles = f"{dealt[0].upper()}{dealt[1:]}."
    for at, said in enumerate((roles, words)):
        shapes += paragraph("muted", 6, legend + 12 + 30 * at, said, SMALL, WIDTH - 12, most=2)
    return panel("players", "Players", f"Everybody at the table, clockwise. {roles}", legend + 64, shapes)


def _player(table: Table, seat: int, height: int) -> Shape:
    (role, how), cards = known_role(table, seat), int(table["hand_size"][seat])
    known = "role unknown" if role == _UNKNOWN else f"{role.words}{f', {how}' if how else ''}"
    asked, over = table["asked"] == seat, table["ending"] != v.Ending.PLAYING
    on_turn = table["active"] == seat and not over
    won = table["winner"] != v.Camp.NONE and v.CAMP_OF[role] == table["winner"]
    choices = [] if table.asked is None else table.legal(_SEAT + (seat - table.asked) % table.num_players)
    look = "won" if won else "turn" if asked else "mine" if seat == table.viewer and not over else "row"
    name = heading(seat, table.viewer)
    doing = ", won" if won else ", to choose" if asked else ", on turn" if on_turn else ""
    ready = [bool(table[field][seat]) for _, field, _ in _READY]
    held = ", ".join(card_name(table.pack, card) for card in _held(table, seat)) if table.truth else ""
    shapes = [
        rect(look + (" choice" if choices else ""), 3, 0, WIDTH - 6, height - 4, 6),
        *([arrow("arrow", 12, 17, 5)] if on_turn else []),
        *seat_disc(seat, 24, 17),
        text("text bold", 38, 14, name + doing, 12, w=168),
        *role_sign(role, 38, 18),
        text("text" if role != _UNKNOWN else "muted", 56, 29, known, SMALL, w=154),
        *_readiness(ready),
        rect("cardback", 315, 6, 14, 20, 3),
        text("text bold", 335, 21, str(cards), 12),
        *([text("muted", 38, 43, held or "no cards", SMALL, w=312)] if table.truth else []),
    ]
    can = ", ".join(word for (_, _, word), usable in zip(_READY, ready, strict=True) if usable)
    label = f"{name}{doing}: {known}; {counted(cards, 'card')}; can still use {can or 'nothing but Co-op'}"
    return group(f"player-{seat}", "", 0, 4 + seat * height, shapes, label=label, choices=choices)


def known_role(table: Table, seat: int) -> tuple[v.Role, str]:
    """A role as far as the viewer knows it, and how."""
    shown = v.Role(int(table["role"][seat]))
    if shown != _UNKNOWN:
        return shown, "open"
    if table.truth:
        return v.Role(int(table.game["private"][seat]["role"])), "hidden"
    if table.viewer is None:
        return _UNKNOWN, ""
    own = table.game["private"][table.viewer]
    if seat == table.viewer:
        return v.Role(int(own["role"])), "secret"
    return v.Role(int(own["looked"][seat])), "you looked"


def _readiness(can_use: list[bool]) -> list[Shape]:
    shapes = []
    for at, ((letter, _, _), ready) in enumerate(zip(_READY, can_use, strict=True)):
        x = 212 + at * 24
        shapes.append(rect("ready" if ready else "spent", x, 7, 20, 20, 4))
        shapes.append(text("text bold" if ready else "muted", x + 10, 21, letter, 12, anchor="middle"))
        if not ready:
            shapes.append(line("strike", [x + 3, 24, x + 17, 10]))
    return shapes


def _held(table: Table, seat: int | None) -> list[int]:
    """The cards in a hand."""
    return [card for card, count in enumerate(table.game["private"][seat]["hand"].tolist()) for _ in range(count)]


# --- what the viewer can do -------------------------------------------------------------------------------------------


_ACTION_CARDS = (  # name, field of the table, what it does, what it is once that is done, what a click can take
    ("Dive", "dive_ready", "see a tile", "exhausted", (A.DIVE, A.READY)),
    ("Swim", "swim_ready", "move, draw", "exhausted", (A.SWIM, A.READY + 1)),
    ("Co-op", "", "ask, draw", "", (A.CO_OP,)),
    ("Uncover", "uncover_left", "pay, reveal", "used", (A.UNCOVER,)),
    ("Refresh", "marker_left", "once, ready one", "used", (A.READY, A.READY + 1)),
)
_CARD_WIDTH = 70


def actions(table: Table) -> Panel:
    """The action cards of the viewer, or of who is asked; a click takes the action, or readies an exhausted one."""
    shapes = [_action_card(table, at) for at in range(len(_ACTION_CARDS))]
    return panel("actions", _whose(table, "actions"), "One action a turn: Dive, Swim, Co-op or Uncover.", 66, shapes)


def _whose(table: Table, things: str) -> str:
    """The heading of what the viewer has, or, in the truth, who is asked."""
    return f"Your {things}" if table.viewer is not None else f"{things.capitalize()} of player_{table.chooser}"


def _action_card(table: Table, at: int) -> Shape:
    name, field, words, spent, clicks = _ACTION_CARDS[at]
    ready, choices = not field or bool(table[field][table.chooser]), table.legal(*clicks)
    said = words if ready else spent
    look, ink = ("ready", "text") if ready else ("spent", "muted")
    middle = _CARD_WIDTH / 2
    shapes = [
        rect(look + (" choice" if choices else ""), 1, 3, _CARD_WIDTH - 2, 58, 6),
        text("text bold" if ready else "muted", middle, 24, name, 13, anchor="middle", w=64),
    ]
    for row, line_ in enumerate(said.split(", ")):
        shapes.append(text(ink, middle, 40 + 14 * row, line_, SMALL, anchor="middle", w=68))
    x, label = at * (_CARD_WIDTH + 2) + 1, f"{name}: {said}"
    return group(f"action-{name.lower()}", "", x, 0, shapes, label=label, choices=choices)


def hand(table: Table) -> Panel:
    """The ability cards of the viewer, or of who is asked, with what they do."""
    held = _held(table, table.chooser)
    shapes = [_hand_card(table, card, held.index(card), at) for at, card in enumerate(held)]
    if not held:
        shapes = [text("muted", WIDTH / 2, 30, "no card", SMALL, anchor="middle")]
    label = f"{counted(len(held), 'card')} in hand. One may be played in a turn, three are kept at its end."
    return panel("hand", _whose(table, "cards"), label, 4 + 54 * max(1, len(held)), shapes)


def _hand_card(table: Table, card: int, first: int, at: int) -> Shape:
    """A card of the hand; of equal ones each has an id of its own."""
    choices = table.legal(A.CARD + card, *([A.SLIP_AWAY] if card == table.params["redirect_card"] else []))
    described = table.pack.cards[card]
    shapes = [
        rect("card" + (" choice" if choices else ""), 4, 0, WIDTH - 8, 49, 6),
        text("black bold", 12, 15, described.name, 13, w=336),
        *paragraph("black", 12, 29, described.words, SMALL, WIDTH - 24, most=2, leading=1.1),
    ]
    label = f"Card {described.name}: {described.words}"
    return group(f"card-{card}-{at - first}", "", 0, 4 + at * 54, shapes, label=label, choices=choices)


def piles(table: Table) -> Panel:
    """The draw pile, and what lies on the discard pile."""
    counts = table["discard_pile"].tolist()
    kinds = [(card_name(table.pack, card), count) for card, count in enumerate(counts) if count]
    said = ", ".join(name + (f" x{count}" if count > 1 else "") for name, count in kinds) or "empty"
    draw, discarded = int(table["draw_pile"]), sum(counts)
    names = paragraph("muted", 36, 32, said, SMALL, 190, most=4, leading=1.2)
    shapes = [
        _pile("Draw pile", "cardback", 0, draw, counted(draw, "card"), []),
        _pile("Discard pile", "card", 130, discarded, said, names),
    ]
    return panel("piles", "Card piles", f"Draw pile {draw}; discard pile: {said}.", 86, shapes)


def _pile(name: str, look: str, x: float, count: int, said: str, more: list[Shape]) -> Shape:
    shapes = [rect(look, 8, 6, 20, 28, 3), text("text bold", 36, 17, f"{name}: {count}", 12), *more]
    return group(name.lower().replace(" ", "-"), "", x, 0, shapes, label=f"{name}: {said}")


# --- claims and unknown tiles -----------------------------------------------------------------------------------------


def claims(table: Table) -> Panel:
    """RH-9.7: the claims that stand, by speaker."""
    shapes: list[Shape] = []
    total, y = 0, 4
    for seat in range(table.num_players):
        made = standing(table.public, seat)
        if made:
            said, who = "; ".join(map(speak, made)), heading(seat, table.viewer)
            lines = paragraph("text", 38, 26, said, SMALL, WIDTH - 48, leading=1.3)
            row = [*seat_disc(seat, 20, 14), text("text bold", 38, 11, who, 12), *lines]
            shapes.append(group(f"claims-{seat}", "", 0, y, row, label=f"{who} claims: {said}"))
            total, y = total + len(made), y + 24 + round(len(lines) * SMALL * 1.3)
    if not shapes:
        shapes, y = [text("muted", 6, 18, "Nobody has claimed anything.", SMALL)], 26
    label = f"{counted(total, 'claim')} stand. Claims bind nobody and may be lies."
    return panel("claims", "Claims that stand", label, y + 2, shapes)


def possible_spaces(table: Table) -> list[int]:
    """RH-8.3: by tile, from 1, the spaces where it may lie by all that the viewer knows, as bits."""
    own: list[int] = table.game["private"][v.PUBLIC if table.viewer is None else table.viewer]["possible"].tolist()
    return own


def candidates(possible: list[int], space: int) -> list[int]:
    """RH-8.3: the numbers of the tiles that may lie on a space."""
    return [at + 1 for at, spaces in enumerate(possible) if spaces >> space & 1]


def unknown_tiles(table: Table) -> list[Panel]:
    """RH-8.3: the tiles in play that may lie on several spaces; no panel if there are none."""
    tiles = [at + 1 for at, spaces in enumerate(possible_spaces(table)) if spaces & (spaces - 1)]
    if not tiles:
        return []
    words = [_tile_words(table.pack, tile) for tile in tiles]
    rows = -(-len(tiles) // 2)  # in two columns
    room = (WIDTH - 12) / 2
    shapes = [
        text("text", 6 + at // rows * room, 14 + at % rows * 17, said, SMALL, w=room - 6)
        for at, said in enumerate(words)
    ]
    label = f"{counted(len(tiles), 'tile')} in play, of which it isn't known where they lie: {'; '.join(words)}."
    return [panel("unknown", "What an unknown tile can be", label, 8 + rows * 17, shapes)]


def _tile_words(pack: Pack, tile: int) -> str:
    """A tile's printed number and layers: "#5 log, coin, hunt icon"."""
    layers = (layer.removeprefix("1 ") for layer in describe_layers(pack, tile))
    return f"#{tile} {', '.join(layers)}{', hunt icon' if pack.tiles[tile].hunt else ''}"


# --- the river --------------------------------------------------------------------------------------------------------

CELL, TILE, STEP_X, STEP_Y = 80, 68, 90, 110  # width of a cell, height of its tile, from cell to cell
LEFT, TOP = 5, 12  # of the first cell
_SPACE = int(A.SPACE)  # read at once: an enum's members are slow to find


def river(table: Table) -> Panel:
    """The board, with the spaces that can be chosen now outlined."""
    possible, chosen = possible_spaces(table), chosen_before(table.public)
    spaces = (_space(table, space, possible, space == chosen) for space in range(v.NUM_SPACES))
    shapes = [*_ways(), *spaces, *_meeples(table)]
    down, up = (int(table["face_down"]).bit_count(), int(table["occupied"]).bit_count())
    label = (
        f"The river: 16 spaces in four rows, joined by water in the order of their numbers. "
        f"{counted(up - down, 'tile')} face-up, {down} face-down."
    )
    return panel("river", "The river", label, 4 * STEP_Y + 14, shapes, board=True)


def _centre(space: int) -> tuple[int, int]:
    row, column = place_of(space)
    return column * STEP_X + LEFT + CELL // 2, row * STEP_Y + TOP + TILE // 2


@cache
def _ways() -> list[Shape]:
    """The stream through all spaces in their order, and the land that joins two spaces of neighbouring rows."""
    course = [0, TOP + TILE // 2, *(at for space in range(v.NUM_SPACES) for at in _centre(space))]
    course += [0, course[-1]]  # in and out on the left
    shapes = [rect("land", 0, 0, WIDTH, 4 * STEP_Y + 14, 10), line("shore", course), line("deep", course)]
    for space in range(v.NUM_SPACES):
        for other in sorted(LAND[space]):
            if other > space:
                (x, y), (_, below) = _centre(space), _centre(other)
                shapes.append(line("path", [x, y + TILE // 2 + 10, x, below - TILE // 2 - 10]))
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
            circle(f"space{outline}", CELL // 2, TILE // 2, 24),
            text("text", CELL // 2, 39, number, 14, anchor="middle"),
        ]
    elif int(table["face_down"]) >> space & 1:
        shapes = [rect(f"back{outline}", 0, 0, CELL, TILE, 7), text("onback bold", 5, 15, number, 13)]
        label = _draw_back(table, space, possible, chosen, shapes)
    else:
        tile = int(table["tile"][space])
        label = f"face-up, {describe_tile(table.pack, tile)}. {_texts(table.pack, tile)}".rstrip(". ")
        shapes = [
            rect(f"tile{outline}", 0, 0, CELL, TILE, 7),
            text("text bold", 5, 15, number, 13),
            *tile_face(table.pack, tile, 27, 6, 51),
            text("muted", 4, TILE - 5, f"#{tile}", 12),  # the tile's printed number
        ]
    row, column = place_of(space)
    x, y = column * STEP_X + LEFT, row * STEP_Y + TOP
    return group(f"space-{number}", "", x, y, shapes, label=f"Space {number}: {label}", choices=choices)


def _draw_back(table: Table, space: int, possible: list[int], chosen: bool, shapes: list[Shape]) -> str:
    """Draw what the viewer knows of a face-down tile, or which it could be, and who has looked at it; its label."""
    label = f"{'chosen to be swapped, ' if chosen else ''}face-down"
    seen = table["seen"].tolist()[: table.num_players]
    looked = [seat for seat, spaces in enumerate(seen) if spaces >> space & 1]
    own = table.game["private"][v.PUBLIC if table.viewer is None else table.viewer]
    tile = int(table.game["tile_at"][space] if table.truth else own["known"][space])
    if tile != v.NO_TILE:
        known = "it is" if table.truth else "you know it is" if table.viewer is not None else "everybody knows it is"
        label += f", {known} {describe_tile(table.pack, tile)}"
        shapes += [rect("inset", 24, 3, 54, TILE - (20 if looked else 6), 5), *tile_face(table.pack, tile, 27, 5, 51)]
    else:
        could = candidates(possible, space)
        label += f", unknown: one of {counted(len(could), 'tile')}, {', '.join(f'#{each}' for each in could)}"
    if looked:
        label += f"; looked at by {', '.join(f'player_{seat}' for seat in looked)}"
        names = ", ".join(map(str, looked)) if len(looked) < 5 else f"{len(looked)} players"
        shapes += [*eye(12, TILE - 10, 7), text("onback bold", 23, TILE - 5, names, 12, w=52)]
    if chosen:
        shapes.append(text("onback bold", CELL - 5, 15, "swap", 12, anchor="end"))
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
        x, y = (CELL / 2 + (at - (count - 1) / 2) * 21, 12) if count <= 4 else (8 + at % 5 * 16, 6 + at // 5 * 15)
        row, column = place_of(space)
        ring, you = ([circle("turn", 0, 0, 14)], " (you)") if seat == table.viewer else ([], "")
        label = f"Meeple of player_{seat}{you} on space {space + 1}"
        x, y = column * STEP_X + LEFT + x, row * STEP_Y + TOP + TILE + y
        yield group(f"meeple-{seat}", "", x, y, [*ring, *meeple(seat)], label=label)


# --- the scene --------------------------------------------------------------------------------------------------------

RULES = WORDS["rules"]


def lay_open(blank: Records, view: np.void) -> None:
    """RH-8: what everybody knows."""
    blank["private"][0, v.PUBLIC] = view["public"]


def draw(table: Table) -> list[Panel]:
    """The board in the middle; beside it what all can see, and what the viewer can do."""
    own = [actions(table), hand(table)] if table.chooser is not None else []
    spoken = [claims(table)] if table.params["talk"] != v.Talk.NONE else []
    unknown = [] if table.truth else unknown_tiles(table)
    return [river(table), tracks(table), *own, players(table), *spoken, *unknown, piles(table)]


def clock(table: Table) -> str:
    """The turn, and how far the race is."""
    turn = int(table["turn"])
    return f"{f'Turn {turn}' if turn else 'Before the first turn'} · {race(table)}"


def headline(table: Table) -> str:
    """Who has to choose what, or how the game ended."""
    return state_of_play(*table.told)


def rule_of(table: Table, action: int) -> str:
    """The rule behind a choice: that of its verb, of the question, or of the effect under way."""
    name, _ = ACTIONS.split(action)
    question, source = v.Question(int(table["question"])), _source(table)
    if question == v.Question.ABOUT:
        name, _ = ACTIONS.split(A.SILENT + int(table["verb"]))
    if name == "READY" and question == v.Question.REFRESH:
        return WORDS["rule_of_source"][source.name]
    rule = WORDS["rule_of_verb"].get(name) or WORDS["rule_of_question"].get(question.name)
    return rule or WORDS["rule_of_source"][source.name]


def help_of(table: Table, action: int) -> str:
    """What the card does that is played, or the card or text that is being carried out; who the player is."""
    name, argument = ACTIONS.split(action)
    question, source = v.Question(int(table["question"])), _source(table)
    if name in WORDS["follows"] and question != v.Question.REFRESH:
        return WORDS["follows"][name]
    if name == "REVEAL" and table.asked is not None:
        return f"{_reach_in_words(table, table.asked).capitalize()}."
    if name == "SEAT" and question == v.Question.SEAT and table.asked is not None:
        return player_in_words(table, (table.asked + argument) % table.num_players)
    if name == "SLIP_AWAY" or (name == "CARD" and question == v.Question.TURN):
        return _card_words(table, argument if name == "CARD" else int(table.params["redirect_card"]))
    if name == "WAIT" or question in (v.Question.PLACE, v.Question.TURN, v.Question.ANSWER) or source == v.Source.NONE:
        return ""
    thing = int(table["frames"][int(table["depth"]) - 1]["thing"])
    if source == v.Source.CARD:
        return _card_words(table, thing)
    return _texts(table.pack, thing) if source == v.Source.TILE else ""


def player_in_words(table: Table, seat: int) -> str:
    """What the viewer knows of a player, and the face-down tiles within their reach (RH-2.4)."""
    role, _ = known_role(table, seat)
    who = "Role unknown" if role == v.Role.UNKNOWN else role.words.capitalize()
    return f"{who}; {counted(int(table['hand_size'][seat]), 'card')}; {_reach_in_words(table, seat)}."


def _reach_in_words(table: Table, seat: int) -> str:
    """The face-down tiles within reach of a player whose meeple is placed (RH-2.4)."""
    near = int(table.params["reach"][int(table["layout"]), int(table["position"][seat])]) & int(table["face_down"])
    spaces = [str(space + 1) for space in range(v.NUM_SPACES) if near >> space & 1]
    return f"face-down within reach: space {', '.join(spaces)}" if spaces else "no face-down tile within reach"


def _card_words(table: Table, card: int) -> str:
    described = table.pack.cards[card]
    return f"{described.name}: {described.words}."


def _texts(pack: Pack, tile: int) -> str:
    """What the texts of a tile do."""
    return "; ".join(f"Text {layer.text.name}: {layer.text.words}." for layer in pack.layers(tile) if layer.text)


def _source(table: Table) -> v.Source:
    """The origin of the effect under way."""
    depth = int(table["depth"])
    return v.Source(int(table["frames"][depth - 1]["source"])) if depth else v.Source.NONE
