"""Tables of what the default pack's tiles and cards do, for the rule-based agents.

An observation shows unseen tiles by number and cards by kind, so an agent needs the pack to know what they do. With
another pack the agents still play legally, but less well.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.content.pack import load_pack, make_params
from riverbed_env.games.riverbed_hunt.rules.board import DIAGONAL, ORTHOGONAL, swim_ends
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_CARD_KINDS, MAX_SEATS, NUM_SPACES, NUM_TILES


class Use(IntEnum):
    """What a card is good for, in the order in which the agents consider cards for play."""

    NOTHING = 0
    LOOK_AT_ROLE = 1
    STEAL = 2
    RALLY = 3
    DELUDE = 4
    BURY = 5
    SHARE = 6
    VIEW_ANY = 7
    VIEW_NEAR = 8
    SWAP = 9
    REFRESH = 10
    MOVE_ANYONE = 11
    MOVE_AND_DRAW = 12
    SLIP = 13
    SHUFFLE = 14


NUM_USES = 15


class Text(IntEnum):
    """What a tile's text offers the player who turns it up."""

    NONE = 0
    ORTHOGONAL = 1  # reveal an orthogonally adjacent tile
    DIAGONAL = 2  # reveal a diagonally adjacent tile


def _use(effects: list[str], people: set[str], scopes: set[str | None], redirects: bool) -> Use:
    """The use of a card with these effects, in this order."""
    if redirects:
        return Use.SLIP
    sequences: dict[tuple[str, ...], Use] = {
        ("flip down", "reveal"): Use.DELUDE,
        ("swap", "view"): Use.SWAP,
        ("move", "draw"): Use.MOVE_AND_DRAW,
        ("refresh", "draw"): Use.REFRESH,
        ("discard", "draw"): Use.STEAL,
    }
    if tuple(effects) in sequences:
        return sequences[tuple(effects)]
    if effects == ["view"] and people == {"self"}:
        return Use.VIEW_ANY if "any" in scopes else Use.VIEW_NEAR
    single = {
        "view": Use.SHARE,
        "reveal": Use.RALLY,
        "flip down": Use.BURY,
        "shuffle": Use.SHUFFLE,
        "move": Use.MOVE_ANYONE,
        "look at role": Use.LOOK_AT_ROLE,
        "refresh": Use.REFRESH,
    }
    return single.get(effects[0], Use.NOTHING) if len(effects) == 1 else Use.NOTHING


def _uses() -> npt.NDArray[np.int64]:
    uses = np.zeros(MAX_CARD_KINDS, np.int64)
    for kind, card in enumerate(load_pack().cards):
        effects = [instruction.effect for instruction in card.active]
        people = {instruction.who for instruction in card.active}
        scopes = {instruction.scope for instruction in card.active}
        uses[kind] = _use([str(effect) for effect in effects], set(people), set(scopes), card.non_active is not None)
    return uses


def _texts() -> npt.NDArray[np.int64]:
    texts = np.zeros(NUM_TILES + 1, np.int64)
    pack = load_pack()
    offers = {"orthogonal": Text.ORTHOGONAL, "diagonal": Text.DIAGONAL}
    for number in pack.tiles:
        for layer in pack.layers(number):
            if layer.text is not None and layer.text.effects[0].effect == "reveal":
                texts[number] = offers.get(str(layer.text.effects[0].scope), Text.NONE)
    return texts


def _neighbours(tables: Iterable[Iterable[int]]) -> npt.NDArray[np.bool_]:
    joined = np.zeros((NUM_SPACES, NUM_SPACES), np.bool_)
    for space, near in enumerate(tables):
        joined[space, list(near)] = True
    return joined


USES = _uses()  # by card kind: a Use
TEXTS = _texts()  # by tile number: a Text
FEATURES = make_params(MAX_SEATS)[0]["features"][0].astype(np.int64)  # by tile number, as in piece "known_tiles"
ORTHOGONALLY = _neighbours(ORTHOGONAL)
DIAGONALLY = _neighbours(DIAGONAL)
SWIMS = _neighbours(swim_ends(space, frozenset()) for space in range(NUM_SPACES))  # of the full board
