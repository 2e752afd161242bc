"""Deep River, version 0: `env()`, `raw_env()` and `make_batch`'s game of the same name.

A game of perfect information for 2, salmon against eels; docs/games/deep_river.md is its card.
"""

from __future__ import annotations

from riverbed_env.games.deep_river.game import DEEP_RIVER

from .aec import TurnEnv
from .game_options import GameEnv

__all__ = ["env", "raw_env"]


class raw_env(GameEnv, TurnEnv, game=DEEP_RIVER):  # noqa: N801  # the name PettingZoo's users call
    """Deep River as a turn-based environment; player_0 is the salmon, player_1 the eel.

    num_players: 2. pack: name of a content pack or path to its file. tiles: seven letters from the salmon's side, like
    "bdsDtsb", or None for tiles dealt by the seed. faces: three digits, the face of each token that is up at first, or
    None. first: "salmon", "eel", or None for one drawn by the seed. view: "history" or "now". rewards: "win" or
    "zero_sum", which say the same here. on_illegal: "raise" or "terminate". auto_forced: "public", "all" or "none".
    max_turns: the cap after which a game is truncated; max_cycles is another name for it. render_mode: "ansi",
    "rgb_array" (an image of render_size, (width, height), with render_panels "all" or "board"), "human" (prints the
    table at each step) or None. mask_in: "observation", or "info" alone. dtype: "int8" or "float32". Raises OptionError
    and PackError.
    """


env = raw_env  # PettingZoo's three customary wrappers are built in
