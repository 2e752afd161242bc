"""Rollouts: play a sampled world on and evaluate it, for the agents `lookahead` and `student_lookahead`.

All seats, the agent's own included, follow the rule-based agent (policy rollouts: Tesauro and Galperin 1997), either to
the end of the game or for some turns, after which the value network gives the winning chances (`values`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.deduction.evidence import EVIDENCE
from riverbed_env.games.riverbed_hunt.rules import engine
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.games.riverbed_hunt.rules.state import GAME, VIEW, look
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_CAMPS, Ending, Question
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import STREAM, end_decision

from ..kernels import kernel
from ..rule_based import agent
from ..sight import CAMPS
from .value_features import SIZE
from .values import write_values

Vector = npt.NDArray[np.int8]
Records = npt.NDArray[np.void]
Counts = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]

NOWHERE = -1
TO_THE_END = 1000  # turns: more than any game has
DEFAULT_TURNS = 6  # with the current one; most of the gain is late in the game, where six turns reach its end


class RolloutBuffers(NamedTuple):
    """Scratch arrays of a rollout: (1,) GAME, VIEW, EVIDENCE and STREAM.

    mask: of the seat to act. memory: empty, the rule-based agent has none. last_turn: (1,),
    the rollout stops when this turn begins. value_features, chances: input and output of the value network.
    """

    games: Records
    views: Records
    evidence: Records
    streams: Records
    mask: Vector
    memory: npt.NDArray[np.int32]
    last_turn: Counts
    value_features: Vector
    chances: Numbers


@kernel
def make_buffers() -> RolloutBuffers:
    """Buffers for a rollout."""
    return RolloutBuffers(
        np.zeros(1, GAME),
        np.zeros(1, VIEW),
        np.zeros(1, EVIDENCE),
        np.zeros(1, STREAM),
        np.zeros(NUM_ACTIONS, np.int8),
        np.zeros(1, np.int32),
        np.zeros(1, np.int64),
        np.zeros(SIZE, np.int8),
        np.zeros(NUM_CAMPS, np.float64),
    )


@kernel
def choose_by_rule(buffers: RolloutBuffers, view: Record, params: Record, mask: Vector, stream: Record) -> int:
    """The rule-based action; the agent reads no observation."""
    return agent.choose(view, params, mask, mask, buffers.memory, stream)


@kernel
def on_floor(table: Record) -> bool:
    """RH-9.2: whether a claim is asked: these agents talk by rule, as their worlds do, and look ahead only in deeds."""
    return bool(table["question"] == Question.FLOOR or table["question"] == Question.ABOUT)


@kernel
def play_on(buffers: RolloutBuffers, params: Record) -> None:
    """Play on until the last turn begins or the game is over."""
    seat = int(buffers.games[0]["table"]["asked"])
    while seat >= 0 and int(buffers.games[0]["table"]["turn"]) < buffers.last_turn[0]:
        look(buffers.games[0], seat, buffers.views[0])
        engine.write_mask(buffers.games[0], params, seat, buffers.mask)
        stream = buffers.games[0]["agents"]
        begun = int(stream["drawn"])
        action = choose_by_rule(buffers, buffers.views[0], params, buffers.mask, stream)
        end_decision(stream, begun)
        if engine.step(buffers.games[0], params, action) != 0:
            return
        seat = int(buffers.games[0]["table"]["asked"])


@kernel
def value_of(buffers: RolloutBuffers, params: Record, seat: int) -> float:
    """The result of a seat's camp, 0 or 1; if the game isn't over, its winning chance by the value network."""
    table = buffers.games[0]["table"]
    camp = int(CAMPS[int(buffers.games[0]["private"][seat]["role"])])
    if table["ending"] != Ending.PLAYING:
        return float(int(table["winner"] == camp))
    write_values(buffers.games[0], params, seat, buffers.value_features, buffers.chances)
    return float(buffers.chances[camp])


def turns_played(turns: int) -> int:
    """The number of turns to play on for an agent's parameter `turns`; 0 means TO_THE_END.

    Raises OptionError unless it is 0 to TO_THE_END.
    """
    if not 0 <= turns <= TO_THE_END:
        raise OptionError(f"turns must be from 0 (to the end) to {TO_THE_END}, not {turns}")
    return turns or TO_THE_END
