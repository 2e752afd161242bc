"""RLlib (new API stack): an environment, modules that mask, and a runner that plays a batch of games.

from ray.rllib.algorithms.ppo import PPOConfig
from riverbed_env.integrations.rllib import configure

config = configure(PPOConfig(), "riverbed_hunt_v1", num_players=(4, 5, 6, 7, 8, 9), num_envs=256)
config.build_algo().train()
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .config import configure
    from .env import RiverbedMultiAgentEnv
    from .modules import MaskedAPPOModule, MaskedDQNModule, MaskedPPOModule
    from .names import policy_by_role
    from .runner import BatchEnvRunner
    from .spaces import MaskedDiscrete

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

# Loaded when first used: RLlib's import takes seconds.
_LATER = {
    "BatchEnvRunner": "runner",
    "MaskedAPPOModule": "modules",
    "MaskedDQNModule": "modules",
    "MaskedDiscrete": "spaces",
    "MaskedPPOModule": "modules",
    "RiverbedMultiAgentEnv": "env",
    "configure": "config",
    "policy_by_role": "names",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("riverbed_env"):
            raise
        raise ModuleNotFoundError(
            f"RLlib needs the extra rllib: pip install '.[rllib]' in the checkout ({error})", name=error.name
        ) from error


def __dir__() -> list[str]:
    return sorted(__all__)
