"""What a seat of Ford sees, and the full state."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.compile import Record

from .tables import MAX_EVENTS, MAX_SEATS, OBSERVATION, STATE, kernel

Vector = npt.NDArray[np.int8]

PLAYERS, POINTS, ASKED = (OBSERVATION.start(name) for name in ("players", "points", "asked"))
RAISER, HEIGHT, ROUND = (OBSERVATION.start(name) for name in ("raiser", "height", "round"))
EVENTS = OBSERVATION.start("events")
STATE_STONES = STATE.start("stones")


@kernel
def observe(game: Record, params: Record, seat: int, view: Record, out: Vector) -> None:
    """The observation of any seat at any time."""
    view["seat"] = seat
    view["stone"] = game["stones"][seat]
    view["table"] = game["table"]
    out[:] = 0
    out[int(view["stone"]) - 1] = 1
    write_public(view["table"], seat, out)


@kernel
def write_public(table: Record, observer: int, out: Vector) -> None:
    """What everybody sees, seats counted from the observer; `out` ends with the events or before them."""
    num_players = int(table["num_players"])
    for seat in range(num_players):
        place = (seat - observer) % num_players
        out[PLAYERS + place] = 1
        out[POINTS + place] = table["points"][seat]
        out[ASKED + place] = int(seat == table["asked"])
        out[RAISER + place] = int(seat == table["raiser"])
    out[HEIGHT] = table["height"]
    out[ROUND] = table["round"]
    if len(out) > EVENTS:
        for age in range(MAX_EVENTS):
            event = table["events"][age]
            start = EVENTS + 3 * age
            out[start] = event[0]
            if event[0] != 0:
                out[start + 1] = 1 + (int(event[1]) - 1 - observer) % num_players
            out[start + 2] = event[2]


@kernel
def write_state(game: Record, params: Record, view: Record, scratch: Vector, out: Vector) -> None:
    """What everybody sees, as seat 0 does, then all stones."""
    observe(game, params, 0, view, scratch)
    out[:STATE_STONES] = scratch[PLAYERS:]
    for seat in range(MAX_SEATS):
        out[STATE_STONES + seat] = game["stones"][seat]
