"""Writes observations from views, and full states for central critics. Reads nothing a view doesn't hold."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.common import clockwise, newest_event
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import MAX_EVENTS

from .kernels import kernel
from .look import look
from .pieces import COUNTED, NOW_SIZE, OBSERVATION, STATE
from .vocab import (
    MAX_CARD_KINDS,
    MAX_DECK,
    MAX_SEATS,
    MIN_PLAYERS,
    NO_TILE,
    NUM_ROLES,
    NUM_SPACES,
    NUM_TILES,
    NUM_TRACKS,
    Source,
)

Vector = npt.NDArray[np.int8]
Words = npt.NDArray[np.int64]  # the same memory, eight numbers a word

WORD = 8
POSSIBLE, KNOWN_TILES = OBSERVATION.start("possible") // WORD, OBSERVATION.start("known_tiles") // WORD
OCCUPIED, FACE_UP = OBSERVATION.start("occupied") // WORD, OBSERVATION.start("face_up") // WORD
HUNTED, SEEN = OBSERVATION.start("hunted") // WORD, OBSERVATION.start("seen") // WORD
POSITIONS, CHOSEN_SPACES = OBSERVATION.start("positions"), OBSERVATION.start("chosen_spaces")
NUM_PLAYERS, STAGE = OBSERVATION.start("num_players"), OBSERVATION.start("stage")
QUESTION, ASKED = OBSERVATION.start("question"), OBSERVATION.start("asked")
ACTIVE, FLAGS = OBSERVATION.start("active"), OBSERVATION.start("flags")
SOURCE, SOURCE_CARD = OBSERVATION.start("source"), OBSERVATION.start("source_card")
CARRIER, CHOSEN_SEAT = OBSERVATION.start("carrier"), OBSERVATION.start("chosen_seat")
SLIPPED, ROLES_SHOWN = OBSERVATION.start("slipped"), OBSERVATION.start("roles_shown")
READINESS, HAND_SIZES = OBSERVATION.start("readiness"), OBSERVATION.start("hand_sizes")
TRACKS, ENDPOINTS, TO_GO = OBSERVATION.start("tracks"), OBSERVATION.start("endpoints"), OBSERVATION.start("to_go")
DRAW_PILE, DISCARD_PILE = OBSERVATION.start("draw_pile"), OBSERVATION.start("discard_pile")
USED_CARDS, OWN_ROLE = OBSERVATION.start("used_cards"), OBSERVATION.start("own_role")
OWN_HAND, ROLES_LOOKED_AT = OBSERVATION.start("own_hand"), OBSERVATION.start("roles_looked_at")
ASKS, DEEDS = OBSERVATION.start("asks") // WORD, OBSERVATION.start("deeds") // WORD
CHOICES = OBSERVATION.start("choices") // WORD
COUNTS, EVENTS = OBSERVATION.start("counts"), OBSERVATION.start("events") // WORD


@kernel
def write_observation(view: Record, params: Record, out: Vector) -> None:
    """Write the view's observation. out: (OBSERVATION_SIZE,) int8 for view "history", (NOW_SIZE,) for "now"."""
    table = view["table"]
    observer = int(view["seat"]) % MAX_SEATS  # the public looks from seat 0
    out[:] = 0
    words = out.view(np.int64)
    write_question(table, observer, out)
    write_seats(table, observer, out)
    write_river(table, params, out, words)
    write_own(table, view["private"], params, observer, out, words)
    if len(out) > NOW_SIZE:
        write_tallies(table, observer, out, words)
        write_events(table, observer, words)


@kernel
def write_seat(seat: int, observer: int, num_players: int, start: int, out: Vector) -> None:
    """One-hot seat, the observer first; nothing for NOBODY."""
    if seat >= 0:
        out[start + clockwise(seat, observer, num_players)] = 1


@kernel
def spread(bits: int) -> int:
    """Eight bits as eight numbers 0 or 1 in one word, the lowest bit first in memory (little-endian).

    The multiplication copies the seven low bits to the lowest bit of seven bytes; the eighth is set apart, since its
    copy would run into the others'.
    """
    return (((bits & 127) * 0x0002040810204081) & 0x0001010101010101) | (((bits >> 7) & 1) << 56)


@kernel
def write_bits(bits: int, start: int, words: Words) -> None:
    """One number a space, the space's bit, from word `start` on."""
    words[start] = spread(bits & 255)
    words[start + 1] = spread(bits >> 8)


@kernel
def write_question(table: Record, observer: int, out: Vector) -> None:
    """What is asked, of whom, and for which effect."""
    num_players = int(table["num_players"])
    out[NUM_PLAYERS + num_players - MIN_PLAYERS] = 1
    out[STAGE + int(table["stage"])] = 1
    out[QUESTION + int(table["question"])] = 1
    write_seat(int(table["asked"]), observer, num_players, ASKED, out)
    write_seat(int(table["active"]), observer, num_players, ACTIVE, out)
    out[FLAGS] = table["action_done"]
    out[FLAGS + 1] = table["card_played"]
    out[FLAGS + 2] = table["hunting"]
    out[FLAGS + 3] = table["optional"]
    depth = int(table["depth"])
    if depth == 0:
        out[SOURCE] = 1
        return
    frame = table["frames"][depth - 1]
    out[SOURCE + int(frame["source"])] = 1
    if frame["source"] == Source.CARD:
        out[SOURCE_CARD + int(frame["thing"])] = 1
    write_seat(int(frame["carrier"]), observer, num_players, CARRIER, out)
    write_seat(int(frame["seat"]), observer, num_players, CHOSEN_SEAT, out)
    chosen = int(frame["chosen"]) | int(frame["before"]) | int(frame["swapped"])
    for space in range(NUM_SPACES):
        if (chosen >> space) & 1:
            out[CHOSEN_SPACES + space] = 1


@kernel
def write_seats(table: Record, observer: int, out: Vector) -> None:
    """What everybody sees of each player."""
    num_players = int(table["num_players"])
    slipped = int(table["slipped"])
    for seat in range(num_players):
        place = clockwise(seat, observer, num_players)
        out[SLIPPED + place] = (slipped >> seat) & 1
        role = int(table["role"][seat])
        if role >= 0:
            out[ROLES_SHOWN + place * NUM_ROLES + role] = 1
        space = int(table["position"][seat])
        if space >= 0:
            out[POSITIONS + place * NUM_SPACES + space] = 1
        start = READINESS + place * 5
        out[start] = 1
        out[start + 1] = table["dive_ready"][seat]
        out[start + 2] = table["swim_ready"][seat]
        out[start + 3] = table["uncover_left"][seat]
        out[start + 4] = table["marker_left"][seat]
        out[HAND_SIZES + place] = table["hand_size"][seat]


@kernel
def write_river(table: Record, params: Record, out: Vector, words: Words) -> None:
    """Tracks, tiles on the board, and the piles."""
    for track in range(NUM_TRACKS):
        reached = min(127, int(table["tracks"][track]))
        endpoint = int(params["endpoints"][track])
        out[TRACKS + track] = reached
        out[ENDPOINTS + track] = endpoint
        out[TO_GO + track] = max(0, endpoint - reached)
    write_bits(int(table["occupied"]), OCCUPIED, words)
    write_bits(int(table["occupied"]) & ~int(table["face_down"]), FACE_UP, words)
    write_bits(int(table["hunted"]), HUNTED, words)
    out[DRAW_PILE] = table["draw_pile"]
    for card in range(MAX_CARD_KINDS):
        out[DISCARD_PILE + card] = table["discard_pile"][card]
    for card in range(MAX_CARD_KINDS):
        out[USED_CARDS + card] = table["used"][card]


@kernel
def write_own(table: Record, own: Record, params: Record, observer: int, out: Vector, words: Words) -> None:
    """What the observer alone knows: role, hand, roles looked at, tiles."""
    num_players = int(table["num_players"])
    if own["role"] >= 0:
        out[OWN_ROLE + int(own["role"])] = 1
    for card in range(MAX_CARD_KINDS):
        out[OWN_HAND + card] = own["hand"][card]
    for seat in range(num_players):
        role = int(own["looked"][seat])
        if role >= 0:
            out[ROLES_LOOKED_AT + clockwise(seat, observer, num_players) * NUM_ROLES + role] = 1
    for space in range(NUM_SPACES):
        words[KNOWN_TILES + space] = params["feature_words"][int(own["known"][space])]
    for tile in range(NUM_TILES):
        write_bits(int(own["possible"][tile]), POSSIBLE + tile * 2, words)


@kernel
def write_tallies(table: Record, observer: int, out: Vector, words: Words) -> None:
    """Public tallies: who asked whom, who turned up what, who has seen what."""
    num_players = int(table["num_players"])
    for seat in range(num_players):
        place = clockwise(seat, observer, num_players)
        write_bits(int(table["seen"][seat]), SEEN + place * 2, words)
        words[ASKS + place] = table["asks"][seat]
        words[DEEDS + place] = table["deeds"][seat]
        words[CHOICES + place] = table["choices"][seat]
    out[COUNTS] = min(127, int(table["turn"]))
    for place in range(len(COUNTED)):
        out[COUNTS + 1 + place] = min(127, int(table["tally"][COUNTED[place]]))


@kernel
def write_events(table: Record, observer: int, words: Words) -> None:
    """The last public events, newest first, a word each; actor and other become seats relative to the observer.

    Both are bytes of 1 + seat, 0 for none. They are turned at once: add the seats between, take num_players off
    where that passes it (bit 6 of t + 63 - num_players tells), and leave none as it is.
    """
    num_players = int(table["num_players"])
    newest = newest_event(int(table["event_count"]))
    both = 0x010100
    turn_by = (num_players - observer) * both
    for place in range(MAX_EVENTS):
        event = int(table["events"][(newest + place) % MAX_EVENTS])
        seats = event & 0xFFFF00
        turned = seats + turn_by
        passed = ((turned + (63 - num_players) * both) >> 6) & both
        turned -= passed * num_players
        present = ((seats + 63 * both) >> 6) & both
        words[EVENTS + place] = (event & ~0xFFFF00) | (turned & (present * 255))


@kernel
def observe(game: Record, params: Record, seat: int, view: Record, out: Vector) -> None:
    """The observation of any seat at any time; `view` is scratch space."""
    look(game, seat, view)
    write_observation(view, params, out)


STATE_SECRETS = STATE.start("roles")
STATE_HANDS = STATE.start("hands")
STATE_TILES = STATE.start("tiles")
STATE_DECK = STATE.start("deck")


PUBLIC_PLACES = OBSERVATION.public_places()


@kernel
def write_state(game: Record, params: Record, view: Record, scratch: Vector, out: Vector) -> None:
    """The full state. out: (STATE.size,) int8; scratch: (OBSERVATION_SIZE,) int8."""
    look(game, 0, view)
    write_observation(view, params, scratch)
    out[:] = 0
    for place in range(STATE_SECRETS):
        out[place] = scratch[PUBLIC_PLACES[place]]
    for seat in range(int(game["table"]["num_players"])):
        out[STATE_SECRETS + seat * NUM_ROLES + int(game["private"][seat]["role"])] = 1
        for card in range(MAX_CARD_KINDS):
            out[STATE_HANDS + seat * MAX_CARD_KINDS + card] = game["private"][seat]["hand"][card]
    for space in range(NUM_SPACES):
        if game["tile_at"][space] != NO_TILE:
            out[STATE_TILES + space * NUM_TILES + int(game["tile_at"][space]) - 1] = 1
    size = int(game["table"]["draw_pile"])
    for place in range(min(size, MAX_DECK)):
        out[STATE_DECK + place] = int(game["deck"][size - 1 - place]) + 1
