"""Riverside, version 0: `env()`, `raw_env()` and `make_batch`'s game of the same name.

Dice drafted in common, own score sheets, choices made unseen; for 1 to 6. `parallel_env()` asks all who choose
at the same time at once. docs/games/riverside.md is its card.
"""

from riverbed_env.games.riverside.game import RIVERSIDE

from .aec import TurnEnv
from .parallel import SimultaneousEnv
from .single import GameEnv

__all__ = ["env", "parallel_env", "raw_env"]


class raw_env(GameEnv, TurnEnv, game=RIVERSIDE):  # noqa: N801  # the name PettingZoo's users call
    """Riverside as a turn-based environment: those who choose at the same time are asked one after the other.

    Args:
        num_players: 1 to 6.
        pack: Name of a content pack or path to its file.
        extension: Whether there are two more tiles (RS-1.1).
        rewards: "win" or "zero_sum".
        max_steps: The cap in steps, in which every pending seat answers once, after which a game is truncated, 1 to
            10**8.
        options: Those of every environment, see `GameEnv`.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """


class parallel_env(GameEnv, SimultaneousEnv, game=RIVERSIDE):  # noqa: N801  # the name PettingZoo's users call
    """Riverside as a parallel environment: those who choose at the same time are asked at once.

    It takes the same options as `raw_env`, and plays the same games for the same choices.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """


env = raw_env  # PettingZoo's three customary wrappers are built in
