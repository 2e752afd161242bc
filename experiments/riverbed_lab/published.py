"""The published lineups: which agents the tables of a game compare, and against whom.

By the game's name; agents that aren't installed are left out. The reference of a game is the last of its agents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from riverbed_env.core.game import Game
from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.installed import agent_names

AGENTS = {
    "riverbed_hunt": ("random", "simple", "rule_based"),
    "deep_river": ("random", "greedy"),
}

# Agents made of rules: the best of them, camp by camp, stands beside each figure.
RULE_BASED = {
    "riverbed_hunt": ("simple", "rule_based"),
    "deep_river": ("greedy",),
}

# Never used in training: the mixed table at which agents are compared.
HELD_OUT = {
    "riverbed_hunt": ("bold_liar", "silent", "copycat", "contrarian", "over_eager", "hoarder"),
    "deep_river": ("random", "greedy"),
}


def installed(game: Game, lists: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The agents of one of the lists above that are installed, in its order; none for a game it doesn't know."""
    known = agent_names(game.name)
    return tuple(agent for agent in lists.get(game.name, ()) if agent in known)


def reference(game: Game, agents: Sequence[str] = ()) -> str:
    """Whom agents are measured against unless told otherwise: the last published one that isn't among them."""
    return [
        agent for agent in (UNIFORM.name, *installed(game, AGENTS)) if agent not in agents or agent == UNIFORM.name
    ][-1]
