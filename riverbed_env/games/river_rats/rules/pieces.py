"""The observation table and the full-state table of River Rats. Their order is part of the environment's version.

Sets of cards come first in each part and begin at multiples of four, because they are written four numbers at a time.
"""

from riverbed_env.kernels.pieces import Piece, PieceTable
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import vocab as v

_SEAT = "seat (observer first, then clockwise)"
_CARD = "card (13 × suit + rank, suits hearts, spades, clubs, diamonds, ranks two to ace)"
_SUIT = "suit (hearts, spades, clubs, diamonds)"


def _set(name: str, doc: str, visibility: str = "all") -> Piece:
    """A set of cards, one number a card."""
    return Piece(name, (v.NUM_CARDS,), "own" if visibility == "own" else "all", doc, axes=(_CARD,))


# What lies on the table, what the seat holds and what is asked: all of view "now".
NOW = (
    _set("own_hand", "the observer's hand", "own"),
    _set("own_face_down", "the card the observer placed face-down in the collective hand", "own"),
    _set("market", "the market"),
    _set("discard_pile", "the discard pile"),
    _set("rat_cards", "the rat's face-up cards, River Rats apart"),
    _set("collective", "the collective hand's face-up cards, those an expert joker brought apart"),
    _set("revealed", "cards an expert joker has brought to the collective hand (RR-5.2)"),
    _set("first_debt", "the round's first debt card, face-up"),
    _set("just_played", "the card just played, whose action or power may be used"),
    _set("swapped_out", "the card chosen to leave the collective hand"),
    Piece("num_players", (v.MAX_SEATS,), "all", "one-hot number of players", axes=("1 to 4",)),
    Piece("mode", (len(v.Mode),), "all", "one-hot mode", axes=("mode",)),
    Piece("prediction_rule", (2,), "all", "one-hot option `prediction`", axes=("exactly, at_least_form",)),
    Piece("question", (v.NUM_QUESTIONS,), "all", "one-hot question asked, the first when the game is over",
          axes=("question",)),
    Piece("asked", (v.MAX_SEATS,), "all", "one-hot seat that is asked", axes=(_SEAT,)),
    Piece("active", (v.MAX_SEATS,), "all", "one-hot seat whose turn it is, or comes next while hands resolve",
          axes=(_SEAT,)),
    Piece("rat", (v.NUM_SUITS,), "all", "one-hot suit of the active River Rat; all 0 while characters are chosen",
          axes=(_SUIT,)),
    Piece("defeated", (v.NUM_SUITS,), "all", "one-hot suit of the defeated River Rat, whose bonus holds",
          axes=(_SUIT,)),
    Piece("characters", (v.MAX_SEATS, v.NUM_SUITS), "all", "one-hot suit of the character", axes=(_SEAT, _SUIT)),
    Piece("hand_sizes", (v.MAX_SEATS,), "all", "cards in the hand", high=v.HAND_LIMIT, axes=(_SEAT,)),
    Piece("placer", (v.MAX_SEATS,), "all", "one-hot seat that placed the collective hand's face-down card",
          axes=(_SEAT,)),
    Piece("zone", (v.NUM_ZONES,), "all", "one-hot zone that the discards under way come from: none, hand, market",
          axes=("zone",)),
    Piece("flags", (3,), "all", "the player power is under way, not the suit action; the turn's first card is drawn; a "
          "joker is used for this collective hand", axes=("flag",)),
    Piece("predicted", (v.NUM_CATEGORIES,), "all", "one-hot category that the first debt predicts (RR-3.1)",
          axes=("category",)),
    Piece("jokers", (3,), "all", "jokers face-down; jokers face-up; jokers out of the game", high=v.NUM_JOKERS,
          axes=("joker",)),
    Piece("deck", (1,), "all", "cards left in the deck", high=v.NUM_CARDS),
    Piece("market_size", (1,), "all", "how many cards the market is refilled to", high=v.MARKET_SIZE + 1),
    Piece("rat_face_down", (1,), "all", "the rat's face-down cards", high=v.MAX_FACE_DOWN),
    Piece("collective_size", (1,), "all", "slots of the collective hand that are filled, joker and face-down card too",
          high=v.COLLECTIVE_SIZE + 1),
    Piece("hand_to_fill", (1,), "all", "slots it takes to resolve", high=v.COLLECTIVE_SIZE + 1),
    Piece("pile", (1,), "all", "the round's debt", high=v.MAX_PILE),
    Piece("rat_debt", (1,), "all", "debt of the active rat", high=v.MAX_DEBT),
    Piece("debt", (1,), "all", "debt of the players", high=v.MAX_DEBT),
    Piece("skips", (1,), "all", "seats skipped in a row (RR-3.7)", high=v.MAX_SEATS),
)  # fmt: skip

# What was openly seen before, and the last public events: added by view "history".
HISTORY = (
    Piece("taken", (v.MAX_SEATS, v.NUM_CARDS), "all",
          "cards that everybody saw go into the hand and nobody saw leave it; one placed face-down may be among them",
          axes=(_SEAT, _CARD)),
    _set("rat_debt_seen", "cards of the active rat's debt that once lay open"),
    _set("debt_seen", "cards of the players' debt that once lay open"),
    _set("unseen", "cards of which the observer knows neither where they lie nor who took them", "own"),
    Piece("events", (MAX_EVENTS, len(v.EVENTS.fields)), "all",
          "the last public events, newest first: kind; actor as 1 + seats clockwise from the observer, 0 none; card "
          "and second card as 1 + card, 0 none; first and second number; round and turn (at most 127)",
          high=127, axes=("event", "field")),
    Piece("counts", (4,), "all", "rounds begun; turns begun; hands won; hands lost", high=127, axes=("count",)),
)  # fmt: skip

# What no seat may know, for central critics and tests.
SECRETS = (
    Piece("hands", (v.MAX_SEATS, v.NUM_CARDS), "nobody", "the hand", axes=("seat", _CARD)),
    Piece("placed", (v.NUM_CARDS,), "nobody", "the collective hand's face-down card", axes=(_CARD,)),
    Piece("rat_debt_cards", (v.NUM_CARDS,), "nobody", "the active rat's debt", axes=(_CARD,)),
    Piece("rats", (v.NUM_RATS, v.NUM_SUITS), "nobody", "one-hot suit of the River Rat that is active first, second",
          axes=("River Rat", _SUIT)),
    Piece("deck_cards", (v.NUM_CARDS,), "nobody", "the deck from the top: 1 + card, 0 past its end; while characters "
          "are chosen all cards in their order", high=v.NUM_CARDS, axes=("place",)),
    Piece("face_down_cards", (v.MAX_FACE_DOWN,), "nobody", "the rat's face-down cards, the lowest first: 1 + card, "
          "0 none", high=v.NUM_CARDS, axes=("place",)),
    Piece("pile_cards", (v.MAX_PILE,), "nobody", "the round's debt in the order it was laid: 1 + card, 0 none",
          high=v.NUM_CARDS, axes=("place",)),
    Piece("debt_cards", (v.MAX_DEBT,), "nobody", "the players' debt in the order it came: 1 + card, 0 none",
          high=v.NUM_CARDS, axes=("place",)),
)  # fmt: skip

OBSERVATION = PieceTable(NOW + HISTORY)
NOW_SIZE = PieceTable(NOW).size
OBSERVATION_SIZE = OBSERVATION.size
AT = OBSERVATION.offsets()

# The full state begins with the public pieces of seat 0's view "history"; the secrets follow.
STATE = PieceTable(tuple(piece for piece in NOW + HISTORY if piece.visibility == "all") + SECRETS)
STATE_AT = STATE.offsets()
VIEWS = {"history": OBSERVATION_SIZE, "now": NOW_SIZE}
