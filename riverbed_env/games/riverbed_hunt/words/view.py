"""Riverbed Hunt drawn as text: the 4 x 4 river, the tracks, the players, the last events.

A seat's picture is drawn from its view and from public events alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.core.text import heading, picture, shown_to

from ..content.pack import Pack
from ..rules.board import SIDE, place_of
from ..rules.vocab import MAX_SEATS, NO_TILE, NUM_SPACES, Element, Role
from .text import ROLE_WORDS, TRACKS, card_name, describe_events, describe_standing, legend, seen_by, state_of_play

_WIDTH = 16
_EVENTS = 8
_LETTERS = {Element.KELP: "K", Element.LOG: "L", Element.COIN: "C"}


def draw(pack: Pack, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """The game as seat `viewer` knows it; None shows hidden tiles, roles and hands too."""
    view = seen_by(games, viewer)
    secrets = games[0] if viewer is None else None
    table = view["table"]
    bars = (
        f"{name} {_bar(int(table['tracks'][track]), int(params[0]['endpoints'][track]))}"
        for track, name in enumerate(TRACKS)
    )
    lines = [
        f"Riverbed Hunt, turn {int(table['turn'])} ({shown_to(viewer)})",
        f"{state_of_play(pack, games, params, viewer)}.",
        "   ".join(bars),
        *_board(pack, view, secrets),
        *legend(pack),
        *_players(pack, view, secrets, viewer),
        *filter(None, (describe_standing(table, seat, viewer) for seat in range(int(table["num_players"])))),
    ]
    return picture(lines, describe_events(pack, games[0], viewer=viewer)[-_EVENTS:])


def _bar(reached: int, endpoint: int) -> str:
    return f"{'#' * min(reached, endpoint)}{'.' * max(0, endpoint - reached)} {reached}/{endpoint}"


def tile_mark(pack: Pack, tile: int) -> str:
    """A tile in a few letters: number, layers from the top, * for the hunt icon."""
    layers = [
        f"<{layer.text.name}>" if layer.text else _LETTERS[layer.element] * layer.amount for layer in pack.layers(tile)
    ]
    return f"{tile}:{'|'.join(layers)}{'*' if pack.tiles[tile].hunt else ''}"


def _board(pack: Pack, view: np.void, secrets: np.void | None) -> list[str]:
    """Four rows of cells; ~ joins spaces along the river, also between rows where the river turns."""
    cells = [[""] * SIDE for _ in range(SIDE)]
    meeples = [[""] * SIDE for _ in range(SIDE)]
    for space in range(NUM_SPACES):
        row, column = place_of(space)
        cells[row][column] = _cell(pack, view, secrets, space)
        here = [str(seat) for seat in range(MAX_SEATS) if view["table"]["position"][seat] == space]
        meeples[row][column] = f"@{','.join(here)}" if here else ""
    border = "+" + ("-" * _WIDTH + "+") * SIDE
    lines = [border]
    for row in range(SIDE):
        river = "~".join(f"{cell:<{_WIDTH}}" for cell in cells[row])
        lines += [f"|{river}|", "|" + "|".join(f"{here:<{_WIDTH}}" for here in meeples[row]) + "|"]
        lines.append(_turn_of_the_river(row) if row < SIDE - 1 else border)
    return lines


def _turn_of_the_river(row: int) -> str:
    """The line between two rows: water where the river turns, land elsewhere."""
    turning = SIDE - 1 if row % 2 == 0 else 0
    return "+" + "+".join(("~" if column == turning else "-") * _WIDTH for column in range(SIDE)) + "+"


def _cell(pack: Pack, view: np.void, secrets: np.void | None, space: int) -> str:
    table, own = view["table"], view["private"]
    if not int(table["occupied"]) >> space & 1:
        return f"{space + 1:>2} ."
    if not int(table["face_down"]) >> space & 1:
        return f"{space + 1:>2} {tile_mark(pack, int(table['tile'][space]))}"
    known = int(own["known"][space]) if secrets is None else int(secrets["tile_at"][space])
    return f"{space + 1:>2} [{'?' if known == NO_TILE else tile_mark(pack, known)}]"


def _players(pack: Pack, view: np.void, secrets: np.void | None, viewer: int | None) -> list[str]:
    table = view["table"]
    width = len(heading(0, 0)) if viewer is not None else len(heading(0, None))
    lines = ["Players: > on turn, ? asked; ready: D Dive, S Swim, U Uncover, R refresh marker."]
    for seat in range(int(table["num_players"])):
        mark = ">" if table["active"] == seat else " "
        asked = "?" if table["asked"] == seat else " "
        ready = "".join(
            letter if table[field][seat] else "-"
            for letter, field in (("D", "dive_ready"), ("S", "swim_ready"), ("U", "uncover_left"), ("R", "marker_left"))
        )
        lines.append(
            f"{mark}{asked}{heading(seat, viewer):<{width}} {ready} cards {int(table['hand_size'][seat])}  "
            f"{_role(view, secrets, seat):<28}{_hand(pack, view, secrets, seat)}"
        )
    return lines


def _role(view: np.void, secrets: np.void | None, seat: int) -> str:
    shown = Role(int(view["table"]["role"][seat]))
    if shown != Role.UNKNOWN:
        return f"{ROLE_WORDS[shown]} (revealed)"
    own = view["private"]
    known = Role(int(own["looked"][seat]))
    if seat == int(view["seat"]):
        known = Role(int(own["role"]))
    if secrets is not None:
        known = Role(int(secrets["private"][seat]["role"]))
    return "?" if known == Role.UNKNOWN else f"{ROLE_WORDS[known]} (hidden)"


def _hand(pack: Pack, view: np.void, secrets: np.void | None, seat: int) -> str:
    if secrets is not None:
        counts = secrets["private"][seat]["hand"]
    elif seat == int(view["seat"]):
        counts = view["private"]["hand"]
    else:
        return ""
    cards = [card_name(pack, card) for card, count in enumerate(counts) for _ in range(int(count))]
    return ", ".join(cards)
