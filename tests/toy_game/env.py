"""The entry points of Ford: `env()` and `raw_env()`."""

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.single import GameEnv

from .game import FORD


class raw_env(GameEnv, TurnEnv, game=FORD):  # noqa: N801  # the name PettingZoo's users call
    """Ford as a turn-based environment."""


env = raw_env
