"""The environments of Pebbles: `env()` and `raw_env()`."""

from riverbed_env.kit import GameEnv, TurnEnv

from .game import PEBBLES


class raw_env(GameEnv, TurnEnv, game=PEBBLES):  # noqa: N801  # PettingZoo's name
    """Pebbles as a turn-based environment; it takes the options of `make_params` beside those of every environment."""


env = raw_env
