"""Riverside, version 0: `env()`, `raw_env()` and `make_batch`'s game of the same name.

Dice drafted in common, own score sheets, choices made unseen; for 1 to 6. `parallel_env()` asks all who choose
at the same time at once. docs/games/riverside.md is its card.
"""

from __future__ import annotations

from riverbed_env.games.riverside.game import RIVERSIDE

from .aec import TurnEnv
from .game_options import GameEnv
from .parallel import SimultaneousEnv

__all__ = ["env", "parallel_env", "raw_env"]


class raw_env(GameEnv, TurnEnv, game=RIVERSIDE):  # noqa: N801  # the name PettingZoo's users call
    """Riverside as a turn-based environment: those who choose at the same time are asked one after the other.

    num_players: 1 to 6. pack: name of a content pack or path to its file. extension: two more tiles. view: "history" or
    "now". rewards: "win" or "zero_sum". on_illegal: "raise" or "terminate". auto_forced: "public", "all" or "none".
    max_steps: the cap after which a game is truncated, in steps in which every pending seat answers once; max_cycles is
    another name for it. render_mode: "ansi", "rgb_array" (an image of render_size, (width, height), with render_panels
    "all" or "board"), "human" (prints all there is at each step, for a spectator; `render(viewer=seat)` shows what a
    seat knows) or None. mask_in: "observation", or "info" alone. dtype: "int8" or "float32". Raises OptionError and
    PackError.
    """


class parallel_env(GameEnv, SimultaneousEnv, game=RIVERSIDE):  # noqa: N801  # the name PettingZoo's users call
    """Riverside as a parallel environment: those who choose at the same time are asked at once.

    It takes the same options as `raw_env`, and plays the same games for the same choices.
    """


env = raw_env  # PettingZoo's three customary wrappers are built in
