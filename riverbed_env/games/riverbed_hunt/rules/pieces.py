"""The observation table and the full-state table of Riverbed Hunt. Their order is part of the environment's version.

In each part, pieces with one number for each space come first and begin at multiples of eight, so that kernels can
write eight numbers at a time.
"""

from riverbed_env.kernels.pieces import Piece, PieceTable
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import vocab as v
from .state import NUM_FEATURES

_SEAT = "seat (observer first, then clockwise)"
_ROLE = "role (chief, merchant, leader, separatist, profiteer)"
_CARD = "card kind in the pack's order"
_SPACE = "space along the river"
_TRACK = "track (kelp, log, coin)"

# View "now": the public table, what the seat knows, and the question.
NOW = (
    Piece("possible", (v.NUM_TILES, v.NUM_SPACES), "own", "the tile may lie there as far as the observer knows "
          "(RH-8.3)", axes=("tile 1 to 18", _SPACE)),
    Piece("known_tiles", (v.NUM_SPACES, NUM_FEATURES), "own",
          "of the tile the observer knows to lie there: kelp, log, coin, hunt icon, text, number of layers, first "
          "element from the top (1 kelp, 2 log, 3 coin, 0 none), 1; all 0 if the observer doesn't know the tile",
          high=127, axes=(_SPACE, "feature")),
    Piece("positions", (v.MAX_SEATS, v.NUM_SPACES), "all", "one-hot space of the meeple; all 0 before it is placed",
          axes=(_SEAT, _SPACE)),
    Piece("occupied", (v.NUM_SPACES,), "all", "a tile lies there", axes=(_SPACE,)),
    Piece("face_up", (v.NUM_SPACES,), "all", "… and it is face-up", axes=(_SPACE,)),
    Piece("hunted", (v.NUM_SPACES,), "all", "turned up during the Hunt under way and still up, by a tile's text too; "
          "all 0 once the Hunt and its penalty are over", axes=(_SPACE,)),
    Piece("chosen_spaces", (v.NUM_SPACES,), "all", "spaces chosen for the effect that asks, the one before, and its "
          "swap", axes=(_SPACE,)),
    Piece("tile_words", (v.MAX_SEATS, v.NUM_SPACES), "all",
          "what the seat says of the tile there (RH-9.7): its first element (1 kelp, 2 log, 3 coin, 4 none of them; "
          "5 to 8 the same, said before the tile was turned up; 0 nothing) + 16 x (1 turn it up, 2 leave it)",
          high=2 * v.URGE_UNIT + v.TILE_CLAIM_CODES - 1, axes=("speaker (observer first, then clockwise)", _SPACE)),
    Piece("num_players", (v.MAX_SEATS - v.MIN_PLAYERS + 1,), "all", "one-hot number of players", axes=("4 to 9",)),
    Piece("stage", (len(v.Stage),), "all", "one-hot: placing meeples, a turn, discarding at its end", axes=("stage",)),
    Piece("question", (v.NUM_QUESTIONS,), "all", "one-hot question asked, the first when the game is over",
          axes=("question",)),
    Piece("asked", (v.MAX_SEATS,), "all", "one-hot seat that is asked", axes=(_SEAT,)),
    Piece("active", (v.MAX_SEATS,), "all", "one-hot seat whose turn it is; all 0 during placement", axes=(_SEAT,)),
    Piece("flags", (4,), "all",
          "the turn's action is taken, from the moment it is chosen; the turn's card is played, from the moment it is "
          "chosen (a Slip Away in answer to a co-op isn't that card); a Hunt is under way, until its penalty is paid; "
          "what is asked may be declined",
          axes=("flag",)),
    Piece("source", (v.NUM_SOURCES,), "all", "one-hot source of the effect that asks, the first if none",
          axes=("source",)),
    Piece("source_card", (v.MAX_CARD_KINDS,), "all", "one-hot card whose effect asks", axes=(_CARD,)),
    Piece("carrier", (v.MAX_SEATS,), "all", "one-hot seat that carries out the effect that asks", axes=(_SEAT,)),
    Piece("chosen_seat", (v.MAX_SEATS,), "all", "one-hot player chosen for it", axes=(_SEAT,)),
    Piece("slipped", (v.MAX_SEATS,), "all", "has slipped away from the co-op under way", axes=(_SEAT,)),
    Piece("roles_shown", (v.MAX_SEATS, v.NUM_ROLES), "all", "one-hot revealed role", axes=(_SEAT, _ROLE)),
    Piece("readiness", (v.MAX_SEATS, 5), "all", "seated; Dive ready; Swim ready; Uncover left; refresh marker left",
          axes=(_SEAT, "card")),
    Piece("hand_sizes", (v.MAX_SEATS,), "all", "cards in the hand", high=v.MAX_DECK, axes=(_SEAT,)),
    Piece("tracks", (v.NUM_TRACKS,), "all", "the tracks", high=127, axes=(_TRACK,)),
    Piece("endpoints", (v.NUM_TRACKS,), "all", "where they end the game", high=127, axes=(_TRACK,)),
    Piece("to_go", (v.NUM_TRACKS,), "all", "how much is missing to the end", high=127, axes=(_TRACK,)),
    Piece("draw_pile", (1,), "all", "cards left to draw", high=v.MAX_DECK),
    Piece("discard_pile", (v.MAX_CARD_KINDS,), "all", "cards of each kind on the discard pile", high=v.MAX_DECK,
          axes=(_CARD,)),
    Piece("used_cards", (v.MAX_CARD_KINDS,), "all", "used or discarded this turn, not yet on the pile", high=v.MAX_DECK,
          axes=(_CARD,)),
    Piece("own_role", (v.NUM_ROLES,), "own", "one-hot role of the observer", axes=(_ROLE,)),
    Piece("own_hand", (v.MAX_CARD_KINDS,), "own", "cards of each kind in the observer's hand", high=v.MAX_DECK,
          axes=(_CARD,)),
    Piece("roles_looked_at", (v.MAX_SEATS, v.NUM_ROLES), "own", "one-hot role the observer has looked at",
          axes=(_SEAT, _ROLE)),
    Piece("seat_words", (v.MAX_SEATS, v.MAX_SEATS), "all",
          "what the seat says of another or of itself (RH-9.7): its camp (1 merchants, 2 separatists, 3 profiteer) + "
          "4 x (1 ask it, 2 don't) + 16 x (1 believe it, 2 doubt it)",
          high=2 * v.JUDGE_UNIT + 2 * v.ASK_UNIT + v.NUM_TRACKS,
          axes=("speaker (observer first, then clockwise)", _SEAT)),
    Piece("own_words", (v.MAX_SEATS,), "all",
          "what the seat says of itself (RH-9.7): its role (2 merchant, 3 leader, 4 separatist, 5 profiteer) + 8 x "
          "what it promises to turn up (1 kelp, 2 log, 3 coin)",
          high=v.NUM_TRACKS * v.PROMISE_UNIT + v.NUM_ROLES, axes=(_SEAT,)),
    Piece("claim_verb", (v.NUM_VERBS,), "all", "one-hot verb of the claim whose object is asked, the first if none",
          axes=("verb",)),
    Piece("talk", (3 + 4,), "all",
          "one-hot option (none, claims, text); unless it is none: only the active player speaks; claims a speaker may "
          "make; claims left to the one who has the floor; seats that may still speak, that one included",
          high=v.MAX_SEATS, axes=("talk",)),
)  # fmt: skip

# The events counted in piece "counts", after the turns.
COUNTED = (
    v.Event.REVEAL,
    v.Event.FLIP_DOWN,
    v.Event.SWAP,
    v.Event.SHUFFLE,
    v.Event.RESHUFFLE,
    v.Event.HUNT,
    v.Event.CON,
)

# View "history" adds public tallies and the last public events.
HISTORY = (
    Piece("seen", (v.MAX_SEATS, v.NUM_SPACES), "all", "the seat has seen the tile that now lies there: it looked at "
          "it, or the tile once lay face-up, which all saw; it follows swaps, and a shuffle clears the shuffled spaces",
          axes=(_SEAT, _SPACE)),
    Piece("events", (MAX_EVENTS, len(v.EVENTS.fields)), "all",
          "the last public events, newest first: kind; actor and other as 1 + seats clockwise from the observer, 0 "
          "none; space and second space as 1 to 16, 0 none; thing; turn (at most 127); source of what was under way",
          high=127, axes=("event", "field")),
    Piece("asks", (v.MAX_SEATS, v.MAX_SEATS - 1), "all",
          "co-ops so far in which the seat asked the player 1, 2, … seats clockwise from itself", high=127,
          axes=(_SEAT, "asked, seats clockwise from the asker, less 1")),
    Piece("deeds", (v.MAX_SEATS, v.NUM_DEEDS), "all",
          "what the seat did so far: kelp, log, coin by which it moved the tracks, layer by layer as they are carried "
          "out, less those of tiles it turned down; dives; swims; co-ops it asked for; cards played in its turns (a "
          "Slip Away in answer to a co-op isn't counted); tiles turned up by its own hand", low=-128, high=127,
          axes=(_SEAT, "deed")),
    Piece("choices", (v.MAX_SEATS, v.NUM_CHOICES), "all",
          "what the seat chose knowingly so far: kelp, log, coin on tiles turned up that it had looked at, and how "
          "many such tiles; kelp, log, coin on tiles turned down; tiles turned up unseen while one it had looked at "
          "lay face-down within its reach", high=127, axes=(_SEAT, "choice")),
    Piece("counts", (1 + len(COUNTED),), "all",
          "turns begun; tiles turned up, turned down; swaps; shuffles; reshuffles of the deck; Hunts; Cons", high=127,
          axes=("count",)),
    Piece("said", (MAX_EVENTS, v.SAID_FIELDS), "all",
          "the last claims, newest first (RH-9.7): speaker as 1 + seats clockwise from the observer, 0 none; verb; "
          "what it is about, 1 + seats clockwise from the observer or 1 + space, 0 nothing; turn (at most 127)",
          high=127, axes=("claim", "field")),
)  # fmt: skip

# What no seat may know, for central critics and tests.
SECRETS = (
    Piece("roles", (v.MAX_SEATS, v.NUM_ROLES), "nobody", "one-hot role", axes=("seat", _ROLE)),
    Piece("hands", (v.MAX_SEATS, v.MAX_CARD_KINDS), "nobody", "cards of each kind in the hand", high=v.MAX_DECK,
          axes=("seat", _CARD)),
    Piece("tiles", (v.NUM_SPACES, v.NUM_TILES), "nobody", "one-hot tile that lies there",
          axes=(_SPACE, "tile 1 to 18")),
    Piece("deck", (v.MAX_DECK,), "nobody", "the draw pile from the top: 1 + card kind, 0 past its end",
          high=v.MAX_CARD_KINDS, axes=("card",)),
)  # fmt: skip

OBSERVATION = PieceTable(NOW + HISTORY)
NOW_SIZE = PieceTable(NOW).size
OBSERVATION_SIZE = OBSERVATION.size
AT = OBSERVATION.offsets()

# The full state: the public pieces of view "history" as seat 0 sees them, then the secrets.
STATE = PieceTable(tuple(piece for piece in NOW + HISTORY if piece.visibility == "all") + SECRETS)
STATE_AT = STATE.offsets()
VIEWS = {"history": OBSERVATION_SIZE, "now": NOW_SIZE}
