"""Write observations from views alone, and full states for central critics."""

import numpy as np

from riverbed_env.kernels.common import byte_of, clockwise, newest_event
from riverbed_env.kernels.compile import Record, Records, Vector
from riverbed_env.kernels.memory import put_word, word_at
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import kernel
from . import pieces as p
from . import vocab as v
from .excursions import own_range
from .scoring import boat_points, captain_points
from .state import look

Sheets = Records  # by seat

MOST = 127  # the largest entry of an observation
HUNDRED = 100
HUNDREDS_AND_REST = np.array([hundreds | (rest << 8) for hundreds in range(8) for rest in range(HUNDRED)], np.int16)
POWER_FLAGS = tuple(int(charge == v.Charge.READY) | (int(charge == v.Charge.USED) << 8) for charge in v.Charge)
WORDS_OF_ROWS = (0, 8, v.NUM_ROWS - 8)  # places of words that hold the numbers of all rows; the last two overlap

assert 16 < v.NUM_ROWS <= 24


@kernel
def write_observation(view: Record, params: Record, out: Vector) -> None:
    """Write the view's observation. out: (OBSERVATION_SIZE,) int8 for view "history", (NOW_SIZE,) for "now"."""
    write_pieces(view["table"], view["sheets"], view["private"], params, int(view["seat"]), out)


@kernel
def write_pieces(table: Record, sheets: Sheets, own: Record, params: Record, observer: int, out: Vector) -> None:
    """Write all pieces from the table, the sheets when the phase began (by seat) and the observer's private part."""
    out[:] = 0
    num_players = int(params["num_players"])
    for place in range(num_players):  # RS-5.1: each sheet as it was when the phase began
        write_sheet(sheets[(observer + place) % num_players], params, p.AT.sheets + place * p.SHEET_SIZE, out)
    write_river(table, params, out)
    write_roll(table, params, out)
    write_own(own, params, p.AT.own_sheet, out)
    if len(out) > p.NOW_SIZE:
        write_events(table, observer, out)
        for place in range(num_players):
            for deed in range(v.NUM_DEEDS):
                done = int(table["deeds"][(observer + place) % num_players, deed])
                out[p.AT.deeds + place * v.NUM_DEEDS + deed] = min(MOST, done)


@kernel
def hundreds_and_rest(number: int) -> int:
    """A number from 0 as two bytes: hundreds, the lower one, and rest."""
    if number < len(HUNDREDS_AND_REST):
        return int(HUNDREDS_AND_REST[number])
    return min(MOST, number // HUNDRED) | (number % HUNDRED << 8)


@kernel
def write_sheet(sheet: Record, params: Record, start: int, out: Vector) -> None:
    """Write a score sheet in the layout of SHEET_TABLE, from its first number to its last.

    Two bytes are written as a word, which is faster. It clears the six bytes behind them, to be written later.
    """
    for place in WORDS_OF_ROWS:
        crossed = word_at(sheet["crossed"], place)
        put_word(out, start + p.SHEET_AT.crossed + place, crossed)
        put_word(out, start + p.SHEET_AT.left + place, word_at(params["seats"], place) - crossed)
    for boat in range(v.NUM_COLOURS):
        out[start + p.SHEET_AT.tickets + boat] = sheet["tickets"][boat]
    for power in range(v.NUM_POWERS):
        put_word(out, start + p.SHEET_AT.powers + 2 * power, POWER_FLAGS[int(sheet["power"][power])])
    out[start + p.SHEET_AT.symbols] = sheet["fire"]
    out[start + p.SHEET_AT.symbols + 1] = sheet["plus"]
    for boat in range(v.NUM_BOATS):
        put_word(out, start + p.SHEET_AT.last + 2 * boat, hundreds_and_rest(int(sheet["last"][boat])))
    for boat in range(v.NUM_BOATS):
        put_word(out, start + p.SHEET_AT.points + 2 * boat, hundreds_and_rest(boat_points(sheet, boat)))
    put_word(out, start + p.SHEET_AT.points + 2 * v.NUM_BOATS, hundreds_and_rest(captain_points(sheet)))


@kernel
def write_river(table: Record, params: Record, out: Vector) -> None:
    """Write the villages and their distances from the ship."""
    columns = int(params["columns"])
    for place in range(v.MAX_PLACES):
        tile = int(table["tile"][place])
        if tile != v.NO_TILE:
            start = p.AT.villages + place * (v.NUM_BOATS + 2)
            is_open = (int(table["open_columns"]) >> (place % columns)) & 1
            put_word(out, start, int(params["village"][tile]) | (is_open << (8 * v.NUM_BOATS)))
            out[p.AT.distances + place] = min(MOST, int(table["distance"][place]))


@kernel
def write_roll(table: Record, params: Record, out: Vector) -> None:
    """Write number of players, extension, phase, round, dice and ship."""
    out[p.AT.num_players + int(params["num_players"]) - 1] = 1
    out[p.AT.extension] = params["extension"]
    out[p.AT.phase + int(table["phase"])] = 1
    out[p.AT.round] = min(MOST, int(table["round"]))
    for die in range(v.NUM_DICE):
        out[p.AT.dice + die * v.PIPS + int(table["dice"][die]) - 1] = 1
    for colour in range(v.NUM_COLOURS):
        out[p.AT.heated + colour] = (int(table["heated"]) >> colour) & 1
    out[p.AT.temperature + int(table["temperature"]) - 1] = 1
    out[p.AT.ship] = table["ship"]
    out[p.AT.ship + 1] = int(params["anchor"]) - int(table["ship"])


@kernel
def write_own(own: Record, params: Record, start: int, out: Vector) -> None:
    """RS-5.1: write a seat's current sheet and its choices of this round in the layout of OWN_TABLE."""
    write_sheet(own["sheet"], params, start + p.OWN_AT.own_sheet, out)
    out[start + p.OWN_AT.question + int(own["question"])] = 1
    if own["die"] != v.NO_DIE:
        out[start + p.OWN_AT.own_dice + int(own["die"])] = 1
        out[start + p.OWN_AT.own_dice + v.NUM_COLOURS + int(own["green"])] = 1
        out[start + p.OWN_AT.own_dice + v.NUM_COLOURS + v.NUM_GREENS] = own["fan"]
    if own["boat"] != v.NO_BOAT:
        out[start + p.OWN_AT.filling + int(own["boat"])] = 1
    out[start + p.OWN_AT.to_cross] = own["left"]
    for position in range(int(own["paid"]), int(own["queued"])):
        row = int(own["queue"][position])
        boat = int(params["bonus_boat"][row // v.ROWS, row % v.ROWS])
        out[start + p.OWN_AT.waiting_bonus + boat] += int(params["bonus"][row // v.ROWS, row % v.ROWS])
    for at in range(v.MAX_VISITS):
        if own["place"][at] != v.NO_PLACE:
            out[start + p.OWN_AT.visited + at * v.MAX_PLACES + int(own["place"][at])] = 1
        for boat in range(v.NUM_BOATS):
            out[start + p.OWN_AT.scored + at * v.NUM_BOATS + boat] = own["points"][at, boat] > 0
    out[start + p.OWN_AT.range] = own_range(own, 0)
    out[start + p.OWN_AT.speed] = own["speed"] > 0
    if own["prize"] != v.NO_BOAT:
        out[start + p.OWN_AT.prize + int(own["prize"])] = 1


@kernel
def write_events(table: Record, observer: int, out: Vector) -> None:
    """Write the last public events, newest first; the actor's seat is relative to the observer."""
    num_players = int(table["num_players"])
    count = int(table["event_count"])
    for age in range(min(count, MAX_EVENTS)):
        event = int(table["events"][(newest_event(count) + age) % MAX_EVENTS])
        start = p.AT.events + age * v.EVENT_FIELDS
        put_word(out, start, event)
        actor = byte_of(event, 1)
        if actor > 0:
            out[start + 1] = 1 + clockwise(actor - 1, observer, num_players)


@kernel
def observe(game: Record, params: Record, seat: int, view: Record, out: Vector) -> None:
    """Write the observation of any seat at any time; `view` is scratch space."""
    look(game, seat, view)
    write_observation(view, params, out)


@kernel
def show(game: Record, params: Record, seat: int, view: Record, out: Vector) -> None:
    """Write what `observe` writes, but no view: it is longer than the observation."""
    write_pieces(game["table"], game["sheets"], game["private"][seat], params, seat, out)


PUBLIC_PLACES = p.OBSERVATION.public_places()


@kernel
def write_state(game: Record, params: Record, view: Record, scratch: Vector, out: Vector) -> None:
    """Write the full state. out: (STATE.size,) int8; scratch: (OBSERVATION_SIZE,) int8."""
    look(game, 0, view)
    write_observation(view, params, scratch)
    out[:] = 0
    for position in range(p.STATE_AT.private):
        out[position] = scratch[PUBLIC_PLACES[position]]
    asked = int(game["timing"]["asked"])
    for seat in range(int(params["num_players"])):
        write_own(game["private"][seat], params, p.STATE_AT.private + seat * p.OWN_SIZE, out)
        out[p.STATE_AT.waiting + seat] = (int(game["timing"]["waiting"]) >> seat) & 1
        out[p.STATE_AT.asked + seat] = asked == seat
