"""Deep River in plain English: actions, events, views, observations; from the same tables as the rules.

Sentences about the table count tiles from the salmon nest for every reader. Observations, and the sentences made from
them, count from the observer's own nest.
"""

from typing import Any

import numpy as np

from riverbed_env.core import text as common
from riverbed_env.core.text import Gap, Name, number_gap
from riverbed_env.kernels.compile import Records

from ..content.pack import Pack
from ..rules import vocab as v
from ..rules.actions import ACTIONS, MIRRORED_ACTION
from ..rules.invariants import Violation
from ..rules.state import VIEW, in_nest, look

WORDS = common.read_words(__file__)


def effect_of(tile: v.Tile) -> str:
    """What a tile does."""
    return WORDS["effect"][tile.name]


describe_refusal = common.describer(v.Refusal)
describe_violation = common.describer(Violation)


def face_name(pack: Pack, token: int, face: int) -> str:
    """What a face of a token says."""
    return str(pack.tokens[token].faces[face])


def place_name(place: int) -> str:
    """A place of its owner: the nest, or a tile."""
    if place < v.FIRST_SLOT:
        return f"the nest ({('single', 'double')[place]} face)"
    tile = int(v.TILE_OF_SLOT[place - v.FIRST_SLOT])
    if tile == v.DOUBLE_TILE:
        return f"tile {tile} ({('first', 'second')[place - v.FIRST_SLOT - v.DOUBLE_TILE + 1]} slot)"
    return f"tile {tile}"


def at_place(place: int) -> str:
    """Where something is, with a preposition."""
    return f"{'in' if place < v.FIRST_SLOT else 'on'} {place_name(place)}"


def station_name(station: int) -> str:
    """Where the bear is."""
    return {v.SALMON_NEST: "the salmon nest", v.EEL_NEST: "the eel nest"}.get(station, f"tile {station}")


def describe_action(pack: Pack, game: np.void, action: int, seat: int) -> str:
    """What an action means for `seat` now, tiles counted from the salmon nest. Raises IndexError if there is none."""
    name, argument = ACTIONS.split(action)
    table = game["table"]
    if name == "TOKEN":
        return f"carry out {face_words(pack, argument, int(table['face'][argument]))}"
    if name == "TILT":
        up, down = (face_name(pack, argument, int(table["face"][argument]) ^ turned) for turned in (0, 1))
        return f"tilt token {pack.tokens[argument].name} ({up} up, {down} down)"
    if name == "PLACE":
        place = argument if seat == v.Camp.SALMON else ACTIONS.split(int(MIRRORED_ACTION[action]))[1]
        question = v.Question(int(table["question"]))
        return WORDS["place"].get(question.name, "choose what is {}").format(at_place(place))
    return ACTIONS.words(name)


def at_the_table(seat: int) -> str:
    """A side by its name."""
    return v.Camp(seat).words


def _token(pack: Pack, event: Any, name: Name) -> str:
    token = pack.tokens[event.thing]
    return f"token {token.name} ({' / '.join(map(str, token.faces))})"


def face_words(pack: Pack, token: int, face: int) -> str:
    """A token by the face that is up."""
    return f"token {pack.tokens[token].name} ({face_name(pack, token, face)})"


def load_words(load: int) -> str:
    """What moved: a pawn or a pile, and on which face."""
    face = "double" if load & v.Load.DOUBLE else "single"
    return f"the pile with a {face} pawn on top" if load & v.Load.PILE else f"the {face} pawn"


HOW_WORDS = ("the bear is in the rival nest", "the current has run out, and the bear is nearer to the rival nest")
FACE_CODES = "2 × token + face that was up, in the pack's order"
EVENTS = common.EventTable(
    v.EVENTS,
    {
        "place": number_gap("place", "P", words=place_name),
        "at": number_gap("place", "at P", words=at_place),
        "second": number_gap("second", "Q", words=place_name),
        "load": number_gap("thing", "load X", "bits of a load", load_words),
        "onto": number_gap("thing", "", words=lambda load: ", onto a rival pawn" if load & v.Load.STACKED else ""),
        "station": number_gap("thing", "X", f"steps from the observer's nest, 0 to {v.EEL_NEST}", station_name),
        "face": Gap(lambda pack, event, name: face_words(pack, *divmod(event.thing, 2)), "a face X", FACE_CODES),
        "token": Gap(_token, "token X", "token, from 0"),
        "how": number_gap("thing", "way X", common.coded(enumerate(HOW_WORDS)), HOW_WORDS.__getitem__),
    },
    at_the_table,
)


describe_events = EVENTS.describe


# --- the table --------------------------------------------------------------------------------------------------------


def describe_state(pack: Pack, games: Records, params: Records, viewer: int | None) -> str:
    """The game in sentences. Nothing is hidden; the viewer is addressed as "you"."""
    table = common.view_of(look, VIEW, games[0], viewer or 0)["table"]  # everybody sees the same
    station = int(table["bear"])
    bear = f"The bear is {'in' if in_nest(station) else 'at'} {station_name(station)}."
    lines = [f"{state_of_play(pack, games, params, viewer)}. Turn {int(table['turn'])}. {bear}"]
    for seat in range(v.NUM_SEATS):
        single, double = (int(number) for number in table["nest"][seat])
        agent = f"player_{seat}{', you' if seat == viewer else ''}"
        lines.append(f"In the nest of {at_the_table(seat)} ({agent}): {single} single, {double} double.")
    for slot in range(v.NUM_SLOTS):
        tile = int(v.TILE_OF_SLOT[slot])
        what = v.Tile(int(table["tile"][tile])).words
        where = place_name(v.FIRST_SLOT + slot).capitalize()
        pawns = [pawn_words(int(table[at][slot])) for at in ("top", "under") if table[at][slot]]
        lines.append(f"{where}, {what}: {' on '.join(pawns) or 'empty'}.")
    lines += [_describe_token(pack, table, token) for token in range(v.NUM_TOKENS)]
    return "\n".join(lines)


def state_of_play(pack: Pack, games: Records, params: Records, viewer: int | None) -> str:
    """Who has to choose what, or how the game ended."""
    table = games[0]["table"]
    if table["ending"] != v.Ending.PLAYING:
        return result(pack, games, params, viewer)
    task = v.Question(int(table["question"])).task + _which_of_two(table, params)
    return common.whose_turn(task, int(table["asked"]), viewer, lambda seat: f"player_{seat} ({at_the_table(seat)})")


def _which_of_two(table: np.void, params: Records) -> str:
    """Which fish of the face *twice* is chosen, if one is."""
    token = int(table["token"])
    if table["question"] != v.Question.FISH or table["purpose"] != v.Purpose.FACE or token == v.NO_TOKEN:
        return ""
    twice = params[0]["kind"][token, int(table["face"][token])] == v.Face.TWICE
    return f" ({2 - int(table['moves_left'])} of 2)" if twice else ""


def result(pack: Pack, games: Records, params: Records, viewer: int | None) -> str:
    """How a finished game ended, said to `viewer`: "You lost: the eels won, as …"."""
    table = games[0]["table"]
    if table["ending"] == v.Ending.TRUNCATED:
        return "The game was cut off at the cap on turns"
    winner = int(table["winner"])
    if winner == v.Camp.NONE:
        return "A draw: the current has run out with the bear in the middle"
    won, loser = f"{at_the_table(winner)} won", at_the_table(1 - winner)
    ran_out = f"the current has run out with the bear nearer to the nest of {loser}"
    why = f"the bear is in the nest of {loser}" if in_nest(int(table["bear"])) else ran_out
    if viewer is None:
        return f"{won[0].upper()}{won[1:]}: {why}"
    return f"You won: {why}" if winner == viewer else f"You lost: {won}, as {why}"


def pawn_words(pawn: int) -> str:
    """A pawn in words: 1 and 2 are salmon on their single and double face, -1 and -2 eels."""
    return f"{'single' if abs(pawn) == 1 else 'double'} {'salmon' if pawn > 0 else 'eel'}"


def _describe_token(pack: Pack, table: np.void, token: int) -> str:
    progress, face = int(table["progress"][token]), int(table["face"][token])
    at = "at the last tile" if progress == v.LAST_PROGRESS else f"at tile {v.EEL_NEST - 1 - progress}"
    notes = [
        words
        for words, there in (
            ("being carried out", table["token"] != v.NO_TOKEN and table["token"] == token),
            ("tilted against the side on turn", int(table["barred"]) >> token & 1),
            ("tilted against the other side", int(table["tilted"]) >> token & 1),
        )
        if there
    ]
    more = f", {', '.join(notes)}" if notes else ""
    up, down = face_name(pack, token, face), face_name(pack, token, 1 - face)
    return f"Token {pack.tokens[token].name}: {at}, {up} up, {down} down{more}."


# --- help for a person at the table -----------------------------------------------------------------------------------


def goal(pack: Pack, games: Records, params: Records, seat: int) -> str:
    """Which side a seat plays and how it wins."""
    rivals = at_the_table(1 - seat)
    return (
        f"You are {at_the_table(seat)}. You win if the bear comes into the nest of {rivals}, or is nearer to it when "
        "the current has run out. Each fish of yours that comes into that nest drives the bear towards it: a single "
        "pawn one tile, a double pawn two."
    )


def explain(pack: Pack, games: Records, params: Records, seat: int) -> list[str]:
    """What the tiles of the river and the faces of tokens do, how pawns move, and when the game ends."""
    tiles = {v.Tile(int(tile)) for tile in games[0]["table"]["tile"]}
    return [
        *WORDS["basics"].values(),
        *(f"{tile.words} tile: {effect_of(tile)}" for tile in v.Tile if tile and tile in tiles),
    ]
