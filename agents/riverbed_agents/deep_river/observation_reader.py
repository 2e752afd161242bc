"""Where an observation of Deep River holds what agents look at, and the game rebuilt from it.

Nothing is hidden, so an observation of either view tells the whole position and the rules of the pack. The rebuilt game
is the observer's: its salmon, seat 0, is the observer, whichever side that is, and the river runs away from its nest.
So the places of the observer's actions are the places of the rebuilt game, and alike positions look alike from both
nests.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.games.deep_river.rules import kernels
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

FOLDERS = (Path(kernels.__file__).parent, Path(__file__).parent)

kernel = KernelFamily("deep_river_agents", *FOLDERS)

Vector = npt.NDArray[np.int8]


MOST_COUNTED = 127  # in piece "clock"
FACE_WIDTH = 3  # of a face in piece "token_faces": steps, bear, twice


@kernel
def bits(observation: Vector, start: int, size: int) -> int:
    """A piece of zeros and ones as bits, its first entry the lowest."""
    total = 0
    for place in range(size):
        total |= int(observation[start + place]) << place
    return total


@kernel
def pawn_at(observation: Vector, start: int) -> int:
    """A one-hot pawn as a record holds it: 1 and 2 the observer's on its single and double face, negative the rival's.

    0 where there is none.
    """
    which = one_hot(observation, start, NUM_SEATS * NUM_FACES)
    if which < NUM_FACES:
        return which + 1
    return NUM_FACES - which - 1


@kernel
def rebuild(observation: Vector, table: Record, params: Record) -> None:
    """Write the position an observation of a running game shows, the observer's nest being the salmon nest.

    table: TABLE, params: PARAMS; all of both is written. Tallies and events, which no rule reads, begin anew, and a
    token's face 0 is the one that was up. Forced decisions are taken by themselves.
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
    """The pack's rules and the cap on turns; what only matters to the deal is left open.

    The observation counts to 127: a cap at least as far away is taken for the default one, or for that near.
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
    """Pawns, nests, tiles and the bear."""
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
    """Whose turn it is, what is asked and what is under way.

    Where a pawn in the hand came from isn't seen, and only the events would tell it.
    """
    asked = one_hot(observation, AT.asked, NUM_SEATS)
    question = one_hot(observation, AT.question, NUM_QUESTIONS)
    own = bits(observation, AT.tilted, NUM_TOKENS)
    rival = bits(observation, AT.tilted + NUM_TOKENS, NUM_TOKENS)
    table["turn"] = observation[AT.clock]
    table["active"] = asked
    table["first"] = (asked + int(observation[AT.clock]) + 1) % NUM_SEATS
    table["barred"] = rival if asked else own
    table["tilted"] = own if asked else rival
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
