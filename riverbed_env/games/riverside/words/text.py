"""Riverside in plain English: actions, events, views, observations; from the same tables as the rules.

Everything said on a seat's behalf is said from its view (RS-5.1): nothing here reads a game for a seat but `look`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from riverbed_env.core.text import at_the_table, describe_pieces, event_words, view_of
from riverbed_env.kernels.common import byte_of

from ..content.pack import Pack
from ..rules.actions import ACTIONS, DIE_WAYS
from ..rules.invariants import VIOLATION_WORDS, Violation
from ..rules.look import look
from ..rules.pieces import NOW_SIZE, OBSERVATION, OBSERVATION_SIZE, STATE
from ..rules.scoring import band, boat_points, captain_points
from ..rules.state import VIEW
from ..rules.vocab import (
    CHURCH,
    NO_TILE,
    NUM_BOATS,
    NUM_COLOURS,
    NUM_DICE,
    REFUSAL_WORDS,
    ROWS,
    Boat,
    Charge,
    Ending,
    Event,
    Green,
    Phase,
    Power,
    Question,
    Refusal,
)

Vector = npt.NDArray[np.int8]

BOAT_WORDS = {
    Boat.WHITE: "white",
    Boat.YELLOW: "yellow",
    Boat.BROWN: "brown",
    Boat.BLUE: "blue",
    Boat.PINK: "pink",
    Boat.CHURCH: "stave church",
}
POWER_WORDS = {
    Power.EARLY_BIRDS: "Early birds",
    Power.FAN_BASE: "Fan base",
    Power.PRIZE_TICKET: "Prize ticket",
    Power.WARM_NIGHT: "Warm night",
    Power.SPEED_BOAT: "Speed boat",
}
GREEN_WORDS = {
    Green.WITHOUT: "",
    Green.WITH: " and the green die",
    Green.WARM: " and the green die on Warm night",
}
PHASE_WORDS = {Phase.DICE: "dice and seats", Phase.EXCURSIONS: "excursions", Phase.OVER: "over"}
QUESTION_WORDS = {
    Question.NONE: "nothing more in this phase",
    Question.DIE: "dice to take",
    Question.SEAT: "the row of the next seat",
    Question.VILLAGE: "a village to go to, or to stay",
    Question.SECOND: "a second village",
    Question.FAST: "a village to go to on Speed boat",
    Question.SCORE: "a boat to score",
    Question.MORE: "another boat to score, Early birds, or to be done",
}
BAND_WORDS = (
    "below every mark",
    "a trainee's work",
    "decent work",
    "good work",
    "very good work",
    "impressive",
    "fantastic",
    "excellent",
    "among the best there are",
    "unheard of",
)
_VERBS = {
    "WAIT": "wait",
    "STAY": "stay: no excursion this round",
    "SPEED": "call Speed boat",
    "EARLY": "call Early birds",
    "DONE": "score nothing more",
}


def describe_refusal(code: int) -> str:
    """Why the rules refuse an action."""
    return REFUSAL_WORDS[Refusal(code)]


def describe_violation(code: int) -> str:
    """Which book-keeping invariant a state breaks."""
    return VIOLATION_WORDS[Violation(code)]


def describe_village(pack: Pack, tile: int) -> str:
    """What a tile's village is worth: "white 9, blue 4"; tiles are counted from 0."""
    values = pack.villages[tile].values
    return ", ".join(f"{'stave church' if boat == 'church' else boat} {value}" for boat, value in values.items())


def describe_place(pack: Pack, table: np.void, place: int) -> str:
    """A place as people count it, with its village."""
    tile = int(table["tile"][place])
    return f"village {place + 1} ({describe_village(pack, tile) if tile != NO_TILE else 'there is none'})"


def describe_dice(table: np.void, colour: int, green: int, fan: int) -> str:
    """A base die with what is added to it."""
    with_fans = " with Fan base" if fan else ""
    return f"the {BOAT_WORDS[Boat(colour)]} die ({int(table['dice'][colour])}){GREEN_WORDS[Green(green)]}{with_fans}"


def describe_action(pack: Pack, game: np.void, action: int, seat: int) -> str:
    """An action as it would be meant now, the same for every seat; IndexError where there is no such action."""
    name, argument = ACTIONS.split(action)
    table = game["table"]
    if name == "DIE":
        way = argument % DIE_WAYS
        return f"take {describe_dice(table, argument // DIE_WAYS, way // 2, way % 2)}"
    if name == "SEAT":
        return f"cross a seat in row {argument % ROWS + 1} of the {BOAT_WORDS[Boat(argument // ROWS)]} boat"
    if name == "VILLAGE":
        return f"go to {describe_place(pack, table, argument)}"
    if name == "SCORE":
        return f"score the {BOAT_WORDS[Boat(argument)]} boat"
    if name == "PRIZE":
        return f"score the {BOAT_WORDS[Boat(argument)]} boat with the prize ticket"
    return _VERBS[name]


EVENT_WORDS = {
    Event.ROLL: "temperature {number}: the ship sails to space {detail}",
    Event.CHOOSE: "{actor} takes {dice}, {number} in all",
    Event.TICKET: "{actor} completes row {detail} of the {boat} boat ({number} points)",
    Event.UNLOCK: "{actor} has both royal seats of the {boat} boat: {power}",
    Event.EXCURSION: "{actor} goes to village {place}{how}",
    Event.SCORE: "{actor} scores {number} on the {boat} boat in village {place}{prize}",
    Event.STAY: "{actor} goes nowhere",
    Event.FINISH: "the ship is at the anchor: {won}",
    Event.TRUNCATE: "the game is cut off at the cap on steps",
}


def from_the_observer(place: int) -> str:
    """A seat by its place clockwise from the observer."""
    return "the observer" if place == 0 else f"the player {place} clockwise"


def describe_event(word: int, name: Callable[[int], str] = at_the_table) -> str:
    """A public event from its word; its actor is a seat that `name` names."""
    kind, actor, boat, place, hundreds, rest, detail, _ = (byte_of(word, field) for field in range(8))
    event, number = Event(kind), 100 * hundreds + rest
    return EVENT_WORDS[event].format(
        actor=name(actor - 1),
        boat=BOAT_WORDS[Boat(boat - 1)] if boat else "",
        place=place,
        number=number,
        detail=detail,
        dice=_dice_words(boat - 1, detail) if event == Event.CHOOSE else "",
        power=POWER_WORDS[Power(detail - 1)] if event == Event.UNLOCK else "",
        how=_how_words(number, detail) if event == Event.EXCURSION else "",
        prize=" with the prize ticket" if detail else "",
        won=f"{number} {'wins' if number == 1 else 'win'}" if number else "nobody wins",
    )


def _dice_words(colour: int, detail: int) -> str:
    fans = " with Fan base" if detail // 3 else ""
    return f"the {BOAT_WORDS[Boat(colour)]} die{GREEN_WORDS[Green(detail % 3)]}{fans}"


def _how_words(symbols: int, detail: int) -> str:
    early = ["on Early birds"] if detail // 2 else []
    speed = ["on Speed boat"] if detail % 2 else []
    crossed = [f"for {symbols} +1"] if symbols else []
    return "".join(f" {words}" for words in early + speed + crossed)


def describe_events(pack: Pack, game: np.void, since: int = 0) -> list[str]:
    """The last public events (at most 32), oldest first; the first `since` of the game are left out."""
    return [describe_event(word) for word in event_words(game["table"], since)]


def seen_by(games: npt.NDArray[np.void], viewer: int) -> np.void:
    """A view: what the seat may know."""
    return view_of(look, VIEW, games, viewer)


def sheets_for(games: npt.NDArray[np.void], viewer: int | None) -> list[np.void]:
    """The score sheets as a seat may know them: its own as it is, the others' as the phase began; None: as all are."""
    count = int(games[0]["table"]["num_players"])
    if viewer is None:
        return [games[0]["private"][seat]["sheet"] for seat in range(count)]
    view = seen_by(games, viewer)
    return [view["private"]["sheet"] if seat == viewer else view["sheets"][seat] for seat in range(count)]


def headline(table: np.void, params: np.void) -> str:
    """Round, phase, dice and ship, or how the game ended."""
    ship = f"ship on space {int(table['ship'])} of {int(params['anchor'])}"
    if table["ending"] == Ending.FINISHED:
        return f"Over after {int(table['round'])} rolls: {describe_result(table, params)}"
    if table["ending"] == Ending.TRUNCATED:
        return f"Cut off at the cap on steps, {ship}."
    phase = PHASE_WORDS[Phase(int(table["phase"]))]
    return f"Round {int(table['round'])}, {phase}; temperature {int(table['temperature'])}, {ship}."


def describe_roll(table: np.void) -> str:
    """The dice of the round; * marks the heated ones."""
    names = [BOAT_WORDS[Boat(colour)] for colour in range(NUM_COLOURS)] + ["green"]
    hot = [bool(int(table["heated"]) >> colour & 1) for colour in range(NUM_COLOURS)] + [True]
    return ", ".join(f"{names[die]} {int(table['dice'][die])}{'*' if hot[die] else ''}" for die in range(NUM_DICE))


def describe_result(table: np.void, params: np.void) -> str:
    """Final scores with captain points and what they are worth, and who won."""
    scores = [
        f"player_{seat} {int(table['final'][seat])} ({int(table['captain'][seat])} captain points, "
        f"{BAND_WORDS[band(params, int(table['final'][seat]))]})"
        for seat in range(int(table["num_players"]))
    ]
    won = [f"player_{seat}" for seat in range(len(scores)) if int(table["winners"]) >> seat & 1]
    return f"{', '.join(scores)}; {' and '.join(won) or 'nobody'} won."


def describe_sheet(pack: Pack, sheet: np.void, params: np.void) -> list[str]:
    """A score sheet, a line a boat."""
    lines = [f"fire {int(sheet['fire'])}, +1 {int(sheet['plus'])}, {powers_words(sheet)}"]
    for colour in range(NUM_COLOURS):
        rows = [f"{int(sheet['crossed'][colour, row])}/{int(params['seats'][colour, row])}" for row in range(ROWS)]
        lines.append(
            f"{BOAT_WORDS[Boat(colour)]}: rows {' '.join(rows)}, {_scores(sheet, colour)}, "
            f"{boat_points(sheet, colour)} points"
        )
    lines.append(f"stave church: {_scores(sheet, CHURCH)}; {captain_points(sheet)} captain points")
    return lines


def _scores(sheet: np.void, boat: int) -> str:
    last = int(sheet["last"][boat])
    return f"excursions {int(sheet['total'][boat])}, last {last}" if last else "no excursion yet"


def powers_words(sheet: np.void) -> str:
    """The royal powers at hand and those used up."""
    ready = [POWER_WORDS[power] for power in Power if sheet["power"][power] == Charge.READY]
    used = [POWER_WORDS[power] for power in Power if sheet["power"][power] == Charge.USED]
    return f"powers ready: {', '.join(ready) or 'none'}, used: {', '.join(used) or 'none'}"


def describe_choices(pack: Pack, table: np.void, own: np.void) -> str:
    """What a seat has chosen in this round, and what it is asked."""
    said = []
    if own["die"] >= 0:
        said.append(f"took {describe_dice(table, int(own['die']), int(own['green']), int(own['fan']))}")
    if own["boat"] >= 0:
        said.append(f"is crossing {int(own['left'])} more on the {BOAT_WORDS[Boat(int(own['boat']))]} boat")
    for at in range(int(own["visits"])):
        boats = [BOAT_WORDS[Boat(boat)] for boat in range(NUM_BOATS) if own["points"][at, boat]]
        for_boats = f" for {', '.join(boats)}" if boats else ""
        said.append(f"went to {describe_place(pack, table, int(own['place'][at]))}{for_boats}")
    if table["ending"] == Ending.PLAYING:
        said.append(f"is asked for {QUESTION_WORDS[Question(int(own['question']))]}")
    return "; ".join(said) or "has nothing to choose any more"


def describe_state(
    pack: Pack, games: npt.NDArray[np.void], params_array: npt.NDArray[np.void], viewer: int | None
) -> str:
    """The game in sentences: what a seat knows, or (None) everything."""
    params = params_array[0]
    table = games[0]["table"] if viewer is None else seen_by(games, viewer)["table"]
    lines = [headline(table, params), f"Dice: {describe_roll(table)} (* heated)."]
    for place in range(int(params["num_places"])):
        lines.append(f"{describe_place(pack, table, place)}: {int(table['distance'][place])} steps away.")
    for seat, sheet in enumerate(sheets_for(games, viewer)):
        lines.append(f"player_{seat}: " + "; ".join(describe_sheet(pack, sheet, params)) + ".")
    seats: Iterable[int] = range(int(table["num_players"])) if viewer is None else (viewer,)
    for seat in seats:
        own = games[0]["private"][seat] if viewer is None else seen_by(games, seat)["private"]
        lines.append(f"player_{seat} {describe_choices(pack, table, own)}.")
    return "\n".join(lines)


def describe_observation(pack: Pack, vector: Vector) -> str:
    """An observation, or the part of it that view "now" has, piece by piece; zeros are left out."""
    return describe_pieces(vector, OBSERVATION, (NOW_SIZE, OBSERVATION_SIZE), STATE, {"events": _relative_events})


def _relative_events(events: Vector) -> list[str]:
    """Events of an observation, newest first; actors are counted clockwise from the observer."""
    words = [sum(int(value) << (8 * field) for field, value in enumerate(row)) for row in events.tolist()]
    return [f"event: {describe_event(word, from_the_observer)}" for word in words if word]
