"""The observation table and the full-state table of Deep River. Their order is part of the environment's version.

Everything is relative to the observer: tiles, slots and places are counted from the observer's own nest, and the two
sides are "own" and "rival". So both sides observe mirrored positions alike.
"""

from riverbed_env.kernels.pieces import Piece, PieceTable
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import vocab as v

_SIDE = "side (own, rival)"
_SLOT = "slot (from the own nest: tiles 1, 2, 3, the two of the double tile, tiles 5, 6, 7)"
_TILE = "tile (1 to 7 from the own nest)"
_PLACE = "place (nest on the single face, nest on the double face, then the slots from the own nest)"
_TOKEN = "token (in the pack's order)"
_PAWN = "pawn (seen: own single, own double, rival single, rival double; under it: the same four)"

# The table and the question: all of view "now".
NOW = (
    Piece("pawns", (v.NUM_SLOTS, 2 * v.NUM_SEATS * v.NUM_FACES), "all", "one-hot pawn that is seen in the slot, "
          "one-hot pawn under it; all 0 where there is none", axes=(_SLOT, _PAWN)),
    Piece("nests", (v.NUM_SEATS, v.NUM_FACES), "all", "pawns in the side's nest on their single and double face",
          high=v.NUM_FISH, axes=(_SIDE, "face")),
    Piece("tiles", (v.NUM_TILES, v.NUM_EFFECTS), "all", "one-hot: bear, drift, swap, tilt, double",
          axes=(_TILE, "effect")),
    Piece("bear", (v.NUM_STATIONS,), "all", "one-hot: the bear's steps from the observer's nest, 0 in it, 8 in the "
          "rival's", axes=("station",)),
    Piece("tokens", (v.NUM_TOKENS, v.LAST_PROGRESS + 1), "all", "one-hot: tiles the token has moved, 6 at the last "
          "tile", axes=(_TOKEN, "tiles moved")),
    Piece("token_faces", (v.NUM_TOKENS, 6), "all", "of the face that is up: tiles a fish moves, bear, twice; then the "
          "same of the face below", high=v.NUM_TILES, axes=(_TOKEN, "face")),
    Piece("tilted", (v.NUM_SEATS, v.NUM_TOKENS), "all", "the token is tilted against the side: of the side on turn, in "
          "this turn; of the other, in its next", axes=(_SIDE, _TOKEN)),
    Piece("asked", (v.NUM_SEATS,), "all", "one-hot side that is asked; all 0 when the game is over", axes=(_SIDE,)),
    Piece("question", (v.NUM_QUESTIONS,), "all", "one-hot question asked, the first when the game is over",
          axes=("question",)),
    Piece("choices", (v.NUM_PLACES,), "all", "places that may be chosen; the nest is that of the side asked",
          axes=(_PLACE,)),
    Piece("token", (v.NUM_TOKENS,), "all", "one-hot token being carried out", axes=(_TOKEN,)),
    Piece("to_come", (2,), "all", "fish the token still moves after the one under way; whether it still moves the bear",
          axes=("what",)),
    Piece("purpose", (v.NUM_PURPOSES,), "all", "one-hot: why the last fish of this turn is moved: not yet, by the "
          "token, by a drift tile, by the double tile", axes=("purpose",)),
    Piece("steps", (1,), "all", "how many tiles it goes", high=v.NUM_TILES),
    Piece("moving", (v.NUM_FACES,), "all", "one-hot face of the pawn in the hand, while it is asked where it stands",
          axes=("face",)),
    Piece("arrived", (v.NUM_SLOTS,), "all", "one-hot slot to which the last fish came; its tile asks", axes=(_SLOT,)),
    Piece("clock", (2,), "all", "turns begun, turns left before the cap; at most 127 is written", high=127,
          axes=("what",)),
    Piece("rules", (2,), "all", "of the pack: the double tile has a second slot; a lone pawn may choose an empty slot",
          axes=("rule",)),
)  # fmt: skip

# Tallies and the last events, which view "history" adds.
HISTORY = (
    Piece("deeds", (v.NUM_SEATS, v.NUM_DEEDS), "all", "what the side did so far: fish moved, fish brought into the "
          "rival nest, steps of the bear, pawns turned, piles swapped, tokens tilted; at most 127 is written", high=127,
          axes=(_SIDE, "deed")),
    Piece("events", (MAX_EVENTS, v.EVENT_FIELDS), "all", "the last events, newest first: kind; actor 1 own, 2 rival, 0 "
          "none; place and second place as 1 + place, 0 none; thing; turn (at most 127)", high=127,
          axes=("event", "field")),
)  # fmt: skip

OBSERVATION = PieceTable(NOW + HISTORY)
NOW_SIZE = PieceTable(NOW).size
OBSERVATION_SIZE = OBSERVATION.size
AT = OBSERVATION.offsets()

# Nothing is hidden, so the full state is the salmon's observation in view "history".
STATE = OBSERVATION
VIEWS = {"history": OBSERVATION_SIZE, "now": NOW_SIZE}
