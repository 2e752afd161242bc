"""RLlib (new API stack): an environment, modules that mask, and a runner that plays a batch of games.

from ray.rllib.algorithms.ppo import PPOConfig
from riverbed_env.integrations.rllib import configure

config = configure(PPOConfig(), "riverbed_hunt_v1", num_players=(4, 5, 6, 7, 8, 9), num_envs=256)
config.build_algo().train()
"""

from collections.abc import Sequence
from typing import Any

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

try:
    from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
except ImportError as error:
    raise ModuleNotFoundError(
        f"RLlib needs the extra rllib: pip install '.[rllib]' in the checkout ({error})", name=error.name
    ) from error

from .env import MaskedDiscrete, RiverbedMultiAgentEnv, policy_by_role
from .modules import MaskedAPPOModule, MaskedPPOModule
from .runner import BatchEnvRunner

__all__ = [
    "BatchEnvRunner",
    "MaskedAPPOModule",
    "MaskedDiscrete",
    "MaskedPPOModule",
    "RiverbedMultiAgentEnv",
    "configure",
    "policy_by_role",
]

MODULES = {"PPO": MaskedPPOModule, "APPO": MaskedAPPOModule, "IMPALA": MaskedPPOModule}


def configure(
    config: AlgorithmConfig,
    game: str,
    *,
    num_players: int | Sequence[int] | None = None,
    num_envs: int | None = None,
    batched: bool = True,
    **options: Any,
) -> AlgorithmConfig:
    """Set a config up for a game, in place: its environment, a module that masks, a policy for each role.

    Everything else is RLlib's own: set it before or afterwards; `config.multi_agent` gives other policies.

    Args:
        config: of PPO, APPO or IMPALA.
        game: the game's versioned name.
        num_players: one number or several, mixed in a run; by default the game's usual.
        num_envs: games of each runner, by default 256, or 1 where they aren't batched.
        batched: False plays them one by one in RLlib's own runner.
        options: of the game's environment, like view="now", seed=1.

    Returns:
        The same config.

    Raises:
        OptionError: before any runner starts, for an algorithm without a module here and for games, options and values
            that aren't allowed.
        PackError: a content pack can't be read or breaks a rule.
    """
    known, name = find_game(game), type(config).__name__.removesuffix("Config")
    if name not in MODULES:
        raise OptionError(f"there is no module with masks for {name}; there are modules for {', '.join(MODULES)}")
    given = {"game": known.id, "num_players": num_players, **options}
    RiverbedMultiAgentEnv(given)
    config.environment(RiverbedMultiAgentEnv, env_config=given)
    config.env_runners(
        env_runner_cls=BatchEnvRunner if batched else None,
        num_envs_per_env_runner=num_envs or (256 if batched else 1),
    )
    roles = list(known.roles)
    config.multi_agent(policies=set(roles), policy_mapping_fn=policy_by_role, policies_to_train=roles)
    config.rl_module(rl_module_spec=RLModuleSpec(module_class=MODULES[name]))
    return config
