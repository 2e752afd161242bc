"""The records of River Rats: what lies open on the table, what each seat holds back, and a whole game.

The public part is one record of its own and so is each seat's private part (RR-6.1): a seat's view is a copy of the
first and of its own second, nothing else. Sets of cards are integers with the bits of their cards. Narrow fields are
storage: read them through `int(...)`.
"""

import numpy as np

from riverbed_env.kernels.random import STREAM
from riverbed_env.kernels.vocab import MAX_EVENTS

from .vocab import MAX_DEBT, MAX_FACE_DOWN, MAX_PILE, MAX_SEATS, NUM_CARDS, NUM_EVENTS

TABLE = np.dtype(
    [
        ("events", np.int64, (MAX_EVENTS,)),  # eight bytes an event, a ring: see newest_event
        ("market", np.int64),  # cards of the market
        ("discard", np.int64),  # cards on the discard pile
        ("rat_up", np.int64),  # the rat's face-up cards, River Rats themselves apart
        ("collective", np.int64),  # face-up cards of the collective hand, those of an expert joker apart
        ("revealed", np.int64),  # cards an expert joker has brought to it (RR-5.2)
        ("taken", np.int64, (MAX_SEATS,)),  # cards seen to go into the hand, and not seen to leave it
        ("rat_debt_seen", np.int64),  # cards of the active rat's debt that once lay open
        ("debt_seen", np.int64),  # … of the players' debt
        ("tally", np.int32, (NUM_EVENTS,)),  # how often each kind of event happened
        ("decisions", np.int32),  # taken so far, forced ones too
        ("event_count", np.int32),  # public events so far
        ("turn", np.int32),  # turns begun, skipped ones too
        ("round", np.int16),  # rounds begun
        ("num_players", np.int8),  # 1 … 4
        ("step", np.int8),  # Step
        ("ending", np.int8),  # Ending
        ("winner", np.int8),  # Winner; NONE while playing and when truncated
        ("active", np.int8),  # seat whose turn it is, or comes next while hands resolve
        ("asked", np.int8),  # seat that has to choose, NOBODY at the end
        ("question", np.int8),  # Question
        ("rat", np.int8),  # Suit of the active River Rat; NONE while characters are chosen
        ("defeated", np.int8),  # Suit of the defeated one, whose bonus holds; NONE before
        ("character", np.int8, (MAX_SEATS,)),  # Suit of the seat's ace; NONE before it is chosen
        ("hand_size", np.int8, (MAX_SEATS,)),
        ("deck_size", np.int8),
        ("rat_down", np.int8),  # how many face-down cards the rat has
        ("pile_size", np.int8),  # cards of debt in this round
        ("first_debt", np.int8),  # the first of them, face-up, or NO_CARD
        ("rat_debt", np.int8),  # cards of debt on the active rat
        ("debt", np.int8),  # cards of debt of the players
        ("prediction", np.int8),  # Category the first debt predicts, or NONE
        ("joker_down", np.int8),  # jokers still to be earned
        ("joker_up", np.int8),  # … to be used
        ("joker_used", np.int8),  # 1: one is used for this collective hand
        ("placer", np.int8),  # seat that placed the collective hand's face-down card, or NOBODY
        ("played", np.int8),  # card just played, whose action or power is under way, or NO_CARD
        ("swapped", np.int8),  # card chosen to be swapped out, or NO_CARD
        ("power", np.int8),  # 1: the player power is under way, not the suit action
        ("zone", np.int8),  # Zone of the discards under way
        ("drawn", np.int8),  # 1: the turn's first card is drawn
        ("skips", np.int8),  # seats skipped in a row (RR-3.7)
    ],
    align=True,
)

PRIVATE = np.dtype(
    [
        ("hand", np.int64),  # cards in the hand
        ("placed", np.int8),  # the card this seat placed face-down in the collective hand, or NO_CARD
    ],
    align=True,
)

GAME = np.dtype(
    [
        ("table", TABLE),
        ("private", PRIVATE, (MAX_SEATS + 1,)),  # by seat, then PUBLIC, which holds nothing
        ("rat_debt", np.int64),  # cards of the active rat's debt
        ("deck", np.int8, (NUM_CARDS,)),  # the top card last; all cards while characters are chosen
        ("face_down", np.int8, (MAX_FACE_DOWN,)),  # the rat's face-down cards, the lowest first
        ("pile", np.int8, (MAX_PILE,)),  # the round's debt in the order it was laid
        ("debt", np.int8, (MAX_DEBT,)),  # the players' debt, the top card last
        ("first_rat", np.int8),  # Suit of the River Rat that is active first
        ("second_rat", np.int8),  # … of the one that waits
        ("seed", np.int64),  # the game is found again by seed and number
        ("number", np.int64),
        ("chance", STREAM),  # chance in play; the deal's stream ends with the deal
        ("agents", STREAM),  # what the players draw
    ],
    align=True,
)

VIEW = np.dtype(
    [
        ("seat", np.int8),  # the observer, or PUBLIC
        ("table", TABLE),
        ("private", PRIVATE),  # the observer's own
    ],
    align=True,
)

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
