"""TorchRL: batches as a native environment, and rollouts regrouped into each agent's own turns."""

from .env import RiverbedEnv
from .legal import random_legal
from .own_turns import own_turns

__all__ = ["RiverbedEnv", "own_turns", "random_legal"]
