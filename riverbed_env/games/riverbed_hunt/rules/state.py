"""The records of Riverbed Hunt: what lies open on the table, what each seat holds back, and a whole game.

The public part is one record of its own (RH-8.1) and so is each seat's private part (RH-8.2): a seat's view is a copy
of the first and of its own second, nothing else. Narrow fields are storage: read them through `int(...)`.
"""

import numpy as np

from riverbed_env.kernels.random import STREAM
from riverbed_env.kernels.vocab import MAX_EVENTS

from .vocab import (
    MAX_CARD_KINDS,
    MAX_DECK,
    MAX_FRAMES,
    MAX_INSTRUCTIONS,
    MAX_LAYERS,
    MAX_LAYOUTS,
    MAX_SEATS,
    MAX_TEXTS,
    NUM_EVENTS,
    NUM_SPACES,
    NUM_TILES,
    NUM_TRACKS,
)

FRAME = np.dtype(
    [
        ("source", np.int8),  # Source
        ("thing", np.int8),  # card kind of a CARD, number of a TILE
        ("space", np.int8),  # where a TILE lies, else NO_SPACE
        ("carrier", np.int8),  # the seat that carries it out
        ("program", np.int8),  # row of PARAMS programs, or NO_PROGRAM between the layers of a tile
        ("step", np.int8),  # next instruction of the program
        ("layer", np.int8),  # next layer of a TILE
        ("seat", np.int8),  # player chosen for this instruction, or NOBODY
        ("revealed", np.int8),  # number of the tile this frame revealed last, or NO_TILE
        ("chosen", np.uint16),  # bit s: space s was chosen for this instruction
        ("before", np.uint16),  # … for the one before it
        ("swapped", np.uint16),  # … for the last swap of this program
    ],
    align=True,
)

TABLE = np.dtype(
    [
        ("events", np.int64, (MAX_EVENTS,)),  # eight bytes an event, a ring: see newest_event
        ("asks", np.int64, (MAX_SEATS,)),  # byte d - 1: co-ops in which the seat asked the one d seats clockwise
        ("deeds", np.int64, (MAX_SEATS,)),  # byte k: how much of Deed k the seat has done
        ("choices", np.int64, (MAX_SEATS,)),  # byte k: how much of Choice k the seat has chosen
        ("decisions", np.int32),  # taken so far, forced ones too (RH-6.5)
        ("event_count", np.int32),  # public events so far
        ("spaces", np.int32),  # bit s: space s may be chosen now
        ("seats", np.int32),  # bit s: seat s may be chosen now
        ("occupied", np.int32),  # bit s: a tile lies on space s
        ("face_down", np.int32),  # bit s: … and it is face-down
        ("hunted", np.int32),  # bit s: turned up during the Hunt under way and still up (RH-5.2)
        ("slipped", np.int32),  # bit s: seat s slipped away from the co-op under way
        ("seen", np.int32, (MAX_SEATS,)),  # bit s: the seat has looked at the tile that now lies on space s
        ("turn", np.int32),  # turns begun
        ("tracks", np.int16, (NUM_TRACKS,)),  # kelp, log, coin (RH-1.8)
        ("tally", np.int32, (NUM_EVENTS,)),  # how often each kind of event happened
        ("num_players", np.int8),  # 4 … 9
        ("layout", np.int8),  # row of PARAMS layouts
        ("stage", np.int8),  # Stage
        ("ending", np.int8),  # Ending
        ("winner", np.int8),  # Camp; Camp.NONE while playing and when truncated
        ("active", np.int8),  # seat whose turn it is, NOBODY while meeples are placed
        ("asked", np.int8),  # seat that has to choose, NOBODY at the end
        ("question", np.int8),  # Question
        ("optional", np.int8),  # 1: STOP is an answer too
        ("action_done", np.int8),  # 1: the turn's action is taken
        ("card_played", np.int8),  # 1: the turn's card is played
        ("hunting", np.int8),  # 1: a Hunt is under way
        ("depth", np.int8),  # frames in use
        ("draw_pile", np.int8),  # cards left to draw
        ("role", np.int8, (MAX_SEATS,)),  # revealed Role, or UNKNOWN
        ("position", np.int8, (MAX_SEATS,)),  # space of the meeple, or NO_SPACE
        ("dive_ready", np.int8, (MAX_SEATS,)),
        ("swim_ready", np.int8, (MAX_SEATS,)),
        ("uncover_left", np.int8, (MAX_SEATS,)),
        ("marker_left", np.int8, (MAX_SEATS,)),
        ("hand_size", np.int8, (MAX_SEATS,)),
        ("tile", np.int8, (NUM_SPACES,)),  # number of the face-up tile, else NO_TILE
        ("layers_done", np.int8, (NUM_SPACES,)),  # layers of the face-up tile carried out so far
        ("discard_pile", np.int8, (MAX_CARD_KINDS,)),  # cards of each kind on the pile
        ("used", np.int8, (MAX_CARD_KINDS,)),  # used or discarded this turn, not yet on the pile (RH-3.4)
        ("frames", FRAME, (MAX_FRAMES,)),
    ],
    align=True,
)

PRIVATE = np.dtype(
    [
        ("possible", np.uint16, (NUM_TILES,)),  # row tile - 1, bit s: the tile may lie on space s (RH-8.3)
        ("role", np.int8),  # Role; UNKNOWN for the public
        ("looked", np.int8, (MAX_SEATS,)),  # Role this seat has looked at, or UNKNOWN
        ("hand", np.int8, (MAX_CARD_KINDS,)),  # cards of each kind
        ("known", np.int8, (NUM_SPACES,)),  # number of the tile known to lie there, or NO_TILE
    ],
    align=True,
)

GAME = np.dtype(
    [
        ("table", TABLE),
        ("private", PRIVATE, (MAX_SEATS + 1,)),  # by seat, then PUBLIC: what everybody knows
        ("tile_at", np.int8, (NUM_SPACES,)),  # number of the tile, face-up or not, or NO_TILE
        ("deck", np.int8, (MAX_DECK,)),  # card kinds of the draw pile, the top one last
        ("spare_role", np.int8),  # the role card left over with 4 players, or UNKNOWN
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
        ("public", PRIVATE),  # what everybody knows of the tiles; it follows from what everybody saw
    ],
    align=True,
)

INSTRUCTION = np.dtype(
    [
        ("effect", np.int8),  # Effect
        ("scope", np.int8),  # Scope
        ("who", np.int8),  # Who
        ("amount", np.int8),  # cards drawn; of a REFRESH, 0 all and 1 one of them
        ("optional", np.int8),  # 1: "may"
        ("another", np.int8),  # 1: not the space chosen before
        ("random", np.int8),  # 1: of a DISCARD, drawn blind
    ],
    align=True,
)

NUM_ACTION_PROGRAMS = 7  # by Source, NONE to CON
CARD_PROGRAM = NUM_ACTION_PROGRAMS
TEXT_PROGRAM = CARD_PROGRAM + MAX_CARD_KINDS
NUM_PROGRAMS = TEXT_PROGRAM + MAX_TEXTS
NUM_FEATURES = 8  # of a tile: kelp, log, coin, hunt icon, text, layers, 1 + first element from the top, 1

PARAMS = np.dtype(
    [
        ("num_players", np.int8),
        ("auto_forced", np.int8),     # Forced
        ("max_decisions", np.int32),  # RH-6.5
        ("fixed_layout", np.int8),    # row of layouts, or -1: drawn at the deal
        ("pinned_role", np.int8, (MAX_SEATS,)),    # Role pinned to each seat, or UNKNOWN
        ("role_cards", np.int8, (MAX_SEATS,)),     # the roles dealt; the last is drawn from role_choice with 4 players
        ("role_choice", np.int8, (2,)),            # RH-1.2, or UNKNOWN
        ("endpoints", np.int16, (NUM_TRACKS,)),
        ("num_tiles", np.int8),
        ("tiles", np.int8, (NUM_SPACES,)),         # numbers of the tiles in play
        ("num_layers", np.int8, (NUM_TILES + 1,)), # by tile number
        ("layer_kind", np.int8, (NUM_TILES + 1, MAX_LAYERS)),    # Element
        ("layer_amount", np.int8, (NUM_TILES + 1, MAX_LAYERS)),  # elements; of a TEXT its row of programs
        ("features", np.int8, (NUM_TILES + 1, NUM_FEATURES)),    # by tile number; all 0 for none
        ("feature_words", np.int64, (NUM_TILES + 1,)),           # the same bytes, eight at once
        ("num_layouts", np.int8),
        ("layout_spaces", np.int32, (MAX_LAYOUTS,)),             # bit s: a tile lies on space s
        ("reach", np.int32, (MAX_LAYOUTS, NUM_SPACES)),          # RH-2.4
        ("steps", np.int32, (MAX_LAYOUTS, NUM_SPACES)),          # destinations of one step
        ("swims", np.int32, (MAX_LAYOUTS, NUM_SPACES)),          # … of a swim (RH-2.6)
        ("land_steps", np.int32, (MAX_LAYOUTS, NUM_SPACES)),     # … of one land link
        ("orthogonal", np.int32, (NUM_SPACES,)),
        ("diagonal", np.int32, (NUM_SPACES,)),
        ("copies", np.int8, (MAX_CARD_KINDS,)),    # of each card in this player count's deck
        ("redirect_card", np.int8),                # the card that slips away from a co-op, or NO_CARD
        ("programs", INSTRUCTION, (NUM_PROGRAMS, MAX_INSTRUCTIONS)),
    ],
    align=True,
)  # fmt: skip
