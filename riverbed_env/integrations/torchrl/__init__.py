"""TorchRL: a native environment over batches of games, and rollouts regrouped by agent."""

from .env import RiverbedEnv
from .own_turns import own_turns, random_legal

__all__ = ["RiverbedEnv", "own_turns", "random_legal"]
