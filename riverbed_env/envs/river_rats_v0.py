"""River Rats, version 0: `env()`, `raw_env()` and `make_batch`'s game of the same name.

A cooperative poker game with hidden hands for 1 to 4 players; docs/games/river_rats.md is its card.
"""

from __future__ import annotations

from riverbed_env.games.river_rats.game import RIVER_RATS

from .aec import TurnEnv
from .game_options import GameEnv

__all__ = ["env", "raw_env"]


class raw_env(GameEnv, TurnEnv, game=RIVER_RATS):  # noqa: N801  # the name PettingZoo's users call
    """River Rats as a turn-based environment.

    num_players: 1 to 4. mode: "first_game", "standard", "advanced" or "expert". prediction: "exactly", or
    "at_least_form" for hands that could be laid as predicted. view: "history" or "now". rewards: "win" alone, since all
    win or lose together. on_illegal: "raise" or "terminate". auto_forced: "public", "all" (the same here) or "none".
    max_decisions: the cap after which a game is truncated; max_cycles is another name for it. render_mode: "ansi",
    "rgb_array" (an image of render_size, (width, height), with render_panels "all" or "board"), "human" (prints all
    there is at each step, for a spectator; `render(viewer=seat)` shows what a seat knows) or None. mask_in:
    "observation", or "info" alone. dtype: "int8" or "float32". Raises OptionError.
    """


env = raw_env  # PettingZoo's three customary wrappers are built in
