"""The rule of Deep River behind each choice, with a sentence of its rules page; a test compares the two."""

from __future__ import annotations

from riverbed_env.core.frame import Table

from ..rules.actions import ACTIONS
from ..rules.fish import landing
from ..rules.vocab import (
    EEL_NEST,
    FIRST_SLOT,
    MIRRORED_PLACE,
    SALMON_NEST,
    TILE_OF_SLOT,
    Camp,
    Purpose,
    Question,
    Tile,
)
from ..words.text import EFFECT_WORDS, TILE_WORDS, face_name
from .river import what_moves

RULES = {
    "DR-2.1": "The mover chooses one of the tokens that are not tilted against it (DR-3.1) and carries out the face "
    "that is up.",
    "DR-2.2": "A face with a number moves one pawn of the mover so many tiles towards the rival nest, neither fewer "
    "nor more.",
    "DR-2.3": "A pawn that moves alone must stand on a lone rival where there is one, even beside an empty slot; where "
    "there are two, the mover chooses.",
    "DR-3.1": "When a pawn has ended a move that a token's face gave it, the tile it stands on works.",
    "DR-3.2": "A pawn that came to the double tile on its single face gets the first effect; a pawn on its double face "
    "gets one of the two, and the mover chooses which.",
}
_OF_QUESTION = {
    Question.TOKEN: "DR-2.1",
    Question.FISH: "DR-2.2",
    Question.STAND: "DR-2.3",
    Question.PILE: "DR-3.1",
    Question.TILT: "DR-3.1",
    Question.DOUBLE: "DR-3.2",
    Question.PAWN: "DR-3.2",
    Question.USE: "DR-3.2",
}
_OF_PURPOSE = {Purpose.DRIFT: "DR-3.1", Purpose.ADVANCE: "DR-3.2"}


def rule_of(table: Table, action: int) -> str:
    """The rule behind a choice: that of its question, or of the tile that moves a fish."""
    game = table.game["table"]
    question = Question(int(game["question"]))
    if question == Question.FISH:
        return _OF_PURPOSE.get(Purpose(int(game["purpose"])), "DR-2.2")
    return _OF_QUESTION.get(question, "")


def help_of(table: Table, action: int) -> str:
    """What the token does; where the fish comes to; what the tile does that works, or that may be used."""
    name, number = ACTIONS.split(action)
    if name == "TOKEN":
        return _taken(table, number)
    if name == "PLACE" and int(table.game["table"]["question"]) == Question.FISH:
        return _arrival(table, number)
    place = int(table.game["table"]["arrived"])
    if name == "WAIT" or place < FIRST_SLOT:
        return ""
    kind = Tile(int(table.game["table"]["tile"][int(TILE_OF_SLOT[place - FIRST_SLOT])]))
    return f"The {TILE_WORDS[kind]} tile: {EFFECT_WORDS[kind]}."


def _taken(table: Table, number: int) -> str:
    """What follows when a token is taken."""
    face = int(table.game["table"]["face"][number])
    down = face_name(table.pack, number, 1 - face)
    return f"{what_moves(table, number).capitalize()}. Then the token drifts one tile down and turns over to {down}."


def _arrival(table: Table, number: int) -> str:
    """Where a fish comes to, and what the tile there does. number: its place, as its side counts places."""
    game = table.game["table"]
    seat = int(game["active"])
    place = number if seat == Camp.SALMON else int(MIRRORED_PLACE[number])
    nest = SALMON_NEST if seat == Camp.SALMON else EEL_NEST
    origin = nest if place < FIRST_SLOT else int(TILE_OF_SLOT[place - FIRST_SLOT])
    pile = place >= FIRST_SLOT and bool(game["under"][place - FIRST_SLOT])
    station = int(landing(game, table.params, seat, origin, int(game["steps"]), pile))
    if station in (SALMON_NEST, EEL_NEST):
        return "It comes into the rival nest and drives the bear towards it."
    kind = Tile(int(game["tile"][station]))
    does = f": {EFFECT_WORDS[kind]}" if int(game["purpose"]) != Purpose.DRIFT else ", which doesn't work now"
    return f"It comes to tile {station}, {TILE_WORDS[kind]}{does}."
