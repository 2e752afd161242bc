"""Held-out talkers: the rule-based agent with another way to talk (RH-9). Without talk they all play as it does.

No agent is trained against them. They show whether what agents gain from talk depends on how the others talk.
"""

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.talk import claim_at, is_of_spaces
from riverbed_env.games.riverbed_hunt.rules.vocab import Verb
from riverbed_env.kernels.common import byte_of
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.random import random_legal_action
from riverbed_env.kernels.vocab import MAX_EVENTS
from riverbed_env.players.agents import CompiledAgent, Memory

from .held_out import held_out_agent
from .kernels import kernel
from .rule_based.agent import choose, choosing
from .rule_based.talking import Manner
from .sight import is_on_floor, place_of


def talker(name: str, manner: Manner, about: str, hears: bool = True) -> CompiledAgent:
    """The rule-based agent with this manner of talk; `about` says in lists what it does."""
    return held_out_agent(name, choosing(name, True, manner, hears), about)


@kernel
def babbler(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Says anything, uniformly at random, but listens."""
    if is_on_floor(view):
        return random_legal_action(mask, stream)
    return choose(view, params, observation, mask, memory, stream)


@kernel
def parrot(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """Repeats the newest claim of another that it can repeat, but listens."""
    if not is_on_floor(view):
        return choose(view, params, observation, mask, memory, stream)
    for age in range(min(MAX_EVENTS, int(view["table"]["said_count"]))):
        claim = claim_at(view["table"], age)
        verb, about = byte_of(claim, 1), byte_of(claim, 2)
        if byte_of(claim, 0) == 1 + int(view["seat"]):
            continue
        if view["table"]["verb"] == Verb.SILENT:
            if mask[A.SILENT + verb]:
                return A.SILENT + verb
        elif view["table"]["verb"] == verb and about > 0:
            again = A.SPACE + about - 1 if is_of_spaces(verb) else A.SEAT + place_of(view, about - 1)
            if mask[again]:
                return again
    if mask[A.SILENT]:
        return A.SILENT
    return random_legal_action(mask, stream)


TRUTHFUL = talker("truthful", Manner.TRUTHFUL, "tells of every tile it knows and of its own camp, never lies")
LIAR = talker("liar", Manner.LYING, "always lies: about the tiles it knows, its own camp, and the others")
MUTE = talker("mute", Manner.MUTE, "says nothing, but listens")
DEAF = talker("deaf", Manner.SHREWD, "talks as the rule-based agent does, but doesn't listen", hears=False)
BABBLER = held_out_agent("babbler", babbler, "says anything, uniformly at random, but listens")
PARROT = held_out_agent("parrot", parrot, "repeats the newest claim of another that it can repeat, but listens")

TALKERS = (TRUTHFUL, LIAR, MUTE, DEAF, BABBLER, PARROT)
