"""What worlds are played on: the agents that try choices out lay a world on a desk, play it on and judge it.

The others, and the seat itself, play by a rule-based agent (rollouts of a policy: Tesauro and Galperin 1997) for some
turns, after which a value network tells the chances (`values`), or to the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.deduction.evidence import EVIDENCE
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules import engine, observe
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION_SIZE
from riverbed_env.games.riverbed_hunt.rules.state import GAME, VIEW
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_CAMPS, Ending
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import STREAM, end_decision

from ..observation_reader import kernel
from ..rule_based import agent
from .value_features import SIZE
from .values import write_values

Vector = npt.NDArray[np.int8]
Records = npt.NDArray[np.void]
Counts = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]

ROW = -(-(OBSERVATION_SIZE + NUM_ACTIONS) // 8) * 8
NOWHERE = -1
TO_THE_END = 1000  # turns: more than any game has
DEFAULT_TURNS = 6  # this one counted; most of what is gained is gained late, where that is the end

write_row = RIVERBED_HUNT.loop("write_row")


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
def see(desk: Desk, params: Record) -> None:
    """Write what the asked seat sees, and its mask behind it."""
    seat = int(desk.games[0]["table"]["asked"])
    write_row(desk.games[0], params, seat, desk.views[0], desk.row, OBSERVATION_SIZE)


@kernel
def choose_by_rule(desk: Desk, mask: Vector, stream: Record) -> int:
    """What the rules do where they see what the desk's row shows."""
    return agent.choose(desk.row[:OBSERVATION_SIZE], mask, desk.memory, stream)


@kernel
def play_on(desk: Desk, params: Record, until: int) -> int:
    """Play on by the rules until a seat is asked (NOWHERE: to the end); the asked seat, NOWHERE at the end.

    The end is that of the game, or the beginning of the last turn.
    """
    seat = int(desk.games[0]["table"]["asked"])
    while seat >= 0 and seat != until and int(desk.games[0]["table"]["turn"]) < desk.last_turn[0]:
        see(desk, params)
        mask = desk.row[OBSERVATION_SIZE : OBSERVATION_SIZE + NUM_ACTIONS]
        stream = desk.games[0]["agents"]
        begun = int(stream["drawn"])
        action = choose_by_rule(desk, mask, stream)
        end_decision(stream, begun)
        if engine.step(desk.games[0], params, action) != 0:
            return NOWHERE
        seat = int(desk.games[0]["table"]["asked"])
    if int(desk.games[0]["table"]["turn"]) >= desk.last_turn[0]:
        return NOWHERE
    return seat


@kernel
def worth(desk: Desk, params: Record, camp: int) -> float:
    """What a camp won, 1 or 0, or its chance of winning by the value network, where the game isn't over."""
    table = desk.games[0]["table"]
    if table["ending"] != Ending.PLAYING:
        return float(int(table["winner"] == camp))
    write_values(desk.games[0], params, desk.standing, desk.chances)
    return float(desk.chances[camp])


@kernel
def usual_choice(desk: Desk, view: Record, params: Record, mask: Vector, stream: Record) -> int:
    """What the rules would do, with the random words they would draw."""
    observe.write_observation(view, params, desk.row[:OBSERVATION_SIZE])
    return choose_by_rule(desk, mask, stream)


def turns_played(turns: int) -> int:
    """An agent's option `turns` as so many turns that worlds are played on for; 0 means to the end.

    Raises OptionError outside 0 to TO_THE_END.
    """
    if not 0 <= turns <= TO_THE_END:
        raise OptionError(f"turns must be from 0 (to the end) to {TO_THE_END}, not {turns}")
    return turns or TO_THE_END
