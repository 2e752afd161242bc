"""Deep River as a scene: the river, the two sides, the tokens. Nothing is hidden, so all see the same."""

from riverbed_env.core.frame import Table
from riverbed_env.core.scene import Panel

from ..rules import vocab as v
from ..rules.actions import ACTIONS
from ..rules.state import clipped, direction, in_nest
from ..words.text import WORDS, effect_of, face_name
from .beside import sides, tokens
from .river import destination, river, what_moves

RULES = WORDS["rules"]


def draw(table: Table) -> list[Panel]:
    """The river in the middle; beside it the sides and the tokens."""
    return [river(table), sides(table), tokens(table)]


def clock(table: Table) -> str:
    """The turn."""
    return f"Turn {int(table['turn'])}"


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
