"""The records of Riverside (public table, score sheets, choices in the phase, game) and what a seat may see of them.

RS-5.1 divides the state. The table and `sheets` are public; `sheets` holds each sheet as it was when the phase began.
A seat's private part holds its current sheet and its choices of this round. `timing` holds which seats must answer; no
view contains it. A seat's view is a copy of the public parts and its own private part only.
Narrow fields are storage: read them through `int(...)`.
RS-5.1, the one boundary for secrets: only `look` and `observe.show`, which shows the same, read a state for a seat.
"""

import numpy as np

from riverbed_env.kernels.common import append_event
from riverbed_env.kernels.compile import Record, Whole
from riverbed_env.kernels.random import STREAM_FIELDS
from riverbed_env.kernels.records import COUNTER, FLAG, Fields, param
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import kernel
from . import vocab as v

MOST_DEEDS = 30_000
MOST_POINTS = 12_000  # of a boat: more than any game brings, and two bytes hold hundreds and rest

SEAT_OR_NOBODY = (v.NOBODY, param("num_players", less=1))
SEAT_BITS = (0, lambda params: (1 << int(params["num_players"])) - 1)


def most_deeds(params: np.void) -> Whole:
    """The upper bound of each seat's Deed counts, shape (MAX_SEATS, 1); 0 for empty seats."""
    return np.where(np.arange(v.MAX_SEATS) < params["num_players"], MOST_DEEDS, 0)[:, None]


TABLE_FIELDS = Fields(
    ("events", np.int64, (MAX_EVENTS,)),  # a ring of eight-byte events: see newest_event
    ("event_count", np.int32, (), COUNTER),  # public events so far
    ("tally", np.int32, (len(v.Event),)),  # number of events of each kind
    ("deeds", np.int16, (v.MAX_SEATS, v.NUM_DEEDS), (0, most_deeds)),  # Deed
    ("final", np.int32, (v.MAX_SEATS,), (-MOST_POINTS, MOST_POINTS)),  # final scores (RS-4.1), 0 before the end
    ("captain", np.int32, (v.MAX_SEATS,), (0, MOST_POINTS)),  # captain points, 0 before the end
    ("round", np.int16, (), (1, param("anchor"))),  # number of rolls so far
    ("ship", np.int16, (), (1, param("anchor"))),  # the ship's space: from 0, the start, to the anchor
    ("distance", np.int16, (v.MAX_PLACES,)),  # steps from the ship to each village (RS-2.4); 0 without a village
    # tile index (printed number - 1) at each place, or NO_TILE
    ("tile", np.int8, (v.MAX_PLACES,), (v.NO_TILE, param("num_places", less=1))),
    ("dice", np.int8, (v.NUM_DICE,), (1, v.PIPS)),  # pips of the base dice by colour and of the green die
    ("temperature", np.int8, (), (1, v.PIPS)),  # 1 … 6
    ("heated", np.int8, (), (0, (1 << v.NUM_COLOURS) - 1)),  # bit c: the base die of colour c is heated
    ("open_columns", np.int8, (), (0, (1 << v.MAX_COLUMNS) - 1)),  # bit c: column c has a passage
    ("num_players", np.int8, (), (param("num_players"), param("num_players"))),  # 1 … 6
    ("phase", np.int8, (), (0, v.Phase.OVER)),  # Phase
    ("ending", np.int8, (), (0, v.Ending.TRUNCATED)),  # Ending
    ("winners", np.int8, (), SEAT_BITS),  # bit s: seat s has won; 0 before the end and if truncated
)
TABLE = TABLE_FIELDS.dtype
EMPTY_TABLE = TABLE_FIELDS.start()

SHEET_FIELDS = Fields(
    ("total", np.int32, (v.NUM_BOATS,), (0, MOST_POINTS)),  # sum of a boat's excursion scores
    ("last", np.int16, (v.NUM_BOATS,), (0, MOST_POINTS)),  # its last excursion score, the highest; 0 before any
    ("ticket_points", np.int16, (v.NUM_COLOURS,), (0, MOST_POINTS)),  # points of the completed rows
    ("crossed", np.int8, (v.NUM_COLOURS, v.ROWS), (0, param("seats"))),  # seats crossed in each row, from the left
    ("tickets", np.int8, (v.NUM_COLOURS,), (0, v.ROWS)),  # completed rows
    ("power", np.int8, (v.NUM_POWERS,), (v.Charge.LOCKED, v.Charge.USED)),  # Charge
    ("fire", np.int8, (), (0, param("fire"))),  # fire symbols left
    ("plus", np.int8, (), (0, param("plus"))),  # +1 symbols left
)
SHEET = SHEET_FIELDS.dtype
EMPTY_SHEET = SHEET_FIELDS.start()

PRIVATE_FIELDS = Fields(
    ("sheet", SHEET_FIELDS),  # the current sheet
    # points at each visit of this round, 0 if not scored
    ("points", np.int16, (v.MAX_VISITS, v.NUM_BOATS), (0, MOST_POINTS)),
    # rows completed this round (boat x ROWS + row), in order; NO_ROW past the last
    ("queue", np.int8, (v.NUM_ROWS,), (v.NO_ROW, v.NUM_ROWS - 1), v.NO_ROW),
    ("queued", np.int8, (), (0, v.NUM_ROWS)),  # number of rows in the queue
    ("paid", np.int8, (), COUNTER),  # number of queued rows whose bonus the seat has received
    ("question", np.int8, (), (0, v.NUM_QUESTIONS - 1)),  # Question
    # the boat whose seats are being crossed, or NO_BOAT
    ("boat", np.int8, (), (v.NO_BOAT, v.NUM_COLOURS - 1), v.NO_BOAT),
    ("left", np.int8, (), COUNTER),  # seats still to cross in that boat
    # colour of the chosen base die, or NO_DIE
    ("die", np.int8, (), (v.NO_DIE, v.NUM_COLOURS - 1), v.NO_DIE),
    ("green", np.int8, (), (0, v.NUM_GREENS - 1)),  # Green
    ("fan", np.int8, (), FLAG),  # 1: with Fan base
    ("visits", np.int8, (), (0, v.MAX_VISITS)),  # villages visited this round
    # place of each visit, or NO_PLACE
    ("place", np.int8, (v.MAX_VISITS,), (v.NO_PLACE, param("num_places", less=1)), v.NO_PLACE),
    ("extended", np.int8, (v.MAX_VISITS,), (0, param("plus"))),  # +1 symbols crossed for each visit
    # 1 + villages visited before Speed boat was called this round; 0 if not called
    ("speed", np.int8, (), (0, v.MAX_VISITS)),
    # the boat that got the prize ticket this round, or NO_BOAT
    ("prize", np.int8, (), (v.NO_BOAT, v.CHURCH), v.NO_BOAT),
    ("prize_visit", np.int8, (), (0, v.MAX_VISITS - 1)),  # the visit at which it was called, from 0
)
PRIVATE = PRIVATE_FIELDS.dtype
NO_CHOICES = PRIVATE_FIELDS.start()

TIMING_FIELDS = Fields(
    ("steps", np.int32, (), (0, param("max_steps"))),  # steps so far; every pending seat answers once a step (RS-5.2)
    ("decisions", np.int32, (), COUNTER),  # answers so far, including forced ones
    ("waiting", np.int8, (), SEAT_BITS),  # bit s: seat s must still answer in this step
    ("asked", np.int8, (), SEAT_OR_NOBODY, v.NOBODY),  # the lowest waiting seat, NOBODY at the end
)
TIMING = TIMING_FIELDS.dtype
NO_TIMING = TIMING_FIELDS.start()

GAME_FIELDS = Fields(
    ("table", TABLE_FIELDS),
    ("sheets", SHEET_FIELDS, (v.MAX_SEATS,)),  # each seat's sheet as it was when the phase began
    ("private", PRIVATE_FIELDS, (v.MAX_SEATS,)),
    ("timing", TIMING_FIELDS),
    ("seed", np.int64, (), COUNTER),  # seed and number identify the game
    ("number", np.int64, (), COUNTER),
    ("chance", STREAM_FIELDS),  # the stream of the dice; during the deal, the deal's
    ("agents", STREAM_FIELDS),  # the agents' stream
)
GAME = GAME_FIELDS.dtype

# The observer (NOBODY for a public view), the public parts, the observer's private part.
VIEW = np.dtype(
    [("seat", np.int8), ("table", TABLE), ("sheets", SHEET, (v.MAX_SEATS,)), ("private", PRIVATE)], align=True
)

PARAMS = np.dtype(
    [
        ("num_players", np.int8),
        ("auto_forced", np.int8),  # Forced
        ("at_once", np.int8),  # 1: seats answer at once, so a game is drawn as it is before anybody has answered
        ("extension", np.int8),  # 1: with the two tiles of the extension
        ("max_steps", np.int32),  # RS-5.2
        ("columns", np.int8),  # columns of the board
        ("num_places", np.int8),  # two per column; tiles 0 … num_places - 1 are in play
        ("anchor", np.int16),  # space at which the ship ends the game
        ("middle", np.int16, (2, v.MAX_COLUMNS)),  # middle space of each tile: north row, south row
        ("crossing", np.int16),  # steps through a passage, from middle space to middle space
        ("aside", np.int16),  # steps from a middle space to its village
        ("value", np.int16, (v.MAX_PLACES, v.NUM_BOATS)),  # value of each tile's village for each boat, 0 none
        ("village", np.int64, (v.MAX_PLACES,)),  # what observations say of it but for its passage, as one word
        ("passage", np.int8, (v.MAX_PLACES,)),  # 1: the tile has a passage to the other row
        ("fire", np.int8),  # fire symbols at the start
        ("plus", np.int8),  # +1 symbols at the start
        ("seats", np.int8, (v.NUM_COLOURS, v.ROWS)),  # seats in each row
        ("points", np.int16, (v.NUM_COLOURS, v.ROWS)),  # points of the row's ticket
        ("bonus", np.int8, (v.NUM_COLOURS, v.ROWS)),  # bonus seats of the row
        ("bonus_boat", np.int8, (v.NUM_COLOURS, v.ROWS)),  # boat of the bonus seats
        ("royal", np.int8, (v.NUM_COLOURS, v.ROWS)),  # the row's royal seat, from 1; 0 none
        ("power", np.int8, (v.NUM_COLOURS,)),  # Power of each boat's royal seats
        ("reward", np.int16),  # added for most captain points, subtracted for fewest (RS-4.1)
        ("solo_from", np.int16),  # captain points that earn the reward in solo play
        ("solo_win", np.int16),  # final score that wins in solo play
        ("deduction", np.int16),  # subtracted before a score is compared with a mark; 0 without the extension
        ("bands", np.int16, (v.BANDS,)),  # marks of final scores
    ],
    align=True,
)


@kernel
def look(game: Record, seat: int, view: Record) -> None:
    """RS-5.1: fill `view` with what the seat may know.

    The view holds the table, each sheet as it was when the phase began, and the seat's current private part. It leaves
    out `timing`: the pending seats could reveal what others have chosen.
    """
    view["seat"] = seat
    view["table"] = game["table"]
    view["sheets"] = game["sheets"]
    view["private"] = game["private"][seat]


@kernel
def record_event(table: Record, kind: int, actor: int, boat: int, place: int, number: int, detail: int) -> None:
    """RS-5.1: append a public event to the ring.

    An event is one word, the lowest byte first: kind, 1 + actor, 1 + boat, 1 + place, number in hundreds and rest,
    detail, round (at most 127).
    """
    word = kind | ((actor + 1) << 8) | ((boat + 1) << 16) | ((place + 1) << 24)
    word |= ((number // 100) << 32) | ((number % 100) << 40) | (detail << 48) | (min(127, int(table["round"])) << 56)
    append_event(table, word)
    table["tally"][kind] += 1


@kernel
def count_deed(table: Record, seat: int, deed: int, amount: int) -> None:
    """RS-5.1: add to a seat's count of a Deed, once it is public."""
    table["deeds"][seat, deed] = min(MOST_DEEDS, int(table["deeds"][seat, deed]) + amount)
