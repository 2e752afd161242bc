"""The observation table and the full-state table of Riverbed Hunt. Their order is part of the environment's version.

In each part, pieces with one number for each space come first and begin at multiples of eight, so that kernels can
write eight numbers at a time.
"""

from riverbed_env.kernels.pieces import Piece, PieceTable
from riverbed_env.kernels.vocab import MAX_EVENTS

from .state import NUM_FEATURES
from .vocab import (
    ASK_UNIT,
    EVENT_FIELDS,
    JUDGE_UNIT,
    MAX_CARD_KINDS,
    MAX_DECK,
    MAX_SEATS,
    MIN_PLAYERS,
    NUM_CHOICES,
    NUM_DEEDS,
    NUM_QUESTIONS,
    NUM_ROLES,
    NUM_SOURCES,
    NUM_SPACES,
    NUM_STAGES,
    NUM_TILES,
    NUM_TRACKS,
    NUM_VERBS,
    PROMISE_UNIT,
    SAID_FIELDS,
    TILE_CLAIM_CODES,
    URGE_UNIT,
    Event,
)

_SEAT = "seat (observer first, then clockwise)"
_ROLE = "role (chief, merchant, leader, separatist, profiteer)"
_CARD = "card kind in the pack's order"
_SPACE = "space along the river"
_TRACK = "track (kelp, log, coin)"

# View "now": the public table, what the seat knows, and the question.
NOW = (
    Piece("possible", (NUM_TILES, NUM_SPACES), "own", "the tile may lie there as far as the observer knows (RH-8.3)",
          axes=("tile 1 to 18", _SPACE)),
    Piece("known_tiles", (NUM_SPACES, NUM_FEATURES), "own",
          "of the tile the observer knows to lie there: kelp, log, coin, hunt icon, text, number of layers, first "
          "element from the top (1 kelp, 2 log, 3 coin, 0 none), 1; all 0 if the observer doesn't know the tile",
          high=127, axes=(_SPACE, "feature")),
    Piece("positions", (MAX_SEATS, NUM_SPACES), "all", "one-hot space of the meeple; all 0 before it is placed",
          axes=(_SEAT, _SPACE)),
    Piece("occupied", (NUM_SPACES,), "all", "a tile lies there", axes=(_SPACE,)),
    Piece("face_up", (NUM_SPACES,), "all", "… and it is face-up", axes=(_SPACE,)),
    Piece("hunted", (NUM_SPACES,), "all", "turned up during the Hunt under way and still up, by a tile's text too; all "
          "0 once the Hunt and its penalty are over", axes=(_SPACE,)),
    Piece("chosen_spaces", (NUM_SPACES,), "all", "spaces chosen for the effect that asks, the one before, and its swap",
          axes=(_SPACE,)),
    Piece("tile_words", (MAX_SEATS, NUM_SPACES), "all",
          "what the seat says of the tile there (RH-9.7): its first element (1 kelp, 2 log, 3 coin, 4 none of them; "
          "5 to 8 the same, said before the tile was turned up; 0 nothing) + 16 x (1 turn it up, 2 leave it)",
          high=2 * URGE_UNIT + TILE_CLAIM_CODES - 1, axes=("speaker (observer first, then clockwise)", _SPACE)),
    Piece("num_players", (MAX_SEATS - MIN_PLAYERS + 1,), "all", "one-hot number of players", axes=("4 to 9",)),
    Piece("stage", (NUM_STAGES,), "all", "one-hot: placing meeples, a turn, discarding at its end", axes=("stage",)),
    Piece("question", (NUM_QUESTIONS,), "all", "one-hot question asked, the first when the game is over",
          axes=("question",)),
    Piece("asked", (MAX_SEATS,), "all", "one-hot seat that is asked", axes=(_SEAT,)),
    Piece("active", (MAX_SEATS,), "all", "one-hot seat whose turn it is; all 0 during placement", axes=(_SEAT,)),
    Piece("flags", (4,), "all",
          "the turn's action is taken, from the moment it is chosen; the turn's card is played, from the moment it is "
          "chosen (a Slip Away in answer to a co-op isn't that card); a Hunt is under way, until its penalty is paid; "
          "what is asked may be declined",
          axes=("flag",)),
    Piece("source", (NUM_SOURCES,), "all", "one-hot source of the effect that asks, the first if none",
          axes=("source",)),
    Piece("source_card", (MAX_CARD_KINDS,), "all", "one-hot card whose effect asks", axes=(_CARD,)),
    Piece("carrier", (MAX_SEATS,), "all", "one-hot seat that carries out the effect that asks", axes=(_SEAT,)),
    Piece("chosen_seat", (MAX_SEATS,), "all", "one-hot player chosen for it", axes=(_SEAT,)),
    Piece("slipped", (MAX_SEATS,), "all", "has slipped away from the co-op under way", axes=(_SEAT,)),
    Piece("roles_shown", (MAX_SEATS, NUM_ROLES), "all", "one-hot revealed role", axes=(_SEAT, _ROLE)),
    Piece("readiness", (MAX_SEATS, 5), "all", "seated; Dive ready; Swim ready; Uncover left; refresh marker left",
          axes=(_SEAT, "card")),
    Piece("hand_sizes", (MAX_SEATS,), "all", "cards in the hand", high=MAX_DECK, axes=(_SEAT,)),
    Piece("tracks", (NUM_TRACKS,), "all", "the tracks", high=127, axes=(_TRACK,)),
    Piece("endpoints", (NUM_TRACKS,), "all", "where they end the game", high=127, axes=(_TRACK,)),
    Piece("to_go", (NUM_TRACKS,), "all", "how much is missing to the end", high=127, axes=(_TRACK,)),
    Piece("draw_pile", (1,), "all", "cards left to draw", high=MAX_DECK),
    Piece("discard_pile", (MAX_CARD_KINDS,), "all", "cards of each kind on the discard pile", high=MAX_DECK,
          axes=(_CARD,)),
    Piece("used_cards", (MAX_CARD_KINDS,), "all", "used or discarded this turn, not yet on the pile", high=MAX_DECK,
          axes=(_CARD,)),
    Piece("own_role", (NUM_ROLES,), "own", "one-hot role of the observer", axes=(_ROLE,)),
    Piece("own_hand", (MAX_CARD_KINDS,), "own", "cards of each kind in the observer's hand", high=MAX_DECK,
          axes=(_CARD,)),
    Piece("roles_looked_at", (MAX_SEATS, NUM_ROLES), "own", "one-hot role the observer has looked at",
          axes=(_SEAT, _ROLE)),
    Piece("seat_words", (MAX_SEATS, MAX_SEATS), "all",
          "what the seat says of another or of itself (RH-9.7): its camp (1 merchants, 2 separatists, 3 profiteer) + "
          "4 x (1 ask it, 2 don't) + 16 x (1 believe it, 2 doubt it)",
          high=2 * JUDGE_UNIT + 2 * ASK_UNIT + NUM_TRACKS, axes=("speaker (observer first, then clockwise)", _SEAT)),
    Piece("own_words", (MAX_SEATS,), "all",
          "what the seat says of itself (RH-9.7): its role (2 merchant, 3 leader, 4 separatist, 5 profiteer) + 8 x "
          "what it promises to turn up (1 kelp, 2 log, 3 coin)",
          high=NUM_TRACKS * PROMISE_UNIT + NUM_ROLES, axes=(_SEAT,)),
    Piece("claim_verb", (NUM_VERBS,), "all", "one-hot verb of the claim whose object is asked, the first if none",
          axes=("verb",)),
    Piece("talk", (3 + 4,), "all",
          "one-hot option (none, claims, text); unless it is none: only the active player speaks; claims a speaker may "
          "make; claims left to the one who has the floor; seats that may still speak, that one included",
          high=MAX_SEATS, axes=("talk",)),
)  # fmt: skip

# The events counted in piece "counts", after the turns.
COUNTED = (
    Event.REVEAL,
    Event.FLIP_DOWN,
    Event.SWAP,
    Event.SHUFFLE,
    Event.RESHUFFLE,
    Event.HUNT,
    Event.CON,
)

# View "history" adds public tallies and the last public events.
HISTORY = (
    Piece("seen", (MAX_SEATS, NUM_SPACES), "all", "the seat has seen the tile that now lies there: it looked at it, or "
          "the tile once lay face-up, which all saw; it follows swaps, and a shuffle clears the shuffled spaces",
          axes=(_SEAT, _SPACE)),
    Piece("events", (MAX_EVENTS, EVENT_FIELDS), "all",
          "the last public events, newest first: kind; actor and other as 1 + seats clockwise from the observer, 0 "
          "none; space and second space as 1 to 16, 0 none; thing; turn (at most 127); source of what was under way",
          high=127, axes=("event", "field")),
    Piece("asks", (MAX_SEATS, MAX_SEATS - 1), "all",
          "co-ops so far in which the seat asked the player 1, 2, … seats clockwise from itself", high=127,
          axes=(_SEAT, "asked, seats clockwise from the asker, less 1")),
    Piece("deeds", (MAX_SEATS, NUM_DEEDS), "all",
          "what the seat did so far: kelp, log, coin by which it moved the tracks, layer by layer as they are carried "
          "out, less those of tiles it turned down; dives; swims; co-ops it asked for; cards played in its turns (a "
          "Slip Away in answer to a co-op isn't counted); tiles turned up by its own hand", low=-128, high=127,
          axes=(_SEAT, "deed")),
    Piece("choices", (MAX_SEATS, NUM_CHOICES), "all",
          "what the seat chose knowingly so far: kelp, log, coin on tiles turned up that it had looked at, and how "
          "many such tiles; kelp, log, coin on tiles turned down; tiles turned up unseen while one it had looked at "
          "lay face-down within its reach", high=127, axes=(_SEAT, "choice")),
    Piece("counts", (1 + len(COUNTED),), "all",
          "turns begun; tiles turned up, turned down; swaps; shuffles; reshuffles of the deck; Hunts; Cons", high=127,
          axes=("count",)),
    Piece("said", (MAX_EVENTS, SAID_FIELDS), "all",
          "the last claims, newest first (RH-9.7): speaker as 1 + seats clockwise from the observer, 0 none; verb; "
          "what it is about, 1 + seats clockwise from the observer or 1 + space, 0 nothing; turn (at most 127)",
          high=127, axes=("claim", "field")),
)  # fmt: skip

# What no seat may know, for central critics and tests.
SECRETS = (
    Piece("roles", (MAX_SEATS, NUM_ROLES), "nobody", "one-hot role", axes=("seat", _ROLE)),
    Piece("hands", (MAX_SEATS, MAX_CARD_KINDS), "nobody", "cards of each kind in the hand", high=MAX_DECK,
          axes=("seat", _CARD)),
    Piece("tiles", (NUM_SPACES, NUM_TILES), "nobody", "one-hot tile that lies there", axes=(_SPACE, "tile 1 to 18")),
    Piece("deck", (MAX_DECK,), "nobody", "the draw pile from the top: 1 + card kind, 0 past its end",
          high=MAX_CARD_KINDS, axes=("card",)),
)  # fmt: skip

OBSERVATION = PieceTable(NOW + HISTORY)
NOW_SIZE = PieceTable(NOW).size
OBSERVATION_SIZE = OBSERVATION.size
AT = OBSERVATION.offsets()

# The full state: the public pieces of view "history" as seat 0 sees them, then the secrets.
STATE = PieceTable(tuple(piece for piece in NOW + HISTORY if piece.visibility == "all") + SECRETS)
STATE_AT = STATE.offsets()
VIEWS = {"history": OBSERVATION_SIZE, "now": NOW_SIZE}
