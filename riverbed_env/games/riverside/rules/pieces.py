"""The observation table and the full-state table of Riverside. Their order is part of the environment's version."""

from riverbed_env.kernels.pieces import Piece, PieceTable
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import vocab as v

_SEAT = "seat (observer first, then clockwise)"
_COLOUR = "guide boat (white, yellow, brown, blue, pink)"
_BOAT = "boat (the guide boats, then the stave church boat)"
_ROW = "row from the top"
_PLACE = "place (north row west to east, then south row west to east)"
_PARTS = "hundreds, rest"
_VISIT = "visit"

# The entries of a score sheet.
SHEET_TABLE = PieceTable(
    (
        Piece("crossed", (v.NUM_COLOURS, v.ROWS), "all", "seats crossed", high=127, axes=(_COLOUR, _ROW)),
        Piece("left", (v.NUM_COLOURS, v.ROWS), "all", "seats not crossed yet", high=127, axes=(_COLOUR, _ROW)),
        Piece("tickets", (v.NUM_COLOURS,), "all", "completed rows", high=v.ROWS, axes=(_COLOUR,)),
        Piece("powers", (v.NUM_POWERS, 2), "all", "the royal power can be used; it is used already",
              axes=("power (Early birds, Fan base, Prize ticket, Warm night, Speed boat)", "flag")),
        Piece("symbols", (2,), "all", "fire symbols left; +1 symbols left", high=127, axes=("kind",)),
        Piece("last", (v.NUM_BOATS, 2), "all", "the boat's last and highest excursion score, 0 before the first",
              high=127, axes=(_BOAT, _PARTS)),
        Piece("points", (v.NUM_BOATS + 1, 2), "all", "points so far of each boat; then captain points", high=127,
              axes=("boat, then captain", _PARTS)),
    )
)  # fmt: skip
SHEET_SIZE = SHEET_TABLE.size
SHEET_AT = SHEET_TABLE.offsets()

# What everybody knows, including the sheets as they were when the phase began.
COMMON = (
    Piece("sheets", (v.MAX_SEATS, SHEET_SIZE), "all",
          "everybody's score sheet as it was when the phase began; all 0 past the number of players", high=127,
          axes=(_SEAT, "number of a sheet")),
    Piece("villages", (v.MAX_PLACES, v.NUM_BOATS + 2), "all",
          "what the village is worth for each boat; its column has a passage; there is a village", high=127,
          axes=(_PLACE, "boat, then flags")),
    Piece("distances", (v.MAX_PLACES,), "all", "steps from the ship", high=127, axes=(_PLACE,)),
    Piece("num_players", (v.MAX_SEATS,), "all", "one-hot number of players", axes=("1 to 6",)),
    Piece("extension", (1,), "all", "the extension is played"),
    Piece("phase", (len(v.Phase),), "all", "one-hot: dice, excursions, the game is over or cut off", axes=("phase",)),
    Piece("round", (1,), "all", "rolls so far, at most 127", high=127),
    Piece("dice", (v.NUM_DICE, v.PIPS), "all", "one-hot pips of the last roll",
          axes=("die (white, yellow, brown, blue, pink, green)", "pips")),
    Piece("heated", (v.NUM_COLOURS,), "all", "the base die is heated (the green die always is)", axes=(_COLOUR,)),
    Piece("temperature", (v.PIPS,), "all", "one-hot", axes=("pips",)),
    Piece("ship", (2,), "all", "spaces sailed; spaces to go to the anchor", high=127, axes=("number",)),
)  # fmt: skip

# What only the observer knows during a phase: its current sheet and its choices of this round.
OWN = (
    Piece("own_sheet", (SHEET_SIZE,), "own", "the observer's score sheet as it is now", high=127,
          axes=("number of a sheet",)),
    Piece("question", (v.NUM_QUESTIONS,), "own",
          "one-hot question that waits for the observer's answer, the first if none does in this phase",
          axes=("question",)),
    Piece("own_dice", (v.NUM_COLOURS + v.NUM_GREENS + 1,), "own",
          "the dice chosen this round: one-hot base die; one-hot without the green die, with it, with it on Warm "
          "night; on Fan base; all 0 before", axes=("choice",)),
    Piece("filling", (v.NUM_COLOURS,), "own", "one-hot boat whose seats are being crossed", axes=(_COLOUR,)),
    Piece("to_cross", (1,), "own", "how many of them are still to be crossed", high=127),
    Piece("waiting_bonus", (v.NUM_COLOURS,), "own", "bonus seats still to come after them", high=127, axes=(_COLOUR,)),
    Piece("visited", (v.MAX_VISITS, v.MAX_PLACES), "own", "one-hot village of each excursion this round",
          axes=(_VISIT, _PLACE)),
    Piece("scored", (v.MAX_VISITS, v.NUM_BOATS), "own", "the boat was scored there", axes=(_VISIT, _BOAT)),
    Piece("range", (1,), "own", "range this round, with the +1 symbols crossed so far", high=127),
    Piece("speed", (1,), "own", "Speed boat is called this round"),
    Piece("prize", (v.NUM_BOATS,), "own", "one-hot boat for which the prize ticket is called this round",
          axes=(_BOAT,)),
)  # fmt: skip

# The last public events and each seat's deeds; only view "history" has them.
HISTORY = (
    Piece("events", (MAX_EVENTS, v.EVENT_FIELDS), "all",
          "the last public events, newest first: kind; 1 + seats clockwise from the observer to the actor, 0 none; "
          "1 + boat, 0 none; 1 + place, 0 none; number in hundreds and rest; detail; round (at most 127)",
          high=127, axes=("event", "field")),
    Piece("deeds", (v.MAX_SEATS, v.NUM_DEEDS), "all",
          "what the seat has done in all phases that are over: base dice of each colour chosen; green dice added; "
          "excursions; scores", high=127, axes=(_SEAT, "deed")),
)  # fmt: skip

OWN_TABLE = PieceTable(OWN)
OWN_SIZE = OWN_TABLE.size
OWN_AT = OWN_TABLE.offsets()

# What no seat may know, for central critics and tests.
SECRETS = (
    Piece("private", (v.MAX_SEATS, OWN_SIZE), "nobody",
          "the numbers that the observation of each seat holds from `own_sheet` to `prize`", high=127,
          axes=("seat", "own number")),
    Piece("waiting", (v.MAX_SEATS,), "nobody", "the seat hasn't answered in this step yet", axes=("seat",)),
    Piece("asked", (v.MAX_SEATS,), "nobody", "one-hot seat that is asked", axes=("seat",)),
)  # fmt: skip

OBSERVATION = PieceTable(COMMON + OWN + HISTORY)
NOW_SIZE = PieceTable(COMMON + OWN).size
OBSERVATION_SIZE = OBSERVATION.size
AT = OBSERVATION.offsets()

# The full state: what everybody knows, with seat 0 as observer, then the secrets.
STATE = PieceTable(COMMON + HISTORY + SECRETS)
STATE_AT = STATE.offsets()
VIEWS = {"history": OBSERVATION_SIZE, "now": NOW_SIZE}
