"""River Rats, version 0: `env()`, `raw_env()` and `make_batch`'s game of the same name.

A cooperative poker game with hidden hands for 1 to 4 players; docs/games/river_rats.md is its card.
"""

from riverbed_env.games.river_rats.game import RIVER_RATS

from .aec import TurnEnv
from .single import GameEnv

__all__ = ["env", "raw_env"]


class raw_env(GameEnv, TurnEnv, game=RIVER_RATS):  # noqa: N801  # the name PettingZoo's users call
    """River Rats as a turn-based environment.

    Args:
        num_players: 1 to 4.
        mode: "first_game", "standard", "advanced" or "expert", how hard the game is (RR-5.1).
        prediction: "exactly", or "at_least_form" for hands that could be laid as predicted (RR-3.1).
        rewards: "win" alone, since all win or lose together.
        auto_forced: "public", "all" (the same here) or "none", the forced decisions that are taken for the player.
        max_decisions: The cap in decisions after which a game is truncated, 1 to 2**31 - 2.
        options: Those of every environment, see `GameEnv`.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
    """


env = raw_env  # PettingZoo's three customary wrappers are built in
