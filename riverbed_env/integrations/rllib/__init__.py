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
    from .env import MaskedDiscrete, RiverbedMultiAgentEnv, policy_by_role
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


def __getattr__(name: str) -> Any:
    """The name from its module, which is loaded when first used: RLlib's import takes seconds."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        parts = (import_module(f".{part}", __name__) for part in ("env", "config", "modules", "runner"))
        return next(getattr(part, name) for part in parts if hasattr(part, name))
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("riverbed_env"):
            raise
        raise ModuleNotFoundError(
            f"RLlib needs the extra rllib: pip install '.[rllib]' in the checkout ({error})", name=error.name
        ) from error


def __dir__() -> list[str]:
    return sorted(__all__)
