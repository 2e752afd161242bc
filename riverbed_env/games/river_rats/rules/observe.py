"""Writes observations from views, and full states for central critics. Reads nothing a view doesn't hold."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.common import clockwise, newest_event
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import MAX_EVENTS

from .kernels import kernel
from .look import look
from .modes import collective_count
from .pieces import NOW_SIZE, OBSERVATION, STATE
from .piles import market_size
from .rats import hand_to_fill
from .resolution import kings
from .vocab import (
    ACE,
    ALL_CARDS,
    MAX_DEBT,
    MAX_FACE_DOWN,
    MAX_PILE,
    MAX_SEATS,
    MIN_PLAYERS,
    NO_CARD,
    NOBODY,
    NUM_CARDS,
    NUM_JOKERS,
    NUM_RANKS,
    NUM_SUITS,
    Event,
    Step,
    Suit,
)

Vector = npt.NDArray[np.int8]
Words = npt.NDArray[np.int32]  # the same memory, four numbers a word

WORD = 4
SET_WORDS = NUM_CARDS // WORD
MOST = 127
HALF = 0xFFFFFFFF
OWN_HAND, OWN_FACE_DOWN = OBSERVATION.start("own_hand") // WORD, OBSERVATION.start("own_face_down") // WORD
MARKET, DISCARD_PILE = OBSERVATION.start("market") // WORD, OBSERVATION.start("discard_pile") // WORD
RAT_CARDS, COLLECTIVE = OBSERVATION.start("rat_cards") // WORD, OBSERVATION.start("collective") // WORD
REVEALED, UNSEEN = OBSERVATION.start("revealed") // WORD, OBSERVATION.start("unseen") // WORD
FIRST_DEBT, JUST_PLAYED = OBSERVATION.start("first_debt"), OBSERVATION.start("just_played")
SWAPPED_OUT, NUM_PLAYERS = OBSERVATION.start("swapped_out"), OBSERVATION.start("num_players")
MODE, PREDICTION_RULE = OBSERVATION.start("mode"), OBSERVATION.start("prediction_rule")
QUESTION, ASKED, ACTIVE = OBSERVATION.start("question"), OBSERVATION.start("asked"), OBSERVATION.start("active")
RAT, DEFEATED, CHARACTERS = OBSERVATION.start("rat"), OBSERVATION.start("defeated"), OBSERVATION.start("characters")
HAND_SIZES, PLACER = OBSERVATION.start("hand_sizes"), OBSERVATION.start("placer")
ZONE, FLAGS, PREDICTED = OBSERVATION.start("zone"), OBSERVATION.start("flags"), OBSERVATION.start("predicted")
JOKERS, DECK, MARKET_FILL = OBSERVATION.start("jokers"), OBSERVATION.start("deck"), OBSERVATION.start("market_size")
RAT_FACE_DOWN, HAND_TO_FILL = OBSERVATION.start("rat_face_down"), OBSERVATION.start("hand_to_fill")
COLLECTIVE_SIZE, PILE = OBSERVATION.start("collective_size"), OBSERVATION.start("pile")
RAT_DEBT, DEBT, SKIPS = OBSERVATION.start("rat_debt"), OBSERVATION.start("debt"), OBSERVATION.start("skips")
TAKEN, EVENTS = OBSERVATION.start("taken") // WORD, OBSERVATION.start("events") // WORD
RAT_DEBT_SEEN, DEBT_SEEN = OBSERVATION.start("rat_debt_seen") // WORD, OBSERVATION.start("debt_seen") // WORD
COUNTS = OBSERVATION.start("counts")


@kernel
def write_observation(view: Record, params: Record, out: Vector) -> None:
    """Write the view's observation. out: (OBSERVATION_SIZE,) int8 for view "history", (NOW_SIZE,) for "now"."""
    table = view["table"]
    own = view["private"]
    observer = int(view["seat"]) % MAX_SEATS  # the public looks from seat 0
    out[:] = 0
    words = out.view(np.int32)
    write_cards(table, own, out, words)
    write_question(table, params, observer, out)
    write_seats(table, observer, out)
    write_sizes(table, params, out)
    if len(out) > NOW_SIZE:
        write_seen(table, own, observer, out, words)
        write_events(table, observer, words)


@kernel
def write_set(cards: int, start: int, words: Words) -> None:
    """One number a card, its bit, from word `start` on: four bits become four bytes, the lowest first in memory.

    The multiplication copies each of the four bits to the lowest bit of a byte of its own (little-endian).
    """
    if cards == 0:
        return
    for place in range(SET_WORDS):
        words[start + place] = (((cards >> (WORD * place)) & 15) * 0x00204081) & 0x01010101


@kernel
def write_one(number: int, start: int, out: Vector) -> None:
    """One-hot number; nothing for -1."""
    if number >= 0:
        out[start + number] = 1


@kernel
def write_cards(table: Record, own: Record, out: Vector, words: Words) -> None:
    """Where the cards lie that the observer sees."""
    write_set(int(own["hand"]), OWN_HAND, words)
    write_set(placed_set(own), OWN_FACE_DOWN, words)
    write_set(int(table["market"]), MARKET, words)
    write_set(int(table["discard"]), DISCARD_PILE, words)
    write_set(int(table["rat_up"]), RAT_CARDS, words)
    write_set(int(table["collective"]), COLLECTIVE, words)
    write_set(int(table["revealed"]), REVEALED, words)
    write_one(int(table["first_debt"]), FIRST_DEBT, out)
    write_one(int(table["played"]), JUST_PLAYED, out)
    write_one(int(table["swapped"]), SWAPPED_OUT, out)


@kernel
def placed_set(own: Record) -> int:
    """The card that a seat placed face-down, as a set."""
    if own["placed"] == NO_CARD:
        return 0
    return 1 << int(own["placed"])


@kernel
def write_seat(seat: int, observer: int, num_players: int, start: int, out: Vector) -> None:
    """One-hot seat, the observer first; nothing for NOBODY."""
    if seat != NOBODY:
        out[start + clockwise(seat, observer, num_players)] = 1


@kernel
def write_question(table: Record, params: Record, observer: int, out: Vector) -> None:
    """What is asked, of whom, and what is under way."""
    num_players = int(table["num_players"])
    out[NUM_PLAYERS + num_players - MIN_PLAYERS] = 1
    out[MODE + int(params["mode"])] = 1
    out[PREDICTION_RULE + int(params["prediction"])] = 1
    out[QUESTION + int(table["question"])] = 1
    write_seat(int(table["asked"]), observer, num_players, ASKED, out)
    write_seat(int(table["active"]), observer, num_players, ACTIVE, out)
    out[ZONE + int(table["zone"])] = 1
    out[FLAGS] = table["power"]
    out[FLAGS + 1] = table["drawn"]
    out[FLAGS + 2] = table["joker_used"]


@kernel
def write_seats(table: Record, observer: int, out: Vector) -> None:
    """What everybody sees of each player and of the rats."""
    num_players = int(table["num_players"])
    for seat in range(num_players):
        place = clockwise(seat, observer, num_players)
        write_one(int(table["character"][seat]), CHARACTERS + place * NUM_SUITS, out)
        out[HAND_SIZES + place] = table["hand_size"][seat]
    write_seat(int(table["placer"]), observer, num_players, PLACER, out)
    write_one(int(table["rat"]), RAT, out)
    write_one(int(table["defeated"]), DEFEATED, out)
    write_one(int(table["prediction"]), PREDICTED, out)


@kernel
def write_sizes(table: Record, params: Record, out: Vector) -> None:
    """How many jokers, cards and debts there are."""
    down, up = int(table["joker_down"]), int(table["joker_up"])
    out[JOKERS] = down
    out[JOKERS + 1] = up
    out[JOKERS + 2] = NUM_JOKERS - down - up - int(table["joker_used"])
    out[DECK] = table["deck_size"]
    out[MARKET_FILL] = market_size(table)
    out[RAT_FACE_DOWN] = table["rat_down"]
    out[COLLECTIVE_SIZE] = collective_count(table, params)
    out[HAND_TO_FILL] = hand_to_fill(table)
    out[PILE] = table["pile_size"]
    out[RAT_DEBT] = table["rat_debt"]
    out[DEBT] = table["debt"]
    out[SKIPS] = table["skips"]


@kernel
def write_seen(table: Record, own: Record, observer: int, out: Vector, words: Words) -> None:
    """RR-6.1: what was openly seen before."""
    num_players = int(table["num_players"])
    for seat in range(num_players):
        place = clockwise(seat, observer, num_players)
        write_set(int(table["taken"][seat]), TAKEN + place * SET_WORDS, words)
    write_set(int(table["rat_debt_seen"]), RAT_DEBT_SEEN, words)
    write_set(int(table["debt_seen"]), DEBT_SEEN, words)
    write_set(unseen(table, own), UNSEEN, words)
    out[COUNTS] = min(MOST, int(table["round"]))
    out[COUNTS + 1] = min(MOST, int(table["turn"]))
    out[COUNTS + 2] = min(MOST, int(table["tally"][Event.HAND_WON]))
    out[COUNTS + 3] = min(MOST, int(table["tally"][Event.HAND_LOST]))


@kernel
def unseen(table: Record, own: Record) -> int:
    """RR-6.1: the cards of which the seat knows neither where they lie nor who took them, as a set."""
    seen = int(own["hand"]) | placed_set(own) | int(table["market"]) | int(table["discard"]) | int(table["rat_up"])
    seen |= int(table["collective"]) | int(table["revealed"]) | int(table["rat_debt_seen"]) | int(table["debt_seen"])
    if table["first_debt"] != NO_CARD:
        seen |= 1 << int(table["first_debt"])
    if table["rat"] != Suit.NONE:
        seen |= kings(table)
    for seat in range(MAX_SEATS):
        seen |= int(table["taken"][seat])
        if table["character"][seat] != Suit.NONE:
            seen |= 1 << (int(table["character"][seat]) * NUM_RANKS + ACE)
    return ALL_CARDS & ~seen


@kernel
def write_events(table: Record, observer: int, words: Words) -> None:
    """The last public events, newest first, two words each; the actor becomes a seat relative to the observer."""
    num_players = int(table["num_players"])
    count = int(table["event_count"])
    newest = newest_event(count)
    for place in range(min(MAX_EVENTS, count)):
        event = int(table["events"][(newest + place) % MAX_EVENTS])
        actor = (event >> 8) & 255
        if actor > 0:
            actor = 1 + clockwise(actor - 1, observer, num_players)
        words[EVENTS + 2 * place] = (event & HALF & ~0xFF00) | (actor << 8)
        words[EVENTS + 2 * place + 1] = event >> 32


@kernel
def observe(game: Record, params: Record, seat: int, view: Record, out: Vector) -> None:
    """The observation of any seat at any time; `view` is scratch space."""
    look(game, seat, view)
    write_observation(view, params, out)


STATE_SECRETS = STATE.start("hands")
STATE_HANDS, STATE_PLACED = STATE.start("hands"), STATE.start("placed")
STATE_RAT_DEBT, STATE_RATS = STATE.start("rat_debt_cards"), STATE.start("rats")
STATE_DECK, STATE_FACE_DOWN = STATE.start("deck_cards"), STATE.start("face_down_cards")
STATE_PILE, STATE_DEBT = STATE.start("pile_cards"), STATE.start("debt_cards")


PUBLIC_PLACES = OBSERVATION.public_places()


@kernel
def write_plain_set(cards: int, start: int, out: Vector) -> None:
    """One number a card, its bit."""
    for card in range(NUM_CARDS):
        out[start + card] = (cards >> card) & 1


@kernel
def write_places(cards: Vector, size: int, start: int, out: Vector) -> None:
    """1 + card, one number a place, 0 for none."""
    for place in range(size):
        out[start + place] = int(cards[place]) + 1


@kernel
def write_state(game: Record, params: Record, view: Record, scratch: Vector, out: Vector) -> None:
    """The full state. out: (STATE.size,) int8; scratch: (OBSERVATION_SIZE,) int8."""
    look(game, 0, view)
    write_observation(view, params, scratch)
    out[:] = 0
    for place in range(STATE_SECRETS):
        out[place] = scratch[PUBLIC_PLACES[place]]
    table = game["table"]
    for seat in range(int(table["num_players"])):
        write_plain_set(int(game["private"][seat]["hand"]), STATE_HANDS + seat * NUM_CARDS, out)
        write_one(int(game["private"][seat]["placed"]), STATE_PLACED, out)
    write_plain_set(int(game["rat_debt"]), STATE_RAT_DEBT, out)
    write_one(int(game["first_rat"]), STATE_RATS, out)
    write_one(int(game["second_rat"]), STATE_RATS + NUM_SUITS, out)
    size = int(table["deck_size"])
    if table["step"] == Step.ACES:
        size = NUM_CARDS
    for place in range(size):
        out[STATE_DECK + place] = int(game["deck"][size - 1 - place]) + 1
    write_places(game["face_down"], MAX_FACE_DOWN, STATE_FACE_DOWN, out)
    write_places(game["pile"], MAX_PILE, STATE_PILE, out)
    write_places(game["debt"], MAX_DEBT, STATE_DEBT, out)
