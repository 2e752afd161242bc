"""RLlib (new API stack): an environment, modules that mask, and a runner that plays a batch of games.

from ray.rllib.algorithms.ppo import PPOConfig
from riverbed_env.integrations.rllib import configure

config = configure(PPOConfig(), "riverbed_hunt_v0", num_players=(4, 5, 6, 7, 8, 9), num_envs=256)
config.build_algo().train()
"""

from __future__ import annotations

try:
    import ray.rllib
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"RLlib needs the extra rllib: pip install '.[rllib]' in the checkout ({error})", name=error.name
    ) from error

from .configure import configure, policy_by_role
from .env import MaskedDiscrete, RiverbedMultiAgentEnv
from .modules import MaskedAPPOModule, MaskedDQNModule, MaskedPPOModule
from .runner import BatchEnvRunner

__all__ = [
    "BatchEnvRunner",
    "MaskedAPPOModule",
    "MaskedDQNModule",
    "MaskedDiscrete",
    "MaskedPPOModule",
    "RiverbedMultiAgentEnv",
    "configure",
    "policy_by_role",
]
