"""Names of agents in RLlib: the role and the seat, like "merchant_3"; the same agents for every player count."""

from __future__ import annotations

from typing import Any

from riverbed_env.core.game import Game


def agent_name(role: str, seat: int) -> str:
    """The agent that holds a role in a seat."""
    return f"{role}_{seat}"


def role_of(agent: str) -> str:
    """The role in an agent's name."""
    return agent.rpartition("_")[0]


def agent_names(game: Game, most_players: int) -> list[list[str]]:
    """All agents that can appear at tables of up to this many players: a list for each role, by seat."""
    return [[agent_name(role, seat) for seat in range(most_players)] for role in game.roles]


def policy_by_role(agent: str, episode: Any, **more: Any) -> str:
    """RLlib's `policy_mapping_fn` for one policy a role, named like the role."""
    return role_of(agent)
