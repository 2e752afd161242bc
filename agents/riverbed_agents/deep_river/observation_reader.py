"""Rebuild a game of Deep River from an observation.

Deep River has no hidden information, so an observation of either view contains the whole position and the rules of the
pack. In the rebuilt game the observer is always the salmon, seat 0, and the river runs away from its nest. So the
observer's actions keep their numbers, and mirrored positions look the same from both nests.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.games.deep_river.rules.kernels import kernel as rules
from riverbed_env.games.deep_river.rules.observe import PROGRESSES, WIDTH
from riverbed_env.games.deep_river.rules.pieces import AT
from riverbed_env.games.deep_river.rules.record import ask
from riverbed_env.games.deep_river.rules.setup import clear_table
from riverbed_env.games.deep_river.rules.vocab import (
    ALL_TOKENS,
    DEFAULT_MAX_TURNS,
    DOUBLE_TILE,
    FIRST_SLOT,
    NO_PLACE,
    NOT_PINNED,
    NUM_EFFECTS,
    NUM_FACES,
    NUM_PLACES,
    NUM_PURPOSES,
    NUM_QUESTIONS,
    NUM_SEATS,
    NUM_SLOTS,
    NUM_STATIONS,
    NUM_TILES,
    NUM_TOKENS,
    Face,
    Question,
    Tile,
)
from riverbed_env.kernels.common import one_hot
from riverbed_env.kernels.compile import KernelFamily, Record
from riverbed_env.kernels.vocab import Forced

FOLDERS = (*rules.folders, Path(__file__).parent)

kernel = KernelFamily("deep_river_agents", *FOLDERS)

Vector = npt.NDArray[np.int8]


MOST_COUNTED = 127  # in piece "clock"
FACE_WIDTH = 3  # of a face in piece "token_faces": steps, bear, twice


@kernel
def bits(observation: Vector, start: int, size: int) -> int:
    """A piece of zeros and ones as bits, its first entry the lowest bit."""
    total = 0
    for place in range(size):
        total |= int(observation[start + place]) << place
    return total


@kernel
def pawn_at(observation: Vector, start: int) -> int:
    """A one-hot pawn as in a record: 1 for a single face, 2 for a double face, negative for the rival's; 0 for none."""
    which = one_hot(observation, start, NUM_SEATS * NUM_FACES)
    if which < NUM_FACES:
        return which + 1
    return NUM_FACES - which - 1


@kernel
def rebuild(observation: Vector, table: Record, params: Record) -> None:
    """Write the position of an observation of a running game; the observer's nest becomes the salmon nest.

    table: TABLE, params: PARAMS; all fields of both are written. Tallies and events, which no rule reads, are reset. A
    token's face 0 is the one that was up. Forced decisions are taken automatically.
    """
    clear_table(table)
    rebuild_params(observation, params)
    rebuild_river(observation, table)
    for token in range(NUM_TOKENS):
        table["progress"][token] = one_hot(observation, AT.tokens + token * PROGRESSES, PROGRESSES)
        table["face"][token] = 0
    rebuild_question(observation, table)


@kernel
def rebuild_params(observation: Vector, params: Record) -> None:
    """Write the pack's rules and the cap on turns; fields that only the deal reads are left open.

    The observation counts turns only to 127. If the cap is at least that far away, the default one is assumed, or a
    later one if the observation says so.
    """
    params["num_players"] = NUM_SEATS
    params["auto_forced"] = Forced.PUBLIC
    cap = int(observation[AT.clock]) + int(observation[AT.clock + 1])
    if observation[AT.clock + 1] == MOST_COUNTED:
        cap = max(cap, DEFAULT_MAX_TURNS)
    params["max_turns"] = cap
    for token in range(NUM_TOKENS):
        for below in range(NUM_FACES):
            start = AT.token_faces + (token * NUM_FACES + below) * FACE_WIDTH
            params["steps"][token, below] = observation[start]
            params["kind"][token, below] = Face.BEAR * observation[start + 1] + Face.TWICE * observation[start + 2]
        params["pinned_face"][token] = NOT_PINNED
    for station in range(NUM_STATIONS):
        params["slots"][station] = int(1 <= station <= NUM_TILES)
        params["pinned_tile"][station] = NOT_PINNED
    params["slots"][DOUBLE_TILE] = 1 + int(observation[AT.rules])
    params["may_choose_empty"] = observation[AT.rules + 1]
    params["small_tiles"][:] = Tile.NEST
    params["pinned_first"] = NOT_PINNED


@kernel
def rebuild_river(observation: Vector, table: Record) -> None:
    """Write pawns, nests, tiles and the bear."""
    for slot in range(NUM_SLOTS):
        table["top"][slot] = pawn_at(observation, AT.pawns + slot * WIDTH)
        table["under"][slot] = pawn_at(observation, AT.pawns + slot * WIDTH + WIDTH // 2)
    for side in range(NUM_SEATS):
        for face in range(NUM_FACES):
            table["nest"][side, face] = observation[AT.nests + side * NUM_FACES + face]
    table["tile"][:] = Tile.NEST
    for tile in range(NUM_TILES):
        table["tile"][tile + 1] = 1 + one_hot(observation, AT.tiles + tile * NUM_EFFECTS, NUM_EFFECTS)
    table["bear"] = one_hot(observation, AT.bear, NUM_STATIONS)


@kernel
def rebuild_question(observation: Vector, table: Record) -> None:
    """Write whose turn it is, the question, and the action in progress.

    The observation doesn't show where a pawn in the hand came from; no rule reads it except the events.
    """
    asked = one_hot(observation, AT.asked, NUM_SEATS)
    question = one_hot(observation, AT.question, NUM_QUESTIONS)
    own_tilted = bits(observation, AT.tilted, NUM_TOKENS)
    rival_tilted = bits(observation, AT.tilted + NUM_TOKENS, NUM_TOKENS)
    table["turn"] = observation[AT.clock]
    table["active"] = asked
    table["first"] = (asked + int(observation[AT.clock]) + 1) % NUM_SEATS
    table["barred"] = rival_tilted if asked else own_tilted
    table["tilted"] = own_tilted if asked else rival_tilted
    tokens = 0
    if question == Question.TOKEN:
        tokens = ALL_TOKENS & ~int(table["barred"])
    elif question == Question.TILT:
        tokens = ALL_TOKENS & ~int(table["tilted"])
    ask(table, question, bits(observation, AT.choices, NUM_PLACES), tokens)
    table["token"] = one_hot(observation, AT.token, NUM_TOKENS)
    table["moves_left"] = observation[AT.to_come]
    table["bear_due"] = observation[AT.to_come + 1]
    table["purpose"] = one_hot(observation, AT.purpose, NUM_PURPOSES)
    table["steps"] = observation[AT.steps]
    table["moving"] = (1 - 2 * asked) * (1 + one_hot(observation, AT.moving, NUM_FACES))
    arrived = one_hot(observation, AT.arrived, NUM_SLOTS)
    table["arrived"] = NO_PLACE if arrived < 0 else FIRST_SLOT + arrived
