"""Riverbed Hunt drawn as text: the 4 x 4 river, the tracks, the players, the last events.

A seat's picture is drawn from its view and from public events alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..content.pack import Pack
from ..rules.board import SIDE, place_of
from ..rules.vocab import MAX_SEATS, NO_TILE, NUM_SPACES, Camp, Element, Ending, Question, Role
from .text import QUESTION_WORDS, ROLE_WORDS, card_name, describe_events, seen_by

_WIDTH = 16
_EVENTS = 8
_LETTERS = {Element.KELP: "K", Element.LOG: "L", Element.COIN: "C"}
_WINNERS = {Camp.MERCHANTS: "the merchants win", Camp.SEPARATISTS: "the separatists win", Camp.PROFITEER: "coins win"}


def draw(pack: Pack, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """The game as seat `viewer` knows it; None shows hidden tiles, roles and hands too."""
    view = seen_by(games, viewer)
    secrets = games[0] if viewer is None else None
    lines = [
        _title(view, params[0], viewer),
        *_board(pack, view, secrets),
        *_players(pack, view, secrets),
        "Last events:",
        *(f"  {words}" for words in describe_events(pack, games[0])[-_EVENTS:]),
    ]
    return "\n".join(lines)


def _title(view: np.void, params: np.void, viewer: int | None) -> str:
    table = view["table"]
    tracks = "   ".join(
        f"{Element(track).name.lower()} {_bar(int(table['tracks'][track]), int(params['endpoints'][track]))}"
        for track in range(3)
    )
    who = "all is shown" if viewer is None else f"as player_{viewer} sees it"
    return f"Riverbed Hunt, turn {int(table['turn'])} ({who})   {tracks}   {_state_of_play(table)}"


def _bar(reached: int, endpoint: int) -> str:
    return f"{'#' * min(reached, endpoint)}{'.' * max(0, endpoint - reached)} {reached}/{endpoint}"


def _state_of_play(table: np.void) -> str:
    if table["ending"] == Ending.WON:
        return f"over: {_WINNERS[Camp(int(table['winner']))]}"
    if table["ending"] == Ending.TRUNCATED:
        return "cut off at the cap on decisions"
    return f"player_{int(table['asked'])} is asked for {QUESTION_WORDS[Question(int(table['question']))]}"


def tile_mark(pack: Pack, tile: int) -> str:
    """A tile in a few letters: number, layers from the top, * for the hunt icon."""
    layers = [
        f"<{layer.text.name}>" if layer.text else _LETTERS[layer.element] * layer.amount for layer in pack.layers(tile)
    ]
    return f"{tile}:{'|'.join(layers)}{'*' if pack.tiles[tile].hunt else ''}"


def _board(pack: Pack, view: np.void, secrets: np.void | None) -> list[str]:
    """Four rows of cells; ~ joins along the river, # ends of rows go down at the side the river turns."""
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


def _players(pack: Pack, view: np.void, secrets: np.void | None) -> list[str]:
    table = view["table"]
    lines = ["Players (> on turn, ? asked; D Dive, S Swim, U Uncover, R refresh marker ready):"]
    for seat in range(int(table["num_players"])):
        mark = ">" if table["active"] == seat else " "
        asked = "?" if table["asked"] == seat else " "
        ready = "".join(
            letter if table[field][seat] else "-"
            for letter, field in (("D", "dive_ready"), ("S", "swim_ready"), ("U", "uncover_left"), ("R", "marker_left"))
        )
        lines.append(
            f"{mark}{asked}player_{seat}  {ready}  cards {int(table['hand_size'][seat])}  "
            f"{_role(view, secrets, seat):<32}{_hand(pack, view, secrets, seat)}".rstrip()
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
