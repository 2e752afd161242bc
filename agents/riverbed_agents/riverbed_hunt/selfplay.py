"""The agent `selfplay`: a network that learned by self-play from nothing, with `riverbed train --set seats=all`."""

import functools
from pathlib import Path

from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.players.policies import load_policy
from riverbed_env.rollouts.networks import compiled_policy

FILE = Path(__file__).parent / "selfplay.npz"  # the study release_policies writes it


@functools.cache
def selfplay_agent() -> CompiledAgent:
    """The network's likeliest action. It has met no rule of play, no target and no agent but itself."""
    return compiled_policy(load_policy(FILE, RIVERBED_HUNT, name="selfplay"), RIVERBED_HUNT)
