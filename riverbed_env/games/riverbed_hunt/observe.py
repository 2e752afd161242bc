"""Writes observations from views, and full states for central critics. Reads nothing a view doesn't hold."""

import numpy as np
import numpy.typing as npt

from riverbed_env.core.compile import Record

from .kernels import kernel
from .look import look
from .pieces import NOW_SIZE, OBSERVATION, STATE
from .state import NUM_FEATURES
from .vocab import (
    MAX_CARD_KINDS,
    MAX_DECK,
    MAX_EVENTS,
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

NUM_PLAYERS, QUESTION = OBSERVATION.start("num_players"), OBSERVATION.start("question")
ASKED, ACTIVE = OBSERVATION.start("asked"), OBSERVATION.start("active")
TURN_FLAGS, SOURCE = OBSERVATION.start("turn_flags"), OBSERVATION.start("source")
SOURCE_CARD, CARRIER = OBSERVATION.start("source_card"), OBSERVATION.start("carrier")
CHOSEN_SEAT, CHOSEN_SPACES = OBSERVATION.start("chosen_seat"), OBSERVATION.start("chosen_spaces")
SLIPPED, HUNTED = OBSERVATION.start("slipped"), OBSERVATION.start("hunted")
ROLES_SHOWN, POSITIONS = OBSERVATION.start("roles_shown"), OBSERVATION.start("positions")
READINESS, HAND_SIZES = OBSERVATION.start("readiness"), OBSERVATION.start("hand_sizes")
TRACKS, ENDPOINTS, TO_GO = OBSERVATION.start("tracks"), OBSERVATION.start("endpoints"), OBSERVATION.start("to_go")
OCCUPIED, FACE_UP = OBSERVATION.start("occupied"), OBSERVATION.start("face_up")
DRAW_PILE, DISCARD_PILE = OBSERVATION.start("draw_pile"), OBSERVATION.start("discard_pile")
USED_CARDS, OWN_ROLE = OBSERVATION.start("used_cards"), OBSERVATION.start("own_role")
OWN_HAND, ROLES_LOOKED_AT = OBSERVATION.start("own_hand"), OBSERVATION.start("roles_looked_at")
KNOWN_TILES, TILE_KNOWN = OBSERVATION.start("known_tiles"), OBSERVATION.start("tile_known")
POSSIBLE, ASKS = OBSERVATION.start("possible"), OBSERVATION.start("asks")
TURNED, SEEN, EVENTS = OBSERVATION.start("turned"), OBSERVATION.start("seen"), OBSERVATION.start("events")


@kernel
def clockwise(seat: int, observer: int, num_players: int) -> int:
    """How many seats clockwise from the observer a seat sits."""
    return (seat - observer + num_players) % num_players


@kernel
def write_observation(view: Record, setting: Record, out: Vector) -> None:
    """Write the view's observation. out: (OBSERVATION_SIZE,) int8 for view "history", (NOW_SIZE,) for "now"."""
    table = view["table"]
    observer = int(view["seat"]) % MAX_SEATS  # the public looks from seat 0
    out[:] = 0
    write_question(table, observer, out)
    write_seats(table, observer, out)
    write_river(table, setting, out)
    write_own(table, view["private"], setting, observer, out)
    if len(out) > NOW_SIZE:
        write_tallies(table, observer, out)
        write_events(table, observer, out)


@kernel
def write_seat(seat: int, observer: int, num_players: int, start: int, out: Vector) -> None:
    """One-hot seat, the observer first; nothing for NOBODY."""
    if seat >= 0:
        out[start + clockwise(seat, observer, num_players)] = 1


@kernel
def write_bits(bits: int, start: int, out: Vector) -> None:
    """One number a space: the space's bit."""
    for space in range(NUM_SPACES):
        out[start + space] = (bits >> space) & 1


@kernel
def write_question(table: Record, observer: int, out: Vector) -> None:
    """What is asked, of whom, and for which effect."""
    num_players = int(table["num_players"])
    out[NUM_PLAYERS + num_players - MIN_PLAYERS] = 1
    out[QUESTION + int(table["question"])] = 1
    write_seat(int(table["asked"]), observer, num_players, ASKED, out)
    write_seat(int(table["active"]), observer, num_players, ACTIVE, out)
    out[TURN_FLAGS] = table["action_done"]
    out[TURN_FLAGS + 1] = table["card_played"]
    out[TURN_FLAGS + 2] = table["hunting"]
    write_bits(int(table["hunted"]), HUNTED, out)
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
    if frame["first"] >= 0:
        out[CHOSEN_SPACES + int(frame["first"])] = 1
    if frame["second"] >= 0:
        out[CHOSEN_SPACES + int(frame["second"])] = 1


@kernel
def write_seats(table: Record, observer: int, out: Vector) -> None:
    """What everybody sees of each player."""
    num_players = int(table["num_players"])
    slipped = int(table["slipped"])
    seat = observer
    for place in range(num_players):
        out[SLIPPED + place] = (slipped >> seat) & 1
        role = int(table["role"][seat])
        if role >= 0:
            out[ROLES_SHOWN + place * NUM_ROLES + role] = 1
        space = int(table["position"][seat])
        if space >= 0:
            out[POSITIONS + place * NUM_SPACES + space] = 1
        out[READINESS + place * 5] = 1
        out[READINESS + place * 5 + 1] = table["dive_ready"][seat]
        out[READINESS + place * 5 + 2] = table["swim_ready"][seat]
        out[READINESS + place * 5 + 3] = table["uncover_left"][seat]
        out[READINESS + place * 5 + 4] = table["marker_left"][seat]
        out[HAND_SIZES + place] = table["hand_size"][seat]
        seat += 1
        if seat == num_players:
            seat = 0


@kernel
def write_river(table: Record, setting: Record, out: Vector) -> None:
    """Tracks, tiles on the board, and the piles."""
    for track in range(NUM_TRACKS):
        reached = min(127, int(table["tracks"][track]))
        endpoint = int(setting["endpoints"][track])
        out[TRACKS + track] = reached
        out[ENDPOINTS + track] = endpoint
        out[TO_GO + track] = max(0, endpoint - reached)
    write_bits(int(table["occupied"]), OCCUPIED, out)
    write_bits(int(table["occupied"]) & ~int(table["face_down"]), FACE_UP, out)
    out[DRAW_PILE] = table["draw_pile"]
    for card in range(MAX_CARD_KINDS):
        out[DISCARD_PILE + card] = table["discard_pile"][card]
        out[USED_CARDS + card] = table["used"][card]


@kernel
def write_own(table: Record, own: Record, setting: Record, observer: int, out: Vector) -> None:
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
        tile = int(own["known"][space])
        out[TILE_KNOWN + space] = tile != NO_TILE
        for feature in range(NUM_FEATURES):
            out[KNOWN_TILES + space * NUM_FEATURES + feature] = setting["features"][tile, feature]
    for tile in range(NUM_TILES):
        write_bits(int(own["possible"][tile]), POSSIBLE + tile * NUM_SPACES, out)


@kernel
def write_tallies(table: Record, observer: int, out: Vector) -> None:
    """Public tallies: who asked whom, who turned up what, who has seen what."""
    num_players = int(table["num_players"])
    seat = observer
    for place in range(num_players):
        other = observer
        for column in range(num_players):
            out[ASKS + place * MAX_SEATS + column] = table["asks"][seat, other]
            other += 1
            if other == num_players:
                other = 0
        for track in range(NUM_TRACKS):
            out[TURNED + place * NUM_TRACKS + track] = table["turned"][seat, track]
        write_bits(int(table["seen"][seat]), SEEN + place * NUM_SPACES, out)
        seat += 1
        if seat == num_players:
            seat = 0


@kernel
def write_events(table: Record, observer: int, out: Vector) -> None:
    """The last public events, newest first, one row a field."""
    num_players = int(table["num_players"])
    shown = min(MAX_EVENTS, int(table["event_count"]))
    events = table["events"]
    for place in range(shown):
        out[EVENTS + place] = events[0, place]
    for field in range(1, 3):
        start = EVENTS + field * MAX_EVENTS
        for place in range(shown):
            seat = int(events[field, place])
            relative = seat - observer
            if relative < 0:
                relative += num_players
            out[start + place] = (relative + 1) * (seat >= 0)
    for field in range(3, 5):
        start = EVENTS + field * MAX_EVENTS
        for place in range(shown):
            out[start + place] = events[field, place] + 1
    start = EVENTS + 5 * MAX_EVENTS
    for place in range(shown):
        out[start + place] = events[5, place]


@kernel
def observe(game: Record, setting: Record, seat: int, view: Record, out: Vector) -> None:
    """The observation of any seat at any time; `view` is scratch space."""
    look(game, seat, view)
    write_observation(view, setting, out)


STATE_SECRETS = STATE.start("roles")
STATE_HANDS = STATE.start("hands")
STATE_TILES = STATE.start("tiles")
STATE_DECK = STATE.start("deck")


def _public_places() -> npt.NDArray[np.int32]:
    """Where in an observation the pieces that everybody sees lie, in order."""
    ranges = [
        np.arange(OBSERVATION.slices[piece.name].start, OBSERVATION.slices[piece.name].stop, dtype=np.int32)
        for piece in OBSERVATION.pieces
        if piece.sight == "all"
    ]
    return np.concatenate(ranges)


PUBLIC_PLACES = _public_places()


@kernel
def write_state(game: Record, setting: Record, view: Record, scratch: Vector, out: Vector) -> None:
    """The full state. out: (STATE.size,) int8; scratch: (OBSERVATION_SIZE,) int8."""
    look(game, 0, view)
    write_observation(view, setting, scratch)
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
