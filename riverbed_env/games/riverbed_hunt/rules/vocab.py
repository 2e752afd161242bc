"""The words of Riverbed Hunt: sizes, sentinels and enums. Values are written out: they end up in saved games."""

from enum import IntEnum

from riverbed_env.kernels import vocab
from riverbed_env.kernels.events import BY_KIND, EventField, EventSpec, clock_field, kind_field, seat_field

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

PUBLIC = MAX_SEATS  # index after the seats: the record of what everybody knows
NOBODY = NO_SPACE = NO_CARD = NO_PROGRAM = -1
NO_TILE = 0
ALL_SPACES = (1 << NUM_SPACES) - 1

# Sizes of the enums below, without the sentinel -1.
NUM_ROLES = 5
NUM_TRACKS = 3
NUM_SOURCES = 9
NUM_QUESTIONS = 16
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


class Role(vocab.Worded):
    """RH-1.1; a role a seat doesn't know is UNKNOWN."""

    UNKNOWN = -1, "unknown"
    CHIEF = 0, "chief merchant"
    MERCHANT = 1, "merchant"
    LEADER = 2, "separatist leader"
    SEPARATIST = 3, "separatist"
    PROFITEER = 4, "profiteer"


class Camp(vocab.Worded):
    """The three camps of RH-1.1; also the winner of a game."""

    NONE = -1, "nobody"
    MERCHANTS = 0, "the merchants"
    SEPARATISTS = 1, "the separatists"
    PROFITEER = 2, "the profiteer"


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


class Source(vocab.Worded):
    """The origin of an effect under way."""

    NONE = 0, "nothing is under way"
    DIVE = 1, "a dive"
    SWIM = 2, "a swim"
    CO_OP = 3, "a co-op"
    UNCOVER = 4, "an uncover"
    HUNT = 5, "the Hunt"
    CON = 6, "the Con"
    CARD = 7, "a card"
    TILE = 8, "a tile's text"


class Question(vocab.Decision):
    """What the asked seat must choose."""

    NONE = 0, "do nothing"
    PLACE = 1, "place a meeple", "SPACE"  # RH-1.7
    TURN = 2, "choose an action", "DIVE SWIM CO_OP UNCOVER READY END_TURN CARD"  # RH-3.1
    ANSWER = 3, "answer the co-op", "REVEAL HUNT CON SLIP_AWAY"  # RH-4.3
    SEAT = 4, "choose a player", "SEAT"
    VIEW = 5, "choose a face-down tile to look at", "SPACE"
    REVEAL = 6, "choose a face-down tile to reveal", "SPACE"
    FLIP_DOWN = 7, "choose a face-up tile to turn face-down", "SPACE"
    SWAP = 8, "choose a face-down tile to swap", "SPACE"
    MOVE = 9, "choose a space to move to", "SPACE"
    DISCARD = 10, "choose a card to discard", "CARD"
    HUNT_ON = 11, "reveal another tile or stop the Hunt", "SPACE"  # RH-5.1
    PENALTY = 12, "choose a tile with a log to turn face-down", "SPACE"  # RH-5.2
    REFRESH = 13, "ready Dive or Swim", "READY"
    # RH-9.3
    FLOOR = 14, "make a claim or be silent", "SILENT CAMP ROLE BEARS PROMISE TURN_UP LEAVE ASK DONT_ASK BELIEVE DOUBT"
    ABOUT = 15, "say what the claim is about", "SPACE SEAT"  # RH-9.4


class Talk(IntEnum):
    """RH-9.1: what may be said; with TEXT also free text, which no rule reads."""

    NONE = 0
    CLAIMS = 1
    TEXT = 2


class Verb(vocab.Worded):
    """RH-9.4: what a claim says of its object; action SILENT + verb chooses it."""

    SILENT = 0, "nothing"
    OF_MERCHANTS = 1, "{seat} is with the merchants"
    OF_SEPARATISTS = 2, "{seat} is with the separatists"
    OF_PROFITEER = 3, "{seat} is with the profiteer"
    MERCHANT = 4, "I am a merchant"
    LEADER = 5, "I am the separatist leader"
    SEPARATIST = 6, "I am a separatist"
    PROFITEER = 7, "I am the profiteer"
    BEARS_KELP = 8, "{space} bears kelp"
    BEARS_LOG = 9, "{space} bears a log"
    BEARS_COIN = 10, "{space} bears a coin"
    BEARS_NONE = 11, "{space} bears no element"
    PROMISE_KELP = 12, "asked for a co-op, I turn up kelp"
    PROMISE_LOG = 13, "asked for a co-op, I turn up a log"
    PROMISE_COIN = 14, "asked for a co-op, I turn up a coin"
    TURN_UP = 15, "turn up {space}"
    LEAVE = 16, "leave {space}"
    ASK = 17, "ask {seat}"
    DONT_ASK = 18, "don't ask {seat}"
    BELIEVE = 19, "I believe {seat}"
    DOUBT = 20, "I doubt {seat}"


# RH-9.7: a claim is one word too; its four highest bytes count the events before it.
CLAIMS = EventSpec(
    Verb,
    EventField("speaker", "speaker", "1 + seat", MAX_SEATS, 1, seat=True, least=1),
    kind_field(Verb),
    EventField("about", "object", "1 + seat or space, 0 none", 0, 1),
    EventField("turn", "turn", "turns begun, at most 127", 127, least=1),
    gaps={"seat": ("about", 1, MAX_SEATS), "space": ("about", 1, NUM_SPACES)},
)


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


class Event(vocab.Worded):
    """A public event, seen by everybody at the table (RH-8.1)."""

    NONE = 0, "nothing"
    PLACE = 1, "{actor} place{s} a meeple on space {space}"
    DIVE = 2, "{actor} dive{s} and look{s} at the tile on space {space}"
    SWIM = 3, "{actor} swim{s}"
    CO_OP = 4, "{actor} ask{s} {other} for a co-op"
    UNCOVER = 5, "{actor} take{s} the Uncover action"
    PLAY = 6, "{actor} play{s} {card}{text}"
    SLIP_AWAY = 7, "{actor} play{s} {card} and slip{s} away from {others} co-op"
    HUNT = 8, "{actor} declare{s} the Hunt"
    CON = 9, "{actor} declare{s} the Con"
    STOP = 10, "{actor} reveal{s} no more"
    VIEW = 11, "{actor} look{s} at the tile on space {space}"
    SHOW = 12, "{actor} and {other} look at the tile on space {space}"
    REVEAL = 13, "{actor} reveal{s} {tile} on space {space}"
    FLIP_DOWN = 14, "{actor} turn{s} {tile} on space {space} face-down"
    SWAP = 15, "{actor} swap{s} the tiles on spaces {space} and {second}"
    SHUFFLE = 16, "{actor} shuffle{s} the face-down tiles around space {space}"
    MOVE = 17, "{actor} move{s} {whose} meeple to space {space}"
    DRAW = 18, "{actor} draw{s} a card"
    DISCARD = 19, "{actor} discard{s} {card}"
    REFRESH = 20, "{actor} read{ies} {what}"
    MARKER = 21, "{actor} use{s} the refresh marker and read{ies} {what}"
    LOOK_AT_ROLE = 22, "{actor} look{s} at the role of {other}"
    PENALTY = 23, "the Hunt penalty is due: {actor} {has} to turn a tile face-down"
    RESHUFFLE = 24, "the discard pile is shuffled into a new draw pile"
    END_TURN = 25, "{actor} end{s} the turn"
    WIN = 26, "the game ends: {camp} won"
    TRUNCATE = 27, "the game is cut off at the cap on decisions"


# RH-8.1: an event is one word.
EVENTS = EventSpec(
    Event,
    kind_field(Event),
    seat_field("actor", "actor A", MAX_SEATS),
    seat_field("other", "other B", MAX_SEATS),
    EventField("space", "space S", f"1 to {NUM_SPACES}, 0 none", NUM_SPACES),
    EventField("second", "second space T", f"1 to {NUM_SPACES}, 0 none", NUM_SPACES),
    EventField("thing", "thing X", BY_KIND, 0),
    clock_field("turn", "turns begun"),
    EventField("source", "source", "source of the effect that was under way, as in the table of sources",
               NUM_SOURCES - 1),
    gaps={
        "tile": ("thing", 1, NUM_TILES),
        "card": ("thing", 0, MAX_CARD_KINDS - 1),
        "what": ("thing", 0, 2),
        "camp": ("thing", 0, NUM_CAMPS - 1),
    },
)  # fmt: skip


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
