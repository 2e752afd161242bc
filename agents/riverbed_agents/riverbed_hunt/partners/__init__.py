"""Frozen partners of the benchmark: trained agents that no published agent has met in training.

Like the held-out agents they are for measuring: training with them spoils what they measure.
"""

import functools
from pathlib import Path

from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.players.policies import load_policy
from riverbed_env.rollouts.networks import compiled_policy

FOLDER = Path(__file__).parent  # the study release_policies writes the files
WAYS = ("student", "ppo", "selfplay")
FILES = {f"partner_{way}": FOLDER / f"{way}.npz" for way in WAYS}


@functools.cache
def partner(name: str) -> CompiledAgent:
    """The likeliest action of a partner's network."""
    return compiled_policy(load_policy(FILES[name], RIVERBED_HUNT, name=name), RIVERBED_HUNT)


def partner_student() -> CompiledAgent:
    """A smaller student of another seed."""
    return partner("partner_student")


def partner_ppo() -> CompiledAgent:
    """A learner by PPO among rule-based agents, which weighs their advice."""
    return partner("partner_ppo")


def partner_selfplay() -> CompiledAgent:
    """A learner by self-play of another seed, after a sixth of the decisions."""
    return partner("partner_selfplay")
