"""The records of Riverbed Hunt and what a seat may see of them.

The public table is one record (RH-8.1) and each seat's private part is another (RH-8.2). A seat's view copies the
table, its private part and the public's part, nothing else. Narrow fields are storage: read them through `int(...)`.
RH-8, the one boundary for secrets: only `look` and `observe.show`, which shows the same, read a state for a seat.
"""

import numpy as np

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import STREAM_FIELDS
from riverbed_env.kernels.records import COUNTER, FLAG, Fields, param
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import kernel
from . import vocab as v

SEAT_OR_NOBODY = (v.NOBODY, param("num_players", less=1))
SEAT_BITS = (0, lambda params: (1 << int(params["num_players"])) - 1)
ROLE = (v.Role.UNKNOWN, v.NUM_ROLES - 1)
TILE = (v.NO_TILE, v.NUM_TILES)

NUM_ACTION_PROGRAMS = 7  # by Source, NONE to CON
CARD_PROGRAM = NUM_ACTION_PROGRAMS
TEXT_PROGRAM = CARD_PROGRAM + v.MAX_CARD_KINDS
NUM_PROGRAMS = TEXT_PROGRAM + v.MAX_TEXTS

FRAME_FIELDS = Fields(
    ("source", np.int8, (), (0, v.NUM_SOURCES - 1)),  # Source
    ("thing", np.int8, (), (0, v.MAX_CARD_KINDS - 1)),  # card kind of a CARD, number of a TILE
    ("space", np.int8, (), (v.NO_SPACE, v.NUM_SPACES - 1)),  # where a TILE lies, else NO_SPACE
    ("carrier", np.int8, (), (0, param("num_players", less=1))),  # the seat that carries it out
    # row of PARAMS programs, or NO_PROGRAM between the layers of a tile
    ("program", np.int8, (), (v.NO_PROGRAM, NUM_PROGRAMS - 1)),
    ("step", np.int8, (), (0, v.MAX_INSTRUCTIONS)),  # next instruction of the program
    ("layer", np.int8, (), (0, v.MAX_LAYERS)),  # next layer of a TILE
    ("seat", np.int8, (), SEAT_OR_NOBODY, v.NOBODY),  # player chosen for this instruction, or NOBODY
    ("revealed", np.int8, (), TILE),  # number of the tile this frame revealed last, or NO_TILE
    ("chosen", np.uint16),  # bit s: space s was chosen for this instruction
    ("before", np.uint16),  # … for the one before it
    ("swapped", np.uint16),  # … for the last swap of this program
)

TABLE_FIELDS = Fields(
    ("events", np.int64, (MAX_EVENTS,)),  # eight bytes an event, a ring: see newest_event
    ("asks", np.int64, (v.MAX_SEATS,)),  # byte d - 1: co-ops in which the seat asked the one d seats clockwise
    ("deeds", np.int64, (v.MAX_SEATS,)),  # byte k: how much of Deed k the seat has done
    ("choices", np.int64, (v.MAX_SEATS,)),  # byte k: how much of Choice k the seat has chosen
    ("decisions", np.int32, (), (0, param("max_decisions"))),  # taken off the floor, forced ones too (RH-6.5, RH-9.8)
    ("event_count", np.int32, (), COUNTER),  # public events so far
    ("spaces", np.int32),  # bit s: space s may be chosen now
    ("seats", np.int32, (), SEAT_BITS),  # bit s: seat s may be chosen now
    ("occupied", np.int32),  # bit s: a tile lies on space s
    ("face_down", np.int32),  # bit s: … and it is face-down
    ("hunted", np.int32),  # bit s: turned up during the Hunt under way and still up (RH-5.2)
    ("slipped", np.int32, (), SEAT_BITS),  # bit s: seat s slipped away from the co-op under way
    # bit s: the seat has looked at the tile that now lies on space s
    ("seen", np.int32, (v.MAX_SEATS,), (0, v.ALL_SPACES)),
    ("turn", np.int32, (), COUNTER),  # turns begun
    ("tracks", np.int16, (v.NUM_TRACKS,)),  # kelp, log, coin (RH-1.8)
    ("tally", np.int32, (len(v.Event),)),  # how often each kind of event happened
    ("num_players", np.int8, (), (param("num_players"), param("num_players"))),  # 4 … 9
    ("layout", np.int8, (), (0, param("num_layouts", less=1))),  # row of PARAMS layouts
    ("stage", np.int8, (), (0, v.Stage.DISCARDING)),  # Stage
    ("ending", np.int8, (), (0, v.Ending.TRUNCATED)),  # Ending
    # Camp; Camp.NONE while playing and when truncated
    ("winner", np.int8, (), (v.Camp.NONE, v.NUM_TRACKS - 1), v.Camp.NONE),
    ("active", np.int8, (), SEAT_OR_NOBODY, v.NOBODY),  # seat whose turn it is, NOBODY while meeples are placed
    ("asked", np.int8, (), SEAT_OR_NOBODY, v.NOBODY),  # seat that has to choose, NOBODY at the end
    ("question", np.int8, (), (0, v.NUM_QUESTIONS - 1)),  # Question
    ("optional", np.int8, (), FLAG),  # 1: STOP is allowed
    ("action_done", np.int8, (), FLAG),  # 1: the turn's action is taken
    ("card_played", np.int8, (), FLAG),  # 1: the turn's card is played
    ("hunting", np.int8, (), FLAG),  # 1: a Hunt is under way
    ("depth", np.int8, (), (0, v.MAX_FRAMES)),  # frames in use
    ("draw_pile", np.int8, (), (0, v.MAX_DECK)),  # cards left to draw
    ("role", np.int8, (v.MAX_SEATS,), ROLE, v.Role.UNKNOWN),  # revealed Role, or UNKNOWN
    # space of the meeple, or NO_SPACE
    ("position", np.int8, (v.MAX_SEATS,), (v.NO_SPACE, v.NUM_SPACES - 1), v.NO_SPACE),
    ("dive_ready", np.int8, (v.MAX_SEATS,), FLAG),
    ("swim_ready", np.int8, (v.MAX_SEATS,), FLAG),
    ("uncover_left", np.int8, (v.MAX_SEATS,), FLAG),
    ("marker_left", np.int8, (v.MAX_SEATS,), FLAG),
    ("hand_size", np.int8, (v.MAX_SEATS,), COUNTER),
    ("tile", np.int8, (v.NUM_SPACES,), TILE),  # number of the face-up tile, else NO_TILE
    ("layers_done", np.int8, (v.NUM_SPACES,), (0, v.MAX_LAYERS)),  # layers of the face-up tile carried out so far
    ("discard_pile", np.int8, (v.MAX_CARD_KINDS,), COUNTER),  # cards of each kind on the pile
    ("used", np.int8, (v.MAX_CARD_KINDS,), COUNTER),  # used or discarded this turn, not yet on the pile (RH-3.4)
    ("frames", FRAME_FIELDS, (v.MAX_FRAMES,)),
    # RH-9.7: what each speaker says, in the codes of vocab
    ("tile_words", np.int8, (v.MAX_SEATS, v.NUM_SPACES), (0, 2 * v.URGE_UNIT + v.TILE_CLAIM_CODES - 1)),
    ("seat_words", np.int8, (v.MAX_SEATS, v.MAX_SEATS), (0, 2 * v.JUDGE_UNIT + 2 * v.ASK_UNIT + v.NUM_TRACKS)),
    ("own_words", np.int8, (v.MAX_SEATS,), (0, v.NUM_TRACKS * v.PROMISE_UNIT + v.NUM_ROLES)),
    ("floor", np.int8, (), (0, param("num_players"))),  # seats that may still speak before the turn's question
    ("claims_left", np.int8, (), (0, param("talk_budget"))),  # how many claims the speaker may still make
    ("verb", np.int8, (), (0, v.NUM_VERBS - 1)),  # Verb whose object is asked
    ("said_count", np.int32, (), COUNTER),  # claims so far
    ("spoken", np.int32, (), COUNTER),  # decisions taken on the floor (RH-9.8)
    ("said", np.int64, (MAX_EVENTS,)),  # the last claims, a ring as `events`: see `claim`
)
TABLE = TABLE_FIELDS.dtype
EMPTY_TABLE = TABLE_FIELDS.start()

PRIVATE_FIELDS = Fields(
    ("possible", np.uint16, (v.NUM_TILES,)),  # row tile - 1, bit s: the tile may lie on space s (RH-8.3)
    ("role", np.int8, (), ROLE),  # Role; UNKNOWN for the public
    ("looked", np.int8, (v.MAX_SEATS,), ROLE),  # Role this seat has looked at, or UNKNOWN
    ("hand", np.int8, (v.MAX_CARD_KINDS,), COUNTER),  # cards of each kind
    ("known", np.int8, (v.NUM_SPACES,), TILE),  # number of the tile known to lie there, or NO_TILE
)
PRIVATE = PRIVATE_FIELDS.dtype

GAME_FIELDS = Fields(
    ("table", TABLE_FIELDS),
    ("private", PRIVATE_FIELDS, (v.MAX_SEATS + 1,)),  # by seat, then PUBLIC: what everybody knows
    ("tile_at", np.int8, (v.NUM_SPACES,), TILE),  # number of the tile, face-up or not, or NO_TILE
    # card kinds of the draw pile, the top one last
    ("deck", np.int8, (v.MAX_DECK,), (v.NO_CARD, v.MAX_CARD_KINDS - 1)),
    ("spare_role", np.int8, (), ROLE),  # the role card left over with 4 players, or UNKNOWN
    ("seed", np.int64, (), COUNTER),  # seed and number identify the game
    ("number", np.int64, (), COUNTER),
    ("chance", STREAM_FIELDS),  # chance in play; the deal's stream ends with the deal
    ("agents", STREAM_FIELDS),  # agents draw from it
)
GAME = GAME_FIELDS.dtype

VIEW = np.dtype(
    [
        ("seat", np.int8),  # the observer, or PUBLIC
        ("table", TABLE),
        ("private", PRIVATE),  # the observer's part
        ("public", PRIVATE),  # what everybody knows about the tiles, deduced from public events
    ],
    align=True,
)

# Effect, Scope, Who; amount: cards drawn, of a REFRESH 0 for all and 1 for one of them; flags: "may"; not the space
# chosen before; a DISCARD drawn blind.
INSTRUCTION_FIELDS = ("effect", "scope", "who", "amount", "optional", "another", "random")
INSTRUCTION = np.dtype([(name, np.int8) for name in INSTRUCTION_FIELDS], align=True)

NUM_FEATURES = 8  # of a tile: kelp, log, coin, hunt icon, text, layers, 1 + first element from the top, 1

PARAMS = np.dtype(
    [
        ("num_players", np.int8),
        ("auto_forced", np.int8),     # Forced
        ("max_decisions", np.int32),  # RH-6.5
        ("talk", np.int8),              # Talk (RH-9.1)
        ("talk_active_only", np.int8),  # 1: only the active player speaks
        ("talk_budget", np.int8),       # claims a speaker may make
        ("fixed_layout", np.int8),    # row of layouts, or -1: drawn at the deal
        ("pinned_role", np.int8, (v.MAX_SEATS,)),    # Role pinned to each seat, or UNKNOWN
        ("role_cards", np.int8, (v.MAX_SEATS,)),    # the roles dealt; the last is drawn from role_choice with 4 players
        ("role_choice", np.int8, (2,)),            # RH-1.2, or UNKNOWN
        ("endpoints", np.int16, (v.NUM_TRACKS,)),
        ("num_tiles", np.int8),
        ("tiles", np.int8, (v.NUM_SPACES,)),         # numbers of the tiles in play
        ("num_layers", np.int8, (v.NUM_TILES + 1,)), # by tile number
        ("layer_kind", np.int8, (v.NUM_TILES + 1, v.MAX_LAYERS)),    # Element
        ("layer_amount", np.int8, (v.NUM_TILES + 1, v.MAX_LAYERS)),  # elements; of a TEXT its row of programs
        ("features", np.int8, (v.NUM_TILES + 1, NUM_FEATURES)),    # by tile number; all 0 for none
        ("feature_words", np.int64, (v.NUM_TILES + 1,)),           # the same bytes, as one word
        ("num_layouts", np.int8),
        ("layout_spaces", np.int32, (v.MAX_LAYOUTS,)),             # bit s: a tile lies on space s
        ("reach", np.int32, (v.MAX_LAYOUTS, v.NUM_SPACES)),          # RH-2.4
        ("steps", np.int32, (v.MAX_LAYOUTS, v.NUM_SPACES)),          # destinations of one step
        ("swims", np.int32, (v.MAX_LAYOUTS, v.NUM_SPACES)),          # … of a swim (RH-2.6)
        ("land_steps", np.int32, (v.MAX_LAYOUTS, v.NUM_SPACES)),     # … of one land link
        ("orthogonal", np.int32, (v.NUM_SPACES,)),
        ("diagonal", np.int32, (v.NUM_SPACES,)),
        ("copies", np.int8, (v.MAX_CARD_KINDS,)),    # of each card in this player count's deck
        ("redirect_card", np.int8),                # the card that slips away from a co-op, or NO_CARD
        ("programs", INSTRUCTION, (NUM_PROGRAMS, v.MAX_INSTRUCTIONS)),
    ],
    align=True,
)  # fmt: skip


@kernel
def look(game: Record, seat: int, view: Record) -> None:
    """RH-8.1, RH-8.2, RH-8.4: fill `view` with what the seat may know: the table, its part, what all know.

    Seat PUBLIC sees what everybody knows.
    """
    view["seat"] = seat
    view["table"] = game["table"]
    view["private"] = game["private"][seat]
    view["public"] = game["private"][v.PUBLIC]
