"""The panels beside the river: tracks, players, what they claim, unknown tiles, what the viewer holds and can do."""

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import SMALL, WIDTH, Panel, Shape, group, line, panel, paragraph, rect, text
from riverbed_env.core.symbols import arrow, seat_disc, track
from riverbed_env.core.text import counted, heading

from ..content.pack import Pack
from ..rules.actions import A
from ..rules.vocab import CAMP_OF, NUM_TRACKS, PUBLIC, Camp, Ending, Role
from ..words.speech import speak, standing
from ..words.text import TRACKS, card_name, describe_layers, roles_in_game
from .symbols import element, role_sign

_SEAT, _UNKNOWN = int(A.SEAT), Role.UNKNOWN  # read at once: an enum's members are slow to find
_READY = (  # letter, field, word: what a player can still use
    ("D", "dive_ready", "Dive"),
    ("S", "swim_ready", "Swim"),
    ("U", "uncover_left", "Uncover"),
    ("R", "marker_left", "the refresh marker"),
)


def tracks(table: Table) -> Panel:
    """How far each camp is on its track."""
    reached, ends = table["tracks"].tolist(), table.params["endpoints"].tolist()
    words = [f"{name.capitalize()}, for {Camp(at).words}" for at, name in enumerate(TRACKS)]
    shapes = [
        track(f"track-{name}", words[at], name, reached[at], ends[at], 40 * at, element(at, 6, 4))
        for at, name in enumerate(TRACKS)
    ]
    said = "; ".join(f"{words[at]}: {reached[at]} of {ends[at]}" for at in range(NUM_TRACKS))
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
    asked, over = table["asked"] == seat, table["ending"] != Ending.PLAYING
    on_turn = table["active"] == seat and not over
    won = table["winner"] != Camp.NONE and CAMP_OF[role] == table["winner"]
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


def known_role(table: Table, seat: int) -> tuple[Role, str]:
    """A role as far as the viewer knows it, and how."""
    shown = Role(int(table["role"][seat]))
    if shown != _UNKNOWN:
        return shown, "open"
    if table.truth:
        return Role(int(table.game["private"][seat]["role"])), "hidden"
    if table.viewer is None:
        return _UNKNOWN, ""
    own = table.game["private"][table.viewer]
    if seat == table.viewer:
        return Role(int(own["role"])), "secret"
    return Role(int(own["looked"][seat])), "you looked"


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
    ("Dive", "dive_ready", "look at a tile", "exhausted", (A.DIVE, A.READY)),
    ("Swim", "swim_ready", "move, draw", "exhausted", (A.SWIM, A.READY + 1)),
    ("Co-op", "", "ask another", "", (A.CO_OP,)),
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
        shapes.append(text(ink, middle, 40 + 13 * row, line_, 10, anchor="middle", w=66))
    x, label = at * (_CARD_WIDTH + 2) + 1, f"{name}: {said}"
    return group(f"action-{name.lower()}", "", x, 0, shapes, label=label, choices=choices)


def hand(table: Table) -> Panel:
    """The ability cards of the viewer, or of who is asked, with what they do."""
    held = _held(table, table.chooser)
    shapes = [_card(table, card, held.index(card), at) for at, card in enumerate(held)]
    places = max(3, len(held))
    for at in range(len(held), places):
        shapes.append(rect("empty", 4, 4 + at * 50, WIDTH - 8, 44, 6))
        shapes.append(text("muted", WIDTH / 2, 30 + at * 50, "no card", SMALL, anchor="middle"))
    label = f"{counted(len(held), 'card')} in hand. One may be played in a turn, three are kept at its end."
    return panel("hand", _whose(table, "cards"), label, 4 + 50 * places, shapes)


def _card(table: Table, card: int, first: int, at: int) -> Shape:
    """A card of the hand; of equal ones each has an id of its own."""
    choices = table.legal(A.CARD + card, *([A.SLIP_AWAY] if card == table.params["redirect_card"] else []))
    described = table.pack.cards[card]
    shapes = [
        rect("card" + (" choice" if choices else ""), 4, 0, WIDTH - 8, 44, 6),
        text("black bold", 12, 15, described.name, 12, w=336),
        *paragraph("black", 12, 28, described.words, 10, WIDTH - 24, most=2, leading=1.2),
    ]
    label = f"Card {described.name}: {described.words}"
    return group(f"card-{card}-{at - first}", "", 0, 4 + at * 50, shapes, label=label, choices=choices)


def piles(table: Table) -> Panel:
    """The draw pile, and what lies on the discard pile."""
    counts = table["discard_pile"].tolist()
    kinds = [(card_name(table.pack, card), count) for card, count in enumerate(counts) if count]
    said = ", ".join(name + (f" x{count}" if count > 1 else "") for name, count in kinds) or "empty"
    draw, discarded = int(table["draw_pile"]), sum(counts)
    names = paragraph("muted", 36, 30, said, 10, 190, most=5, leading=1.25)
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
    own: list[int] = table.game["private"][PUBLIC if table.viewer is None else table.viewer]["possible"].tolist()
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
    """A tile's printed number and layers: "#5 log, coin, trident"."""
    layers = (layer.removeprefix("1 ") for layer in describe_layers(pack, tile))
    return f"#{tile} {', '.join(layers)}{', trident' if pack.tiles[tile].hunt else ''}"
