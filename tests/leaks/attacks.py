"""What the statistical attacks on our own games share: what they read, whom they watch, and with what they learn."""

from __future__ import annotations

from typing import Any

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.testing.leaks import Channels, Linear, aec_channels

LINEAR = [Linear(features, penalty) for features in (1, 4, 16) for penalty in (3.0, 300.0)]


def told(*left_out: str, **options: Any) -> Channels:
    """What reaches a seat while the game goes on, words and pictures too; options as of `aec_channels`."""
    words = {
        "state in words": lambda env, agent: env.describe_state(agent),
        "events in words": lambda env, agent: "\n".join(env.describe_events()),
        "picture": lambda env, agent: env.render(agent),
    }
    channels = aec_channels(words=words, **options)
    return channels.without("form", "last", "who plays", "all rewards", "all flags", "reward", "done", *left_out)


def one_seat(env: TurnEnv) -> list[str]:
    """One seat at a time, by the number of decisions, which is public."""
    return [env.possible_agents[int(env._games[0]["table"]["decisions"]) % env.num_players]]
