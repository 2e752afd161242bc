"""Riverbed Hunt, version 0: `env()`, `raw_env()` and `make_batch`'s game of the same name.

A hidden-role game for 4 to 9 players in three camps; docs/games/riverbed_hunt.md is its card.
"""

from __future__ import annotations

from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT

from .aec import TurnEnv
from .game_options import GameEnv

__all__ = ["env", "raw_env"]


class raw_env(GameEnv, TurnEnv, game=RIVERBED_HUNT):  # noqa: N801  # the name PettingZoo's users call
    """Riverbed Hunt as a turn-based environment.

    num_players: 4 to 9. pack: name of a content pack or path to its file. layout: a layout's name, None for the first
    of the player count, "random" for one drawn by the seed. roles: "random", one role name or None a seat, or a mapping
    seat -> role ("chief", "merchant", "leader", "separatist", "profiteer"). view: "history" or "now". rewards: "win" or
    "zero_sum". on_illegal: "raise" or "terminate". auto_forced: "public", "all" or "none". max_decisions: the cap after
    which a game is truncated; max_cycles is another name for it. render_mode: "ansi", "rgb_array", "human" (shows all
    there is at each step, for a spectator; `render(viewer=seat)` shows what a seat knows) or None. mask_in:
    "observation", or "info" alone. dtype: "int8" or "float32". Raises OptionError and PackError.
    """


env = raw_env  # PettingZoo's three customary wrappers are built in
