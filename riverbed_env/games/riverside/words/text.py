"""Riverside in plain English: actions, events, views, observations; from the same tables as the rules.

Everything said about a seat's knowledge comes from its view (RS-5.1): only `look` reads a game for a seat.
"""

from typing import Any

import numpy as np

from riverbed_env.core import text as common
from riverbed_env.core.text import Gap, Name, number_gap
from riverbed_env.kernels.compile import Records

from ..content.pack import Pack
from ..rules import vocab as v
from ..rules.actions import ACTIONS, DIE_WAYS
from ..rules.invariants import Violation
from ..rules.scoring import band, boat_points, captain_points
from ..rules.state import VIEW, look

WORDS = common.read_words(__file__)
BANDS = tuple(WORDS["band"].values())
describe_refusal = common.describer(v.Refusal)
describe_violation = common.describer(Violation)


def power_effect(power: v.Power) -> str:
    """A royal power with what it does."""
    return f"{power.words}: {WORDS['power'][power.name]}"


def describe_place(pack: Pack, table: np.void, place: int) -> str:
    """A place as people count it, with its village."""
    tile = int(table["tile"][place])
    values = pack.villages[tile].values if tile != v.NO_TILE else {}
    worth = [f"{'stave church' if boat == 'church' else boat} {value}" for boat, value in values.items()]
    return f"village {place + 1} ({', '.join(worth) or 'there is none'})"


def describe_dice(colour: int, green: int, fan: int, pips: str = "") -> str:
    """A base die with what is added to it."""
    added = f" and {v.Green(green).words}" if green else ""
    return f"the {v.Boat(colour).words} die{pips}{added}{' with Fan base' if fan else ''}"


def describe_action(pack: Pack, game: np.void, action: int, seat: int) -> str:
    """What an action means now, for any seat. Raises IndexError if there is no such action."""
    name, argument = ACTIONS.split(action)
    table = game["table"]
    if name == "DIE":
        way = argument % DIE_WAYS
        pips = f" ({int(table['dice'][argument // DIE_WAYS])})"
        return f"take {describe_dice(argument // DIE_WAYS, way // 2, way % 2, pips)}"
    if name == "SEAT":
        return f"cross a seat in row {argument % v.ROWS + 1} of the {v.Boat(argument // v.ROWS).words} boat"
    if name == "VILLAGE":
        return f"go to {describe_place(pack, table, argument)}"
    if name in ("SCORE", "PRIZE"):
        return f"score the {v.Boat(argument).words} boat{_PRIZE[name == 'PRIZE']}"
    return ACTIONS.words(name)


# --- events -----------------------------------------------------------------------------------------------------------


def _number(event: Any) -> int:
    return int(100 * event.hundreds + event.rest)


def _dice(pack: Pack, event: Any, name: Name) -> str:
    fan, green = divmod(event.detail, v.NUM_GREENS)
    return describe_dice(event.boat, green, fan)


def _how(pack: Pack, event: Any, name: Name) -> str:
    early = " on Early birds" if event.detail // 2 else ""
    speed = " on Speed boat" if event.detail % 2 else ""
    return f"{early}{speed}{f' for {_number(event)} +1' if _number(event) else ''}"


def _won(pack: Pack, event: Any, name: Name) -> str:
    number = _number(event)
    return f"{common.counted(number, 'player')} {'wins' if number == 1 else 'win'}" if number else "nobody wins"


_PRIZE = ("", " with the prize ticket")
EVENTS = common.EventTable(
    v.EVENTS,
    {
        "boat": number_gap("boat", "BOAT", words=lambda boat: v.Boat(boat).words if boat >= 0 else "missing"),
        "number": Gap(lambda pack, event, name: str(_number(event)), "NUMBER"),
        "space": number_gap("detail", "DETAIL", "space of the ship"),
        "row": number_gap("detail", "DETAIL", "row, from 1"),
        "dice": Gap(
            _dice,
            "the BOAT-coloured die and more by DETAIL",
            "0 without the green die, 1 with it, 2 with it on Warm night; 3 more on Fan base",
        ),
        "power": number_gap("detail", "power DETAIL", "1 + power", lambda number: v.Power(number - 1).words),
        "how": Gap(_how, " by DETAIL for NUMBER +1 symbols", "1 on Speed boat called for it; 2 more on Early birds"),
        "prize": number_gap("detail", " by DETAIL", "1 with the prize ticket", _PRIZE.__getitem__),
        "won": Gap(_won, "NUMBER share the win"),
    },
)


describe_events = EVENTS.describe


# --- the table as a seat knows it -------------------------------------------------------------------------------------


def seen_by(games: Records, viewer: int) -> np.void:
    """A view: what the seat may know."""
    return common.view_of(look, VIEW, games[0], viewer)


def sheets_for(games: Records, viewer: int | None) -> list[np.void]:
    """The score sheets a seat may know: its own as it is, the others' as the phase began. None: all as they are."""
    count = int(games[0]["table"]["num_players"])
    if viewer is None:
        return [games[0]["private"][seat]["sheet"] for seat in range(count)]
    view = seen_by(games, viewer)
    return [view["private"]["sheet"] if seat == viewer else view["sheets"][seat] for seat in range(count)]


def headline(pack: Pack, games: Records, params: Records, viewer: int | None) -> str:
    """Round, phase, dice and ship, or how the game ended."""
    table = games[0]["table"]
    if table["ending"] != v.Ending.PLAYING:
        return f"{result(pack, games, params, viewer)}."
    phase = v.Phase(int(table["phase"])).words
    ship = f"ship on space {int(table['ship'])} of {int(params[0]['anchor'])}"
    return f"Round {int(table['round'])}, {phase}; temperature {int(table['temperature'])}, {ship}."


def describe_roll(table: np.void) -> str:
    """The dice of the round; * marks the heated ones."""
    names = [v.Boat(colour).words for colour in range(v.NUM_COLOURS)] + ["green"]
    hot = [bool(int(table["heated"]) >> colour & 1) for colour in range(v.NUM_COLOURS)] + [True]
    return ", ".join(f"{names[die]} {int(table['dice'][die])}{'*' if hot[die] else ''}" for die in range(v.NUM_DICE))


def result(pack: Pack, games: Records, params: Records, viewer: int | None) -> str:
    """How a finished game ended, said to `viewer`: who won, final scores with captain points, what they are worth."""
    table = games[0]["table"]
    if table["ending"] == v.Ending.TRUNCATED:
        return "The game was cut off at the cap on steps"
    seats = range(int(table["num_players"]))
    scores = [
        f"{common.heading(seat, viewer)} {int(table['final'][seat])} ({int(table['captain'][seat])} captain points, "
        f"{BANDS[band(params[0], int(table['final'][seat]))]})"
        for seat in seats
    ]
    won = [seat for seat in seats if int(table["winners"]) >> seat & 1]
    names = " and ".join(common.addressing(viewer)(seat) for seat in won) or "nobody"
    lost = viewer is not None and viewer not in won
    ending = f"You lost: {names} won" if lost else f"{names[0].upper()}{names[1:]} won"
    return f"{ending} after {int(table['round'])} rolls: {', '.join(scores)}"


def describe_sheet(pack: Pack, sheet: np.void, params: np.void) -> list[str]:
    """A score sheet, one line for each boat."""
    ready, used = (
        ", ".join(power.words for power in v.Power if sheet["power"][power] == charge) or "none"
        for charge in (v.Charge.READY, v.Charge.USED)
    )
    lines = [f"fire {int(sheet['fire'])}, +1 {int(sheet['plus'])}, powers ready: {ready}, used: {used}"]
    for colour in range(v.NUM_COLOURS):
        rows = [f"{int(sheet['crossed'][colour, row])}/{int(params['seats'][colour, row])}" for row in range(v.ROWS)]
        lines.append(
            f"{v.Boat(colour).words}: rows {' '.join(rows)}, {_scores(sheet, colour)}, "
            f"{boat_points(sheet, colour)} points"
        )
    lines.append(f"stave church: {_scores(sheet, v.CHURCH)}; {captain_points(sheet)} captain points")
    return lines


def _scores(sheet: np.void, boat: int) -> str:
    last = int(sheet["last"][boat])
    return f"excursions {int(sheet['total'][boat])}, last {last}" if last else "no excursion yet"


def describe_choices(pack: Pack, table: np.void, own: np.void) -> str:
    """What a seat has chosen in this round, and what comes next."""
    said = []
    if own["die"] >= 0:
        pips = f" ({int(table['dice'][own['die']])})"
        said.append(f"took {describe_dice(int(own['die']), int(own['green']), int(own['fan']), pips)}")
    if own["boat"] >= 0:
        said.append(f"{int(own['left'])} more to cross on the {v.Boat(int(own['boat'])).words} boat")
    for at in range(int(own["visits"])):
        boats = [v.Boat(boat).words for boat in range(v.NUM_BOATS) if own["points"][at, boat]]
        for_boats = f" for {', '.join(boats)}" if boats else ""
        said.append(f"went to {describe_place(pack, table, int(own['place'][at]))}{for_boats}")
    if table["ending"] == v.Ending.PLAYING:
        said.append(f"next: {v.Question(int(own['question'])).task}")
    return "; ".join(said) or "nothing more to choose"


def describe_state(pack: Pack, games: Records, params: Records, viewer: int | None) -> str:
    """The game in sentences: what a seat knows, or (None) everything."""
    table = games[0]["table"] if viewer is None else seen_by(games, viewer)["table"]
    lines = [headline(pack, games, params, viewer), f"Dice: {describe_roll(table)} (* heated)."]
    for place in range(int(params[0]["num_places"])):
        lines.append(f"{describe_place(pack, table, place)}: {int(table['distance'][place])} steps away.")
    for seat, sheet in enumerate(sheets_for(games, viewer)):
        lines.append(f"{common.heading(seat, viewer)}: " + "; ".join(describe_sheet(pack, sheet, params[0])) + ".")
    for seat in range(int(table["num_players"])) if viewer is None else [viewer]:
        own = games[0]["private"][seat] if viewer is None else seen_by(games, viewer)["private"]
        lines.append(f"{common.heading(seat, viewer)}: {describe_choices(pack, table, own)}.")
    return "\n".join(lines)


# --- help for a person at the table -----------------------------------------------------------------------------------


def goal(pack: Pack, games: Records, params: Records, seat: int) -> str:
    """How a seat wins."""
    if int(games[0]["table"]["num_players"]) > 1:
        return "You are a captain. You win with the highest score when the ship reaches the anchor."
    return f"You play alone. You win with {int(params[0]['solo_win'])} points when the ship reaches the anchor."


def explain(pack: Pack, games: Records, params: Records, seat: int) -> list[str]:
    """What the royal powers do."""
    return [power_effect(power) for power in v.Power]
