"""What worlds are played on: the agents that try choices out lay a world on a desk, play it on and judge it.

The others, and the seat itself, play by a rule-based agent (rollouts of a policy: Tesauro and Galperin 1997) for some
turns, after which a value network tells the chances (`values`), or to the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.core.compile import Record
from riverbed_env.core.random import STREAM, end_decision
from riverbed_env.deduction.riverbed_hunt.evidence import EVIDENCE
from riverbed_env.games.riverbed_hunt import engine, legality, observe
from riverbed_env.games.riverbed_hunt.actions import NUM_ACTIONS
from riverbed_env.games.riverbed_hunt.pieces import OBSERVATION_SIZE
from riverbed_env.games.riverbed_hunt.state import GAME, VIEW
from riverbed_env.games.riverbed_hunt.vocab import NUM_CAMPS, Ending

from .sight import kernel
from .standing import SIZE
from .values import write_values

Vector = npt.NDArray[np.int8]
Records = npt.NDArray[np.void]
Counts = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]

ROW = -(-(OBSERVATION_SIZE + NUM_ACTIONS) // 8) * 8
NOWHERE = -1
TO_THE_END = 1000  # turns: more than any game has


class Desk(NamedTuple):
    """What a world is played on: (1,) of GAME, VIEW, EVIDENCE; (2,) of STREAM; a row with its mask; no memory.

    last_turn: (1,), the turn at whose beginning playing stops; standing and chances: scratch of the value network.
    """

    games: Records
    views: Records
    evidence: Records
    streams: Records
    row: Vector
    memory: npt.NDArray[np.int32]
    last_turn: Counts
    standing: Vector
    chances: Numbers


def choose_action(observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record) -> int:
    """How everybody plays in worlds that are played out: linked to a rule-based agent without memory."""
    raise NotImplementedError


def play_on(desk: Desk, setting: Record, until: int) -> int:
    """Play on until a seat is asked (NOWHERE: to the end); the asked seat, NOWHERE at the end. Linked to a policy."""
    raise NotImplementedError


@kernel
def lay_desk() -> Desk:
    """An empty desk."""
    return Desk(
        np.zeros(1, GAME),
        np.zeros(1, VIEW),
        np.zeros(1, EVIDENCE),
        np.zeros(2, STREAM),
        np.zeros(ROW, np.int8),
        np.zeros(1, np.int32),
        np.zeros(1, np.int64),
        np.zeros(SIZE, np.int8),
        np.zeros(NUM_CAMPS, np.float64),
    )


@kernel
def see(desk: Desk, setting: Record) -> None:
    """Write what the asked seat sees, and its mask behind it."""
    game = desk.games[0]
    seat = int(game["table"]["asked"])
    observe.observe(game, setting, seat, desk.views[0], desk.row[:OBSERVATION_SIZE])
    mask = desk.row[OBSERVATION_SIZE : OBSERVATION_SIZE + NUM_ACTIONS]
    legality.write_mask(game["table"], game["private"][seat], setting, seat, mask)


def play_on_by_rule(desk: Desk, setting: Record, until: int) -> int:
    """Play on by the linked policy until a seat is asked (NOWHERE: to the end); the asked seat, NOWHERE at the end.

    The end is that of the game, or the beginning of the last turn.
    """
    seat = int(desk.games[0]["table"]["asked"])
    while seat >= 0 and seat != until and int(desk.games[0]["table"]["turn"]) < desk.last_turn[0]:
        see(desk, setting)
        mask = desk.row[OBSERVATION_SIZE : OBSERVATION_SIZE + NUM_ACTIONS]
        stream = desk.games[0]["agents"]
        begun = int(stream["drawn"])
        action = choose_action(desk.row[:OBSERVATION_SIZE], mask, desk.memory, stream)
        end_decision(stream, begun)
        if engine.step(desk.games[0], setting, action) != 0:
            return NOWHERE
        seat = int(desk.games[0]["table"]["asked"])
    if int(desk.games[0]["table"]["turn"]) >= desk.last_turn[0]:
        return NOWHERE
    return seat


@kernel
def worth(desk: Desk, setting: Record, camp: int) -> float:
    """What a camp won, 1 or 0, or its chance of winning by the value network, where the game isn't over."""
    table = desk.games[0]["table"]
    if table["ending"] != Ending.PLAYING:
        return float(int(table["winner"] == camp))
    write_values(desk.games[0], setting, desk.standing, desk.chances)
    return float(desk.chances[camp])


def usual_choice(desk: Desk, view: Record, setting: Record, mask: Vector, stream: Record) -> int:
    """What the rules would do, with the random words they would draw. Linked to a policy."""
    observe.write_observation(view, setting, desk.row[:OBSERVATION_SIZE])
    return choose_action(desk.row[:OBSERVATION_SIZE], mask, desk.memory, stream)
