"""The records of Riverside: the open table, score sheets, what each seat does in the phase, and a whole game.

Three parts keep RS-5.1: the table and `sheets` hold what everybody knows, the sheets as they were when the phase
began; a seat's private part holds its true sheet and its choices of this round; `timing` says who is asked when and
is in no view. A seat's view is a copy of the first two and of its own private part, nothing else.
Narrow fields are storage: read them through `int(...)`.
"""

import numpy as np

from riverbed_env.kernels.random import STREAM
from riverbed_env.kernels.vocab import MAX_EVENTS

from .vocab import (
    BANDS,
    MAX_COLUMNS,
    MAX_PLACES,
    MAX_SEATS,
    MAX_VISITS,
    NUM_BOATS,
    NUM_COLOURS,
    NUM_DEEDS,
    NUM_DICE,
    NUM_EVENTS,
    NUM_POWERS,
    NUM_ROWS,
    ROWS,
)

TABLE = np.dtype(
    [
        ("events", np.int64, (MAX_EVENTS,)),  # eight bytes an event, a ring: see newest_event
        ("event_count", np.int32),  # public events so far
        ("tally", np.int32, (NUM_EVENTS,)),  # how often each kind of event happened
        ("deeds", np.int16, (MAX_SEATS, NUM_DEEDS)),  # Deed
        ("final", np.int32, (MAX_SEATS,)),  # final scores (RS-4.1), 0 before the end
        ("captain", np.int32, (MAX_SEATS,)),  # captain points at the end
        ("round", np.int16),  # rolls so far
        ("ship", np.int16),  # space of the ship: 0 the start, then along the route to the anchor
        ("distance", np.int16, (MAX_PLACES,)),  # steps from the ship to each village (RS-2.4), 0 where there is none
        ("tile", np.int8, (MAX_PLACES,)),  # tile of each place, by its number less 1, or NO_TILE
        ("dice", np.int8, (NUM_DICE,)),  # pips of the base dice by colour and of the green die
        ("temperature", np.int8),  # 1 … 6
        ("heated", np.int8),  # bit c: the base die of colour c is heated
        ("open_columns", np.int8),  # bit c: column c has a passage
        ("num_players", np.int8),  # 1 … 6
        ("phase", np.int8),  # Phase
        ("ending", np.int8),  # Ending
        ("winners", np.int8),  # bit s: seat s has won; 0 before the end and when truncated
    ],
    align=True,
)

SHEET = np.dtype(
    [
        ("total", np.int32, (NUM_BOATS,)),  # sum of all scores of a boat
        ("last", np.int16, (NUM_BOATS,)),  # its last and highest score, 0 before the first
        ("ticket_points", np.int16, (NUM_COLOURS,)),  # points of the completed rows
        ("crossed", np.int8, (NUM_COLOURS, ROWS)),  # seats crossed in each row, from the left
        ("tickets", np.int8, (NUM_COLOURS,)),  # completed rows
        ("power", np.int8, (NUM_POWERS,)),  # Charge
        ("fire", np.int8),  # fire symbols left
        ("plus", np.int8),  # +1 symbols left
    ],
    align=True,
)

PRIVATE = np.dtype(
    [
        ("sheet", SHEET),  # as it truly is
        ("points", np.int16, (MAX_VISITS, NUM_BOATS)),  # scored at each visit of this round, 0 where not
        ("queue", np.int8, (NUM_ROWS,)),  # rows completed this round (boat x ROWS + row) in order, else NO_ROW
        ("queued", np.int8),  # how many
        ("paid", np.int8),  # how many of them have given their bonus
        ("question", np.int8),  # Question
        ("boat", np.int8),  # whose seats are being crossed, or NO_BOAT
        ("left", np.int8),  # how many more of them
        ("die", np.int8),  # colour of the base die chosen this round, or NO_DIE
        ("green", np.int8),  # Green
        ("fan", np.int8),  # 1: on Fan base
        ("visits", np.int8),  # villages visited this round
        ("place", np.int8, (MAX_VISITS,)),  # which, or NO_PLACE
        ("extended", np.int8, (MAX_VISITS,)),  # +1 symbols crossed for each
        ("speed", np.int8),  # 1 + villages visited before Speed boat was called this round, 0 if it wasn't
        ("prize", np.int8),  # the boat for which the prize ticket was called this round, or NO_BOAT
        ("prize_visit", np.int8),  # … at which visit, from 0
    ],
    align=True,
)

TIMING = np.dtype(
    [
        ("steps", np.int32),  # steps so far; in each every pending seat answers once (RS-5.2)
        ("decisions", np.int32),  # answers so far, forced ones too
        ("waiting", np.int8),  # bit s: seat s hasn't answered in this step yet
        ("asked", np.int8),  # the lowest of them, NOBODY at the end
    ],
    align=True,
)

GAME = np.dtype(
    [
        ("table", TABLE),
        ("sheets", SHEET, (MAX_SEATS,)),  # everybody's as they were when the phase began
        ("private", PRIVATE, (MAX_SEATS,)),
        ("timing", TIMING),
        ("seed", np.int64),  # the game is found again by seed and number
        ("number", np.int64),
        ("chance", STREAM),  # the dice; the deal's stream ends with the deal
        ("agents", STREAM),  # what the players draw
    ],
    align=True,
)

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
