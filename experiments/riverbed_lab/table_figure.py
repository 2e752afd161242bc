"""A picture of Riverbed Hunt's table: the river with its tiles and meeples, the tracks, and the players' roles.

It is drawn from a view, so it shows what that seat may know; tiles and roles that it can't know are shown from a full
record only where one is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.content.pack import Pack
from riverbed_env.games.riverbed_hunt.content.summary import CAMP_NAMES
from riverbed_env.games.riverbed_hunt.rules.board import SIDE, place_of
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    CAMP_OF,
    NO_SPACE,
    NO_TILE,
    NUM_SPACES,
    NUM_TRACKS,
    PUBLIC,
    Element,
    Role,
)
from riverbed_env.games.riverbed_hunt.words.text import ROLE_WORDS

from .report.canvas import AGENT_COLOURS, COLOURS, FAINT, INK, QUIET, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WATER = "#cfe5f2"
TILE = 0.78  # side of a tile; spaces are 1 apart
BACK = "#e9e6df"  # of a tile that lies face-down
SEAT_COLOURS = (*AGENT_COLOURS, "#0b6e4f")  # a colour for each of nine seats
ELEMENT_COLOURS = {Element(camp): COLOURS[name] for camp, name in enumerate(CAMP_NAMES)}  # a camp's track is its colour


def draw_table(pack: Pack, settings: npt.NDArray[np.void], view: np.void, everything: np.void | None = None) -> Figure:
    """The table as one seat knows it, from its view, a record that `look` gives; a new figure, 7 x 4.6 inches.

    settings: the game's, shape (1,), of an environment or a batch. everything: the game's own record, from which all
    tiles and roles are shown. A face-down tile that is known has a dashed edge, a meeple on turn a dark one; H is the
    hunt icon.
    """
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(7, 4.6), layout="constrained")
        river, side = figure.subplots(1, 2, width_ratios=(1.45, 1))
        _draw_river(river)
        for space in range(NUM_SPACES):
            _draw_space(river, pack, view, everything, space)
        _draw_meeples(river, view)
        _draw_tracks(side, view, settings)
        _draw_players(side, view, everything)
        observer = int(view["seat"])
        who = "all is shown" if everything is not None else f"as player_{observer} sees it"
        figure.suptitle(
            f"Turn {int(view['table']['turn'])}, {'as everybody sees it' if observer == PUBLIC else who}", fontsize=10
        )
    return figure


def _centre(space: int) -> tuple[float, float]:
    row, column = place_of(space)
    return float(column), -float(row)


def _draw_river(axis: Axes) -> None:
    """The water: one wide line from the first space to the last."""
    across, up = zip(*(_centre(space) for space in range(NUM_SPACES)), strict=True)
    axis.plot(across, up, color=WATER, linewidth=26, solid_capstyle="round", solid_joinstyle="round", zorder=0)
    axis.set_xlim(-0.55, SIDE - 0.45)
    axis.set_ylim(-SIDE + 0.45, 0.55)
    axis.set_aspect("equal")
    axis.axis("off")


def _draw_space(axis: Axes, pack: Pack, view: np.void, everything: np.void | None, space: int) -> None:
    """The tile on a space: its layers if it is face-up or known, its back if not, nothing where none lies."""
    across, up = _centre(space)
    axis.text(across - 0.46, up + 0.43, str(space + 1), fontsize=6, color=QUIET, ha="center", va="center", zorder=3)
    if not int(view["table"]["occupied"]) >> space & 1:
        return
    face_up = not int(view["table"]["face_down"]) >> space & 1
    tile = _tile_on(view, everything, space, face_up)
    left, low = across - TILE / 2, up - TILE / 2
    _box(axis, left, low, TILE, facecolor=BACK, edgecolor="none", zorder=1)
    if tile == NO_TILE:
        axis.text(across, up + 0.08, "?", fontsize=14, color="#b5afa2", ha="center", va="center", zorder=2)
    else:
        _draw_layers(axis, pack, tile, left, low, alpha=0.9 if face_up else 0.4)
    known = not face_up and tile != NO_TILE
    _box(
        axis, left, low, TILE, facecolor="none", edgecolor=INK if face_up else QUIET, linewidth=1.1 if face_up else 0.8,
        linestyle=(0, (2.5, 1.5)) if known else "-", zorder=2,
    )  # fmt: skip


def _tile_on(view: np.void, everything: np.void | None, space: int, face_up: bool) -> int:
    """The number of a tile that lies open or is known, else NO_TILE."""
    if face_up:
        return int(view["table"]["tile"][space])
    return int(view["private"]["known"][space]) if everything is None else int(everything["tile_at"][space])


def _box(axis: Axes, left: float, low: float, side: float, **look: Any) -> None:
    from matplotlib.patches import FancyBboxPatch

    axis.add_patch(FancyBboxPatch((left, low), side, side, boxstyle="round,pad=0,rounding_size=0.06", **look))


def _draw_layers(axis: Axes, pack: Pack, tile: int, left: float, low: float, alpha: float) -> None:
    """A stripe for each layer, the topmost above; the lowest part is left free for meeples."""
    layers = pack.layers(tile)
    height = (TILE - 0.3) / len(layers)
    for number, layer in enumerate(layers):
        bottom = low + TILE - 0.02 - (number + 1) * height
        colour = FAINT if layer.text else ELEMENT_COLOURS[layer.element]
        axis.fill_between([left + 0.02, left + TILE - 0.02], bottom, bottom + height, color=colour, alpha=alpha,
                          linewidth=0, zorder=1.5)  # fmt: skip
        words = f"text {layer.text.name}" if layer.text else f"{layer.amount} {layer.element.name.lower()}"
        axis.text(left + TILE / 2, bottom + height / 2, words, fontsize=6.5, color=INK, ha="center", va="center",
                  zorder=2)  # fmt: skip
    if pack.tiles[tile].hunt:
        axis.text(left + TILE - 0.1, low + 0.1, "H", fontsize=7, color="#b03030", fontweight="bold", ha="center",
                  va="center", zorder=2)  # fmt: skip


def _draw_meeples(axis: Axes, view: np.void) -> None:
    """A numbered dot for each meeple, side by side at the lower edge of its space."""
    table = view["table"]
    places = [int(space) for space in table["position"][: int(table["num_players"])]]
    for seat, space in enumerate(places):
        if space == NO_SPACE:
            continue
        here = [other for other, place in enumerate(places) if place == space]
        across, up = _centre(space)
        apart = min(0.155, 0.6 / max(len(here) - 1, 1))  # a crowd moves closer together
        _draw_seat(axis, across - 0.3 + apart * here.index(seat), up - 0.27, seat, seat == int(table["active"]))


def _draw_seat(axis: Axes, across: float, up: float, seat: int, on_turn: bool) -> None:
    axis.plot(across, up, marker="o", markersize=9, color=SEAT_COLOURS[seat], zorder=4,
              markeredgecolor=INK if on_turn else "white", markeredgewidth=1.6 if on_turn else 0.7)  # fmt: skip
    axis.text(across, up, str(seat), color="white", fontsize=6, fontweight="bold", ha="center", va="center_baseline",
              zorder=5)  # fmt: skip


def _draw_tracks(axis: Axes, view: np.void, settings: npt.NDArray[np.void]) -> None:
    """How far each camp's element has come, as a bar up to where it ends the game."""
    axis.set_xlim(0, 1)
    axis.set_ylim(-12.4, 1.2)
    axis.axis("off")
    for track in range(NUM_TRACKS):
        reached, end = int(view["table"]["tracks"][track]), int(settings["endpoints"][0][track])
        colour = ELEMENT_COLOURS[Element(track)]
        axis.barh(-track, 0.5, left=0.3, height=0.55, color=FAINT, linewidth=0)
        axis.barh(-track, 0.5 * min(reached / end, 1.0), left=0.3, height=0.55, color=colour, linewidth=0)
        axis.text(0.27, -track, Element(track).name.lower(), ha="right", va="center", color=INK, fontweight="bold")
        axis.text(0.83, -track, f"{reached} of {end}", va="center", color=QUIET)


def _draw_players(axis: Axes, view: np.void, everything: np.void | None) -> None:
    """Who sits where, with the role as far as it is known, in the colour of its camp."""
    for seat in range(int(view["table"]["num_players"])):
        up = -3.6 - seat
        _draw_seat(axis, 0.1, up, seat, seat == int(view["table"]["active"]))
        role, shown = _role_of(view, everything, seat)
        colour = QUIET if role == Role.UNKNOWN else COLOURS[CAMP_NAMES[CAMP_OF[role]]]
        words = "?" if role == Role.UNKNOWN else f"{ROLE_WORDS[role]}{'' if shown else ' (hidden)'}"
        you = "  you" if seat == int(view["seat"]) else ""
        axis.text(0.18, up, words + you, va="center", color=colour, fontweight="bold" if shown else "normal")


def _role_of(view: np.void, everything: np.void | None, seat: int) -> tuple[Role, bool]:
    """A seat's role as far as it is known, and whether everybody was shown it."""
    shown = Role(int(view["table"]["role"][seat]))
    if shown != Role.UNKNOWN:
        return shown, True
    if everything is not None:
        return Role(int(everything["private"][seat]["role"])), False
    if seat == int(view["seat"]):
        return Role(int(view["private"]["role"])), False
    return Role(int(view["private"]["looked"][seat])), False
