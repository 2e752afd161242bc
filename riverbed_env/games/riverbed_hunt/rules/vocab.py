"""The words of Riverbed Hunt: sizes, sentinels and enums. Values are written out: they end up in saved games."""

from enum import IntEnum

from riverbed_env.kernels import vocab

MIN_PLAYERS = 4
MAX_SEATS = 9
NUM_SPACES = 16  # 0 … 15 along the river; texts show 1 … 16
NUM_TILES = 18  # tiles are numbered 1 … 18 as printed
MAX_CARD_KINDS = 28  # different cards a pack may hold; the book counts 28 cards
MAX_DECK = 28
MAX_LAYERS = 4  # of one tile
MAX_INSTRUCTIONS = 6  # of one card, text or action
MAX_LAYOUTS = 6  # of one player count
MAX_FRAMES = 12  # effects under way at once
HAND_LIMIT = 3  # RH-3.3
DEFAULT_MAX_DECISIONS = 1000  # RH-6.5

MAX_TEXTS = 20  # different tile texts of a pack
SAID_FIELDS = 4  # bytes of a claim in an observation: speaker, verb, object, turn
EVENT_FIELDS = 8  # bytes of an event's word: kind, actor, other, space, second space, thing, turn, source

PUBLIC = MAX_SEATS  # index after the seats: the record of what everybody knows
NOBODY = -1
NO_SPACE = -1
NO_CARD = -1
NO_TILE = 0
NO_PROGRAM = -1
ALL_SPACES = (1 << NUM_SPACES) - 1

# Sizes of the enums below, without the sentinel -1.
NUM_ROLES = 5
NUM_TRACKS = 3
NUM_STAGES = 3
NUM_SOURCES = 9
NUM_QUESTIONS = 16
NUM_EVENTS = 28
NUM_DEEDS = 8
NUM_CHOICES = 8
NUM_VERBS = 21

# RH-9.7: what stands of talk is kept in codes that fit a byte.
NUM_TILE_CLAIMS = 4  # kelp, log, coin, none of them: codes 1 to 4; 5 to 8 once the tile was turned up
TILE_CLAIM_CODES = 1 + 2 * NUM_TILE_CLAIMS
URGE_UNIT = 16  # of a word on a tile: claim + 16 x (0 nothing, 1 turn it up, 2 leave it)
ASK_UNIT = 4  # of a word on a seat: 1 + camp, 0 none, + 4 x (0 nothing, 1 ask it, 2 don't)
JUDGE_UNIT = 16  # … + 16 x (0 nothing, 1 believe it, 2 doubt it)
PROMISE_UNIT = 8  # of a word on oneself: 1 + role, 0 none, + 8 x (1 + element promised, 0 none)
MAX_BUDGET = 3  # RH-9.1


class Role(IntEnum):
    """RH-1.1; a role a seat doesn't know is UNKNOWN."""

    UNKNOWN = -1
    CHIEF = 0
    MERCHANT = 1
    LEADER = 2
    SEPARATIST = 3
    PROFITEER = 4


class Camp(IntEnum):
    """The three camps of RH-1.1; also the winner of a game."""

    NONE = -1
    MERCHANTS = 0
    SEPARATISTS = 1
    PROFITEER = 2


NUM_CAMPS = 3
CAMP_OF = (Camp.MERCHANTS, Camp.MERCHANTS, Camp.SEPARATISTS, Camp.SEPARATISTS, Camp.PROFITEER)  # by Role


class Element(IntEnum):
    """What a layer of a tile holds. The first three are also the tracks; each belongs to the camp with its number."""

    KELP = 0
    LOG = 1
    COIN = 2
    TEXT = 3


class Effect(IntEnum):
    """What an instruction does. Packs can use VIEW to REDIRECT; the rest are for the rules alone."""

    NOTHING = 0
    VIEW = 1
    REVEAL = 2
    FLIP_DOWN = 3
    SWAP = 4
    SHUFFLE = 5
    MOVE = 6
    DRAW = 7
    DISCARD = 8
    REFRESH = 9
    LOOK_AT_ROLE = 10
    REDIRECT = 11
    CALL = 12  # RH-4.3: choose another player, who must reveal
    DECLARE = 13  # RH-5.6: turn one's role face-up
    HUNT_ON = 14  # RH-5.1: stop, or reveal another
    PENALTY = 15  # RH-5.2
    FLIP_CARD = 16  # RH-4.4: the Uncover side is used up


class Scope(IntEnum):
    """Where an instruction reaches (RH-2.5, RH-2.6)."""

    NONE = 0
    OWN_SPACE = 1
    WITHIN_REACH = 2
    ORTHOGONAL = 3
    DIAGONAL = 4
    ANY = 5
    SWAPPED = 6  # the two spaces just swapped
    STEP = 7  # of a move: one step
    SWIM = 8  # of a move: as a swim
    LAND = 9  # of a move: one land link


class Who(IntEnum):
    """Which players an instruction applies to, relative to the seat that carries it out."""

    SELF = 0
    ANOTHER = 1  # another player, chosen
    ANYONE = 2  # any player, chosen; the seat itself is allowed
    SELF_AND_ANOTHER = 3


class Source(IntEnum):
    """The origin of an effect under way."""

    NONE = 0
    DIVE = 1
    SWIM = 2
    CO_OP = 3
    UNCOVER = 4
    HUNT = 5
    CON = 6
    CARD = 7
    TILE = 8


class Question(IntEnum):
    """What the asked seat must choose."""

    NONE = 0  # nobody is asked; the rules need no choice
    PLACE = 1  # RH-1.7: a space for the meeple
    TURN = 2  # RH-3.1: a verb
    ANSWER = 3  # RH-4.3: reveal, hunt, con or slip away
    SEAT = 4  # a player, for the effect on top
    VIEW = 5  # a face-down tile to look at
    REVEAL = 6  # a face-down tile to turn up
    FLIP_DOWN = 7  # a face-up tile to turn down
    SWAP = 8  # a face-down tile to swap, first or second
    MOVE = 9  # a space to move to
    DISCARD = 10  # a card from the hand
    HUNT_ON = 11  # RH-5.1: a face-down tile, or stop
    PENALTY = 12  # RH-5.2: a tile to turn down
    REFRESH = 13  # Dive or Swim
    FLOOR = 14  # RH-9.3: a claim, verb first, or silence
    ABOUT = 15  # RH-9.4: the space or the player that the claim is about


class Talk(IntEnum):
    """RH-9.1: what may be said; with TEXT also free text, which no rule reads."""

    NONE = 0
    CLAIMS = 1
    TEXT = 2


class Verb(IntEnum):
    """RH-9.4: what a claim says of its object; action SILENT + verb chooses it."""

    SILENT = 0
    OF_MERCHANTS = 1  # the seat is of that camp
    OF_SEPARATISTS = 2
    OF_PROFITEER = 3
    MERCHANT = 4  # I have that role
    LEADER = 5
    SEPARATIST = 6
    PROFITEER = 7
    BEARS_KELP = 8  # the tile's first element
    BEARS_LOG = 9
    BEARS_COIN = 10
    BEARS_NONE = 11
    PROMISE_KELP = 12  # asked to co-op, I would turn up that
    PROMISE_LOG = 13
    PROMISE_COIN = 14
    TURN_UP = 15  # the tile
    LEAVE = 16
    ASK = 17  # the seat, for a co-op
    DONT_ASK = 18
    BELIEVE = 19  # the seat
    DOUBT = 20


class Stage(IntEnum):
    """The phase of the game while no effect is under way."""

    PLACING = 0
    TURN = 1
    DISCARDING = 2  # RH-3.3, at the end of a turn


class Ending(IntEnum):
    """Whether and how the game ended."""

    PLAYING = 0
    WON = 1  # a track reached its endpoint (RH-6.2), even if nobody plays that camp (RH-6.4)
    TRUNCATED = 2  # RH-6.5


class Event(IntEnum):
    """A public event, seen by everybody at the table (RH-8.1).

    `words/text.py` has a sentence for each, which names its fields.
    """

    NONE = 0
    PLACE = 1
    DIVE = 2
    SWIM = 3
    CO_OP = 4
    UNCOVER = 5
    PLAY = 6
    SLIP_AWAY = 7
    HUNT = 8
    CON = 9
    STOP = 10
    VIEW = 11
    SHOW = 12
    REVEAL = 13
    FLIP_DOWN = 14
    SWAP = 15
    SHUFFLE = 16
    MOVE = 17
    DRAW = 18
    DISCARD = 19
    REFRESH = 20
    MARKER = 21
    LOOK_AT_ROLE = 22
    PENALTY = 23
    RESHUFFLE = 24
    END_TURN = 25
    WIN = 26
    TRUNCATE = 27


class Deed(IntEnum):
    """A public counter of each seat. The elements are net of those on tiles that the seat turned down."""

    KELP = 0
    LOG = 1
    COIN = 2
    DIVES = 3
    SWIMS = 4
    CO_OPS = 5
    CARDS = 6
    REVEALS = 7


class Choice(IntEnum):
    """A public counter of each seat's informed choices of tiles; elements count as printed."""

    KELP_UP = 0  # on tiles that it turned up after looking at them
    LOG_UP = 1
    COIN_UP = 2
    KNOWN_UP = 3  # how many such tiles
    KELP_DOWN = 4  # on tiles it turned down
    LOG_DOWN = 5
    COIN_DOWN = 6
    PASSED_OVER = 7  # unseen tiles turned up while one it had looked at lay face-down within its reach


class Refusal(vocab.Worded):
    """Why the rules refuse an action; OK when they don't."""

    OK, GAME_OVER, NOT_ASKED, NO_SUCH_ACTION, MUST_ANSWER, WRONG_QUESTION = vocab.COMMON_REFUSALS
    EXHAUSTED = 6, "that action is exhausted (RH-3.5)"
    NOTHING_FACE_DOWN_IN_REACH = 7, "no face-down tile is within reach (RH-3.5)"
    NO_DESTINATION = 8, "there is nowhere to move to (RH-3.5)"
    ACTION_TAKEN = 9, "the turn's action is taken already (RH-3.1)"
    ACTION_OWED = 10, "the turn's action is still owed (RH-3.1)"
    UNCOVER_USED = 11, "Uncover is used once a game (RH-4.4)"
    NO_CARD_TO_DISCARD = 12, "it costs a card and the hand is empty"
    CARD_NOT_HELD = 13, "that card isn't in the hand"
    CARD_PLAYED = 14, "a card was played this turn already (RH-3.2)"
    CARD_IMPOSSIBLE = 15, "the card can't be carried out whole now (RH-7.2)"
    MARKER_USED = 16, "the refresh marker is used once a game (RH-5.5)"
    NOT_EXHAUSTED = 17, "that action isn't exhausted"
    NOT_THE_ROLE = 18, "this seat hasn't the role for it (RH-5.1, RH-5.3)"
    ROLE_REVEALED = 19, "the role is revealed already (RH-5.1, RH-5.3)"
    NO_ONE_ELSE_TO_ASK = 20, "no one else could be asked instead (RH-7, Slip Away)"
    NOT_OPTIONAL = 21, "this can't be declined"
    SPACE_EMPTY = 22, "no tile lies on that space"
    SPACE_NOT_ALLOWED = 23, "that space isn't among those the effect allows"
    SEAT_ABSENT = 24, "nobody sits there"
    SEAT_NOT_ALLOWED = 25, "that player isn't among those the effect allows"
    CLAIMED_ALREADY = 26, "this seat says that already of all it could say it of (RH-9.6)"
    ROLE_PUBLIC = 27, "this seat's role is public (RH-9.6)"
