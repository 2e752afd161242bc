"""The features of a score sheet of Riverside at the end of a round, the input of the look-ahead agent's network.

The remaining route is computed exactly: the chance that the ship stops on each space, and so the expected number of
stops at each column on the way there and back (a pass). `play_through` then plays a sheet through all passes as if each
of them brought its best village: with its present tickets, with begun rows counted in part, and with growing tickets.
"""

from typing import NamedTuple

import numpy as np

from riverbed_env.games.riverside.rules import vocab as v
from riverbed_env.games.riverside.rules.river import steps_to_village
from riverbed_env.games.riverside.rules.scoring import boat_points, captain_points
from riverbed_env.kernels.compile import Floats, Numbers, Record

from .kernels import kernel

MAX_PASSES = 2 * v.MAX_COLUMNS
VILLAGES_A_PASS = 2
VILLAGE_SIZE = 2 * v.NUM_COLOURS  # entries of a village in a pass: boat and value, boat and value, …
EXPECTED, ROUNDS_BEFORE, FIRST_VILLAGE = 0, 1, 2  # entries of a pass, then its villages
PASS_SIZE = FIRST_VILLAGE + VILLAGES_A_PASS * VILLAGE_SIZE
SLOW_GROWTH, FAST_GROWTH = 0.05, 0.28  # new tickets per boat and round
WAYS = 3  # to play through: present tickets; with begun rows and slow growth; with begun rows and fast growth

# Offsets of the features; see `write_features`.
TIME, TIME_SIZE = 0, 5  # the last entry of time isn't a feature by itself
PLAYED = TIME + TIME_SIZE - 1
CAPTAIN, CAPTAIN_SIZE = PLAYED + 4 * WAYS, 6
SHEET, SHEET_SIZE = CAPTAIN + CAPTAIN_SIZE, 14
BOATS, BOAT_SIZE = SHEET + SHEET_SIZE, 9
POWERS = BOATS + BOAT_SIZE * v.NUM_COLOURS
NUM_FEATURES = POWERS + 3 * v.NUM_POWERS

# Scratch space behind the features.
BEGUN = NUM_FEATURES
NONE = BEGUN + v.NUM_COLOURS  # stays 0
SCRATCH_SIZE = NONE + v.NUM_COLOURS + 3 * v.NUM_BOATS


class Prospect(NamedTuple):
    """What is common to all sheets of a round.

    passes: (passes, PASS_SIZE), see `write_passes`; time: (TIME_SIZE,), see `write_time`; ahead: (NUM_BOATS,), see
    `write_ahead`.
    """

    passes: Numbers
    time: Numbers
    ahead: Numbers


@kernel
def prospect_of(table: Record, params: Record) -> Prospect:
    """The prospect of a round."""
    room = np.zeros((MAX_PASSES, PASS_SIZE), np.float32)
    time, ahead = np.zeros(TIME_SIZE, np.float32), np.zeros(v.NUM_BOATS, np.float32)
    passes = room[: write_passes(table, params, room)]
    write_time(table, params, time)
    write_ahead(passes, ahead)
    return Prospect(passes, time, ahead)


def _median_chances() -> Floats:
    """The chance of each temperature, the median of five dice; shape (PIPS + 1,), entry 0 is 0."""
    at_most = np.arange(v.PIPS + 1) / v.PIPS
    three_at_most = 10 * at_most**3 * (1 - at_most) ** 2 + 5 * at_most**4 * (1 - at_most) + at_most**5
    return np.concatenate([[0.0], np.diff(three_at_most)])


MEDIAN = _median_chances()


@kernel
def stop_chances(ship: int, anchor: int) -> Floats:
    """The chance that the ship stops on each space before the anchor; 1 for its present space."""
    chances = np.zeros(anchor + v.PIPS)
    chances[ship] = 1.0
    for space in range(ship, anchor):
        for pips in range(1, v.PIPS + 1):
            chances[space + pips] += chances[space] * MEDIAN[pips]
    return chances[:anchor]


@kernel
def write_passes(table: Record, params: Record, passes: Numbers) -> int:
    """Write the passes that lie ahead of the ship, in order; return their number.

    passes: (MAX_PASSES, PASS_SIZE): expected stops, expected rounds before, then the villages in range (see
    `write_village`), padded with NO_BOAT. Changes `table["ship"]` temporarily.
    """
    ship = int(table["ship"])
    columns = int(params["columns"])
    chances = stop_chances(ship, int(params["anchor"]))
    count = 0
    for leg in range(2 * columns):
        row, column = leg // columns, leg % columns
        if row == 1:
            column = columns - 1 - column
        middle = int(params["middle"][row, column])
        around = (int(params["middle"][0, 1]) - int(params["middle"][0, 0])) // 2
        expected = 0.0
        for space in range(max(ship + 1, middle - around), middle + around + 1):
            expected += chances[space]
        if expected > 0.0:
            rounds = 0.0
            for space in range(ship + 1, middle + around):
                rounds += chances[space]
            passes[count, EXPECTED] = expected
            passes[count, ROUNDS_BEFORE] = rounds
            table["ship"] = middle
            for side in range(VILLAGES_A_PASS):
                start = FIRST_VILLAGE + side * VILLAGE_SIZE
                place = side * columns + column
                passes[count, start : start + VILLAGE_SIZE] = v.NO_BOAT
                if steps_to_village(table, params, place) <= int(params["aside"]):
                    write_village(params, int(table["tile"][place]), passes[count, start : start + VILLAGE_SIZE])
            count += 1
    table["ship"] = ship
    return count


@kernel
def write_village(params: Record, tile: int, village: Numbers) -> None:
    """Write the boats that can score in a tile's village and their values. village: (VILLAGE_SIZE,)."""
    at = 0
    for boat in range(v.NUM_BOATS):
        value = int(params["value"][tile, boat])
        if value > 0:
            village[at] = boat
            village[at + 1] = value
            at += 2


@kernel
def begun_rows(sheet: Record, params: Record, boat: int) -> float:
    """A boat's uncompleted rows, each counted as the square of its crossed share."""
    total = 0.0
    for row in range(v.ROWS):
        share = int(sheet["crossed"][boat, row]) / int(params["seats"][boat, row])
        if share < 1.0:
            total += share * share
    return total


@kernel
def best_village(passes: Numbers, at: int, tickets: Numbers, last: Numbers) -> int:
    """The offset of a pass's best village for these tickets and last scores; -1 if none would score."""
    best = -1
    best_points = np.float32(0.0)
    for side in range(VILLAGES_A_PASS):
        start = FIRST_VILLAGE + side * VILLAGE_SIZE
        points = np.float32(0.0)
        for pair in range(start, start + VILLAGE_SIZE, 2):
            boat = int(passes[at, pair])
            if boat < 0:
                break
            score = passes[at, pair + 1] * tickets[boat]
            if score > last[boat]:
                points += score
        if points > best_points:
            best_points = points
            best = start
    return best


@kernel
def play_through(sheet: Record, passes: Numbers, begun: Numbers, growth: float, scratch: Numbers, out: Numbers) -> None:
    """Play the passes as if each brought its best village.

    Tickets are the completed ones, plus `begun`, plus `growth` per round and boat. out: (4,), in hundreds: future
    points of the guide boats, of the church, final points of the lowest boat, captain points above 50. scratch: (3,
    NUM_BOATS).
    """
    tickets, last, gained = scratch[0], scratch[1], scratch[2]
    for boat in range(v.NUM_BOATS):
        last[boat] = int(sheet["last"][boat])
        gained[boat] = 0
    for at in range(len(passes)):
        grown = growth * passes[at, ROUNDS_BEFORE]
        tickets[v.CHURCH] = 0
        for boat in range(v.NUM_COLOURS):
            tickets[boat] = min(np.float32(v.ROWS), int(sheet["tickets"][boat]) + begun[boat] + grown)
            tickets[v.CHURCH] += tickets[boat]
        start = best_village(passes, at, tickets, last)
        if start < 0:
            continue
        for pair in range(start, start + VILLAGE_SIZE, 2):
            boat = int(passes[at, pair])
            if boat < 0:
                break
            score = passes[at, pair + 1] * tickets[boat]
            if score > last[boat]:
                last[boat] = score
                gained[boat] += passes[at, EXPECTED] * score
    lowest = np.float32(1e9)
    guides = np.float32(0.0)
    for boat in range(v.NUM_COLOURS):
        guides += gained[boat]
        lowest = min(lowest, np.float32(boat_points(sheet, boat) + gained[boat]))
    out[0] = guides / 100
    out[1] = gained[v.CHURCH] / 100
    out[2] = lowest / 100
    out[3] = max(0.0, (boat_points(sheet, v.CHURCH) + gained[v.CHURCH] + lowest) / 100 - 0.5)


@kernel
def write_boat(sheet: Record, boat: int, begun: float, ahead: float, rounds: float, out: Numbers) -> None:
    """Write the features of a boat. ahead: its expected future village values, scaled. out: (BOAT_SIZE,)."""
    tickets = int(sheet["tickets"][boat])
    out[0] = tickets / v.ROWS
    out[1] = tickets * ahead / v.ROWS
    out[2] = begun
    out[3] = begun * ahead
    out[4] = begun * rounds
    out[5] = int(sheet["last"][boat]) / 30
    out[6] = boat_points(sheet, boat) / 50
    out[7] = ahead
    out[8] = tickets == 0


@kernel
def write_captain(sheet: Record, ahead: float, rounds: float, alone: float, out: Numbers) -> None:
    """Write the captain features. ahead: expected future church values, scaled. out: (CAPTAIN_SIZE,)."""
    captain = captain_points(sheet) / 50
    out[0] = captain
    out[1] = captain * rounds
    out[2] = alone * min(captain, 1.0)
    out[3] = alone * (captain >= 1.0)
    out[4] = int(sheet["last"][v.CHURCH]) / 30
    out[5] = ahead


@kernel
def write_rows(sheet: Record, params: Record, rounds: float, out: Numbers) -> None:
    """Write symbols and rows of the whole sheet, except its begun rows. out: (SHEET_SIZE,)."""
    fire, plus = int(sheet["fire"]) / 7, int(sheet["plus"])
    tickets = 0
    crossed = 0
    near = 0
    next_near = 0
    points = 0
    for boat in range(v.NUM_COLOURS):
        tickets += int(sheet["tickets"][boat])
        for row in range(v.ROWS):
            done = int(sheet["crossed"][boat, row])
            missing = int(params["seats"][boat, row]) - done
            crossed += done
            near += missing == 1
            next_near += missing == 2
            if missing > 0:
                points += done
    out[0] = fire
    out[1] = fire * rounds
    out[2] = min(fire, 0.5)
    out[3] = plus
    out[4] = plus * rounds
    out[5] = plus == 0
    out[6] = tickets / 10
    out[7] = tickets * rounds / 10
    out[8] = crossed / 50
    out[9] = near / 3
    out[10] = near * rounds / 3
    out[11] = next_near / 3
    out[12] = points / 20


@kernel
def write_powers(sheet: Record, params: Record, rounds: float, out: Numbers) -> None:
    """Write for each power: 1 if ready, that times the rounds left, how close if locked. out: (3 * NUM_POWERS,)."""
    for boat in range(v.NUM_COLOURS):
        power = int(params["power"][boat])
        ready = int(int(sheet["power"][power]) == v.Charge.READY)
        near = 0.0
        if int(sheet["power"][power]) == v.Charge.LOCKED:
            for row in range(v.ROWS):
                royal = int(params["royal"][boat, row])
                if royal > 0:
                    near += min(1.0, int(sheet["crossed"][boat, row]) / royal) / 2
        out[3 * power] = ready
        out[3 * power + 1] = ready * rounds
        out[3 * power + 2] = near


@kernel
def write_features(sheet: Record, params: Record, prospect: Prospect, out: Numbers) -> None:
    """Write the features of a sheet. out: (SCRATCH_SIZE,), the features and scratch space.

    In order: time (see `write_time`), four entries for each way to play through, captain points, the whole sheet, each
    boat, each power.
    """
    passes, time, ahead = prospect
    rounds = time[1]
    begun = out[BEGUN : BEGUN + v.NUM_COLOURS]
    none = out[NONE : NONE + v.NUM_COLOURS]
    scratch = out[NONE + v.NUM_COLOURS : SCRATCH_SIZE].reshape((3, v.NUM_BOATS))
    out[TIME:PLAYED] = time[: PLAYED - TIME]
    for boat in range(v.NUM_COLOURS):
        begun[boat] = begun_rows(sheet, params, boat)
        start = BOATS + boat * BOAT_SIZE
        write_boat(sheet, boat, begun[boat], ahead[boat], rounds, out[start : start + BOAT_SIZE])
    play_through(sheet, passes, none, 0.0, scratch, out[PLAYED : PLAYED + 4])
    play_through(sheet, passes, begun, SLOW_GROWTH, scratch, out[PLAYED + 4 : PLAYED + 8])
    play_through(sheet, passes, begun, FAST_GROWTH, scratch, out[PLAYED + 8 : PLAYED + 12])
    write_captain(sheet, ahead[v.CHURCH], rounds, time[TIME_SIZE - 1], out[CAPTAIN : CAPTAIN + CAPTAIN_SIZE])
    write_rows(sheet, params, rounds, out[SHEET : SHEET + SHEET_SIZE])
    out[SHEET + SHEET_SIZE - 1] = begun.sum()
    write_powers(sheet, params, rounds, out[POWERS : POWERS + 3 * v.NUM_POWERS])


@kernel
def write_ahead(passes: Numbers, ahead: Numbers) -> None:
    """Write each boat's expected future village values, divided by 20 (the church's by 4). ahead: 0 before."""
    for at in range(len(passes)):
        for pair in range(FIRST_VILLAGE, PASS_SIZE, 2):
            boat = int(passes[at, pair])
            if boat >= 0:
                ahead[boat] += passes[at, EXPECTED] * passes[at, pair + 1] / 20
    ahead[v.CHURCH] *= 5


@kernel
def write_time(table: Record, params: Record, time: Numbers) -> None:
    """Write 1, the rounds left divided by 5, its square, how close the end is, and 1 if there is only one player."""
    chances = stop_chances(int(table["ship"]), int(params["anchor"]))  # 1 for the present round
    rounds = (float(chances.sum()) - 1.0) / 5
    time[0] = 1.0
    time[1] = rounds
    time[2] = rounds * rounds
    time[3] = max(0.0, 0.4 - rounds)
    time[TIME_SIZE - 1] = int(params["num_players"]) == 1
