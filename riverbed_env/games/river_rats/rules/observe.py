"""Writes observations from views, and full states for central critics. An observation depends on its view alone."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.common import clockwise, newest_event
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.memory import viewed
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import kernel
from . import vocab as v
from .modes import collective_count
from .pieces import AT, NOW_SIZE, OBSERVATION, STATE_AT
from .piles import hand_to_fill, market_size
from .resolution import kings
from .setup import seen_cards
from .state import look, set_of

Words = npt.NDArray[np.int32]  # the same memory, four numbers a word

WORD = 4
SET_WORDS = v.NUM_CARDS // WORD
MOST = 127
HALF = 0xFFFFFFFF


@kernel
def write_observation(view: Record, params: Record, out: Vector) -> None:
    """Write the view's observation. out: (OBSERVATION_SIZE,) int8 for view "history", (NOW_SIZE,) for "now"."""
    table = view["table"]
    private = view["private"]
    observer = int(view["seat"]) % v.MAX_SEATS  # PUBLIC observes from seat 0
    out[:] = 0
    words = viewed(out, np.int32)
    write_cards(table, private, out, words)
    write_question(table, params, observer, out)
    write_seats(table, observer, out)
    write_sizes(table, params, out)
    if len(out) > NOW_SIZE:
        write_seen(table, private, observer, out, words)
        write_events(table, observer, words)


@kernel
def write_set(cards: int, start: int, words: Words) -> None:
    """Write one number per card, its bit, from word `start`: four bits become four bytes, the lowest first in memory.

    The multiplication copies each of the four bits to the lowest bit of a separate byte (little-endian).
    """
    if cards == 0:
        return
    for place in range(SET_WORDS):
        words[start + place] = (((cards >> (WORD * place)) & 15) * 0x00204081) & 0x01010101


@kernel
def write_one(number: int, start: int, out: Vector) -> None:
    """Write a number one-hot; nothing for -1."""
    if number >= 0:
        out[start + number] = 1


@kernel
def write_cards(table: Record, own: Record, out: Vector, words: Words) -> None:
    """Write where the cards that the observer sees lie."""
    write_set(int(own["hand"]), AT.own_hand // WORD, words)
    write_set(set_of(int(own["placed"])), AT.own_face_down // WORD, words)
    write_set(int(table["market"]), AT.market // WORD, words)
    write_set(int(table["discard"]), AT.discard_pile // WORD, words)
    write_set(int(table["rat_up"]), AT.rat_cards // WORD, words)
    write_set(int(table["collective"]), AT.collective // WORD, words)
    write_set(int(table["revealed"]), AT.revealed // WORD, words)
    write_one(int(table["first_debt"]), AT.first_debt, out)
    write_one(int(table["played"]), AT.just_played, out)
    write_one(int(table["swapped"]), AT.swapped_out, out)


@kernel
def write_seat(seat: int, observer: int, num_players: int, start: int, out: Vector) -> None:
    """Write a seat one-hot, the observer first; nothing for NOBODY."""
    if seat != v.NOBODY:
        out[start + clockwise(seat, observer, num_players)] = 1


@kernel
def write_question(table: Record, params: Record, observer: int, out: Vector) -> None:
    """Write who has to choose what, and what is under way."""
    num_players = int(table["num_players"])
    out[AT.num_players + num_players - v.MIN_PLAYERS] = 1
    out[AT.mode + int(params["mode"])] = 1
    out[AT.prediction_rule + int(params["prediction"])] = 1
    out[AT.question + int(table["question"])] = 1
    write_seat(int(table["asked"]), observer, num_players, AT.asked, out)
    write_seat(int(table["active"]), observer, num_players, AT.active, out)
    out[AT.zone + int(table["zone"])] = 1
    out[AT.flags] = table["power"]
    out[AT.flags + 1] = table["drawn"]
    out[AT.flags + 2] = table["joker_used"]


@kernel
def write_seats(table: Record, observer: int, out: Vector) -> None:
    """Write what everybody sees of each player and of the rats."""
    num_players = int(table["num_players"])
    for seat in range(num_players):
        place = clockwise(seat, observer, num_players)
        write_one(int(table["character"][seat]), AT.characters + place * v.NUM_SUITS, out)
        out[AT.hand_sizes + place] = table["hand_size"][seat]
    write_seat(int(table["placer"]), observer, num_players, AT.placer, out)
    write_one(int(table["rat"]), AT.rat, out)
    write_one(int(table["defeated"]), AT.defeated, out)
    write_one(int(table["prediction"]), AT.predicted, out)


@kernel
def write_sizes(table: Record, params: Record, out: Vector) -> None:
    """Write how many jokers, cards and debts there are."""
    down, up = int(table["joker_down"]), int(table["joker_up"])
    out[AT.jokers] = down
    out[AT.jokers + 1] = up
    out[AT.jokers + 2] = v.NUM_JOKERS - down - up - int(table["joker_used"])
    out[AT.deck] = table["deck_size"]
    out[AT.market_size] = market_size(table)
    out[AT.rat_face_down] = table["rat_down"]
    out[AT.collective_size] = collective_count(table, params)
    out[AT.hand_to_fill] = hand_to_fill(table)
    out[AT.pile] = table["pile_size"]
    out[AT.rat_debt] = table["rat_debt"]
    out[AT.debt] = table["debt"]
    out[AT.skips] = table["skips"]


@kernel
def write_seen(table: Record, own: Record, observer: int, out: Vector, words: Words) -> None:
    """RR-6.1: write what everybody saw before."""
    num_players = int(table["num_players"])
    for seat in range(num_players):
        place = clockwise(seat, observer, num_players)
        write_set(int(table["taken"][seat]), AT.taken // WORD + place * SET_WORDS, words)
    write_set(int(table["rat_debt_seen"]), AT.rat_debt_seen // WORD, words)
    write_set(int(table["debt_seen"]), AT.debt_seen // WORD, words)
    write_set(unseen(table, own), AT.unseen // WORD, words)
    out[AT.counts] = min(MOST, int(table["round"]))
    out[AT.counts + 1] = min(MOST, int(table["turn"]))
    out[AT.counts + 2] = min(MOST, int(table["tally"][v.Event.HAND_WON]))
    out[AT.counts + 3] = min(MOST, int(table["tally"][v.Event.HAND_LOST]))


@kernel
def unseen(table: Record, own: Record) -> int:
    """RR-6.1: the set of cards whose place the seat doesn't know and which it saw nobody take."""
    seen = seen_cards(table, own)
    if table["rat"] != v.Suit.NONE:
        seen |= kings(table)
    return v.ALL_CARDS & ~seen


@kernel
def write_events(table: Record, observer: int, words: Words) -> None:
    """Write the last public events, newest first, two words each; the actor becomes a seat relative to the observer."""
    num_players = int(table["num_players"])
    count = int(table["event_count"])
    newest = newest_event(count)
    for place in range(min(MAX_EVENTS, count)):
        event = int(table["events"][(newest + place) % MAX_EVENTS])
        actor = (event >> 8) & 255
        if actor > 0:
            actor = 1 + clockwise(actor - 1, observer, num_players)
        words[AT.events // WORD + 2 * place] = (event & HALF & ~0xFF00) | (actor << 8)
        words[AT.events // WORD + 2 * place + 1] = event >> 32


@kernel
def observe(game: Record, params: Record, seat: int, view: Record, out: Vector) -> None:
    """Write the observation of any seat at any time; `view` is scratch space."""
    look(game, seat, view)
    write_observation(view, params, out)


PUBLIC_PLACES = OBSERVATION.public_places()


@kernel
def write_plain_set(cards: int, start: int, out: Vector) -> None:
    """Write one number per card, its bit."""
    for card in range(v.NUM_CARDS):
        out[start + card] = (cards >> card) & 1


@kernel
def write_places(cards: Vector, size: int, start: int, out: Vector) -> None:
    """Write 1 + card for each place, 0 for none."""
    for place in range(size):
        out[start + place] = int(cards[place]) + 1


@kernel
def write_state(game: Record, params: Record, view: Record, scratch: Vector, out: Vector) -> None:
    """Write the full state. out: (STATE.size,) int8; scratch: (OBSERVATION_SIZE,) int8."""
    look(game, 0, view)
    write_observation(view, params, scratch)
    out[:] = 0
    for place in range(STATE_AT.hands):
        out[place] = scratch[PUBLIC_PLACES[place]]
    table = game["table"]
    for seat in range(int(table["num_players"])):
        write_plain_set(int(game["private"][seat]["hand"]), STATE_AT.hands + seat * v.NUM_CARDS, out)
        write_one(int(game["private"][seat]["placed"]), STATE_AT.placed, out)
    write_plain_set(int(game["rat_debt"]), STATE_AT.rat_debt_cards, out)
    write_one(int(game["first_rat"]), STATE_AT.rats, out)
    write_one(int(game["second_rat"]), STATE_AT.rats + v.NUM_SUITS, out)
    size = int(table["deck_size"])
    if table["step"] == v.Step.ACES:
        size = v.NUM_CARDS
    for place in range(size):
        out[STATE_AT.deck_cards + place] = int(game["deck"][size - 1 - place]) + 1
    write_places(game["face_down"], v.MAX_FACE_DOWN, STATE_AT.face_down_cards, out)
    write_places(game["pile"], v.MAX_PILE, STATE_AT.pile_cards, out)
    write_places(game["debt"], v.MAX_DEBT, STATE_AT.debt_cards, out)
