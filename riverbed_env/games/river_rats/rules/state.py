"""The records of River Rats, what a seat may see of them, the question asked and the record of events.

The public table is one record, and so is each seat's private part (RR-6.1): a seat's view is a copy of the table and of
that seat's private part, nothing else. Sets of cards are integers with the bits of their cards. Narrow fields are
storage: read them through `int(...)`.
RR-6.1, the one boundary for secrets: `look` alone reads a state on a seat's behalf.
"""

import numpy as np

from riverbed_env.kernels.common import append_event
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import STREAM_FIELDS
from riverbed_env.kernels.records import COUNTER, FLAG, Fields, param
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import kernel
from . import vocab as v

# More than a game can have, and small enough that the counters can't overflow.
MOST_TURNS = 2**30
MOST_ROUNDS = 2**14

SEAT_OR_NOBODY = (v.NOBODY, param("num_players", less=1))
SUIT = (v.Suit.NONE, v.NUM_SUITS - 1)
CARD = (v.NO_CARD, v.NUM_CARDS - 1)
SET = (0, v.ALL_CARDS)

TABLE_FIELDS = Fields(
    ("events", np.int64, (MAX_EVENTS,)),  # eight bytes an event, a ring: see newest_event
    ("market", np.int64, (), SET),  # cards of the market
    ("discard", np.int64, (), SET),  # cards on the discard pile
    ("rat_up", np.int64, (), SET),  # the rat's face-up cards, River Rats themselves apart
    ("collective", np.int64, (), SET),  # face-up cards of the collective hand, those of an expert joker apart
    ("revealed", np.int64, (), SET),  # cards an expert joker has brought to it (RR-5.2)
    ("taken", np.int64, (v.MAX_SEATS,), SET),  # cards seen to go into the hand, and not seen to leave it
    ("rat_debt_seen", np.int64, (), SET),  # cards of the active rat's debt that once lay open
    ("debt_seen", np.int64, (), SET),  # … of the players' debt
    ("tally", np.int32, (len(v.Event),)),  # how often each kind of event happened
    ("decisions", np.int32, (), (0, param("max_decisions"))),  # taken so far, forced ones too
    ("event_count", np.int32, (), COUNTER),  # public events so far
    ("turn", np.int32, (), (0, MOST_TURNS)),  # turns begun, skipped ones too
    ("round", np.int16, (), (0, MOST_ROUNDS)),  # rounds begun
    ("num_players", np.int8, (), (param("num_players"), param("num_players"))),  # 1 … 4
    ("step", np.int8, (), (0, len(v.Step) - 1)),  # Step
    ("ending", np.int8, (), (0, v.Ending.TRUNCATED)),  # Ending
    # Winner; NONE while playing and when truncated
    ("winner", np.int8, (), (v.Winner.NONE, v.Winner.RATS), v.Winner.NONE),
    # seat whose turn it is, or comes next while hands resolve
    ("active", np.int8, (), (0, param("num_players", less=1))),
    ("asked", np.int8, (), SEAT_OR_NOBODY, v.NOBODY),  # seat that has to choose, NOBODY at the end
    ("question", np.int8, (), (0, v.NUM_QUESTIONS - 1)),  # Question
    ("rat", np.int8, (), SUIT, v.Suit.NONE),  # Suit of the active River Rat; NONE while characters are chosen
    ("defeated", np.int8, (), SUIT, v.Suit.NONE),  # Suit of the defeated one, whose bonus holds; NONE before
    ("character", np.int8, (v.MAX_SEATS,), SUIT, v.Suit.NONE),  # Suit of the seat's ace; NONE before it is chosen
    ("hand_size", np.int8, (v.MAX_SEATS,), (0, v.NUM_CARDS)),
    ("deck_size", np.int8, (), (0, v.NUM_CARDS)),
    ("rat_down", np.int8, (), (0, v.MAX_FACE_DOWN)),  # how many face-down cards the rat has
    ("pile_size", np.int8, (), (0, v.MAX_PILE)),  # cards of debt in this round
    ("first_debt", np.int8, (), CARD, v.NO_CARD),  # the first of them, face-up, or NO_CARD
    ("rat_debt", np.int8, (), (0, v.MAX_DEBT)),  # cards of debt on the active rat
    ("debt", np.int8, (), (0, v.MAX_DEBT)),  # cards of debt of the players
    ("prediction", np.int8, (), (-1, v.NUM_CATEGORIES - 1), -1),  # Category the first debt predicts, or NONE
    ("joker_down", np.int8, (), (0, v.NUM_JOKERS), v.NUM_JOKERS),  # jokers still to be earned
    ("joker_up", np.int8, (), (0, v.NUM_JOKERS)),  # … to be used
    ("joker_used", np.int8, (), FLAG),  # 1: one is used for this collective hand
    # seat that placed the collective hand's face-down card, or NOBODY
    ("placer", np.int8, (), SEAT_OR_NOBODY, v.NOBODY),
    ("played", np.int8, (), CARD, v.NO_CARD),  # card just played, whose action or power is under way, or NO_CARD
    ("swapped", np.int8, (), CARD, v.NO_CARD),  # card chosen to be swapped out, or NO_CARD
    ("power", np.int8, (), FLAG),  # 1: the player power is under way, not the suit action
    ("zone", np.int8, (), (0, v.NUM_ZONES - 1)),  # Zone of the discards under way
    ("drawn", np.int8, (), FLAG),  # 1: the turn's first card is drawn
    ("skips", np.int8, (), (0, param("num_players"))),  # seats skipped in a row (RR-3.7)
)
TABLE = TABLE_FIELDS.dtype
EMPTY_TABLE = TABLE_FIELDS.start()

PRIVATE_FIELDS = Fields(
    ("hand", np.int64, (), SET),  # cards in the hand
    ("placed", np.int8, (), CARD),  # the card this seat placed face-down in the collective hand, or NO_CARD
)
PRIVATE = PRIVATE_FIELDS.dtype

GAME_FIELDS = Fields(
    ("table", TABLE_FIELDS),
    ("private", PRIVATE_FIELDS, (v.MAX_SEATS + 1,)),  # by seat, then PUBLIC, which holds nothing
    ("rat_debt", np.int64, (), SET),  # cards of the active rat's debt
    ("deck", np.int8, (v.NUM_CARDS,), CARD),  # the top card last; all cards while characters are chosen
    ("face_down", np.int8, (v.MAX_FACE_DOWN,), CARD),  # the rat's face-down cards, the lowest first
    ("pile", np.int8, (v.MAX_PILE,), CARD),  # the round's debt in the order it was laid
    ("debt", np.int8, (v.MAX_DEBT,), CARD),  # the players' debt, the top card last
    ("first_rat", np.int8, (), (0, v.NUM_SUITS - 1)),  # Suit of the River Rat that is active first
    ("second_rat", np.int8, (), (0, v.NUM_SUITS - 1)),  # … of the one that waits
    ("seed", np.int64, (), COUNTER),  # seed and number identify the game
    ("number", np.int64, (), COUNTER),
    ("chance", STREAM_FIELDS),  # chance in play; the deal's stream ends with the deal
    ("agents", STREAM_FIELDS),  # what the players draw
)
GAME = GAME_FIELDS.dtype

# The observer or PUBLIC, the table, the observer's private part.
VIEW = np.dtype([("seat", np.int8), ("table", TABLE), ("private", PRIVATE)], align=True)

PARAMS = np.dtype(
    [
        ("max_decisions", np.int32),
        ("num_players", np.int8),
        ("auto_forced", np.int8),  # Forced
        ("mode", np.int8),  # Mode
        ("prediction", np.int8),  # Prediction
        ("powers", np.int8),  # 1: with player powers
        ("abilities", np.int8),  # 1: with the rats' abilities
        ("face_down", np.int8),  # face-down cards of the rat, before abilities and bonuses
        ("joker", np.int8),  # JokerUse
    ],
    align=True,
)


@kernel
def look(game: Record, seat: int, view: Record) -> None:
    """RR-6.1: fill `view` with what the seat may know: the table, and its own hand and the card it placed face-down.

    Seat PUBLIC sees what everybody knows.
    """
    view["seat"] = seat
    view["table"] = game["table"]
    view["private"] = game["private"][seat]


@kernel
def set_of(card: int) -> int:
    """A card as a set, the empty one for NO_CARD."""
    if card == v.NO_CARD:
        return 0
    return 1 << card


@kernel
def ask(table: Record, seat: int, question: int) -> None:
    """Ask `seat` a question."""
    table["asked"] = seat
    table["question"] = question


@kernel
def close_question(table: Record) -> None:
    """End the question; the rules continue."""
    ask(table, v.NOBODY, v.Question.NONE)


@kernel
def record_event(
    table: Record, kind: int, actor: int = -1, card: int = -1, other: int = -1, first: int = 0, second: int = 0
) -> None:
    """RR-6.1: append a public event to the ring, with the round and the turn.

    An event is one word, the lowest byte first: kind, 1 + actor, 1 + card, 1 + second card, first number, second
    number, round, turn (both at most 127). -1 is NOBODY and NO_CARD.
    """
    word = kind | ((actor + 1) << 8) | ((card + 1) << 16) | ((other + 1) << 24) | (first << 32) | (second << 40)
    word |= (min(127, int(table["round"])) << 48) | (min(127, int(table["turn"])) << 56)
    append_event(table, word)
    table["tally"][kind] += 1
