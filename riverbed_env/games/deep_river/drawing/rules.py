"""The rule of Deep River behind each choice, with a sentence of its rules page; a test compares the two."""

from __future__ import annotations

import numpy as np

from riverbed_env.core.frame import Table

from ..rules.actions import ACTIONS
from ..rules.state import in_nest
from ..rules.vocab import FIRST_SLOT, MIRRORED_PLACE, NO_TOKEN, TILE_OF_SLOT, Camp, Face, Purpose, Question, Tile
from ..words.text import EFFECT_WORDS, face_name
from .moves import bear_moved, destination, last_turn
from .river import what_moves

RULES = {
    "DR-2.1": "The mover chooses one of the tokens that are not tilted against it (DR-3.1) and carries out the face "
    "that is up.",
    "DR-2.2": "A face with a number moves one pawn of the mover so many tiles towards the rival nest, neither fewer "
    "nor more.",
    "DR-2.3": "A pawn that moves alone must stand on a lone rival where there is one, even beside an empty slot; where "
    "there are two, the mover chooses.",
    "DR-2.2/bear": "Bear moves a pawn one tile, the tile it comes to works, and then the bear moves one tile.",
    "DR-2.2/twice": "Twice moves a pawn one tile, two times: the mover chooses a pawn each time, the same one or "
    "another, and after each move the tile it came to works.",
    "DR-3.1": "When a pawn has ended a move that a token's face gave it, the tile it stands on works.",
    "DR-3.1/drift": "A pawn that a drift tile has moved sets no tile to work.",
    "DR-3.2": "A pawn that came to the double tile on its single face gets the first effect; a pawn on its double face "
    "gets one of the two, and the mover chooses which.",
    "DR-3.2/turn": "One turns a pawn of the mover, which must not be covered, from its single to its double face, "
    "wherever it is, in the nest too.",
    "DR-3.2/advance": "The other moves a pawn of the mover one tile on; that tile's effect may then be used.",
}
_OF_QUESTION = {
    Question.TOKEN: "DR-2.1",
    Question.FISH: "DR-2.2",
    Question.STAND: "DR-2.3",
    Question.PILE: "DR-3.1",
    Question.TILT: "DR-3.1",
    Question.DOUBLE: "DR-3.2",
    Question.PAWN: "DR-3.2/turn",
    Question.USE: "DR-3.2/advance",
}
_OF_ACTION = {"TURN": "DR-3.2/turn", "ADVANCE": "DR-3.2/advance"}
_OF_PURPOSE = {Purpose.DRIFT: "DR-3.1/drift", Purpose.ADVANCE: "DR-3.2/advance"}
_OF_FACE = {Face.BEAR: "DR-2.2/bear", Face.TWICE: "DR-2.2/twice"}


def rule_of(table: Table, action: int) -> str:
    """The rule behind a choice: that of its question, of the face or tile that moves a fish, or of what uses a tile."""
    game = table.game["table"]
    question, purpose = Question(int(game["question"])), Purpose(int(game["purpose"]))
    name, _ = ACTIONS.split(action)
    if question == Question.FISH:
        token = int(game["token"])
        face = Face.NUMBER if token == NO_TOKEN else Face(int(table.params["kind"][token, int(game["face"][token])]))
        return _OF_PURPOSE.get(purpose) or _OF_FACE.get(face, "DR-2.2")
    if question in (Question.PILE, Question.TILT) and purpose == Purpose.ADVANCE:
        return "DR-3.2/advance"
    return _OF_ACTION.get(name) or _OF_QUESTION.get(question, "")


def help_of(table: Table, action: int) -> str:
    """What the token does; where the fish comes to; what turning does; what the tile does that works or may be used."""
    name, number = ACTIONS.split(action)
    if name == "TOKEN":
        return _taken(table, number)
    game = table.game["table"]
    question = Question(int(game["question"]))
    if name == "PLACE" and question == Question.FISH:
        return _arrival(table, number)
    return _OF_CHOICE.get(name) or _OF_PLACE.get(question) or _tile_words(game)


_OF_CHOICE = {
    "WAIT": "",
    "TILT": "The rival can't choose it in the next turn.",
    "TURN": "It then shows two fish, and drives the bear two tiles when it comes into the rival nest.",
    "ADVANCE": "The tile it comes to may then be used.",
    "LEAVE": "Nothing more happens with this fish.",
}
_OF_PLACE = {
    Question.STAND: "It covers what stands there: a covered pawn can't move, and is carried along.",
    Question.PILE: "The pawn below comes to the top, so the pile becomes the other side's.",
    Question.PAWN: "It then shows two fish, and drives the bear two tiles when it comes into the rival nest.",
}


def _tile_words(game: np.void) -> str:
    """What the tile does that works, or may be used; of a bear tile, where the bear then goes."""
    place = int(game["arrived"])
    if place < FIRST_SLOT:
        return ""
    kind = Tile(int(game["tile"][int(TILE_OF_SLOT[place - FIRST_SLOT])]))
    if kind == Tile.BEAR:
        return f"The bear goes {bear_moved(game, 1)}."
    return f"The {kind.words} tile: {EFFECT_WORDS[kind]}."


def _taken(table: Table, number: int) -> str:
    """What follows when a token is taken."""
    face = int(table.game["table"]["face"][number])
    down = face_name(table.pack, number, 1 - face)
    drifts = f"{what_moves(table, number).capitalize()}. Then the token drifts one tile down and turns over to {down}."
    return drifts + last_turn(table, number)


def _arrival(table: Table, number: int) -> str:
    """Where a fish comes to, and what follows there. number: its place, as its side counts places."""
    game = table.game["table"]
    place = number if int(game["active"]) == Camp.SALMON else int(MIRRORED_PLACE[number])
    station, counted_to = destination(table, place)
    past = f", as tile {counted_to} has no room for it" if station != counted_to else ""
    if in_nest(station):
        shown = 1 + place if place < FIRST_SLOT else abs(int(game["top"][place - FIRST_SLOT]))
        return f"It comes into the rival nest{past}; the bear goes {bear_moved(game, shown)}."
    kind = Tile(int(game["tile"][station]))
    does = f": {EFFECT_WORDS[kind]}" if int(game["purpose"]) != Purpose.DRIFT else ", which doesn't work now"
    return f"It comes to tile {station}, {kind.words}{past}{does}."
