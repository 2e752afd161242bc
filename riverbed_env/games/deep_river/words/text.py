"""Deep River in plain English: actions, events, views, observations; from the same tables as the rules.

Sentences about the table count tiles from the salmon nest, whoever reads them; observations count from the observer's
own nest, and so do the sentences made of them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from riverbed_env.core.text import describe_pieces, event_words, view_of

from ..content.pack import Pack
from ..rules.actions import ACTIONS, MIRRORED_ACTION
from ..rules.invariants import VIOLATION_WORDS, Violation
from ..rules.look import look
from ..rules.pieces import NOW_SIZE, OBSERVATION, OBSERVATION_SIZE
from ..rules.record import event_field
from ..rules.river import in_nest
from ..rules.state import VIEW
from ..rules.vocab import (
    DOUBLE_TILE,
    EEL_NEST,
    EVENT_FIELDS,
    FIRST_SLOT,
    LAST_PROGRESS,
    NO_TOKEN,
    NUM_SEATS,
    NUM_SLOTS,
    NUM_TOKENS,
    REFUSAL_WORDS,
    SALMON_NEST,
    TILE_OF_SLOT,
    Camp,
    Ending,
    Event,
    Load,
    Question,
    Refusal,
    Tile,
)

Vector = npt.NDArray[np.int8]

CAMP_WORDS = {Camp.NONE: "nobody", Camp.SALMON: "the salmon", Camp.EEL: "the eels"}
TILE_WORDS = {
    Tile.NEST: "nest",
    Tile.BEAR: "bear",
    Tile.DRIFT: "drift",
    Tile.SWAP: "swap",
    Tile.TILT: "tilt",
    Tile.DOUBLE: "double",
}
QUESTION_WORDS = {
    Question.NONE: "nothing",
    Question.TOKEN: "a current token to carry out",
    Question.FISH: "a fish to move",
    Question.STAND: "where the moving pawn stands",
    Question.PILE: "a pile to swap",
    Question.TILT: "a current token to tilt",
    Question.DOUBLE: "whether to turn a pawn or to advance one",
    Question.PAWN: "a pawn to turn to its double face",
    Question.USE: "whether to use the tile",
}
_VERBS = {
    "WAIT": "wait",
    "TURN": "turn a pawn to its double face",
    "ADVANCE": "advance a fish by one tile",
    "USE": "use the tile",
    "LEAVE": "leave the tile unused",
}
_PLACE_VERBS = {
    Question.FISH: "move the fish {}",
    Question.STAND: "stand {}",
    Question.PILE: "swap the pile {}",
    Question.PAWN: "turn the pawn {}",
}


def describe_refusal(code: int) -> str:
    """Why the rules refuse an action."""
    return REFUSAL_WORDS[Refusal(code)]


def describe_violation(code: int) -> str:
    """Which book-keeping invariant a state breaks."""
    return VIOLATION_WORDS[Violation(code)]


def face_name(pack: Pack, token: int, face: int) -> str:
    """What a face of a token says."""
    return str(pack.tokens[token].faces[face])


def token_name(pack: Pack, token: int) -> str:
    """A token with both its faces."""
    return f"token {pack.tokens[token].name} ({face_name(pack, token, 0)} / {face_name(pack, token, 1)})"


def place_name(place: int) -> str:
    """A place: the nest of whoever it belongs to, or a tile."""
    if place < FIRST_SLOT:
        return f"the nest ({('single', 'double')[place]} face)"
    tile = int(TILE_OF_SLOT[place - FIRST_SLOT])
    if tile == DOUBLE_TILE:
        return f"tile {tile} ({('first', 'second')[place - FIRST_SLOT - DOUBLE_TILE + 1]} slot)"
    return f"tile {tile}"


def at_place(place: int) -> str:
    """Where something is, as a sentence goes on."""
    return f"{'in' if place < FIRST_SLOT else 'on'} {place_name(place)}"


def station_name(station: int) -> str:
    """Where the bear is."""
    return {SALMON_NEST: "the salmon nest", EEL_NEST: "the eel nest"}.get(station, f"tile {station}")


def describe_action(pack: Pack, game: np.void, action: int, seat: int) -> str:
    """An action as it would be meant by `seat` now, tiles as the table counts them; IndexError where there is none."""
    name, argument = ACTIONS.split(action)
    table = game["table"]
    if name == "TOKEN":
        return (
            f"carry out token {pack.tokens[argument].name} ({face_name(pack, argument, int(table['face'][argument]))})"
        )
    if name == "TILT":
        return f"tilt {token_name(pack, argument)}"
    if name == "PLACE":
        place = argument if seat == Camp.SALMON else ACTIONS.split(int(MIRRORED_ACTION[action]))[1]
        question = Question(int(table["question"]))
        return _PLACE_VERBS.get(question, "choose what is {}").format(at_place(place))
    return _VERBS[name]


EVENT_WORDS = {
    Event.TOKEN: "{actor} choose {face}",
    Event.MOVE: "{actor} move {load} from {place} to {second}{onto}",
    Event.HOME: "{actor} bring {load} from {place} into the rival nest",
    Event.BEAR: "the bear goes to {station}",
    Event.DOUBLE: "{actor} turn the pawn {at} to its double face",
    Event.SWAP: "{actor} swap the pile {at}",
    Event.TILT: "{actor} tilt {token}",
    Event.STUCK: "{actor} have no fish to move",
    Event.LEAVE: "{actor} leave {place} unused",
    Event.WIN: "{actor} win: {how}",
    Event.DRAW: "the current has run out with the bear in the middle: a draw",
    Event.TRUNCATE: "the game is cut off at the cap on turns",
}
HOW_WORDS = ("the bear is in the rival nest", "the current has run out, and the bear is nearer to the rival nest")


def at_the_table(seat: int) -> str:
    """A side by its name."""
    return CAMP_WORDS[Camp(seat)]


def from_the_observer(side: int) -> str:
    """A side as the observer calls it."""
    return ("you", "the rivals")[side]


def steps_from_your_nest(station: int) -> str:
    """Where the bear is, as the observer counts."""
    return {SALMON_NEST: "your nest", EEL_NEST: "the rival nest"}.get(station, f"tile {station} from your nest")


def load_words(load: int) -> str:
    """What moved: a pawn or a pile, and on which face."""
    face = "double" if load & Load.DOUBLE else "single"
    return f"the pile with a {face} pawn on top" if load & Load.PILE else f"the {face} pawn"


def describe_event(
    pack: Pack,
    kind: int,
    actor: int,
    place: int,
    second: int,
    thing: int,
    name: Callable[[int], str] = at_the_table,
    station: Callable[[int], str] = station_name,
) -> str:
    """An event; `name` names the side that acts, `station` where the bear goes."""
    event = Event(kind)
    token, face = divmod(thing, 2) if event == Event.TOKEN else (0, 0)
    return EVENT_WORDS[event].format(
        actor=name(actor) if actor >= 0 else "",
        place=place_name(place),
        at=at_place(place),
        second=place_name(second),
        face=f"token {pack.tokens[token].name} ({face_name(pack, token, face)})",
        load=load_words(thing),
        onto=", onto a rival pawn" if thing & Load.STACKED else "",
        station=station(thing),
        token=token_name(pack, thing) if event == Event.TILT else "",
        how=HOW_WORDS[thing] if event == Event.WIN else "",
    )


def unpack_event(word: int) -> tuple[int, int, int, int, int]:
    """(kind, actor, place, second place, thing) of an event's word; -1 for none."""
    kind, actor, place, second, thing, _ = (event_field(word, field) for field in range(EVENT_FIELDS))
    return kind, actor - 1, place - 1, second - 1, thing


def describe_events(pack: Pack, game: np.void, since: int = 0) -> list[str]:
    """The last events (at most 32), oldest first; the first `since` of the game are left out."""
    return [describe_event(pack, *unpack_event(word)) for word in event_words(game["table"], since)]


def seen_by(games: npt.NDArray[np.void], viewer: int | None) -> np.void:
    """A view; everybody sees the same table."""
    return view_of(look, VIEW, games, viewer or 0)


def describe_view(pack: Pack, view: np.void) -> str:
    """The table in sentences."""
    table = view["table"]
    lines = [_headline(table)]
    for seat in range(NUM_SEATS):
        single, double = (int(number) for number in table["nest"][seat])
        lines.append(f"In the nest of {at_the_table(seat)} (player_{seat}): {single} single, {double} double.")
    for slot in range(NUM_SLOTS):
        tile = int(TILE_OF_SLOT[slot])
        what = TILE_WORDS[Tile(int(table["tile"][tile]))]
        where = place_name(FIRST_SLOT + slot).capitalize()
        lines.append(f"{where}, {what}: {_pile(int(table['top'][slot]), int(table['under'][slot]))}.")
    for token in range(NUM_TOKENS):
        lines.append(_describe_token(pack, table, token))
    if table["ending"] == Ending.PLAYING:
        asked = int(table["asked"])
        question = QUESTION_WORDS[Question(int(table["question"]))]
        lines.append(f"player_{asked} ({at_the_table(asked)}) is asked for {question}.")
    return "\n".join(lines)


def _headline(table: np.void) -> str:
    station = int(table["bear"])
    bear = f"The bear is {'in' if in_nest(station) else 'at'} {station_name(station)}."
    if table["ending"] == Ending.TRUNCATED:
        return f"Cut off at the cap on turns. {bear}"
    if table["ending"] == Ending.PLAYING:
        return f"Turn {int(table['turn'])}. {bear}"
    if table["winner"] == Camp.NONE:
        return f"Over: a draw. {bear}"
    return f"Over: {at_the_table(int(table['winner']))} won. {bear}"


def _pawn(pawn: int) -> str:
    return f"{'single' if abs(pawn) == 1 else 'double'} {'salmon' if pawn > 0 else 'eel'}"


def _pile(top: int, under: int) -> str:
    if top == 0:
        return "empty"
    return f"{_pawn(top)} on {_pawn(under)}" if under else _pawn(top)


def _describe_token(pack: Pack, table: np.void, token: int) -> str:
    progress, face = int(table["progress"][token]), int(table["face"][token])
    at = "at the last tile" if progress == LAST_PROGRESS else f"at tile {EEL_NEST - 1 - progress}"
    notes = [
        words
        for words, there in (
            ("being carried out", table["token"] != NO_TOKEN and table["token"] == token),
            ("tilted against the side on turn", int(table["barred"]) >> token & 1),
            ("tilted against the other side", int(table["tilted"]) >> token & 1),
        )
        if there
    ]
    more = f", {', '.join(notes)}" if notes else ""
    up, down = face_name(pack, token, face), face_name(pack, token, 1 - face)
    return f"Token {pack.tokens[token].name}: {at}, {up} up, {down} down{more}."


def describe_state(pack: Pack, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """The game in sentences; nothing is hidden, so every viewer reads the same."""
    return describe_view(pack, seen_by(games, viewer))


def describe_observation(pack: Pack, vector: Vector) -> str:
    """An observation, or the part of it that view "now" has, piece by piece; zeros are left out."""
    return describe_pieces(
        vector,
        OBSERVATION,
        (NOW_SIZE, OBSERVATION_SIZE),
        tell={"events": lambda events: _relative_events(pack, events)},
    )


def _relative_events(pack: Pack, events: Vector) -> list[str]:
    """Events of an observation, newest first, as the observer counts the tiles."""
    said = []
    for kind, actor, place, second, thing, _ in events.tolist():
        if kind:
            event = (kind, actor - 1, place - 1, second - 1, thing)
            said.append("event: " + describe_event(pack, *event, from_the_observer, steps_from_your_nest))
    return said
