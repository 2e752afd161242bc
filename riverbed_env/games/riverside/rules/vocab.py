"""The vocabulary of Riverside: sizes, sentinels and enums. Values are explicit because saved games contain them."""

from enum import IntEnum

from riverbed_env.kernels import vocab
from riverbed_env.kernels.events import BY_KIND, EventField, EventSpec, clock_field, kind_field, seat_field

MIN_PLAYERS = 1
MAX_SEATS = 6
DEFAULT_PLAYERS = 4
NUM_COLOURS = 5  # base dice and guide boats
NUM_BOATS = 6  # the guide boats, then the stave church boat
CHURCH = 5  # index of the stave church boat
ROWS = 4  # rows of a guide boat
NUM_ROWS = NUM_COLOURS * ROWS
NUM_DICE = 6  # the base dice by colour, then the green die
GREEN = 5  # index of the green die among the dice
PIPS = 6
NUM_COLUMNS = 5  # columns of the board; six with the extension
MAX_COLUMNS = 6
BASE_TILES = 10
MAX_PLACES = 12  # river tiles, each with a village; places 0 … 11: north row west to east, then south row likewise
BANDS = 9  # marks of final scores (RS-4.1)
RANGE = 3  # RS-2.4
SPEED_RANGE = 6  # RS-3.1
FAN_SEATS = 3  # RS-3.1: the seats that Fan base adds to the dice
MAX_VISITS = 2  # villages in one round
EVENT_FIELDS = 8  # bytes of an event: kind, actor, boat, place, number in hundreds and rest, detail, round
DEFAULT_MAX_STEPS = 1000

NOBODY = -1
NO_BOAT = -1
NO_PLACE = -1
NO_TILE = -1
NO_ROW = -1
NO_DIE = -1

# The number of values of each enum below; those of Deed include the five base dice.
NUM_POWERS = 5
NUM_GREENS = 3
NUM_QUESTIONS = 8
NUM_DEEDS = 8


class Boat(vocab.Worded):
    """The guide boats, numbered like the colours of the base dice, and the stave church boat."""

    WHITE = 0, "white"
    YELLOW = 1, "yellow"
    BROWN = 2, "brown"
    BLUE = 3, "blue"
    PINK = 4, "pink"
    CHURCH = 5, "stave church"


class Power(vocab.Worded):
    """The royal powers of RS-3.1."""

    EARLY_BIRDS = 0, "Early birds"
    FAN_BASE = 1, "Fan base"
    PRIZE_TICKET = 2, "Prize ticket"
    WARM_NIGHT = 3, "Warm night"
    SPEED_BOAT = 4, "Speed boat"


class Charge(IntEnum):
    """The state of a royal power on a sheet."""

    LOCKED = 0  # at least one of its two royal seats isn't crossed
    READY = 1
    USED = 2


class Green(vocab.Worded):
    """Whether the green die is added (RS-2.2, RS-3.1)."""

    WITHOUT = 0, "without the green die"
    WITH = 1, "the green die"
    WARM = 2, "the green die on Warm night"


class Phase(vocab.Worded):
    """The phase of the round; phase 1 has no decisions."""

    DICE = 0, "dice and seats"  # phase 2 of the rulebook
    EXCURSIONS = 1, "excursions"  # phase 3
    OVER = 2, "over"


class Question(vocab.Decision):
    """What a seat has to choose."""

    NONE = 0, "do nothing more in this phase"
    DIE = 1, "take dice", "DIE"  # RS-2.2
    SEAT = 2, "choose the row of the next seat", "SEAT"  # RS-2.2
    VILLAGE = 3, "go to a village or stay", "VILLAGE SPEED STAY"  # RS-2.4
    SECOND = 4, "go to a second village", "VILLAGE SPEED"  # RS-3.1
    FAST = 5, "go to a village on Speed boat", "VILLAGE"  # RS-3.1
    SCORE = 6, "score a boat", "SCORE PRIZE"  # RS-2.4
    MORE = 7, "score another boat, call Early birds or stop", "SCORE PRIZE EARLY DONE"


class Ending(IntEnum):
    """Whether and how the game ended."""

    PLAYING = 0
    FINISHED = 1  # the ship is at the anchor (RS-2.1)
    TRUNCATED = 2  # RS-5.2


class Event(vocab.Worded):
    """The kinds of public events: rolls appear at once, choices at the end of the phase (RS-5.1)."""

    NONE = 0, "nothing"
    ROLL = 1, "temperature {number}: the ship sails to space {space}"
    CHOOSE = 2, "{actor} take{s} {dice}, {number} in all"
    TICKET = 3, "{actor} complete{s} row {row} of the {boat} boat ({number} points)"
    UNLOCK = 4, "{actor} {has} both royal seats of the {boat} boat: {power}"
    EXCURSION = 5, "{actor} go{es} to village {place}{how}"
    SCORE = 6, "{actor} score{s} {number} on the {boat} boat in village {place}{prize}"
    STAY = 7, "{actor} go{es} nowhere"
    FINISH = 8, "the ship is at the anchor: {won}"
    TRUNCATE = 9, "the game is cut off at the cap on steps"


# RS-5.1: an event is one word.
EVENTS = EventSpec(
    Event,
    kind_field(Event),
    seat_field("actor", "actor", MAX_SEATS, "the actor"),
    EventField("boat", "boat", "1 + boat, 0 none", NUM_BOATS, 1),
    EventField("place", "place", "1 + place, 0 none", MAX_PLACES, letter="PLACE"),
    EventField("hundreds", "hundreds", "hundreds of the number", 127),
    EventField("rest", "rest", "the number's rest", 99),
    EventField("detail", "detail", BY_KIND, 127),
    clock_field("round", "rolls"),
    gaps={"dice": ("boat", 1, NUM_BOATS), "power": ("detail", 1, NUM_POWERS), "prize": ("detail", 0, 1)},
)


class Deed(IntEnum):
    """What the table counts for each seat at the end of a phase; the first five are base dice by colour."""

    GREENS = 5
    EXCURSIONS = 6
    SCORES = 7


class Refusal(vocab.Worded):
    """Why the rules refuse an action; OK if they accept it."""

    OK, GAME_OVER, NOT_ASKED, NO_SUCH_ACTION, MUST_ANSWER, WRONG_QUESTION = vocab.COMMON_REFUSALS
    FIRE_MISSING = 6, "too few fire symbols are left for the heated dice (RS-2.2)"
    POWER_LOCKED = 7, "the royal power for it isn't available: its royal seats aren't both crossed (RS-2.3)"
    POWER_USED = 8, "the royal power for it is used already (RS-3.1)"
    OTHER_BOAT = 9, "seats of another boat are being crossed (RS-2.2)"
    ROW_FULL = 10, "that row has no seat left (RS-2.2)"
    NO_VILLAGE = 11, "there is no village in that place (RS-1.1)"
    OUT_OF_REACH = 12, "that village is out of range, even with every +1 left (RS-2.4)"
    NOTHING_TO_SCORE = 13, "nothing can be scored in that village (RS-2.4)"
    SAME_VILLAGE = 14, "the second village must be another one (RS-3.1)"
    SPEED_USELESS = 15, "Speed boat would bring no village nearer that can be scored (RS-3.1)"
    NO_SECOND_VILLAGE = 16, "no second village could be scored (RS-3.1)"
    MUST_VISIT = 17, "after Speed boat or Early birds a village has to be visited (RS-3.1)"
    OTHER_COLOUR = 18, "the village isn't for that boat (RS-2.4)"
    SCORED_HERE = 19, "that boat is scored already on this visit (RS-2.4)"
    NOT_HIGHER = 20, "the score wouldn't be above the boat's last one and above 0 (RS-2.4)"
