"""The words of River Rats: sizes, sentinels and enums. Values are written out: they end up in saved games.

A card is a number: thirteen times its suit plus its rank, from 0 for the two of hearts to 51 for the ace of diamonds.
A set of cards is an integer with the bits of its cards.
"""

from enum import IntEnum

from riverbed_env.kernels import vocab

MIN_PLAYERS = 1
MAX_SEATS = 4
NUM_SUITS = 4
NUM_RANKS = 13
NUM_CARDS = 52
NUM_JOKERS = 2
NUM_RATS = 2
TWO, TEN, KING, ACE = 0, 8, 11, 12  # ranks
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
EVENT_FIELDS = 8  # kind, actor, card, second card, first number, second number, round, turn; a word
DEFAULT_MAX_DECISIONS = 1000

PUBLIC = MAX_SEATS  # stands for a seat that knows only what everybody knows
NOBODY = -1
NO_CARD = -1
ALL_CARDS = (1 << NUM_CARDS) - 1

# The sizes of enums below.
NUM_MODES = 4
NUM_STEPS = 6
NUM_QUESTIONS = 15
NUM_ZONES = 3
NUM_EVENTS = 31


class Suit(IntEnum):
    """A suit; NONE if there is no such card or nobody may know it."""

    NONE = -1
    HEARTS = 0
    SPADES = 1
    CLUBS = 2
    DIAMONDS = 3


class Category(IntEnum):
    """RR-3.3: the category of a poker hand; a better one has a higher number."""

    NONE = -1
    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR = 7
    STRAIGHT_FLUSH = 8


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


class JokerUse(IntEnum):
    """RR-2.1, RR-5.1: what a joker does."""

    CARD = 0  # it is a card of the collective hand
    REMOVE = 1  # it takes one of the rat's cards away
    REVEAL = 2  # it brings cards when hands resolve


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


class Question(IntEnum):
    """What the current seat has to choose."""

    NONE = 0  # no seat has to choose: the rules continue by themselves
    ACE = 1  # RR-1.1: a character
    DRAW = 2  # RR-2.1: a card of the market, the deck, or a joker instead of the turn
    PLAY = 3  # RR-2.1: a card of the hand, or a joker
    ACTION = 4  # RR-2.1: the suit action, the player power, or neither
    DISCARD = 5  # RR-2.3: a card of hand or market
    DISCARD_MORE = 6  # RR-2.4: another of the same zone
    TO_MARKET = 7  # RR-2.3: a card of the hand
    MORE_TO_MARKET = 8  # RR-2.4: a second one
    SWAP_OUT = 9  # RR-2.3: a card of the collective hand
    SWAP_IN = 10  # RR-2.3: the card that comes in its place
    ADD_DEBT = 11  # RR-2.4: whether to add debt
    REMOVE = 12  # RR-5.1: one of the rat's cards
    USE_JOKER = 13  # RR-5.2: whether to use a joker
    REVEAL_MORE = 14  # RR-5.2: whether to reveal another card


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


class Whose(IntEnum):
    """Whose hand a card that is turned up belongs to."""

    RATS = 0
    PLAYERS = 1


class Winner(IntEnum):
    """Who won."""

    NONE = -1
    PLAYERS = 0
    RATS = 1


class Event(IntEnum):
    """What everybody at the table sees happen (RR-6.1).

    `words/text.py` has the sentence of each, which names its fields; categories are counted from 1.
    """

    NONE = 0
    ACE = 1
    RAT = 2
    ROUND = 3
    DEALT = 4
    TAKE = 5
    DRAW = 6
    REFILL = 7
    PLAY = 8
    PLAY_FACE_DOWN = 9
    JOKER = 10
    DEBT = 11
    TURN_UP = 12
    DISCARD = 13
    TO_MARKET = 14
    SWAP = 15
    REMOVE = 16
    REVEAL = 17
    BUST = 18
    PASS = 19
    SKIP = 20
    PREDICTION = 21
    COMPARE = 22
    HAND_WON = 23
    HAND_LOST = 24
    DEFEAT = 25
    RELIEF = 26
    RESHUFFLE = 27
    WIN = 28
    LOSE = 29
    TRUNCATE = 30


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
