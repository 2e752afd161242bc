"""The rule-based agent with slips: its games reach positions that it wouldn't, which learners from records need."""

import functools

from riverbed_env.core.options import check_whole
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.random import below, random_legal_action
from riverbed_env.players.agents import CompiledAgent, Memory

from .kernels import kernel
from .rule_based.agent import choose as choose_by_rule

MOST = 2**20
ONE_IN = 0  # replaced when the template is linked


def choose_noisily(
    view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record
) -> int:
    """A random legal action in one decision of ONE_IN, else the rule-based agent's."""
    if below(stream, ONE_IN) == 0:
        return random_legal_action(mask, stream)
    return choose_by_rule(view, params, observation, mask, memory, stream)


@functools.cache
def noisy_agent(one_in: int = 20) -> CompiledAgent:
    """The rule-based agent that takes a random legal action in one decision of `one_in`."""
    check_whole("one_in", one_in, 1, MOST)
    choose = kernel.link(choose_noisily, f"choose_noisily_{one_in}", {"ONE_IN": one_in})
    about = f"rule-based, but one decision in {one_in} is random"
    return CompiledAgent.of(kernel, f"noisy:one_in={one_in}", choose, about)
