"""The words of River Rats: sizes, sentinels and enums. Values are written out: they end up in saved games.

A card is a number: thirteen times its suit plus its rank, from 0 for the two of hearts to 51 for the ace of diamonds.
A set of cards is an integer with the bits of its cards.
"""

from enum import IntEnum

from riverbed_env.kernels import vocab
from riverbed_env.kernels.events import BY_KIND, EventField, EventSpec, clock_field, kind_field, seat_field

MIN_PLAYERS = 1
MAX_SEATS = 4
NUM_SUITS = 4
NUM_RANKS = 13
NUM_CARDS = 52
NUM_JOKERS = 2
NUM_RATS = 2
TWO, KING, ACE = 0, 11, 12  # ranks
HAND_LIMIT = 3  # RR-2.1
DEALT_HAND = 2  # RR-1.1
MARKET_SIZE = 3  # RR-2.2
MARKET_LIMIT = 6
FACE_UP_CARDS = 5  # of the rat, RR-1.2
COLLECTIVE_SIZE = 5  # RR-2.5
POKER_HAND = 5
DEBT_LIMIT = 5  # RR-3.4
MAX_FACE_DOWN = 8  # of the rat's cards; 7 are possible (two, two by ability, one by mode, two by a joker)
MAX_PILE = 12  # cards of debt in a round; 8 are possible (the first, six by hearts, one by ability)
MAX_DEBT = 16  # of the players; 12 are possible (four and a whole pile)
DEFAULT_MAX_DECISIONS = 1000

PUBLIC = MAX_SEATS  # stands for a seat that knows only what everybody knows
NOBODY = -1
NO_CARD = -1
ALL_CARDS = (1 << NUM_CARDS) - 1
ACES = sum(1 << (NUM_RANKS * suit + ACE) for suit in range(NUM_SUITS))

# The sizes of enums below.
NUM_QUESTIONS = 15
NUM_ZONES = 3


class Suit(IntEnum):
    """A suit; NONE if there is no such card or nobody may know it."""

    NONE = -1
    HEARTS = 0
    SPADES = 1
    CLUBS = 2
    DIAMONDS = 3


class Category(vocab.Worded):
    """RR-3.3: the category of a poker hand; a better one has a higher number."""

    NONE = -1, "nothing"
    HIGH_CARD = 0, "a high card"
    PAIR = 1, "a pair"
    TWO_PAIR = 2, "two pairs"
    THREE = 3, "three of a kind"
    STRAIGHT = 4, "a straight"
    FLUSH = 5, "a flush"
    FULL_HOUSE = 6, "a full house"
    FOUR = 7, "four of a kind"
    STRAIGHT_FLUSH = 8, "a straight flush"


NUM_CATEGORIES = 9
# RR-3.1: what the first debt card predicts, by rank from two to ace.
PREDICTED = (
    *(Category.STRAIGHT,) * 4,
    *(Category.FLUSH,) * 4,
    *(Category.FULL_HOUSE,) * 3,
    Category.FOUR,
    Category.STRAIGHT_FLUSH,
)


class Mode(IntEnum):
    """RR-5.1: how hard the game is."""

    FIRST_GAME = 0
    STANDARD = 1
    ADVANCED = 2
    EXPERT = 3


class JokerUse(vocab.Worded):
    """RR-2.1, RR-5.1: what a joker does."""

    CARD = 0, "is a card of the collective hand, whichever is best"
    REMOVE = 1, "removes one of the rat's cards, for which two come face-down"
    REVEAL = 2, "brings cards from the deck when hands resolve"


class Prediction(IntEnum):
    """RR-3.1: which collective hands match the prediction (option `prediction`)."""

    EXACTLY = 0
    AT_LEAST_FORM = 1


class Step(IntEnum):
    """What the rules do next while no seat has to choose."""

    ACES = 0  # RR-1.1: characters are chosen
    BEGIN_TURN = 1
    DRAW_OR_PLAY = 2
    END_TURN = 3
    RESOLVE = 4  # RR-5.2: perhaps with a joker
    COMPARE = 5


class Question(vocab.Decision):
    """What the current seat has to choose."""

    NONE = 0, "do nothing"
    ACE = 1, "choose an ace as character", "CARD"  # RR-1.1
    DRAW = 2, "draw a card", "CARD DRAW JOKER"  # RR-2.1
    PLAY = 3, "play a card", "CARD JOKER"  # RR-2.1
    ACTION = 4, "choose the suit action, the player power or neither", "NO ACT POWER"  # RR-2.1
    DISCARD = 5, "discard a card from hand or market", "CARD"  # RR-2.3
    DISCARD_MORE = 6, "discard another card from the same zone, or stop", "CARD NO"  # RR-2.4
    TO_MARKET = 7, "put a card of the hand into the market", "CARD"  # RR-2.3
    MORE_TO_MARKET = 8, "put a second card into the market, or stop", "CARD DRAW NO"  # RR-2.4
    SWAP_OUT = 9, "choose a card of the collective hand to swap out", "CARD"  # RR-2.3
    SWAP_IN = 10, "choose the card to swap in", "CARD"  # RR-2.3
    ADD_DEBT = 11, "decide whether to add debt", "DEBT NO"  # RR-2.4
    REMOVE = 12, "remove one of the rat's cards", "CARD HIDDEN"  # RR-5.1
    USE_JOKER = 13, "decide whether to use a joker before the hands are compared", "JOKER NO"  # RR-5.2
    REVEAL_MORE = 14, "decide whether to reveal another card", "DRAW NO"  # RR-5.2


class Zone(IntEnum):
    """RR-2.4: where the cards of a discard come from."""

    NONE = 0
    HAND = 1
    MARKET = 2


class Ending(IntEnum):
    """Whether and how the game ended."""

    PLAYING = 0
    OVER = 1  # won or lost: see Winner
    TRUNCATED = 2  # the cap on decisions


class Whose(vocab.Worded):
    """Whose hand a card that is turned up belongs to."""

    RATS = 0, "the rat's"
    PLAYERS = 1, "the players'"


class Winner(IntEnum):
    """Who won."""

    NONE = -1
    PLAYERS = 0
    RATS = 1


class Event(vocab.Worded):
    """What everybody at the table sees happen (RR-6.1)."""

    NONE = 0, "nothing"
    ACE = 1, "{actor} choose{s} {card} as character"
    RAT = 2, "{card} is the active River Rat"
    ROUND = 3, "a round begins: {card} is its first debt and predicts {category}"
    DEALT = 4, "the diamonds rat deals {card} into the collective hand"
    TAKE = 5, "{actor} take{s} {card} from the market"
    DRAW = 6, "{actor} draw{s} a card from the deck"
    REFILL = 7, "{card} comes to the market"
    PLAY = 8, "{actor} play{s} {card}"
    PLAY_FACE_DOWN = 9, "{actor} play{s} a card face-down"
    JOKER = 10, "{actor} use{s} a joker"
    DEBT = 11, "{doer} add{s} a debt"
    TURN_UP = 12, "{whose} {card} is turned up{by}"
    DISCARD = 13, "{actor} discard{s} {card} from the {zone}"
    TO_MARKET = 14, "{actor} put{s} {card} into the market"
    SWAP = 15, "{actor} swap{s} {card} out of the collective hand and {other} from the {zone} in"
    REMOVE = 16, "{actor} remove{s} the rat's {card}; two cards are drawn face-down"
    REVEAL = 17, "{actor} reveal{s} {card} into the collective hand"
    BUST = 18, "{actor} reveal{s} {card}, of the rat's suit: the revealed cards go, and the players get a debt"
    PASS = 19, "{actor} decline{s}"
    SKIP = 20, "{actor} {has} nothing to draw or play"
    PREDICTION = 21, "the collective hand is {category} as predicted; {joker}"
    COMPARE = 22, "the players have {category}, the rats {second_category}"
    HAND_WON = 23, "the players win the hand: {first} to the rat"
    HAND_LOST = 24, "the rats win the hand: {first} to the players"
    DEFEAT = 25, "{card} is defeated"
    RELIEF = 26, "the players lose the debt {card}"
    RESHUFFLE = 27, "the discard pile is shuffled into a new deck"
    WIN = 28, "the game ends: both River Rats are defeated, the players win"
    LOSE = 29, "the game ends: the players have five debts, the River Rats win"
    TRUNCATE = 30, "the game is cut off at the cap on decisions"


# RR-6.1: an event is one word; categories are counted from 1.
EVENTS = EventSpec(
    Event,
    kind_field(Event),
    seat_field("actor", "actor A", MAX_SEATS),
    EventField("card", "card C", "1 + card, 0 none", NUM_CARDS, 1),
    EventField("other", "second card D", "1 + card, 0 none", NUM_CARDS, 1),
    EventField("first", "first number X", BY_KIND, 0),
    EventField("second", "second number Y", BY_KIND, 0),
    clock_field("round", "rounds begun"),
    clock_field("turn", "turns begun"),
    gaps={
        "category": ("first", 0, NUM_CATEGORIES),
        "zone": ("first", 0, NUM_ZONES - 1),
        "whose": ("first", 0, Whose.PLAYERS),
        "first": ("first", 0, MAX_PILE),
        "second_category": ("second", 0, NUM_CATEGORIES),
        "joker": ("second", 0, 1),
    },
)


class Refusal(vocab.Worded):
    """Why the rules refuse an action; OK if they don't."""

    OK, GAME_OVER, NOT_ASKED, NO_SUCH_ACTION, MUST_ANSWER, WRONG_QUESTION = vocab.COMMON_REFUSALS
    NOT_AN_ACE = 6, "a character is an ace (RR-1.1)"
    ACE_TAKEN = 7, "another player has taken that ace (RR-1.1)"
    NOT_IN_MARKET = 8, "that card isn't in the market"
    NOT_IN_HAND = 9, "that card isn't in the hand"
    NOT_IN_HAND_OR_MARKET = 10, "that card is neither in the hand nor in the market"
    NOT_IN_ZONE = 11, "that card isn't in the zone that the first discard came from (RR-2.4)"
    NO_CARDS_LEFT = 12, "deck and discard pile are empty (RR-3.5)"
    NO_JOKER = 13, "no joker is face-up (RR-2.1)"
    JOKER_USED = 14, "a joker is already used for this collective hand (RR-2.1)"
    JOKER_TOO_EARLY = 15, "the spades rat's first card can't be a joker (RR-4.1)"
    JOKER_AFTER_DRAW = 16, "a joker is used instead of drawing and playing (RR-2.1)"
    JOKER_AT_RESOLUTION = 17, "in this mode jokers are used only when hands resolve (RR-5.1)"
    NOTHING_FOR_THE_ACTION = 18, "there is no card to carry it out with (RR-2.6)"
    NOT_THE_OWN_SUIT = 19, "the card's suit isn't the character's (RR-2.1)"
    NO_POWERS = 20, "there are no player powers in this mode (RR-5.1)"
    NOT_EXCHANGEABLE = 21, "that card can't be swapped out of the collective hand (RR-2.3)"
    NOT_THE_RATS = 22, "that card isn't among the rat's face-up cards (RR-5.1)"
    NO_FACE_DOWN_CARD = 23, "the rat has no face-down card"
    HAND_FIRST = 24, "with more than one player cards come from the hand, not from the deck (RR-2.3)"
    NOT_ALONE = 25, "a player alone takes the card from the deck, not from the hand (RR-2.3)"
