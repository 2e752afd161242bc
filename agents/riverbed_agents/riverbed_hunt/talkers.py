"""Held-out talkers: the rule-based agent with another way to talk (RH-9). Without talk they all play as it does.

No agent is trained against them. They show whether what agents gain from talk depends on how the others talk.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_QUESTIONS, SAID_FIELDS, Question
from riverbed_env.kernels.common import one_hot
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import random_legal_action
from riverbed_env.kernels.vocab import MAX_EVENTS

from .held_out import held_out_agent
from .observation_reader import Vector, kernel
from .rule_based.agent import choose, decide
from .rule_based.talking import Manner

Memory = npt.NDArray[np.int32]


@kernel
def is_floor(observation: Vector) -> bool:
    """Whether a claim is asked, its verb or what it is about."""
    question = one_hot(observation, AT.question, NUM_QUESTIONS)
    return bool(question == Question.FLOOR or question == Question.ABOUT)


@kernel
def is_of_tile(verb: int) -> bool:
    """Whether a claim with this verb is about a tile."""
    action = A.SILENT + verb
    return bool(A.BEARS <= action < A.PROMISE or action == A.TURN_UP or action == A.LEAVE)


@kernel
def truthful(observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Tells of every tile it knows and of its own camp, and never lies, whatever its role."""
    return decide(observation, mask, stream, Manner.TRUTHFUL, True)


@kernel
def liar(observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Always lies: about the tiles it knows, its own camp, and the others, whatever its role."""
    return decide(observation, mask, stream, Manner.LYING, True)


@kernel
def mute(observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Says nothing, but listens."""
    return decide(observation, mask, stream, Manner.MUTE, True)


@kernel
def deaf(observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Talks as the rule-based agent does, but doesn't listen."""
    return decide(observation, mask, stream, Manner.SHREWD, False)


@kernel
def babbler(observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Says anything, uniformly at random, but listens."""
    if is_floor(observation):
        return random_legal_action(mask, stream)
    return choose(observation, mask, memory, stream)


@kernel
def parrot(observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Repeats the newest claim of another that it can repeat, but listens."""
    if not is_floor(observation):
        return choose(observation, mask, memory, stream)
    for place in range(MAX_EVENTS):
        start = AT.said + place * SAID_FIELDS
        verb, thing = int(observation[start + 1]), int(observation[start + 2])
        if verb == 0 or int(observation[start]) == 1:
            continue
        if observation[AT.claim_verb]:
            if mask[A.SILENT + verb]:
                return A.SILENT + verb
        elif observation[AT.claim_verb + verb]:
            block = A.SPACE if is_of_tile(verb) else A.SEAT
            if mask[block + thing - 1]:
                return block + thing - 1
    if mask[A.SILENT]:
        return A.SILENT
    return random_legal_action(mask, stream)


TRUTHFUL = held_out_agent("truthful", truthful, "tells of every tile it knows and of its own camp, never lies")
LIAR = held_out_agent("liar", liar, "always lies: about the tiles it knows, its own camp, and the others")
MUTE = held_out_agent("mute", mute, "says nothing, but listens")
DEAF = held_out_agent("deaf", deaf, "talks as the rule-based agent does, but doesn't listen")
BABBLER = held_out_agent("babbler", babbler, "says anything, uniformly at random, but listens")
PARROT = held_out_agent("parrot", parrot, "repeats the newest claim of another that it can repeat, but listens")

TALKERS = (TRUTHFUL, LIAR, MUTE, DEAF, BABBLER, PARROT)
