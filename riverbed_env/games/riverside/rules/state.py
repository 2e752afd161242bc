"""The records of Riverside: the open table, score sheets, what each seat does in the phase, and a whole game.

Three parts keep RS-5.1: the table and `sheets` hold what everybody knows, the sheets as they were when the phase
began; a seat's private part holds its true sheet and its choices of this round; `timing` says who is asked when and
is in no view. A seat's view is a copy of the first two and of its own private part, nothing else.
Narrow fields are storage: read them through `int(...)`.
"""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.random import STREAM_FIELDS
from riverbed_env.kernels.records import COUNTER, FLAG, Fields, param
from riverbed_env.kernels.vocab import MAX_EVENTS

from .vocab import (
    BANDS,
    CHURCH,
    MAX_COLUMNS,
    MAX_PLACES,
    MAX_SEATS,
    MAX_VISITS,
    NO_BOAT,
    NO_DIE,
    NO_PLACE,
    NO_ROW,
    NO_TILE,
    NOBODY,
    NUM_BOATS,
    NUM_COLOURS,
    NUM_DEEDS,
    NUM_DICE,
    NUM_EVENTS,
    NUM_GREENS,
    NUM_POWERS,
    NUM_QUESTIONS,
    NUM_ROWS,
    PIPS,
    ROWS,
    Charge,
    Ending,
    Phase,
)

MOST_DEEDS = 30_000

SEAT_OR_NOBODY = (NOBODY, param("num_players", less=1))
SEAT_BITS = (0, lambda params: (1 << int(params["num_players"])) - 1)


def most_deeds(params: np.void) -> npt.NDArray[np.int64]:
    """How much of each Deed each seat can have done, (MAX_SEATS, 1): nothing where nobody sits."""
    return np.where(np.arange(MAX_SEATS) < params["num_players"], MOST_DEEDS, 0)[:, None]


TABLE_FIELDS = Fields(
    ("events", np.int64, (MAX_EVENTS,)),  # eight bytes an event, a ring: see newest_event
    ("event_count", np.int32),  # public events so far
    ("tally", np.int32, (NUM_EVENTS,)),  # how often each kind of event happened
    ("deeds", np.int16, (MAX_SEATS, NUM_DEEDS), (0, most_deeds)),  # Deed
    ("final", np.int32, (MAX_SEATS,)),  # final scores (RS-4.1), 0 before the end
    ("captain", np.int32, (MAX_SEATS,)),  # captain points at the end
    ("round", np.int16),  # rolls so far
    ("ship", np.int16, (), (1, param("anchor"))),  # space of the ship: 0 the start, then along the route to the anchor
    ("distance", np.int16, (MAX_PLACES,)),  # steps from the ship to each village (RS-2.4), 0 where there is none
    # tile of each place, by its number less 1, or NO_TILE
    ("tile", np.int8, (MAX_PLACES,), (NO_TILE, param("num_places", less=1))),
    ("dice", np.int8, (NUM_DICE,), (1, PIPS)),  # pips of the base dice by colour and of the green die
    ("temperature", np.int8, (), (1, PIPS)),  # 1 … 6
    ("heated", np.int8, (), (0, (1 << NUM_COLOURS) - 1)),  # bit c: the base die of colour c is heated
    ("open_columns", np.int8),  # bit c: column c has a passage
    ("num_players", np.int8, (), (param("num_players"), param("num_players"))),  # 1 … 6
    ("phase", np.int8, (), (0, Phase.OVER)),  # Phase
    ("ending", np.int8, (), (0, Ending.TRUNCATED)),  # Ending
    ("winners", np.int8, (), SEAT_BITS),  # bit s: seat s has won; 0 before the end and when truncated
)
TABLE = TABLE_FIELDS.dtype
EMPTY_TABLE = TABLE_FIELDS.start()

SHEET_FIELDS = Fields(
    ("total", np.int32, (NUM_BOATS,), COUNTER),  # sum of all scores of a boat
    ("last", np.int16, (NUM_BOATS,), COUNTER),  # its last and highest score, 0 before the first
    ("ticket_points", np.int16, (NUM_COLOURS,)),  # points of the completed rows
    ("crossed", np.int8, (NUM_COLOURS, ROWS), (0, param("seats"))),  # seats crossed in each row, from the left
    ("tickets", np.int8, (NUM_COLOURS,), (0, ROWS)),  # completed rows
    ("power", np.int8, (NUM_POWERS,), (Charge.LOCKED, Charge.USED)),  # Charge
    ("fire", np.int8, (), (0, param("fire"))),  # fire symbols left
    ("plus", np.int8, (), (0, param("plus"))),  # +1 symbols left
)
SHEET = SHEET_FIELDS.dtype
EMPTY_SHEET = SHEET_FIELDS.start()

PRIVATE_FIELDS = Fields(
    ("sheet", SHEET_FIELDS),  # as it truly is
    ("points", np.int16, (MAX_VISITS, NUM_BOATS), COUNTER),  # scored at each visit of this round, 0 where not
    # rows completed this round (boat x ROWS + row) in order, else NO_ROW
    ("queue", np.int8, (NUM_ROWS,), (NO_ROW, NUM_ROWS - 1)),
    ("queued", np.int8, (), (0, NUM_ROWS)),  # how many
    ("paid", np.int8, (), COUNTER),  # how many of them have given their bonus
    ("question", np.int8, (), (0, NUM_QUESTIONS - 1)),  # Question
    ("boat", np.int8, (), (NO_BOAT, NUM_COLOURS - 1)),  # whose seats are being crossed, or NO_BOAT
    ("left", np.int8, (), COUNTER),  # how many more of them
    ("die", np.int8, (), (NO_DIE, NUM_COLOURS - 1)),  # colour of the base die chosen this round, or NO_DIE
    ("green", np.int8, (), (0, NUM_GREENS - 1)),  # Green
    ("fan", np.int8, (), FLAG),  # 1: on Fan base
    ("visits", np.int8, (), (0, MAX_VISITS)),  # villages visited this round
    ("place", np.int8, (MAX_VISITS,), (NO_PLACE, param("num_places", less=1))),  # which, or NO_PLACE
    ("extended", np.int8, (MAX_VISITS,), (0, param("plus"))),  # +1 symbols crossed for each
    # 1 + villages visited before Speed boat was called this round, 0 if it wasn't
    ("speed", np.int8, (), (0, MAX_VISITS)),
    ("prize", np.int8, (), (NO_BOAT, CHURCH)),  # the boat for which the prize ticket was called this round, or NO_BOAT
    ("prize_visit", np.int8, (), (0, MAX_VISITS - 1)),  # … at which visit, from 0
)
PRIVATE = PRIVATE_FIELDS.dtype

TIMING_FIELDS = Fields(
    ("steps", np.int32, (), (0, param("max_steps"))),  # steps so far; in each every pending seat answers once (RS-5.2)
    ("decisions", np.int32, (), COUNTER),  # answers so far, forced ones too
    ("waiting", np.int8, (), SEAT_BITS),  # bit s: seat s hasn't answered in this step yet
    ("asked", np.int8, (), SEAT_OR_NOBODY, NOBODY),  # the lowest of them, NOBODY at the end
)
TIMING = TIMING_FIELDS.dtype
NO_TIMING = TIMING_FIELDS.start()

GAME_FIELDS = Fields(
    ("table", TABLE_FIELDS),
    ("sheets", SHEET_FIELDS, (MAX_SEATS,)),  # everybody's as they were when the phase began
    ("private", PRIVATE_FIELDS, (MAX_SEATS,)),
    ("timing", TIMING_FIELDS),
    ("seed", np.int64, (), COUNTER),  # the game is found again by seed and number
    ("number", np.int64, (), COUNTER),
    ("chance", STREAM_FIELDS),  # the dice; the deal's stream ends with the deal
    ("agents", STREAM_FIELDS),  # what the players draw
)
GAME = GAME_FIELDS.dtype

VIEW = np.dtype(
    [
        ("seat", np.int8),  # the observer, or NOBODY: what everybody knows
        ("table", TABLE),
        ("sheets", SHEET, (MAX_SEATS,)),
        ("private", PRIVATE),  # the observer's own
    ],
    align=True,
)

PARAMS = np.dtype(
    [
        ("num_players", np.int8),
        ("auto_forced", np.int8),  # Forced
        ("extension", np.int8),  # 1: with the extension's two tiles
        ("max_steps", np.int32),  # RS-5.2
        ("columns", np.int8),  # of the board
        ("num_places", np.int8),  # two a column; tiles 0 … num_places - 1 are in play
        ("anchor", np.int16),  # space at which the ship ends the game
        ("middle", np.int16, (2, MAX_COLUMNS)),  # middle space of each tile: north row, south row
        ("crossing", np.int16),  # steps through a passage, from middle space to middle space
        ("aside", np.int16),  # steps from a middle space to its village
        ("value", np.int16, (MAX_PLACES, NUM_BOATS)),  # of each tile's village for each boat, 0 none
        ("passage", np.int8, (MAX_PLACES,)),  # 1: the tile lets through to the other row
        ("fire", np.int8),  # fire symbols at the start
        ("plus", np.int8),  # +1 symbols at the start
        ("seats", np.int8, (NUM_COLOURS, ROWS)),  # of each row
        ("points", np.int16, (NUM_COLOURS, ROWS)),  # of its ticket
        ("bonus", np.int8, (NUM_COLOURS, ROWS)),  # seats it gives
        ("bonus_boat", np.int8, (NUM_COLOURS, ROWS)),  # in which boat
        ("royal", np.int8, (NUM_COLOURS, ROWS)),  # which of its seats is royal, from 1; 0 none
        ("power", np.int8, (NUM_COLOURS,)),  # Power of each boat's royal seats
        ("reward", np.int16),  # for most captain points; off for fewest (RS-4.1)
        ("solo_from", np.int16),  # captain points that earn it alone
        ("solo_win", np.int16),  # final score that wins alone
        ("deduction", np.int16),  # taken off first with the extension, else 0
        ("bands", np.int16, (BANDS,)),  # marks of final scores
    ],
    align=True,
)
