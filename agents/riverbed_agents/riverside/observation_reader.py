"""Read an observation of Riverside into the records that the rules use: table, params and the observer's private part.

A seat sees everything that its options depend on, so the agents can use the rules to evaluate them. The points and
bonuses of rows aren't in the observation; the reader assumes those of the default pack.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.core.packs import PACKS
from riverbed_env.games.riverside.content.pack import make_params
from riverbed_env.games.riverside.rules.kernels import kernel as rules
from riverbed_env.games.riverside.rules.phases import forget_round
from riverbed_env.games.riverside.rules.pieces import AT, OWN_AT, SHEET_AT
from riverbed_env.games.riverside.rules.vocab import (
    MAX_COLUMNS,
    MAX_PLACES,
    MAX_SEATS,
    MAX_VISITS,
    NO_TILE,
    NUM_BOATS,
    NUM_COLOURS,
    NUM_COLUMNS,
    NUM_DICE,
    NUM_GREENS,
    NUM_PHASES,
    NUM_POWERS,
    NUM_QUESTIONS,
    PIPS,
    RANGE,
    ROWS,
    SPEED_RANGE,
    Charge,
)
from riverbed_env.kernels.common import one_hot
from riverbed_env.kernels.compile import KernelFamily, Record

FOLDERS = (*rules.folders, PACKS / "riverside", Path(__file__).parent)  # rows come from the default pack

kernel = KernelFamily("riverside_agents", *FOLDERS)

Vector = npt.NDArray[np.int8]
Records = npt.NDArray[np.void]

VILLAGE_SIZE = NUM_BOATS + 2  # value for each boat, whether its column has a passage, whether there is a village

PARAMS_OF = np.concatenate([make_params(extension=extension)[0] for extension in (False, True)])


def _single_bonus_rows() -> npt.NDArray[np.int64]:
    """For each colour, a row of the default pack (boat * ROWS + row) whose bonus is one seat of that colour."""
    bonus, boat = PARAMS_OF["bonus"][0].ravel(), PARAMS_OF["bonus_boat"][0].ravel()
    return np.array([np.flatnonzero((bonus == 1) & (boat == colour))[0] for colour in range(NUM_COLOURS)])


SINGLE_BONUS_ROWS = _single_bonus_rows()


@kernel
def number_at(observation: Vector, start: int) -> int:
    """A number stored as hundreds and rest."""
    return 100 * int(observation[start]) + int(observation[start + 1])


@kernel
def read_params(observation: Vector, params_array: Records) -> None:
    """Write the default pack's params, with the village of each place as the tile with the place's number.

    params_array: (1,) PARAMS, kept by the caller: compiled, a record doesn't keep its array alive.
    """
    params_array[0] = PARAMS_OF[int(observation[AT.extension])]
    params = params_array[0]
    params["num_players"] = one_hot(observation, AT.num_players, MAX_SEATS) + 1
    for place in range(MAX_PLACES):
        for boat in range(NUM_BOATS):
            params["value"][place, boat] = observation[AT.villages + place * VILLAGE_SIZE + boat]


@kernel
def read_table(observation: Vector, table: Record) -> None:
    """Write the fields of the table that the rules read; a tile has its place's number (see `read_params`)."""
    columns = NUM_COLUMNS
    if observation[AT.extension]:
        columns = MAX_COLUMNS
    open_columns = 0
    for place in range(MAX_PLACES):
        table["tile"][place] = NO_TILE
        table["distance"][place] = observation[AT.distances + place]
        if observation[AT.villages + place * VILLAGE_SIZE + NUM_BOATS + 1]:
            table["tile"][place] = place
            open_columns |= int(observation[AT.villages + place * VILLAGE_SIZE + NUM_BOATS]) << (place % columns)
    heated = 0
    for colour in range(NUM_COLOURS):
        heated |= int(observation[AT.heated + colour]) << colour
    for die in range(NUM_DICE):
        table["dice"][die] = one_hot(observation, AT.dice + die * PIPS, PIPS) + 1
    table["open_columns"] = open_columns
    table["heated"] = heated
    table["temperature"] = one_hot(observation, AT.temperature, PIPS) + 1
    table["phase"] = one_hot(observation, AT.phase, NUM_PHASES)
    table["num_players"] = one_hot(observation, AT.num_players, MAX_SEATS) + 1
    table["round"] = observation[AT.round]
    table["ship"] = observation[AT.ship]
    table["ending"] = 0


@kernel
def read_sheet(observation: Vector, params: Record, start: int, sheet: Record) -> None:
    """Write the score sheet whose entries begin at `start`."""
    for boat in range(NUM_COLOURS):
        points = 0
        for row in range(ROWS):
            crossed = int(observation[start + SHEET_AT.crossed + boat * ROWS + row])
            sheet["crossed"][boat, row] = crossed
            if crossed == int(params["seats"][boat, row]):
                points += int(params["points"][boat, row])
        sheet["ticket_points"][boat] = points
        sheet["tickets"][boat] = observation[start + SHEET_AT.tickets + boat]
        sheet["total"][boat] = number_at(observation, start + SHEET_AT.points + 2 * boat) - points
        sheet["last"][boat] = number_at(observation, start + SHEET_AT.last + 2 * boat)
    church = NUM_BOATS - 1
    sheet["total"][church] = number_at(observation, start + SHEET_AT.points + 2 * church)
    sheet["last"][church] = number_at(observation, start + SHEET_AT.last + 2 * church)
    for power in range(NUM_POWERS):
        sheet["power"][power] = Charge.LOCKED
        if observation[start + SHEET_AT.powers + 2 * power]:
            sheet["power"][power] = Charge.READY
        elif observation[start + SHEET_AT.powers + 2 * power + 1]:
            sheet["power"][power] = Charge.USED
    sheet["fire"] = observation[start + SHEET_AT.symbols]
    sheet["plus"] = observation[start + SHEET_AT.symbols + 1]


@kernel
def read_own(observation: Vector, params: Record, own: Record) -> None:
    """Write the observer's sheet and its choices in this round.

    The observation shows the bonus seats still to cross, but not the rows that brought them. Rows with one bonus seat
    of the same colour are queued instead; the effect is the same.
    """
    forget_round(own)
    read_sheet(observation, params, AT.own_sheet, own["sheet"])
    own["question"] = one_hot(observation, AT.own_sheet + OWN_AT.question, NUM_QUESTIONS)
    own["die"] = one_hot(observation, AT.own_sheet + OWN_AT.own_dice, NUM_COLOURS)
    own["green"] = max(0, one_hot(observation, AT.own_sheet + OWN_AT.own_dice + NUM_COLOURS, NUM_GREENS))
    own["fan"] = observation[AT.own_sheet + OWN_AT.own_dice + NUM_COLOURS + NUM_GREENS]
    own["boat"] = one_hot(observation, AT.own_sheet + OWN_AT.filling, NUM_COLOURS)
    own["left"] = observation[AT.own_sheet + OWN_AT.to_cross]
    queued = 0
    for colour in range(NUM_COLOURS):
        for _ in range(int(observation[AT.own_sheet + OWN_AT.waiting_bonus + colour])):
            own["queue"][queued] = SINGLE_BONUS_ROWS[colour]
            queued += 1
    own["queued"] = queued
    read_visits(observation, own)


@kernel
def read_visits(observation: Vector, own: Record) -> None:
    """Write the observer's excursions of this round; points are 1 for any score, and all +1 symbols go to the first."""
    visits = 0
    for at in range(MAX_VISITS):
        own["place"][at] = one_hot(observation, AT.own_sheet + OWN_AT.visited + at * MAX_PLACES, MAX_PLACES)
        visits += int(own["place"][at]) >= 0
        for boat in range(NUM_BOATS):
            own["points"][at, boat] = observation[AT.own_sheet + OWN_AT.scored + at * NUM_BOATS + boat]
    own["visits"] = visits
    reach = int(RANGE)
    if observation[AT.own_sheet + OWN_AT.speed]:
        own["speed"] = 1
        reach = int(SPEED_RANGE)
    own["extended"][0] = int(observation[AT.own_sheet + OWN_AT.range]) - reach
    own["prize"] = one_hot(observation, AT.own_sheet + OWN_AT.prize, NUM_BOATS)
