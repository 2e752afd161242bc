"""Writes observations, and full states for central critics; reads nothing but views."""

from riverbed_env.kernels.common import newest_event
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import kernel
from . import vocab as v
from .pieces import AT, NOW_SIZE
from .state import event_field, look

WIDTH = 2 * v.NUM_SEATS * v.NUM_FACES  # of a slot in piece "pawns"
PROGRESSES = v.LAST_PROGRESS + 1  # of a token in piece "tokens"


@kernel
def from_the_nest(observer: int, station: int) -> int:
    """Convert a station to steps from the observer's nest."""
    if observer == 0:
        return station
    return v.EEL_NEST - station


@kernel
def seen_place(observer: int, place: int) -> int:
    """Convert a place to the observer's numbering, from its own nest."""
    if observer == 0:
        return place
    return int(v.MIRRORED_PLACE[place])


@kernel
def write_observation(view: Record, params: Record, out: Vector) -> None:
    """Write the view's observation. out: (OBSERVATION_SIZE,) int8 for view "history", (NOW_SIZE,) for "now"."""
    table = view["table"]
    observer = int(view["seat"])
    out[:] = 0
    write_river(table, observer, out)
    write_tokens(table, params, observer, out)
    write_question(table, observer, out)
    turn = int(table["turn"])
    out[AT.clock] = min(127, turn)
    out[AT.clock + 1] = min(127, int(params["max_turns"]) - turn)
    out[AT.rules] = int(params["slots"][v.DOUBLE_TILE]) - 1
    out[AT.rules + 1] = params["may_choose_empty"]
    if len(out) > NOW_SIZE:
        for side in range(v.NUM_SEATS):
            for deed in range(v.NUM_DEEDS):
                out[AT.deeds + side * v.NUM_DEEDS + deed] = min(127, int(table["deeds"][side ^ observer, deed]))
        write_events(table, observer, out)


@kernel
def pawn_place(observer: int, pawn: int) -> int:
    """The index of a pawn in a one-hot group: own single, own double, rival single, rival double."""
    rival = int((pawn < 0) != (observer == 1))
    return rival * v.NUM_FACES + abs(pawn) - 1


@kernel
def write_river(table: Record, observer: int, out: Vector) -> None:
    """Write pawns, nests, tiles and the bear."""
    for slot in range(v.NUM_SLOTS):
        start = AT.pawns + (seen_place(observer, v.FIRST_SLOT + slot) - v.FIRST_SLOT) * WIDTH
        if table["top"][slot] != 0:
            out[start + pawn_place(observer, int(table["top"][slot]))] = 1
        if table["under"][slot] != 0:
            out[start + WIDTH // 2 + pawn_place(observer, int(table["under"][slot]))] = 1
    for side in range(v.NUM_SEATS):
        for face in range(v.NUM_FACES):
            out[AT.nests + side * v.NUM_FACES + face] = table["nest"][side ^ observer, face]
    for station in range(1, v.NUM_TILES + 1):
        tile = from_the_nest(observer, station) - 1
        out[AT.tiles + tile * v.NUM_EFFECTS + int(table["tile"][station]) - 1] = 1
    out[AT.bear + from_the_nest(observer, int(table["bear"]))] = 1


@kernel
def write_tokens(table: Record, params: Record, observer: int, out: Vector) -> None:
    """Write the tokens' progress, both their faces, and the sides they are tilted against."""
    own_tilted = int(table["barred"])
    rival_tilted = int(table["tilted"])
    if table["active"] != observer:
        own_tilted, rival_tilted = rival_tilted, own_tilted
    for token in range(v.NUM_TOKENS):
        out[AT.tokens + token * PROGRESSES + int(table["progress"][token])] = 1
        for below in range(v.NUM_FACES):
            face = int(table["face"][token]) ^ below
            start = AT.token_faces + token * 2 * 3 + below * 3
            out[start] = params["steps"][token, face]
            out[start + 1] = int(params["kind"][token, face] == v.Face.BEAR)
            out[start + 2] = int(params["kind"][token, face] == v.Face.TWICE)
        out[AT.tilted + token] = (own_tilted >> token) & 1
        out[AT.tilted + v.NUM_TOKENS + token] = (rival_tilted >> token) & 1


@kernel
def write_question(table: Record, observer: int, out: Vector) -> None:
    """Write the side asked, the question, the legal places and the action in progress."""
    if table["asked"] >= 0:
        out[AT.asked + (int(table["asked"]) ^ observer)] = 1
    out[AT.question + int(table["question"])] = 1
    places = int(table["places"])
    if places != 0:
        for place in range(v.NUM_PLACES):
            out[AT.choices + seen_place(observer, place)] = (places >> place) & 1
    if table["token"] != v.NO_TOKEN:
        out[AT.token + int(table["token"])] = 1
    out[AT.to_come] = table["moves_left"]
    out[AT.to_come + 1] = table["bear_due"]
    out[AT.purpose + int(table["purpose"])] = 1
    out[AT.steps] = table["steps"]
    if table["moving"] != 0:
        out[AT.moving + abs(int(table["moving"])) - 1] = 1
    if table["arrived"] >= v.FIRST_SLOT:
        out[AT.arrived + seen_place(observer, int(table["arrived"])) - v.FIRST_SLOT] = 1


@kernel
def write_events(table: Record, observer: int, out: Vector) -> None:
    """Write the last events, newest first, from the observer's side."""
    count = int(table["event_count"])
    newest = newest_event(count)
    for age in range(min(MAX_EVENTS, count)):
        word = int(table["events"][(newest + age) % MAX_EVENTS])
        start = AT.events + age * v.EVENT_FIELDS
        kind = event_field(word, 0)
        actor = event_field(word, 1)
        thing = event_field(word, 4)
        out[start] = kind
        if actor != 0:
            out[start + 1] = 1 + ((actor - 1) ^ observer)
        for field in range(2, 4):
            place = event_field(word, field)
            if place != 0:
                out[start + field] = 1 + seen_place(observer, place - 1)
        if kind == v.Event.BEAR:
            thing = from_the_nest(observer, thing)
        out[start + 4] = thing
        out[start + 5] = min(127, event_field(word, 5))


@kernel
def observe(game: Record, params: Record, seat: int, view: Record, out: Vector) -> None:
    """Write the observation of any seat at any time; `view` is scratch space."""
    look(game, seat, view)
    write_observation(view, params, out)


@kernel
def write_state(game: Record, params: Record, view: Record, scratch: Vector, out: Vector) -> None:
    """Write the full state: the salmon's observation, since nothing is hidden.

    out: (STATE.size,) int8; scratch: unused.
    """
    observe(game, params, 0, view, out)
